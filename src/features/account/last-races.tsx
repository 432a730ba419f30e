import { useQuery } from '@tanstack/react-query'
import { LockKeyholeOpen } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { queryRaceSubscribe, type ScheduledRace } from '../../../contract/api/racing.ts'
import { queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { racePath } from '../../data/race-path.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { Entry, LinkButton, List, Small, TextLink } from '../../ui/layout.tsx'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import styles from './centre.module.css'

const COUNT = 3

/** The races that the customer unlocked last, to go on with. */
export function LastRaces() {
  const at = useRegionDay()
  const { locale } = useIntl()
  const token = useToken()
  const races = useQuery({
    ...queryFor(
      queryRaceSubscribe,
      at && { countryRegionId: at.regionId, today: at.today, pageSize: COUNT },
      locale,
      token,
    ),
    retry: 1,
  })
  return (
    <Panel
      title={<FormattedMessage id="centre.continue" />}
      actions={races.data?.length ? <TextLink to="/pages/race/Subscribe" text="common.viewAll" /> : null}
    >
      <div className={styles.races}>
        {races.error ? <ErrorNotice error={races.error} onRetry={() => void races.refetch()} /> : null}
        {races.isPending ? <Skeleton height={180} /> : null}
        {races.data?.length === 0 ? (
          <Empty
            icon={LockKeyholeOpen}
            action={<LinkButton quiet to="/pages/race/racehome" text="pay.toTips" />}
            text="races.noneSubscribed"
          />
        ) : null}
        {at !== null && races.data?.length ? (
          <List>
            {races.data.map((race) => (
              <RaceEntry key={race.id} race={race} timeZone={at.timeZone} />
            ))}
          </List>
        ) : null}
      </div>
    </Panel>
  )
}

function RaceEntry({ race, timeZone }: { race: ScheduledRace; timeZone: string }) {
  const format = useFormat()
  return (
    <Entry>
      <Link className={styles.race} to={racePath(race.id, 'subscribe')}>
        <strong>
          {race.stadiumName} <FormattedMessage id="race.short" values={{ number: race.stadiumNum }} />
          {race.name === null ? null : ` · ${race.name}`}
        </strong>
        <Small as="span">{format.longDay(race.date)}</Small>
      </Link>
      <Small as="span">
        <FormattedMessage
          id={`raceStatus.${race.status}`}
          values={{
            time: race.competitionDate === null ? 'unknown' : format.timeIn(race.competitionDate, timeZone),
          }}
        />
      </Small>
    </Entry>
  )
}
