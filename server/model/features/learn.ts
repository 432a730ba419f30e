import {
  dayNumber,
  type PastRace,
  type Performance,
  type RaceDay,
  type RaceFacts,
  type Starter,
} from './history.ts'
import {
  FORGOTTEN_DAYS,
  MEMORY,
  RETAINED_RUNS,
  type Belief,
  type Fading,
  type FeatureState,
  type HorseState,
  type Par,
  type PersonState,
  type Run,
} from './state.ts'

/** A belief projected to a later day: the mean stays, the variance grows, up to `most`. */
export const beliefAt = (belief: Belief, day: number, drift: number, most: number): Belief => ({
  mean: belief.mean,
  variance: Math.min(most, belief.variance + drift * (day - belief.day)),
  day,
})

export const newHorse = (rating: number | null, day: number): HorseState => ({
  ability: {
    mean: rating === null ? 0 : MEMORY.perRatingPoint * (rating - 52),
    variance: MEMORY.abilityVariance,
    day,
  },
  runs: 0,
  wins: 0,
  placed: 0,
  recent: [],
})

const noFading = (day: number): Fading => ({ sum: 0, count: 0, day })

export const newPerson = (day: number): PersonState => ({
  skill: { mean: 0, variance: MEMORY.skillVariance, day },
  wins: noFading(day),
  placed: noFading(day),
  form: noFading(day),
  at: {},
})

const fade = (days: number, halfLife: number): number => 0.5 ** (days / halfLife)

/** A fading sum as of a day. Reading and adding both use this, so that the order of rows does not matter. */
export function fadingAt(fading: Fading | undefined, day: number, halfLife: number): Fading {
  if (fading === undefined) return noFading(day)
  const rest = fade(day - fading.day, halfLife)
  return { sum: fading.sum * rest, count: fading.count * rest, day }
}

function added(fading: Fading | undefined, day: number, value: number, halfLife: number): Fading {
  const { sum, count } = fadingAt(fading, day, halfLife)
  return { sum: sum + value, count: count + 1, day }
}

/** Rate above chance, shrunk towards zero by `prior` cases. */
export const shrunk = ({ sum, count }: Fading, prior: number): number => sum / (count + prior)

/** Keys under which a stall's results are compared: with the rail position, and without it. */
export const stallKeys = (race: RaceFacts, draw: number): [string, string] => {
  const course = `${race.stadiumId} ${race.track} ${race.distanceM}`
  return [`${course} ${race.course} ${draw}`, `${course} * ${draw}`]
}

const parKey = ({ stadiumId, track, distanceM }: RaceFacts): string => `${stadiumId} ${track} ${distanceM}`

/** Class number: `C3` and `C3R` → 3; any other class, such as a group race, → 0; `null` if unknown. */
export function classNumber(raceClass: string): number | null {
  if (raceClass === '') return null
  const match = /^C(\d)/.exec(raceClass)
  return match ? Number(match[1]) : 0
}

/** Position at the first call relative to the field: 0 is in front, 1 is last; `null` if it is unknown. */
export function earlyPlace(calls: string | null, starters: number): number | null {
  const first = Number(calls?.split(' ')[0] ?? Number.NaN)
  return first >= 1 && starters > 1 ? Math.min(1, (first - 1) / (starters - 1)) : null
}

/** Scale of the compression, in seconds behind the winner: beyond it, each further second counts less. */
const FAR_BEHIND_S = 0.8

/**
 * Margin score of each starter, about 1 per standard deviation, best highest: seconds behind the winner,
 * relative to the distance, compressed. Without times, it depends on the place alone; a starter without a
 * place scores slightly below the worst.
 */
