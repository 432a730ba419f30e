/** What a card tells of a race before it is run. */
export interface RaceFacts {
  id: string
  /** `yyyy-mm-dd` in the region's zone. */
  date: string
  /** Year in which the season began. */
  season: number
  stadiumId: string
  /** `turf`, `awt`, `dirt`. */
  track: string
  /** Rail position, `C+3`; empty where there is one course only. */
  course: string
  /** Metres; `null` where nothing tells it. */
  distanceM: number | null
  /** `C1` … `C5`, `G1` …; empty for others. */
  raceClass: string
  going: string
}

/** What a card tells of a starter. There are no odds here, so that no feature can read them. */
export interface Starter {
  horseId: string
  /** Number of the coupled entry that it belongs to; `null` or absent where it runs for itself. */
  entryNo?: number | null
  /** Saddle number; 0 in races known by their horses' own records only. */
  horseNo: number
  jockeyId: string | null
  trainerId: string | null
  draw: number | null
  /** Carried, pounds. */
  weightLb: number | null
  /** The horse's own, pounds. */
  bodyLb: number | null
  rating: number | null
  /** Codes of gear, `B/TT1`; `null`: not known, empty: none. */
  gear: string | null
}

/** How a starter ran. */
export interface Performance {
  /** Official place; `null`: started, has none. */
  place: number | null
  timeMs: number | null
  /** Place at each call, `6 3 1`. */
  calls: string | null
}

export interface PastRace extends RaceFacts {
  /** Whether the whole field is known; otherwise these are the horses whose own records name the race. */
  whole: boolean
  /** By saddle number, then horse: the order of rows in a file changes nothing. */
  starters: readonly (Starter & Performance)[]
}

/** A race that is about to be run. */
export interface Card extends RaceFacts {
  starters: readonly Starter[]
}

/** Races of one day, in the order of their ids. */
export interface RaceDay {
  date: string
  races: readonly PastRace[]
}

const DAY_MS = 86_400_000

/** Days since 1970 of `yyyy-mm-dd`. */
export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS

/** Row of the one starter at an official place; -1 where several share it or none has it. */
export function onlyAt({ starters }: Pick<PastRace, 'starters'>, place: number): number {
  const row = starters.findIndex((starter) => starter.place === place)
  return starters.findLastIndex((starter) => starter.place === place) === row ? row : -1
}

/** Rows of the first four; `null` where two share a place or one is missing. */
export function firstFour(race: Pick<PastRace, 'starters'>): number[] | null {
  const rows = [1, 2, 3, 4].map((place) => onlyAt(race, place))
  return rows.includes(-1) ? null : rows
}

/** Races by day, in time's order; races of a day by id, starters by number: however they were given. */
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
