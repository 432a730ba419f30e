import { normal, seedOf, seededRandom } from '../../../domain/random.ts'
import type { RegionRules } from '../../../domain/region.ts'
import type { HorseDraft, Names, PersonDraft, StadiumDraft } from '../../drafts/drafts.ts'
import { HORSE_NAMES, PERSON_NAMES } from './names.ts'
import { ownerSilks } from './owner-silks.ts'

export type DemoHorse = ReturnType<typeof makeStable>['horses'][number]

/** A horse with what it wears in a race, as published. */
export type DemoRunner = DemoHorse & { gear: string }

interface DemoStadium extends StadiumDraft {
  courses: readonly string[]
  distancesM: readonly number[]
  /** Start of the first race, minutes after midnight UTC. */
  firstRaceUtc: number
}

/** Which of a region's racecourses races on a day, and how many races. */
export interface DemoMeeting {
  stadium: number
  races: number
}

/** A region of the demonstration with its horses and people, identical on every machine. */
export interface DemoRegion extends ReturnType<typeof makeStable> {
  rules: RegionRules
  /** The usual meetings by day of the week, Sunday first. */
  week: readonly (DemoMeeting | null)[]
  stadiums: readonly DemoStadium[]
}

export function makeStable(rules: RegionRules, horses: number) {
  const random = seededRandom(seedOf(`stable ${rules.code}`))
  const people = shuffled(PERSON_NAMES, random)
  const person = (names: Names): PersonDraft => ({ ...names, name: names.en! })
  const jockeys = people
    .slice(0, 24)
    .map((names) => ({ person: person(names), skill: 0.25 * normal(random) }))
  const trainers = people.slice(24, 44).map(person)
  // A separate random stream: profiles have no influence on how horses run.
  const telling = seededRandom(seedOf(`profiles ${rules.code}`))
  const stable = shuffled(HORSE_NAMES, random)
    .slice(0, horses)
    .map((names, index) => {
      const ability = 0.75 * normal(random)
      const brand = `${'ABCDEFGH'[index % 8]}${String(Math.floor(index / 8) + 1).padStart(3, '0')}`
      const rating = Math.max(5, Math.min(110, Math.round(55 + 20 * ability)))
      const profile = makeProfile(brand, names, rating, telling)
      return {
        brand,
        names,
        /** Log-strength relative to an average horse. */
        ability,
        rating,
        trainer: trainers[index % trainers.length]!,
        /** Profile from its own record: sex, colour, pedigree … */
        profile,
        silks: ownerSilks(profile.owner, brand),
      }
    })
  return { jockeys, horses: stable }
}

export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffle = [...items]
  for (let last = shuffle.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    ;[shuffle[last], shuffle[other]] = [shuffle[other]!, shuffle[last]!]
  }
  return shuffle
}

const SEXES = ['gelding', 'gelding', 'gelding', 'gelding', 'horse', 'mare'] as const
const COLOURS = ['bay', 'bay', 'chestnut', 'brown', 'dark_bay', 'grey', 'black'] as const
const IMPORTS = ['ppg', 'ppg', 'pp', 'isg'] as const
const ORIGINS = ['AU', 'NZ', 'IE', 'GB'] as const

/** A profile with an age derived from the brand, as of `day`. */
export const withAge = (profile: HorseDraft, day: string): HorseDraft => ({
  ...profile,
  age: 3 + (seedOf(`age ${profile.brand}`) % 6),
  ageOn: day,
})

/** An invented profile of an invented horse. */
function makeProfile(brand: string, names: Names, rating: number, random: () => number) {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const parent = (): string => pick(HORSE_NAMES).en!
  const seasonPrizeCents = Math.round(rating * random() * 400) * 10_000
  return {
    ...names,
    brand,
    status: 'active',
    origin: pick(ORIGINS),
    sex: pick(SEXES),
    // Set when the demonstration is written: `withAge`.
    age: null,
    ageOn: null,
    colour: pick(COLOURS),
    importType: pick(IMPORTS),
    owner: `${pick(PERSON_NAMES).en} Syndicate`,
    sire: parent(),
    dam: parent(),
    damSire: parent(),
    seasonPrizeCents,
    totalPrizeCents: seasonPrizeCents + Math.round(rating * random() * 900) * 10_000,
    lastRating: rating,
  }
}