function marginScores(race: PastRace): number[] {
  const { starters } = race
  const timed = starters.filter(({ place, timeMs }) => place !== null && timeMs !== null)
  const count = starters.length
  const known = timed.length >= 2
  const first = Math.min(...timed.map(({ timeMs }) => timeMs!))
  const scale = Math.sqrt((race.distanceM ?? 1400) / 1400)
  const raw = starters.map(({ place, timeMs }) => {
    if (place === null) return null
    if (!known || timeMs === null) return -1.6 * ((place - 1) / Math.max(1, count - 1))
    return -1.25 * Math.log1p((timeMs - first) / 1000 / scale / FAR_BEHIND_S)
  })
  const worst = Math.min(...raw.filter((value) => value !== null), -1) - 0.25
  return raw.map((value) => value ?? worst)
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** Expected margin score of each starter, not including the race's own level. */
function expected(state: FeatureState, race: PastRace, day: number): number[] {
  return race.starters.map((starter) => {
    const ability = state.horses[starter.horseId]?.ability.mean ?? newHorse(starter.rating, day).ability.mean
    const jockey = starter.jockeyId === null ? 0 : (state.jockeys[starter.jockeyId]?.skill.mean ?? 0)
    const trainer = starter.trainerId === null ? 0 : (state.trainers[starter.trainerId]?.skill.mean ?? 0)
    return (
      ability + jockey + trainer + stallValue(state, race, starter.draw, day) - weightCost(starter.weightLb)
    )
  })
}

export const weightCost = (weightLb: number | null): number =>
  weightLb === null ? 0 : MEMORY.perPound * (weightLb - 123)

/** Weights of a stall and its neighbours, one and two away. */
const NEIGHBOURS = [1, 0.6, 0.3]
/** How many stalls on either side count. */
export const STALLS_AROUND = NEIGHBOURS.length - 1

/** A stall's value in margin score: from its own past, its neighbours', and the course's at any rail. */
export function stallValue(state: FeatureState, race: RaceFacts, draw: number | null, day: number): number {
  if (draw === null) return 0
  const value = (index: 0 | 1): { sum: number; count: number } => {
    const total = { sum: 0, count: 0 }
    for (let away = -STALLS_AROUND; away <= STALLS_AROUND; away += 1) {
      if (draw + away < 1) continue
      const stall = state.stalls[stallKeys(race, draw + away)[index]]
      const { sum, count } = fadingAt(stall, day, MEMORY.halfLifeDays)
      total.sum += NEIGHBOURS[Math.abs(away)]! * sum
      total.count += NEIGHBOURS[Math.abs(away)]! * count
    }
    return total
  }
  const course = value(1)
  const general = course.sum / (course.count + MEMORY.stallsAtChance)
  const rail = value(0)
  return (rail.sum + MEMORY.stallsAtChance * general) / (rail.count + MEMORY.stallsAtChance)
}

/** Speed of each timed finisher against par, s/km, higher is faster; before the day's variant. */
function rawFigures(state: FeatureState, race: PastRace): (number | null)[] {
  const par = state.pars[parKey(race)]
  const { distanceM } = race
  return race.starters.map(({ timeMs, place }) =>
    par === undefined || distanceM === null || timeMs === null || place === null
      ? null
      : (par.meanMs - timeMs) / distanceM,
  )
}

const isKnown = (value: number | null): value is number => value !== null
const surfaceOf = ({ stadiumId, track }: RaceFacts): string => `${stadiumId} ${track}`

/** How fast each surface was on a day: its races' mean figure above that of their classes, shrunk. */
function variants(state: FeatureState, races: readonly PastRace[]): Map<string, number> {
  const seen = new Map<string, number[]>()
  for (const race of races) {
    const known = rawFigures(state, race).filter(isKnown)
    if (!race.whole || known.length === 0) continue
    const above = mean(known) - classLevel(state, race)
    seen.set(surfaceOf(race), [...(seen.get(surfaceOf(race)) ?? []), above])
  }
  return new Map(
    [...seen].map(([surface, values]) => [surface, (mean(values) * values.length) / (values.length + 1)]),
  )
}

function moved(par: Par | undefined, value: number): Par {
  if (par === undefined) return { meanMs: value, races: 1 }
  const races = Math.min(par.races + 1, MEMORY.parRaces)
  return { meanMs: par.meanMs + (value - par.meanMs) / races, races }
}

/**
 * Adds a day's results to the state. Call it once for every day, in chronological order, after the day's
 * features are computed. Throws `RangeError` for a day that is not later than the state's.
 */
export function learnDay(state: FeatureState, { date, races }: RaceDay): void {
  const day = dayNumber(date)
  if (state.day !== null && day <= state.day) throw new RangeError(`day ${date} is in the state already`)
  const variant = variants(state, races)
  const figures = races.map((race) =>
    rawFigures(state, race).map((raw) => (raw === null ? null : raw - (variant.get(surfaceOf(race)) ?? 0))),
  )
  for (const [index, race] of races.entries()) learnRace(state, race, day, figures[index]!)
  for (const [index, race] of races.entries()) learnTimes(state, race, figures[index]!)
  // Every `SWEEP_DAYS` days, at days that do not depend on where learning began.
  if (state.day !== null && Math.floor(day / SWEEP_DAYS) > Math.floor(state.day / SWEEP_DAYS)) {
    forgetRetired(state, day)
  }
  state.day = day
}

const SWEEP_DAYS = 90

function forgetRetired(state: FeatureState, day: number): void {
  for (const [id, { recent }] of Object.entries(state.horses)) {
    if (day - recent.at(-1)!.day > FORGOTTEN_DAYS) delete state.horses[id]
  }
}

/** Updates the pars with a race's times, corrected for the day's variant. */
function learnTimes(state: FeatureState, race: PastRace, figures: readonly (number | null)[]): void {
  const times = race.starters.flatMap(({ timeMs, place }) =>
    timeMs === null || place === null ? [] : [timeMs],
  )
  if (!race.whole || race.distanceM === null || times.length < 4) return
  const known = figures.filter(isKnown)
  const key = parKey(race)
  const par = state.pars[key]
  // Figures are already relative to the par, so the par moves by their remaining mean.
  state.pars[key] = par
    ? moved(par, par.meanMs - mean(known) * race.distanceM + classLevel(state, race) * race.distanceM)
    : { meanMs: mean(times), races: 1 }
  const classKey = String(classNumber(race.raceClass) ?? 'none')
  if (known.length > 0) state.classPars[classKey] = moved(state.classPars[classKey], mean(known))
}

const classLevel = (state: FeatureState, race: RaceFacts): number =>
  state.classPars[classNumber(race.raceClass) ?? 'none']?.meanMs ?? 0

function learnRace(
  state: FeatureState,
  race: PastRace,
  day: number,
  figures: readonly (number | null)[],
): void {
  const { starters } = race
  // With a single starter there is no margin to learn from.
  const compared = starters.length >= 2
  const score = marginScores(race)
  const before = expected(state, race, day)
  const scoreMean = mean(score)
  const beforeMean = mean(before)
  const strength = mean(
    starters.map(
      ({ horseId, rating }) => state.horses[horseId]?.ability.mean ?? newHorse(rating, day).ability.mean,
    ),
  )
  for (const [index, starter] of starters.entries()) {
    const surprise = compared ? score[index]! - scoreMean - (before[index]! - beforeMean) : 0
    const horse = (state.horses[starter.horseId] ??= newHorse(starter.rating, day))
    const ability = beliefAt(horse.ability, day, MEMORY.abilityDrift, MEMORY.abilityVariance)
    const drawLuck = stallValue(state, race, starter.draw, day)
    if (compared) {
      const people = race.whole ? peopleOf(state, starter, day) : []
      learnSkills(horse, ability, people, surprise, day)
    }
    if (race.whole && compared) {
      learnRates(state, race, starter, day)
      // The surprise plus the stall's expected value: the total that may be attributed to the stall.
      for (const key of starter.draw === null ? [] : stallKeys(race, starter.draw))
        state.stalls[key] = added(state.stalls[key], day, surprise + drawLuck, MEMORY.halfLifeDays)
    }
    noteRun(horse, {
      day,
      stadiumId: race.stadiumId,
      track: race.track,
      going: race.going,
      distanceM: race.distanceM ?? 0,
      level: compared ? score[index]! - scoreMean + strength + weightCost(starter.weightLb) : ability.mean,
      surprise,
      figure: figures[index]!,
      early: earlyPlace(starter.calls, race.whole ? starters.length : 14),
      weightLb: starter.weightLb,
      bodyLb: starter.bodyLb,
      rating: starter.rating,
      gear: starter.gear,
      jockeyId: starter.jockeyId,
      trainerId: starter.trainerId,
      raceClass: classNumber(race.raceClass),
      drawLuck,
      starters: starters.length,
      place: starter.place,
    })
  }
}

/** Divides a surprise between horse and people, in proportion to how uncertain each one's skill is. */
function learnSkills(
  horse: HorseState,
  ability: Belief,
  people: readonly PersonState[],
  surprise: number,
  day: number,
): void {
  const spread = ability.variance + people.reduce((sum, { skill }) => sum + skill.variance, 0) + MEMORY.noise
  const updated = ({ mean, variance }: Belief): Belief => {
    const gain = variance / spread
    return { mean: mean + gain * surprise, variance: variance * (1 - gain), day }
  }
  horse.ability = updated(ability)
  for (const person of people) person.skill = updated(person.skill)
}

/** Adds a run to a horse's counts and to its most recent runs. */
function noteRun(horse: HorseState, run: Run): void {
  horse.runs += 1
  if (run.place === 1) horse.wins += 1
  if (run.place !== null && run.place <= 3) horse.placed += 1
  horse.recent.push(run)
  if (horse.recent.length > RETAINED_RUNS) horse.recent.shift()
}

/** Jockey and trainer of a starter, with their skill as of the day. */
function peopleOf(state: FeatureState, { jockeyId, trainerId }: Starter, day: number): PersonState[] {
  const people: PersonState[] = []
  if (jockeyId !== null) people.push((state.jockeys[jockeyId] ??= newPerson(day)))
  if (trainerId !== null) people.push((state.trainers[trainerId] ??= newPerson(day)))
  for (const person of people) {
    person.skill = beliefAt(person.skill, day, MEMORY.skillDrift, MEMORY.skillVariance)
  }
  return people
}

export const pairKey = (jockeyId: string, trainerId: string): string => `${jockeyId} × ${trainerId}`

function learnRates(state: FeatureState, race: PastRace, starter: Starter & Performance, day: number): void {
  const count = race.starters.length
  const won = (starter.place === 1 ? 1 : 0) - 1 / count
  const placed = (starter.place !== null && starter.place <= 3 ? 1 : 0) - Math.min(1, 3 / count)
  for (const person of peopleOf(state, starter, day)) {
    person.wins = added(person.wins, day, won, MEMORY.halfLifeDays)
    person.placed = added(person.placed, day, placed, MEMORY.halfLifeDays)
    person.form = added(person.form, day, won, MEMORY.formHalfLifeDays)
    person.at[race.stadiumId] = added(person.at[race.stadiumId], day, won, MEMORY.halfLifeDays)
  }
  if (starter.jockeyId !== null && starter.trainerId !== null) {
    const key = pairKey(starter.jockeyId, starter.trainerId)
    state.pairs[key] = added(state.pairs[key], day, won, MEMORY.halfLifeDays)
  }
}
