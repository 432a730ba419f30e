import { Check, Minus, X } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { groupBy } from '../../../domain/group-by.ts'
import type { MeetingRace, ScheduledRace } from '../../../contract/api/racing.ts'
import { raceState, type RaceState as RunState } from '../../data/race-state.ts'
import { useMeetings } from '../../data/use-racing.ts'
import { useRaceWords } from '../../i18n/race-words.ts'
import { Small } from '../../ui/layout.tsx'
import styles from './race-day.module.css'
import { useFormat } from '../../i18n/format.ts'
import { postTimeAmong } from '../../i18n/post-time.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

interface RaceDayProps {
  /** Races of one day. */
  races: readonly ScheduledRace[]
  now: Date
  onOpen(raceId: string): void
}

/** The meetings of today: racecourse, going and course, and all their races with their state. */
export function RaceDay({ races, now, onOpen }: RaceDayProps) {
  const outcomes = new Map(
    (useMeetings().data ?? []).flatMap((meeting) =>
      meeting.races.map(({ raceId, pick }) => [raceId, pick?.outcome ?? null]),
    ),
  )
  const next = races.find((race) => raceState(race, now) === 'scheduled')?.id ?? null
  return [...groupBy(races, ({ stadiumName }) => stadiumName)].map(([stadiumName, ofMeeting]) => (
    <section key={stadiumName} className={styles.day} data-testid="race-day">
      <header className={styles.head}>
        <h2>{stadiumName}</h2>
        <Conditions race={ofMeeting.find(({ status }) => status === 'scheduled') ?? ofMeeting.at(-1)!} />
      </header>
      <ol className={styles.strip} tabIndex={0} aria-label={stadiumName}>
        {ofMeeting.map((race) => (
          <li key={race.id}>
            <RaceState
              race={race}
              state={race.id === next ? 'next' : raceState(race, now)}
              outcome={outcomes.get(race.id) ?? null}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ol>
    </section>
  ))
}

/** Going, track and weather of a meeting, as its next race has them. */
function Conditions({ race }: { race: ScheduledRace }) {
  const words = useRaceWords()
  const facts = [
    words.going(race.trackCondition),
    words.track(race.trackType, race.course),
    words.weather(race.weather),
  ]
  return <Small as="span">{facts.filter(Boolean).join(BETWEEN_FACTS)}</Small>
}

type State = RunState | 'next'

const ICONS = { hit: Check, miss: X, void: Minus } as const

interface RaceStateProps {
  race: ScheduledRace
  state: State
  /** How the first choice ended; `null` if that is not known. */
  outcome: NonNullable<MeetingRace['pick']>['outcome'] | null
  onOpen(raceId: string): void
}

function RaceState({ race, state, outcome, onOpen }: RaceStateProps) {
  const intl = useIntl()
  const format = useFormat()
  const time = postTimeAmong(format, race)
  const Icon = state === 'final' && outcome !== null ? ICONS[outcome] : null
  const words = [
    intl.formatMessage({ id: 'record.raceNumber' }, { number: race.stadiumNum }),
    state === 'next' || state === 'scheduled' ? time : '',
    intl.formatMessage({ id: `home.state.${state}` }),
    state === 'final' && outcome !== null ? intl.formatMessage({ id: `outcome.${outcome}` }) : '',
  ]
  return (
    <button
      type="button"
      className={`${styles.race} ${styles[state]}`}
      aria-label={words.filter((word) => word !== '').join(', ')}
      aria-current={state === 'next' ? 'true' : undefined}
      onClick={() => onOpen(race.id)}
    >
      <strong>
        <FormattedMessage id="race.short" values={{ number: race.stadiumNum }} />
      </strong>
      <small>
        {Icon === null ? (
          state === 'next' || state === 'scheduled' ? (
            time
          ) : (
            <FormattedMessage id={`home.state.${state}`} />
          )
        ) : (
          <Icon aria-hidden="true" size={14} />
        )}
      </small>
    </button>
  )
}
