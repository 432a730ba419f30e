import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { ScheduledRace } from '../../../contract/api/racing.ts'
import type { DatasetRegion } from '../../../contract/dataset.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { dayIn } from '../../../domain/region.ts'
import { fetchSchedule } from '../../data/api-client.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import styles from './schedule-list.module.css'

/** Races of today and the days ahead, by day and stadium. */
export function ScheduleList({ region }: { region: DatasetRegion }) {
  const { language } = useLanguage()
  const [now] = useState(() => new Date())
  const today = dayIn(region.timeZone, now)
  const schedule = useQuery({
    queryKey: ['schedule', region.id, today, language],
    queryFn: ({ signal }) => fetchSchedule(region.id, today, signal),
    staleTime: 300_000,
    networkMode: 'always',
    retry: 1,
  })
  return (
    <Panel title={<FormattedMessage id="home.schedule" />}>
      {schedule.error ? <ErrorNotice error={schedule.error} onRetry={() => void schedule.refetch()} /> : null}
      {schedule.isPending ? <Skeleton height={160} /> : null}
      {schedule.data?.length === 0 ? <FormattedMessage id="home.noSchedule" tagName="p" /> : null}
      <div className={styles.days}>
        {[...groupBy(schedule.data ?? [], (race) => `${race.date} ${race.stadiumName}`).values()].map(
          (races) => (
            <Meeting key={races[0]!.id} races={races} timeZone={region.timeZone} />
          ),
        )}
      </div>
    </Panel>
  )
}

function Meeting({ races, timeZone }: { races: ScheduledRace[]; timeZone: string }) {
  const format = useFormat()
  const [first] = races
  return (
    <section>
      <h3 className={styles.day}>
        {format.longDay(first!.date)} · {first!.stadiumName}
      </h3>
      <ul className={styles.races}>
        {races.map((race) => (
          <li key={race.id} className={styles.race}>
            <span className={styles.number}>
              <FormattedMessage id="record.raceNumber" values={{ number: race.round }} />
            </span>
            <span className={styles.name}>{race.name}</span>
            <span className={styles.facts}>
              {race.competitionDate ? `${format.time(race.competitionDate, timeZone)} · ` : ''}
              {race.distanceM === null ? null : (
                <>
                  <FormattedMessage id="record.metres" values={{ metres: format.integer(race.distanceM) }} />
                  {' · '}
                </>
              )}
              <FormattedMessage id="record.runners" values={{ count: race.starters }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
