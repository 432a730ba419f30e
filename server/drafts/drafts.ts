import { hasCjk } from '../../domain/reading/clean-text.ts'
import type { Sex } from '../../domain/reading/read-sex.ts'

/**
 * The drafts into which every import format is read, before they are written to the database. `null`: not in
 * the file.
 */
export interface Names {
  en: string | null
  hant: string | null
  hans: string | null
}

export const NO_NAMES: Names = { en: null, hant: null, hans: null }

export interface StadiumDraft extends Names {
  id: string
}

/** Names of a horse's parents and of its dam's sire, as the source writes them. */
export const BREEDING = ['sire', 'dam', 'damSire'] as const
type Breeding = Record<(typeof BREEDING)[number], string | null>

/** What is told of a horse's breeding beside its names. */
export const breedingOf = ({ sire = null, dam = null, damSire = null }: Partial<Breeding>): Breeding => ({
  sire,
  dam,
  damSire,
})

export interface HorseDraft extends Names, Breeding {
  brand: string
  /** A race that it won, by which it is told from another horse of its name. */
  raceId?: string
  /** Its year of birth, if that is what tells it. */
  born?: number | null
  status: string | null
  origin: string | null
  sex: string | null
  /** In years, on the day `ageOn`; either both are known or neither is. */
  age: number | null
  ageOn: string | null
  colour: string | null
  importType: string | null
  owner: string | null
  seasonPrizeCents: number | null
  totalPrizeCents: number | null
  lastRating: number | null
}

export const UNKNOWN_PROFILE = {
  status: null,
  origin: null,
  sex: null,
  age: null,
  ageOn: null,
  colour: null,
  importType: null,
  owner: null,
  sire: null,
  dam: null,
  damSire: null,
  seasonPrizeCents: null,
  totalPrizeCents: null,
  lastRating: null,
} as const

/** One section of a runner; `sectionNo` counts from the start, from 1. What the source does not tell is `null`. */
export interface SectionDraft {
  sectionNo: number
  /** At the end of the section. */
  position: number | null
  /** As published: behind the leader; of the leader, ahead of the second. */
  margin: string | null
  timeMs: number | null
}

/** Sections of a runner, from a file that has nothing else of it. */
export interface RunnerSections {
  raceId: string
  horseNo: number
  /** The horse's id within its region, to be compared with the runner's; `null` if the file does not have it. */
  brand: string | null
  /** The runner's time, to be compared with the stored one; `null` if the file does not have it. */
  finishTimeMs: number | null
  sections: readonly SectionDraft[]
}

/** A jockey or trainer, identified by the name printed in the results. */
export interface PersonDraft extends Names {
  name: string
}

/** A person of whom one name is known, in English or Chinese: as the other one, it would replace what is stored. */
export const personNamed = (name: string | null): PersonDraft | null =>
  name === null ? null : { ...NO_NAMES, name, [hasCjk(name) ? 'hant' : 'en']: name }

export interface RunnerDraft {
  brand: string
  /** `born`: the year of birth of a stored horse. */
  horse: Names & Partial<Breeding> & { born?: number | null }
  horseNo: number | null
  /** Number of its coupled entry; `null` if it is not coupled. */
  entryNo: number | null
  jockey: PersonDraft | null
  trainer: PersonDraft | null
  draw: number | null
  actualWeightLb: number | null
  declaredWeightLb: number | null
  rating: number | null
  gear: string | null
  /** In years, on the day of the race. */
  age: number | null
  sex: Sex | null
  owner: string | null
  /** The jockey's colours as they are published, such as “Red, white sash, yellow cap”. */
  silks: string | null
  status: 'declared' | 'finished' | 'unfinished' | 'withdrawn'
  place: number | null
  placeCode: string | null
  deadHeat: boolean
  margin: string | null
  runningPosition: string | null
  finishTimeMs: number | null
  winOdds: number | null
  /** `null`: the source does not tell, and what is stored remains. */
  sections: readonly SectionDraft[] | null
}

/** A runner's result before it is known. */
export const NO_RESULT = {
  place: null,
  placeCode: null,
  deadHeat: false,
  margin: null,
  runningPosition: null,
  finishTimeMs: null,
  sections: [],
} as const

/** What a format does not tell of a runner. */
export const UNKNOWN_RUNNER = {
  entryNo: null,
  jockey: null,
  trainer: null,
  draw: null,
  actualWeightLb: null,
  declaredWeightLb: null,
  rating: null,
  gear: null,
  age: null,
  sex: null,
  owner: null,
  silks: null,
  ...NO_RESULT,
  winOdds: null,
  sections: null,
} as const

export interface RaceDraft {
  id: string
  stadiumId: string
  date: string
  raceNo: number
  name: Names
  startsAt: string | null
  raceClass: string | null
  track: 'turf' | 'awt' | 'dirt' | null
  course: string | null
  distanceM: number | null
  going: string | null
  weather: string | null
  ratingRange: string | null
  prizeCents: number | null
  winningTimeMs: number | null
  status: 'scheduled' | 'final' | 'abandoned'
  /** Whether the horses' numbers are ours, in the order of their names: the source has no saddle numbers. */
  numbersByName: boolean
  runners: RunnerDraft[]
}

/** What a format does not tell of a race; a race known only from its refunds was abandoned. */
export const UNKNOWN_RACE = {
  name: NO_NAMES,
  startsAt: null,
  raceClass: null,
  track: null,
  course: null,
  distanceM: null,
  going: null,
  weather: null,
  ratingRange: null,
  prizeCents: null,
  winningTimeMs: null,
  status: 'abandoned',
  numbersByName: false,
  runners: [],
} satisfies Omit<RaceDraft, 'id' | 'stadiumId' | 'date' | 'raceNo'>

export interface DividendDraft {
  raceId: string
  pool: string
  gameplayClass: number | null
  combination: string
  status: 'paid' | 'refund' | 'unknown'
  dividendCents: number | null
}

export interface OddsTickDraft {
  raceId: string
  horseNo: number
  seenAt: string
  odds: number
}

export interface FormDraft {
  brand: string
  date: string
  raceIndex: number
  stadiumId: string | null
  placeCode: string
  track: string | null
  course: string | null
  distanceM: number | null
  going: string | null
  raceClass: string | null
  draw: number | null
  rating: number | null
  trainer: string | null
  jockey: string | null
  margin: string | null
  winOdds: number | null
  actualWeightLb: number | null
  declaredWeightLb: number | null
  runningPosition: string | null
  finishTimeMs: number | null
  gear: string | null
}
