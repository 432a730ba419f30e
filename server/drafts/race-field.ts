import type { Finisher } from '../../domain/finish.ts'
import { clockOfCourse } from '../../domain/course-clock.ts'
import { isConfirmable, placesFault, type ResultFault } from '../../domain/result-check.ts'
import { placesFor } from '../../domain/pool-rules.ts'
import { addDays, dayIn, regionOfStadium } from '../../domain/region.ts'
import type { DividendDraft, RaceDraft, RunnerDraft } from './drafts.ts'

export type FieldRunner = Pick<
  RunnerDraft,
  'brand' | 'horseNo' | 'entryNo' | 'status' | 'place' | 'finishTimeMs'
>

/** What a race's dividends and odds, and its next version, are compared with. */
export interface RaceField extends Pick<
  RaceDraft,
  'id' | 'stadiumId' | 'date' | 'startsAt' | 'status' | 'numbersByName'
> {
  /** Places paid. */
  places: number
  runners: FieldRunner[]
}

/** How many places a race pays, by its declared betting interests and, where handicaps pay otherwise, its English name. */
export function placesOf(
  { stadiumId, name }: Pick<RaceDraft, 'stadiumId' | 'name'>,
  runners: readonly FieldRunner[],
): number {
  const region = regionOfStadium(stadiumId)
  const interests = runners.flatMap(({ horseNo, entryNo }) => (horseNo === null ? [] : [entryNo ?? horseNo]))
  return region === undefined ? 0 : placesFor(region, new Set(interests).size, name.en)
}

/** A dividend line as it is compared with others of its pool. */
export type PoolLine = Pick<DividendDraft, 'raceId' | 'pool' | 'combination' | 'status'>

/** Runners with a saddle number, as settlement needs them. */
export const finishersOf = (runners: readonly FieldRunner[]): Finisher[] =>
  runners.flatMap(({ horseNo, entryNo, status, place }) =>
    horseNo === null
      ? []
      : [
          {
            horseNo,
            entryNo,
            place,
            started: status !== 'withdrawn',
            isBehind: status === 'finished' && place === null,
          },
        ],
  )

type RaceTime = Pick<RaceDraft, 'stadiumId' | 'date' | 'startsAt'>

/** Clocks differ, and a race may start a little early. */
const EARLY_MS = 5 * 60_000

/** Whether a race cannot have been run yet: its post time is to come, or its day if the time is unknown. */
function isBeforeStart({ stadiumId, date, startsAt }: RaceTime, now: Date): boolean {
  if (startsAt !== null) return Date.parse(startsAt) > now.getTime() + EARLY_MS
  return regionOfStadium(stadiumId) !== undefined && date > dayIn(clockOfCourse(stadiumId), now)
}

/** Hours of the next day until which a meeting may last. */
const AFTER_MIDNIGHT_HOURS = 6

/**
 * Whether a post time is on the race's day by the clocks of its racecourse or of its region, or in the night after it; true if it is
 * unknown.
 */
export function startsOnItsDay({ stadiumId, date, startsAt }: RaceTime): boolean {
  const region = regionOfStadium(stadiumId)
  if (startsAt === null || region === undefined) return true
  const at = new Date(startsAt)
  const earlier = new Date(at.getTime() - AFTER_MIDNIGHT_HOURS * 3_600_000)
  return [clockOfCourse(stadiumId), region.timeZone].some(
    (timeZone) => dayIn(timeZone, at) === date || dayIn(timeZone, earlier) === date,
  )
}

/** Whether a race's day is before yesterday at its racecourse: its card is no card of a coming race. */
export function isLongOver({ stadiumId, date }: RaceTime, now: Date): boolean {
  return regionOfStadium(stadiumId) !== undefined && date < addDays(dayIn(clockOfCourse(stadiumId), now), -1)
}

/** What is wrong with a result or dividend before the race has started; `null` once it has. */
export const beforeStartFault = (race: RaceTime, now: Date): ResultFault | null =>
  isBeforeStart(race, now)
    ? {
        problem: 'before-the-start',
        detail: `the race starts at ${race.startsAt ?? race.date}`,
        horseNo: null,
      }
    : null

/** The first thing that is wrong with a result as such; `null` if the race can have ended so. */
export function resultFault(race: RaceTime & Pick<RaceField, 'runners'>, now: Date): ResultFault | null {
  const places = placesFault(finishersOf(race.runners))
  if (places !== null && !isConfirmable(places.problem)) return places
  return beforeStartFault(race, now) ?? places
}
