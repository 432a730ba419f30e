import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import type { RaceInfo, ScheduledRace } from '../../../contract/api/racing.ts'
import { useMeeting } from '../../data/use-race.ts'
import { showWithin } from '../../ui/behaviour/show-within.ts'
import { isTyping } from '../../ui/behaviour/is-typing.ts'
import { useSwipe } from '../../ui/behaviour/use-swipe.ts'
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
  const linkTo = useRaceLink()
  const navigate = useNavigate()
  const races = useMeeting(race)
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
      <nav ref={row} className={styles.strip} aria-label={intl.formatMessage({ id: 'race.meeting' })}>
        {races.map(({ id, stadiumNum, status, time }) => (
          <Link
            key={id}
            to={linkTo(id)}
            replace
            className={styles.race}
            data-status={status}
            aria-current={id === race.raceId ? 'page' : undefined}
            aria-label={intl.formatMessage(
              { id: 'race.inMeeting' },
              {
                number: stadiumNum,
                status: intl.formatMessage(
                  { id: `raceStatus.${status}` },
                  { time: time === null ? 'unknown' : time.slice(0, 'HH:MM'.length) },
                ),
              },
            )}
          >
            <strong>{intl.formatMessage({ id: 'race.short' }, { number: stadiumNum })}</strong>
            {time === null ? null : <span>{time.slice(0, 'HH:MM'.length)}</span>}
          </Link>
        ))}
      </nav>
      {children}
    </div>
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
