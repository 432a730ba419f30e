import type { ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { ScheduledRace } from '../../../contract/api/racing.ts'
import { timeLeft } from '../../../domain/time-left.ts'
import { useMinute } from '../../data/use-now.ts'
import { distanceText } from '../../i18n/measures.ts'
import { useFormat } from '../../i18n/format.ts'
import { useRaceWords } from '../../i18n/race-words.ts'
import { racePath } from '../../data/race-path.ts'
import styles from './tip-race.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

interface RaceLinkProps {
  race: ScheduledRace
  onOpen(raceId: string): void
  children: ReactNode
}

/** A link to a race; opened in the same tab, a member is asked first whether to spend a voucher. */
export const RaceLink = ({ race, onOpen, children }: RaceLinkProps) => (
  <a
    className={styles.link}
    href={`#${racePath(race.id, 'racehome')}`}
    onClick={(event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      onOpen(race.id)
    }}
  >
    {children}
  </a>
)

/** Number and post time of a race: `R4 · 14:30`. Its meeting's heading says by which clocks. */
export const RaceNumberAndTime = ({ race }: { race: ScheduledRace }) => (
  <>
    <FormattedMessage id="tips.raceNo" values={{ number: race.stadiumNum }} />
    {race.time === null ? null : `${BETWEEN_FACTS}${race.time.slice(0, 'HH:MM'.length)}`}
  </>
)

/** Who sees what of a day's tips. */
export interface DayRights {
  isVip: boolean
  /** Whether any race of the day is predicted: otherwise the day says so, once. */
  isPredicted: boolean
}

/** What a race shows where it has no tip: that there is none, that it is hidden, or nothing where its day says that. */
export const missingTip = (
  race: ScheduledRace,
  { isVip, isPredicted }: DayRights,
): 'none' | 'hidden' | 'quiet' =>
  race.predicted ? (isVip ? 'quiet' : 'hidden') : isPredicted ? 'none' : 'quiet'

/** Distance and class of a race as a text. */
export function useConditions(): (race: ScheduledRace) => string {
  const intl = useIntl()
  const format = useFormat()
  const words = useRaceWords()
  return ({ id, distanceM, raceClass }) =>
    [distanceM === null ? null : distanceText({ intl, format }, distanceM, id), words.raceClass(raceClass)]
      .filter((part) => part !== null)
      .join(BETWEEN_FACTS)
}

const MINUTE_MS = 60_000

/** How long it is to a race's start; nothing afterwards. */
export function TimeToRace({ race }: { race: ScheduledRace }) {
  const now = useMinute()
  const minutes =
    race.competitionDate === null ? 0 : Math.ceil((Date.parse(race.competitionDate) - now) / MINUTE_MS)
  return minutes > 0 ? <FormattedMessage id="home.startsIn" values={timeLeft(minutes)} /> : null
}
