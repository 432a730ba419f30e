import { FormattedMessage } from 'react-intl'
import { useNextRace } from '../../data/use-racing.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Row } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import RemindMe from './remind-me.tsx'
import styles from './home.module.css'

/** Replaces the next race while none is scheduled soon: the next race day. */
export default function BetweenMeetings() {
  const next = useNextRace()
  const format = useFormat()
  if (next.error && next.data === undefined)
    return <ErrorNotice error={next.error} onRetry={() => void next.refetch()} />
  if (next.isPending) return <Skeleton height={62} />
  return (
    <Row spread className={styles.between}>
      <p className={texts.strong}>
        {next.data ? (
          <FormattedMessage
            id="home.nextMeeting"
            values={{ day: format.longDay(next.data.date), course: next.data.stadiumName }}
          />
        ) : (
          <FormattedMessage id="home.noMeetings" />
        )}
      </p>
      {next.data ? <RemindMe race={next.data} /> : null}
    </Row>
  )
}
