import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import type { ScheduledRace } from '../../../contract/api/racing.ts'
import { useNearestRace } from '../../data/use-racing.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Stack } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './home.module.css'

/** Replaces the next race while none is scheduled soon: the next race day and the previous meeting. */
export default function BetweenMeetings() {
  const next = useNearestRace('forward')
  const last = useNearestRace('back')
  const format = useFormat()
  const wordsOf = ({ date, stadiumName }: ScheduledRace) => ({ day: format.day(date), course: stadiumName })
  if (next.error && next.data === undefined)
    return <ErrorNotice error={next.error} onRetry={() => void next.refetch()} />
  if (next.isPending || last.isPending) return <Skeleton height={96} />
  return (
    <Stack as="section" tight className={styles.between}>
      <p className={texts.strong}>
        {next.data ? (
          <FormattedMessage id="home.nextMeeting" values={wordsOf(next.data)} />
        ) : (
          <FormattedMessage id="home.noMeetings" />
        )}
      </p>
      {last.data ? (
        <Link to={`/pages/race/PredictionResults?month=${last.data.date.slice(0, 7)}`}>
          <FormattedMessage id="home.lastMeeting" values={wordsOf(last.data)} />
        </Link>
      ) : null}
    </Stack>
  )
}
