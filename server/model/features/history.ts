/** The racecard's facts about a race. */
export interface RaceFacts {
  id: string
  /** `yyyy-mm-dd` at the racecourse. */
  date: string
  /** Year in which the season began. */
  season: number
  stadiumId: string
  /** `turf`, `awt`, `dirt`. */
  track: string
  /** Rail position, such as `C+3`; empty if there is only one course. */
  course: string
  /** Metres; `null` if unknown. */
  distanceM: number | null
  /** `C1` … `C5`, `G1` …; empty for others. */
  raceClass: string
  going: string
}

/** The racecard's facts about a starter. Odds are excluded, so that no feature can read them. */
export interface Starter {
  horseId: string
  /** Number of its coupled entry; `null` or absent if it is not coupled. */
  entryNo?: number | null
  /** Saddle number; 0 in races known only from horses' own form records. */
  horseNo: number
  jockeyId: string | null
  trainerId: string | null
  draw: number | null
  /** Weight carried, in pounds. */
  weightLb: number | null
  /** The horse's body weight, in pounds. */
  bodyLb: number | null
  rating: number | null
  /** Gear codes, such as `B/TT1`; `null`: unknown, empty: none. */
  gear: string | null
}

/** A starter's performance. */
export interface Performance {
  /** Official place; `null`: started but has no place. */
  place: number | null
  timeMs: number | null
  /** Position at each call, such as `6 3 1`. */
  calls: string | null
}

export interface PastRace extends RaceFacts {
  /** Whether the whole field is known; if not, `starters` come from the horses' own records. */
  whole: boolean
  /** Sorted by saddle number, then horse, so that the order of rows in a file does not matter. */
  starters: readonly (Starter & Performance)[]
}

/** A race that has not been run yet. */
export interface Card extends RaceFacts {
  starters: readonly Starter[]
}

/** Races of one day, ordered by id. */
export interface RaceDay {
  date: string
  races: readonly PastRace[]
}

const DAY_MS = 86_400_000

/** Days since 1970 of a `yyyy-mm-dd` date. */
export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS

/** Row of the only starter at an official place; -1 if several share it or there is none. */
export function onlyAt({ starters }: Pick<PastRace, 'starters'>, place: number): number {
  const row = starters.findIndex((starter) => starter.place === place)
  return starters.findLastIndex((starter) => starter.place === place) === row ? row : -1
}

/** Rows of the first four; `null` if two share a place or one is missing. */
export function firstFour(race: Pick<PastRace, 'starters'>): number[] | null {
  const rows = [1, 2, 3, 4].map((place) => onlyAt(race, place))
  return rows.includes(-1) ? null : rows
}

/**
 * Races grouped by day in chronological order, each day's races sorted by id and starters by number,
 * regardless of the input order.
 */
export function toDays(races: readonly PastRace[]): RaceDay[] {
  const byDay = new Map<string, PastRace[]>()
  for (const race of races) {
    const starters = race.starters.toSorted(
      (a, b) => a.horseNo - b.horseNo || (a.horseId < b.horseId ? -1 : a.horseId > b.horseId ? 1 : 0),
    )
    const day = byDay.get(race.date) ?? []
    day.push({ ...race, starters })
    byDay.set(race.date, day)
  }
  return [...byDay.keys()]
    .toSorted()
    .map((date) => ({ date, races: byDay.get(date)!.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }))
}
