import { dayNumber, type Card } from './history.ts'
import { pairKey, stallKeys, STALLS_AROUND } from './learn.ts'
import type { FeatureState, PersonState } from './state.ts'

/** Jockeys who rode in this many days before a race can be tried on its starters. */
const RECENT_DAYS = 90

/** A race as it was predicted: its card, and the part of the state from which its features are computed. */
export interface RaceLookBack {
  /** Of the version by which it was predicted, with the hash of its file. */
  season: number
  sha256: string
  card: Card
  state: FeatureState
}

/** The card alone: of a race that was run, without how it was run. */
export const cardOf = (race: Card): Card => ({
  id: race.id,
  date: race.date,
  season: race.season,
  stadiumId: race.stadiumId,
  track: race.track,
  course: race.course,
  distanceM: race.distanceM,
  raceClass: race.raceClass,
  going: race.going,
  starters: race.starters.map((starter) => ({
    horseId: starter.horseId,
    entryNo: starter.entryNo ?? null,
    horseNo: starter.horseNo,
    jockeyId: starter.jockeyId,
    trainerId: starter.trainerId,
    draw: starter.draw,
    weightLb: starter.weightLb,
    bodyLb: starter.bodyLb,
    rating: starter.rating,
    gear: starter.gear,
  })),
})

/**
 * The part of a state that features of a racecard's starters read, with any of its stalls and any jockey of
 * `jockeysToTry`: computed from it they are the same, to the bit.
 */
export function stateOf(state: FeatureState, card: Card): FeatureState {
  const horses = pickFrom(
    state.horses,
    card.starters.map(({ horseId }) => horseId),
  )
  const before = Object.values(horses).flatMap(({ recent }) => recent.at(-1)?.jockeyId ?? [])
  const toTry = jockeysToTry(state, card)
  const trainerIds = idsOf(card.starters.map(({ trainerId }) => trainerId))
  const stalls = stallsOf(card).flatMap((draw) => stallKeys(card, draw))
  return {
    ...state,
    horses,
    jockeys: peopleAt(pickFrom(state.jockeys, [...before, ...toTry]), card.stadiumId),
    trainers: peopleAt(pickFrom(state.trainers, trainerIds), card.stadiumId),
    pairs: pickFrom(
      state.pairs,
      toTry.flatMap((jockeyId) => trainerIds.map((trainerId) => pairKey(jockeyId, trainerId))),
    ),
    stalls: pickFrom(state.stalls, stalls),
    pars: {},
    classPars: {},
  }
}

/** The jockeys on a card, and those who rode within `RECENT_DAYS` of it; sorted. */
export function jockeysToTry(state: FeatureState, card: Card): string[] {
  const from = dayNumber(card.date) - RECENT_DAYS
  const recent = Object.entries(state.jockeys).flatMap(([id, { skill }]) => (skill.day >= from ? [id] : []))
  return [...new Set([...idsOf(card.starters.map(({ jockeyId }) => jockeyId)), ...recent])].toSorted()
}

/** From the first stall to the last one on the card, with those beside it. */
function stallsOf({ starters }: Card): number[] {
  const last = Math.max(0, ...starters.map(({ draw }) => draw ?? 0))
  return last === 0 ? [] : Array.from({ length: last + STALLS_AROUND }, (_, index) => index + 1)
}

const idsOf = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]

const pickFrom = <Value>(all: Record<string, Value>, keys: readonly string[]): Record<string, Value> =>
  Object.fromEntries([...new Set(keys)].flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])))

/** People with their rates at one racecourse. */
const peopleAt = (people: Record<string, PersonState>, stadiumId: string): Record<string, PersonState> =>
  Object.fromEntries(
    Object.entries(people).map(([id, person]) => [id, { ...person, at: pickFrom(person.at, [stadiumId]) }]),
  )
