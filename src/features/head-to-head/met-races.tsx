import type { ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import type { HeadToHead, Horse } from '../../../contract/api/horse.ts'
import { aheadOf, distanceBetween } from '../../../domain/head-to-head.ts'
import { rankOf } from '../../../domain/horse-hit.ts'
import { distanceText } from '../../i18n/measures.ts'
import { useFormat } from '../../i18n/format.ts'
import { weightNumber } from '../../i18n/measures.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'
import { Name, PersonName } from '../../i18n/name.tsx'
import { useRaceWords } from '../../i18n/race-words.ts'
import { List, Small, Table, TextCell } from '../../ui/layout.tsx'
import { Hidden } from '../../ui/panel.tsx'
import styles from './head-to-head.module.css'

type MetRace = HeadToHead['races'][number]
type MetRun = MetRace['run']
type Named = Pick<Horse, 'name' | 'nameLanguage'>

interface MetRacesProps {
  races: readonly MetRace[]
  horse: Named
  other: Named
}

/** The races that two horses were or are both in, each with what is known of both beside each other. */
export const MetRaces = ({ races, ...horses }: MetRacesProps) => (
  <List as="ol" className={styles.races}>
    {races.map((race) => (
      <li key={`${race.date} ${race.raceId}`} className={styles.race} data-testid="met-race">
        <MetRaceCard race={race} {...horses} />
      </li>
    ))}
  </List>
)

const LINES: readonly {
  id: string
  known(run: MetRun): unknown
  show(run: MetRun, raceId: string): ReactNode
}[] = [
  { id: 'horse.place', known: ({ place }) => place, show: ({ place }) => <Place place={place} /> },
  {
    id: 'race.actualWeight',
    known: ({ actualWeightLb }) => actualWeightLb,
    show: ({ actualWeightLb }, raceId) => <Weight pounds={actualWeightLb!} raceId={raceId} />,
  },
  { id: 'race.draw', known: ({ draw }) => draw, show: ({ draw }) => draw },
  { id: 'race.ratingScore', known: ({ rating }) => rating, show: ({ rating }) => rating },
  {
    id: 'race.jockey',
    known: ({ jockeyName }) => jockeyName,
    show: ({ jockeyName, jockeyLanguage }) => <PersonName name={jockeyName} language={jockeyLanguage} />,
  },
  { id: 'record.odds', known: ({ odds }) => odds, show: ({ odds }) => <Odds odds={odds!} /> },
  {
    id: 'horse.time',
    known: ({ finishTimeMs }) => finishTimeMs,
    show: ({ finishTimeMs }) => <Time milliseconds={finishTimeMs!} />,
  },
]

const Odds = ({ odds }: { odds: number }) => useFormat().odds(odds)
function Weight({ pounds, raceId }: { pounds: number; raceId: string }) {
  const intl = useIntl()
  const format = useFormat()
  return weightNumber({ intl, format }, pounds, raceId)
}

const Time = ({ milliseconds }: { milliseconds: number }) => useFormat().runningTime(milliseconds)

function Place({ place }: { place: string | null }) {
  const rank = rankOf(place ?? '')
  return rank === null ? place : <FormattedMessage id="race.place" values={{ rank }} />
}

function MetRaceCard({ race, horse, other }: Omit<MetRacesProps, 'races'> & { race: MetRace }) {
  const { raceId, date, coming, run, otherRun } = race
  const intl = useIntl()
  const format = useFormat()
  const words = useRaceWords()
  const day = <time dateTime={date}>{format.day(date)}</time>
  const facts = [
    race.stadiumName,
    race.distanceM === null ? null : distanceText({ intl, format }, race.distanceM, raceId ?? ''),
    words.going(race.going),
    words.raceClass(race.raceClass),
  ].filter((part) => part !== null)
  const ahead = aheadOf(run, otherRun)
  const lines = LINES.filter(({ known }) => (known(run) ?? known(otherRun) ?? null) !== null)
  return (
    <>
      <p className={styles.heading}>
        {raceId === null ? day : <Link to={`/pages/race/HorseRace?id=${raceId}`}>{day}</Link>}
        <Small as="span">{facts.join(BETWEEN_FACTS)}</Small>
      </p>
      <Table>
        <thead>
          <tr>
            <th scope="col" className={styles.corner}>
              <Hidden>
                <FormattedMessage id="horse.facts" />
              </Hidden>
            </th>
            <Heading of={horse} front={ahead === 'first'} />
            <Heading of={other} front={ahead === 'second'} />
          </tr>
        </thead>
        <tbody>
          {lines.map(({ id, known, show }) => (
            <tr key={id}>
              <TextCell as="th" scope="row">
                <FormattedMessage id={id} />
              </TextCell>
              {[run, otherRun].map((each, at) => (
                <td key={at === 0 ? 'run' : 'other'}>
                  {(known(each) ?? null) === null ? '–' : show(each, race.raceId ?? '')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      {coming ? null : <Between race={race} horse={horse} other={other} />}
    </>
  )
}

const Heading = ({ of, front }: { of: Named; front: boolean }) => (
  <th scope="col" className={front ? styles.front : undefined}>
    <Name language={of.nameLanguage}>{of.name}</Name>
  </th>
)

/** Who finished ahead and by how much, as far as it is known. */
function Between({
  race: { run, otherRun },
  horse,
  other,
}: Omit<MetRacesProps, 'races'> & { race: MetRace }) {
  const intl = useIntl()
  const format = useFormat()
  const words = useRaceWords()
  const ahead = aheadOf(run, otherRun)
  if (ahead === null) return null
  if (ahead === 'level') return <FormattedMessage id="headToHead.dead" tagName="p" />
  const { lengths, words: margin, milliseconds } = distanceBetween(run, otherRun)
  const distance =
    lengths === null
      ? words.margin(margin)
      : intl.formatMessage(
          { id: lengths <= 1 ? 'headToHead.length' : 'headToHead.lengths' },
          { lengths: lengthsText(lengths) ?? format.decimal(lengths, 2) },
        )
  const time =
    milliseconds === null
      ? null
      : intl.formatMessage({ id: 'headToHead.seconds' }, { seconds: format.decimal(milliseconds / 1000, 2) })
  const both =
    distance === null || time === null
      ? null
      : intl.formatMessage({ id: 'headToHead.both' }, { lengths: distance, time })
  return (
    <p>
      <FormattedMessage
        id="headToHead.ahead"
        values={{
          horse: (ahead === 'first' ? horse : other).name,
          by: both ?? distance ?? time ?? 'none',
        }}
      />
    </p>
  )
}

const QUARTERS = ['', '1/4', '1/2', '3/4'] as const

/** Lengths as results publish them, `1-3/4`; `null` if they are not in quarters. */
function lengthsText(lengths: number): string | null {
  const quarters = lengths * 4
  if (!Number.isInteger(quarters)) return null
  const whole = Math.floor(lengths)
  return [whole === 0 ? '' : String(whole), QUARTERS[quarters % 4]!].filter((part) => part !== '').join('-')
}
