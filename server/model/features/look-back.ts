import { dayNumber, type Card } from './history.ts'
import { beliefAt, fadingAt, newHorse, newPerson, pairKey, shrunk, stallValue, weightCost } from './learn.ts'
import { MEMORY, type FeatureState, type PersonState, type Run } from './state.ts'

/** One starter before its race: facts of the racecard and the state. Features may read nothing else. */
export type LookBack = ReturnType<typeof lookBack>[number]

/** A horse whose usual position at the first call is below this leads. */
export const LEADER = 0.25
/** Runs in the middle of the field that are added to a horse's own. */
export const RUNS_IN_THE_MIDDLE = 2

/** A person's rates above chance as of the day. */
const ratesOf = (person: PersonState | undefined, stadiumId: string, day: number) => {
  const { skill, wins, placed, form, at } = person ?? newPerson(day)
  const prior = MEMORY.ridesAtChance
  return {
    skill: skill.mean,
    wins: shrunk(fadingAt(wins, day, MEMORY.halfLifeDays), prior),
    placed: shrunk(fadingAt(placed, day, MEMORY.halfLifeDays), prior),
    form: shrunk(fadingAt(form, day, MEMORY.formHalfLifeDays), prior / 2),
    here: shrunk(fadingAt(at[stadiumId], day, MEMORY.halfLifeDays), prior),
  }
}

/**
 * Mean of the known values of runs, each run weighted `MEMORY.keep` times the next one; `null` if none is
 * known. `prior`: runs of the value 0.5 that are added to them.
 */
export function faded<Each extends Partial<Run>>(
  runs: readonly Each[],
  value: (run: Each) => number | null,
  prior = 0,
): number | null {
  let sum = 0.5 * prior
  let weight = prior
  let share = 1
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const known = value(runs[index]!)
    if (known !== null) {
      sum += share * known
      weight += share
    }
    share *= MEMORY.keep
  }
  return weight === 0 ? null : sum / weight
}

function lastKnown<Value>(runs: readonly Run[], value: (run: Run) => Value | null): Value | null {
  const run = runs.findLast((each) => value(each) !== null)
  return run === undefined ? null : value(run)
}

/** Usual position at the first call, 0 in front and 1 behind all others, shrunk to the middle of the field. */
export const usualEarly = (runs: readonly Pick<Run, 'early'>[]): number =>
  faded(runs, ({ early }) => early, RUNS_IN_THE_MIDDLE)!

/** What is known about every starter of a racecard, in order, from a state that ends before its day. */
export function lookBack(state: FeatureState, card: Card) {
  const day = dayNumber(card.date)
  if (state.day !== null && state.day >= day) throw new RangeError(`the state knows ${card.date} already`)
  const styles = card.starters.map(({ horseId }) => usualEarly(state.horses[horseId]?.recent ?? []))
  const forward = styles.reduce((sum, early) => sum + (1 - early), 0)
  const leaders = styles.filter((early) => early < LEADER).length
  return card.starters.map((starter, index) => {
    const horse = state.horses[starter.horseId] ?? newHorse(starter.rating, day)
    const last = horse.recent.at(-1) ?? null
    const { jockeyId, trainerId, draw } = starter
    const jockey = ratesOf(jockeyId === null ? undefined : state.jockeys[jockeyId], card.stadiumId, day)
    const pair =
      jockeyId === null || trainerId === null ? undefined : state.pairs[pairKey(jockeyId, trainerId)]
    const early = styles[index]!
    const lastJockey = last?.jockeyId ? state.jockeys[last.jockeyId] : undefined
    return {
      card,
      // A missing record correlates with how a horse did later (docs/decisions/010-scoring.md), so the last known value
      // is used.
      starter: {
        ...starter,
        rating: starter.rating ?? lastKnown(horse.recent, ({ rating }) => rating),
        gear: starter.gear ?? lastKnown(horse.recent, ({ gear }) => gear),
      },
      day,
      fieldSize: card.starters.length,
      horse,
      ability: beliefAt(horse.ability, day, MEMORY.abilityDrift, MEMORY.abilityVariance),
      /** Runs in chronological order, newest last. */
      runs: horse.recent,
      last,
      days: last === null ? null : day - last.day,
      jockey,
      trainer: ratesOf(trainerId === null ? undefined : state.trainers[trainerId], card.stadiumId, day),
      pair: shrunk(fadingAt(pair, day, MEMORY.halfLifeDays), MEMORY.ridesAtChance / 2),
      lastJockey: lastJockey ? ratesOf(lastJockey, card.stadiumId, day) : null,
      stall: stallValue(state, card, draw, day),
      stallAnywhere: stallValue(state, { ...card, course: '*' }, draw, day),
      /** Usual position at the first call, 0 in front; shrunk to the middle. */
      early,
      /** Number of other starters that usually lead, and how much the rest of the field tends to go forward. */
      otherLeaders: leaders - (early < LEADER ? 1 : 0),
      pressure: (forward - (1 - early)) / Math.max(1, card.starters.length - 1),
      weightCost: weightCost(starter.weightLb),
    }
  })
}
