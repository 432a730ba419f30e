import { FileText } from 'lucide-react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { useLiveInstant } from '../../data/live.ts'
import type { RaceInfo } from '../../data/racing-calls.ts'
import { useRaceWords } from '../../i18n/race-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { Facts } from '../../ui/facts.tsx'
import layout from '../../ui/layout.module.css'
import styles from './race.module.css'

/** What race this is, when and where, on what ground; and, when it changed last before the reader’s eyes. */
export function RaceHeader({ race, timeZone }: { race: RaceInfo; timeZone: string }) {
  const format = useFormat()
  const words = useRaceWords()
  const odds = useLiveInstant('odds', race.raceId)
  const result = useLiveInstant('result', race.raceId)
  const news = [odds, result]
    .filter((each) => each !== null)
    .toSorted()
    .at(-1)
  return (
    <header className={styles.head}>
      <div className={layout.spread}>
        <div className={layout.title}>
          <h1>
            {race.stadiumName} ·{' '}
            <FormattedMessage id="record.raceNumber" values={{ number: race.raceNumber }} />
          </h1>
          <p>
            {race.name ? `${race.name} · ` : ''}
            {format.day(race.date)}
            {race.competitionDate ? ` ${format.time(race.competitionDate, timeZone)}` : ''}
          </p>
        </div>
        <div className={layout.toolbar}>
          <span className={`${layout.badge} ${race.status === 'scheduled' ? layout.accent : layout.soft}`}>
            <FormattedMessage id={`raceStatus.${race.status}`} />
          </span>
          {race.isSubscribe === 1 ? (
            <Link
              className={`${layout.linkButton} ${layout.quiet}`}
              to={`/pages/race/ReportView?id=${race.raceId}`}
            >
              <FileText aria-hidden="true" size={16} />
              <FormattedMessage id="race.viewReport" />
            </Link>
          ) : null}
        </div>
      </div>
      <Facts
        facts={[
          [
            'race.distance',
            race.distance === null ? null : (
              <FormattedMessage id="record.metres" values={{ metres: format.integer(race.distance) }} />
            ),
          ],
          ['race.track', words.track(race.trackType, race.course)],
          ['race.going', words.going(race.trackCondition)],
          ['race.class', words.raceClass(race.raceClass)],
          ['race.weather', words.weather(race.weather) ?? <FormattedMessage id="race.unknown" />],
          ['race.rating', race.rating],
        ]}
      />
      {race.tips === null ? null : <TipsLine race={race} />}
      {race.amended ? (
        <p className={layout.small} data-testid="amended">
          <FormattedMessage id="race.amended" />
        </p>
      ) : null}
      {news === undefined ? null : (
        <p className={styles.news}>
          <FormattedMessage id="live.at" values={{ time: format.clock(news) }} />
        </p>
      )}
    </header>
  )
}

/** First choice of each of the first four predictions. */
function TipsLine({ race }: { race: RaceInfo }) {
  const numbers = [
    race.tips!.raceCompetitor1Num,
    race.tips!.raceCompetitor2Num,
    race.tips!.raceCompetitor3Num,
    race.tips!.raceCompetitor4Num,
  ]
  const told = race.tips!.open ? numbers.filter((number) => number !== null) : [numbers[0], '?', '?', '?']
  return (
    <p className={styles.tips}>
      <FormattedMessage id="race.aiTips" />
      <strong>{told.join(' , ')}</strong>
    </p>
  )
}
