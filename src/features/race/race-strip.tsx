import { Check, ChevronLeft, ChevronRight, Minus, X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import type { RaceInfo, ScheduledRace } from '../../../contract/api/racing.ts'
import { meetingId } from '../../../domain/race-id.ts'
import { raceState, type RaceState } from '../../data/race-state.ts'
import { useMinute } from '../../data/use-now.ts'
import { useMeeting, useOutcomes } from '../../data/use-race.ts'
import { useFormat } from '../../i18n/format.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'
import { FollowToggle } from '../../widgets/follow/follow.tsx'
import { showWithin } from '../../ui/behaviour/show-within.ts'
import { isTyping } from '../../ui/behaviour/is-typing.ts'
import { useSwipe } from '../../ui/behaviour/use-swipe.ts'
import texts from '../../ui/text.module.css'
import styles from './race-strip.module.css'

/** The races before and after one at its meeting. */
interface Neighbours {
  before: ScheduledRace | null
  after: ScheduledRace | null
}

function neighboursOf(raceId: string, races: readonly ScheduledRace[]): Neighbours {
  const at = races.findIndex(({ id }) => id === raceId)
  return { before: (at > 0 && races[at - 1]) || null, after: (at >= 0 && races[at + 1]) || null }
}

/** The address of another race of the meeting: the same part of it is shown. */
function useRaceLink(): (raceId: string) => string {
  const [params] = useSearchParams()
  const tab = params.get('tab')
  return (raceId) => `/pages/race/HorseRace?id=${raceId}${tab === null ? '' : `&tab=${tab}`}`
}

/**
 * The meeting's races in a row that stays in view, and the ways to the next and the one before: a swipe, and the keys `[`
 * and `]`. The way back leads to where the first of them was opened. `children` stay in view below the row.
 */
export function RaceStrip({ race, children }: { race: RaceInfo; children?: ReactNode }) {
  const intl = useIntl()
  const format = useFormat()
  const linkTo = useRaceLink()
  const navigate = useNavigate()
  const races = useMeeting(race)
  const outcomes = useOutcomes(
    race,
    races.some(({ status }) => status === 'final'),
  )
  const now = new Date(useMinute())
  const row = useRef<HTMLElement>(null)
  const { before, after } = neighboursOf(race.raceId, races)
  useEffect(() => {
    showWithin(row.current, row.current?.querySelector('[aria-current]'))
  }, [race.raceId, races.length])
  const go = (to: ScheduledRace | null): void => {
    if (to) void navigate(linkTo(to.id), { replace: true })
  }
  useSwipe({ onLeft: () => go(after), onRight: () => go(before) })
  const latest = useRef({ go, before, after })
  useEffect(() => {
    latest.current = { go, before, after }
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      // An open dialog handles the keyboard exclusively.
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return
      if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      const { go: move, ...to } = latest.current
      if (event.key === '[') move(to.before)
      if (event.key === ']') move(to.after)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <div className={styles.bar}>
      <div className={styles.top}>
        <nav ref={row} className={styles.strip} aria-label={intl.formatMessage({ id: 'race.meeting' })}>
          {races.map((each) => (
            <StripRace
              key={each.id}
              race={each}
              to={linkTo(each.id)}
              isShown={each.id === race.raceId}
              state={raceState(each, now)}
              outcome={outcomes.get(each.id) ?? null}
            />
          ))}
        </nav>
        {races.length === 0 ? null : (
          <span className={styles.follow}>
            <FollowToggle
              of={{ kind: 'meeting', target: meetingId(race.raceId) }}
              name={[race.stadiumName, format.day(race.date)].join(BETWEEN_FACTS)}
            />
          </span>
        )}
      </div>
      {children}
    </div>
  )
}

const ICONS = { hit: Check, miss: X, void: Minus } as const

interface StripRaceProps {
  race: ScheduledRace
  to: string
  isShown: boolean
  state: RaceState
  /** How our first choice ended; `null` if that is not known. */
  outcome: keyof typeof ICONS | null
}

/** One of the meeting's races: its number, and its time, that it is running, or how our first choice ended. */
function StripRace({ race: { stadiumNum, status, time }, to, isShown, state, outcome }: StripRaceProps) {
  const intl = useIntl()
  const off = time?.slice(0, 'HH:MM'.length) ?? null
  const Icon = outcome === null ? null : ICONS[outcome]
  const told = [
    intl.formatMessage(
      { id: 'race.inMeeting' },
      {
        number: stadiumNum,
        status: intl.formatMessage({ id: `raceStatus.${status}` }, { time: off ?? 'unknown' }),
      },
    ),
    ...(state === 'off' ? [intl.formatMessage({ id: 'home.state.off' })] : []),
    ...(outcome === null ? [] : [intl.formatMessage({ id: `outcome.${outcome}` })]),
  ]
  return (
    <Link
      to={to}
      replace
      className={styles.race}
      data-state={state}
      aria-current={isShown ? 'page' : undefined}
      aria-label={intl.formatList(told, { type: 'unit' })}
    >
      <strong>{intl.formatMessage({ id: 'race.short' }, { number: stadiumNum })}</strong>
      <span className={styles.state}>
        {Icon === null ? (
          <>
            {state === 'scheduled' || state === 'abandoned' ? null : <i className={styles.dot} />}
            {state === 'final' ? null : off}
          </>
        ) : (
          <Icon size={14} className={outcome === 'hit' ? texts.gain : undefined} />
        )}
      </span>
    </Link>
  )
}

/** On a phone, within reach of the thumb: the race before, what can be done with this one, the race after. */
export function ThumbBar({ race, children }: { race: RaceInfo; children: ReactNode }) {
  const linkTo = useRaceLink()
  const { before, after } = neighboursOf(race.raceId, useMeeting(race))
  const short = (to: ScheduledRace): ReactNode => (
    <FormattedMessage id="race.short" values={{ number: to.stadiumNum }} />
  )
  return (
    <div className={styles.thumb}>
      {before ? (
        <Link to={linkTo(before.id)} replace className={styles.step} rel="prev">
          <ChevronLeft aria-hidden="true" size={18} /> {short(before)}
        </Link>
      ) : (
        <span />
      )}
      {children}
      {after ? (
        <Link to={linkTo(after.id)} replace className={styles.step} rel="next">
          {short(after)} <ChevronRight aria-hidden="true" size={18} />
        </Link>
      ) : (
        <span />
      )}
    </div>
  )
}
