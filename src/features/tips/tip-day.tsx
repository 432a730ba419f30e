import { LockOpen } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { groupBy } from '../../../domain/group-by.ts'
import type { ScheduledRace } from '../../../contract/api/racing.ts'
import { useIsVip, useSession, vouchersLeft } from '../../data/use-session.ts'
import { rememberWantedRace } from '../../data/wanted-race.ts'
import { useFormat } from '../../i18n/format.ts'
import { offsetOf } from '../../i18n/post-time.ts'
import { useRaceWords } from '../../i18n/race-words.ts'
import { onDevice } from '../../storage/stored-text.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { OneOf } from '../../ui/fields/choices.tsx'
import { Small, Stack } from '../../ui/layout.tsx'
import { DayCards } from './day-cards.tsx'
import { DayTable } from './day-table.tsx'
import { scoreOf, type Score, type TipRace } from './use-tip-day.ts'
import styles from './tip-day.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** Width of the window from which on the table has room for names, in pixels. */
const TABLE = 900

const VIEW_KEY = 'tipsView'
type View = 'table' | 'cards'
const viewOf = (text: string | null): View => (text === 'cards' ? 'cards' : 'table')

interface TipDayProps {
  day: string
  today: string
  races: readonly TipRace[]
  onOpen(raceId: string): void
}

/** The tips of a day's races by meeting, as a table or as cards, and after a race where the picks finished. */
export function TipDay({ day, today, races, onOpen }: TipDayProps) {
  const isWide = useWide(TABLE)
  const isVip = useIsVip() === true
  const [view, setView] = useState<View>(() => viewOf(onDevice.read(VIEW_KEY)))
  const isPredicted = races.some(({ race, tip }) => race.predicted || tip !== null)
  const isOver = day < today || races.every(({ race }) => race.status !== 'scheduled')
  const locked = isVip ? [] : races.filter(isLocked)
  const change = (to: string): void => {
    onDevice.write(VIEW_KEY, to)
    setView(viewOf(to))
  }
  const common = { isVip, isPredicted, onOpen }
  return (
    <Stack as="section">
      {isWide || locked.length > 0 ? (
        <div className={styles.tools}>
          {isWide ? (
            <OneOf
              legend={<FormattedMessage id="tips.view" />}
              value={view}
              choices={[
                { value: 'table', label: <FormattedMessage id="tips.glance" /> },
                { value: 'cards', label: <FormattedMessage id="tips.cards" /> },
              ]}
              onChange={change}
            />
          ) : null}
          {locked.length > 0 ? <Unlock locked={locked} onOpen={onOpen} /> : null}
        </div>
      ) : null}
      {isPredicted ? null : <FormattedMessage id={isOver ? 'tips.none' : 'tips.notYet'} tagName="p" />}
      {[...groupBy(races, ({ race }) => race.stadiumName)].map(([course, ofMeeting]) => (
        <Meeting key={course} day={day} course={course} races={ofMeeting}>
          {(name) =>
            isWide && view === 'table' ? (
              <DayTable races={ofMeeting} name={name} {...common} />
            ) : (
              <DayCards races={ofMeeting} isToday={day === today} {...common} />
            )
          }
        </Meeting>
      ))}
      {isPredicted ? <Small text={isWide && view === 'table' ? 'tips.legendTable' : 'tips.legend'} /> : null}
    </Stack>
  )
}

/** Whether a part of a race's prediction is hidden from who is no VIP. */
const isLocked = ({ race, tip }: TipRace): boolean =>
  race.predicted && race.status !== 'abandoned' && !tip?.open

interface MeetingProps {
  day: string
  course: string
  races: readonly TipRace[]
  /** `name`: day and racecourse. */
  children(name: string): ReactNode
}

function Meeting({ day, course, races, children }: MeetingProps) {
  const format = useFormat()
  const groundOf = useGround()
  const score = scoreOf(races)
  const ofMeeting = races.map(({ race }) => race)
  const name = `${format.longDay(day)}${BETWEEN_FACTS}${course}`
  return (
    <Stack as="section" tight>
      <header className={styles.head}>
        <h2>{name}</h2>
        <Small as="span">
          {[groundOf(ofMeeting), offsetOf(format, ofMeeting)].filter(Boolean).join(BETWEEN_FACTS)}
        </Small>
        {score.count > 0 ? (
          <strong className={styles.score}>
            <FormattedMessage id="tips.score" values={{ ...score }} />
          </strong>
        ) : null}
      </header>
      {children(name)}
    </Stack>
  )
}

/** Going that changes during a meeting has two names; more are of the races, whose pages say them. */
const MOST_GROUNDS = 2

/** The ground of a meeting's races: each kind of track with its courses and its goings. */
function useGround(): (races: readonly ScheduledRace[]) => string {
  const words = useRaceWords()
  const distinct = (values: readonly (string | null)[]): string => {
    const found = [...new Set(values.filter((value) => value !== null))]
    return found.length > MOST_GROUNDS ? '' : found.join(' / ')
  }
  return (races) =>
    [...groupBy(races, ({ trackType }) => trackType ?? '')]
      .map(([track, ofTrack]) => {
        const course = distinct(ofTrack.map((race) => race.course))
        const ground = words.track(track || null, course || null)
        const goings = distinct(ofTrack.map(({ trackCondition }) => words.going(trackCondition)))
        return [ground, goings].filter(Boolean).join(BETWEEN_FACTS)
      })
      .filter(Boolean)
      .join(' | ')
}

/** The way to what is hidden of a day: a voucher for its next race where one is left, and VIP for all of it. */
function Unlock({ locked, onOpen }: { locked: readonly TipRace[]; onOpen(raceId: string): void }) {
  const vouchers = vouchersLeft(useSession().data)
  const { race } = locked.find((each) => each.race.status === 'scheduled') ?? locked[0]!
  return (
    <span className={styles.unlock}>
      {vouchers > 0 ? (
        <button type="button" className={styles.unlockLink} onClick={() => onOpen(race.id)}>
          <LockOpen aria-hidden="true" size={16} />
          <FormattedMessage id="tips.voucher" values={{ number: race.stadiumNum, count: vouchers }} />
        </button>
      ) : null}
      <Link
        className={vouchers > 0 ? styles.vipLink : styles.unlockLink}
        to="/pages/race/viplist"
        // Paying leads back to the race.
        onClick={() => rememberWantedRace(race.id)}
      >
        {vouchers > 0 ? null : <LockOpen aria-hidden="true" size={16} />}
        <FormattedMessage id="tips.unlock" values={{ count: locked.length }} />
      </Link>
    </span>
  )
}

/** How often the first picks of the last meeting won, as a link to it. */
export function LastMeeting({ races, onChange }: { races: readonly TipRace[]; onChange(day: string): void }) {
  const format = useFormat()
  const score: Score = scoreOf(races)
  const [first] = races
  if (first === undefined || score.count === 0) return null
  const { date, stadiumName } = first.race
  return (
    <button type="button" className={styles.last} onClick={() => onChange(date)}>
      <FormattedMessage
        id="tips.lastMeeting"
        values={{ day: format.longDay(date), course: stadiumName, ...score }}
      />
    </button>
  )
}
