import { groupBy } from '../../../domain/group-by.ts'
import { addDays } from '../../../domain/region.ts'
import type { ScheduledRace, Tip } from '../../../contract/api/racing.ts'
import { useToken } from '../../data/client/session.ts'
import { useNextRace, usePastRaces, useRacesFrom } from '../../data/use-racing.ts'
import { useRegionDay } from '../../data/use-region.ts'
import { useIsVip } from '../../data/use-session.ts'

/** A race with its tip; `null` if there is none, or none that the user may see. */
export interface TipRace {
  race: ScheduledRace
  tip: Tip | null
}

/** How often the first pick won, of the races whose pick ran. */
export interface Score {
  hits: number
  count: number
}

/** The days from today on that the calls of a week answer. */
const WEEK_DAYS = 7

const daysOf = (races: readonly ScheduledRace[] | undefined): string[] => [
  ...groupBy(races ?? [], ({ date }) => date).keys(),
]

/**
 * The days of racing of the user's region, oldest first, and the day that is shown: the wanted one, otherwise today if
 * there is racing, otherwise the next day with racing, otherwise the last one. `null` while they are loading.
 */
function useDays(wanted: string | null) {
  const at = useRegionDay()
  const coming = useRacesFrom(at?.from ?? null)
  const past = usePastRaces()
  const today = at && todayOf(at, coming.races.data)
  // Only where the coming week has no races is the next one asked for, however far.
  const isEmpty = coming.races.data?.every(({ date }) => date < today!) ?? false
  const next = useNextRace(isEmpty)
  const isPending = coming.races.isPending || past.isPending || (isEmpty && next.isPending)
  if (at === null || today === null || isPending) return { coming, days: null }
  const all = allDays(past.data, coming.races.data, isEmpty ? next.data : null)
  return { coming, days: { ...at, today, all, ...shownOf(all, wanted, today) } }
}

/** The day that is shown, and the last one before today. */
const shownOf = (all: readonly string[], wanted: string | null, today: string) => ({
  day: wanted ?? all.find((each) => each >= today) ?? all.at(-1) ?? null,
  last: all.findLast((each) => each < today) ?? null,
})

/** The day before is today's for as long as a racecourse that still has it races. */
function todayOf(
  { today, from }: NonNullable<ReturnType<typeof useRegionDay>>,
  races: readonly ScheduledRace[] | undefined,
): string {
  return races?.some(({ date, status }) => date < today && status === 'scheduled') ? from : today
}

/** Days of racing, oldest first; `past` begins with the newest. */
const allDays = (
  past: readonly ScheduledRace[] | undefined,
  coming: readonly ScheduledRace[] | undefined,
  next: ScheduledRace | null | undefined,
): string[] => [...new Set([...daysOf(past).toReversed(), ...daysOf(coming), ...(next ? [next.date] : [])])]

/** Races of a day with their tips, in the schedule's order. */
const racesOn = (day: string | null, { races, tips }: ReturnType<typeof useRacesFrom>): TipRace[] =>
  (races.data ?? [])
    .filter(({ date }) => date === day)
    .map((race) => ({ race, tip: tips.data?.find(({ raceId }) => raceId === race.id) ?? null }))

/** How often the first pick of a day's races won; void ones are not counted. */
export function scoreOf(races: readonly TipRace[]): Score {
  const outcomes = races.map(({ tip }) => tip?.outcome).filter((each) => each === 'hit' || each === 'miss')
  return { hits: outcomes.filter((each) => each === 'hit').length, count: outcomes.length }
}

/** Whether the calls from today on answer a day. */
const isThisWeek = (today: string, day: string): boolean => day >= today && day <= addDays(today, WEEK_DAYS)

/** The races of the shown day, and of the last one where nobody races today. */
function useShown(of: ReturnType<typeof useDays>) {
  const { coming, days } = of
  const day = days?.day ?? null
  const isComing = days !== null && day !== null && isThisWeek(days.today, day)
  const other = useRacesFrom(isComing ? null : day)
  // Then the last meeting is told below the next one.
  const isBetween = isComing && day > days.today
  const last = useRacesFrom(isBetween ? days.last : null)
  const shown = isComing ? coming : other
  const isLoading = day !== null && (shown.races.isPending || shown.tips.isPending)
  return { shown, last, isLoading }
}

/** What the tips screen shows: its days, the races of one of them, and how the last meeting went. */
export function useTipDay(wanted: string | null) {
  const token = useToken()
  const isVip = useIsVip()
  const found = useDays(wanted)
  const { coming, days } = found
  const { shown, last, isLoading } = useShown(found)
  // What is hidden is known once it is known who asks.
  const isUnknownUser = token !== null && isVip === undefined
  const areDaysUnknown = days === null && coming.races.error === null
  return {
    days,
    races: racesOn(days?.day ?? null, shown),
    lastRaces: racesOn(days?.last ?? null, last),
    isPending: areDaysUnknown || isUnknownUser || isLoading,
    error: coming.races.data ? (shown.races.error ?? shown.tips.error) : coming.races.error,
    refetch: () => {
      for (const each of [coming.races, shown.races, shown.tips]) if (each.isError) void each.refetch()
    },
  }
}
