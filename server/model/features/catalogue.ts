import { contextOf } from './context.ts'
import type { Card } from './history.ts'
import type { FeatureGroup } from './groups.ts'
import { classNumber } from './learn.ts'
import { faded, lookBack, type LookBack } from './look-back.ts'
import type { FeatureState, Run } from './state.ts'

/**
 * Units of features; `share` is a rate above chance, `level` the scale of margin scores (about 1 per standard
 * deviation).
 */
type FeatureUnit =
  | 'level'
  | 'share'
  | 's/km'
  | 'lb'
  | 'points'
  | 'runs'
  | 'days'
  | '0–1'
  | 'flag'
  | 'items'
  | 'km'

export interface Feature {
  /** Key of its name and reason in the messages (`feature.<key>`, `featureWhy.<key>`). */
  key: string
  group: FeatureGroup
  unit: FeatureUnit
  /** Columns from which it is computed. */
  source: string
  /** The raw value; `null` if unknown for this starter, who then gets the race's mean. */
  of: (seen: LookBack) => number | null
}

const KNOWN_PREFERENCE = 3

/** A horse's level in runs like this one relative to its own mean, shrunk by the number of such runs. */
function preference({ runs, card }: LookBack, likeness: Likeness): number {
  if (runs.length === 0) return 0
  const own = runs.reduce((sum, { surprise }) => sum + surprise, 0) / runs.length
  let sum = 0
  let weight = 0
  for (const run of runs) {
    const like = likeness(run, card)
    sum += like * (run.surprise - own)
    weight += like
  }
  return sum / (weight + KNOWN_PREFERENCE)
}

/** How much a run is like a race, from 0 to 1. */
type Likeness = (run: Run, card: Card) => number

const similarDistance: Likeness = ({ distanceM }, card) =>
  Math.exp(-0.5 * ((distanceM - (card.distanceM ?? distanceM)) / 150) ** 2)
const sameTrack: Likeness = (run, card) => (run.track === card.track ? 1 : 0)
const sameCourse: Likeness = (run, card) => (run.stadiumId === card.stadiumId ? sameTrack(run, card) : 0)
const WET = /yielding|soft|heavy|wet|slow|sealed/
const sameGround: Likeness = (run, card) => (WET.test(run.going) === WET.test(card.going) ? 1 : 0)

const count = ({ runs, card }: LookBack, likeness: Likeness): number =>
  Math.log1p(runs.reduce((sum, run) => sum + likeness(run, card), 0))
const atMost = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}
const items = (gear: string | null): string[] =>
  gear === null || gear === '' || gear === '-' || gear === '--' ? [] : gear.split('/')
const worn = (gear: string | null): string[] => items(gear).filter((item) => !item.endsWith('-'))
const isSprint = ({ card }: LookBack): boolean => (card.distanceM ?? 9999) <= 1200
const straight = ({ card }: LookBack): boolean => card.distanceM === 1000 && card.stadiumId === 'HKSHT'
const difference = (a: number | null | undefined, b: number | null | undefined): number | null =>
  a === null || a === undefined || b === null || b === undefined ? null : a - b
const lateDraw = ({ starter, fieldSize }: LookBack): number | null =>
  starter.draw === null ? null : (starter.draw - 1) / Math.max(1, fieldSize - 1)
const isFirst = ({ horse }: LookBack): boolean => horse.runs === 0
const lead = ({ early }: LookBack): number => 1 - early

const feature = (
  group: FeatureGroup,
  key: string,
  unit: FeatureUnit,
  source: string,
  of: Feature['of'],
): Feature => ({ key, group, unit, source, of })

const RESULTS = 'finish_time, place'

/** Every feature of the model without odds, in the order of the weights. */
export const FEATURES: readonly Feature[] = [
  feature('ability', 'ability', 'level', RESULTS, ({ ability, weightCost }) => ability.mean - weightCost),
  feature('ability', 'abilityBest', 'level', RESULTS, ({ runs }) =>
    atMost(runs.slice(-6).map(({ level }) => level)),
  ),
  feature('ability', 'abilityUnsure', 'level', RESULTS, ({ ability }) => Math.sqrt(ability.variance)),
  feature('form', 'levelRecent', 'level', RESULTS, ({ runs }) => faded(runs, ({ level }) => level)),
  feature('form', 'surpriseRecent', 'level', RESULTS, ({ runs }) => faded(runs, ({ surprise }) => surprise)),
  feature('form', 'surpriseLast', 'level', RESULTS, ({ last }) => last && last.surprise),
  feature('form', 'surpriseLastTwo', 'level', RESULTS, ({ runs }) =>
    runs.length < 2 ? null : (runs.at(-1)!.surprise + runs.at(-2)!.surprise) / 2,
  ),
  feature('form', 'spread', 'level', RESULTS, ({ runs }) => {
    if (runs.length < 3) return null
    const recent = runs.slice(-10)
    const mean = recent.reduce((sum, { surprise }) => sum + surprise, 0) / recent.length
    return Math.sqrt(recent.reduce((sum, { surprise }) => sum + (surprise - mean) ** 2, 0) / recent.length)
  }),
  feature('form', 'winRate', 'share', 'place', ({ horse }) => (horse.wins + 0.8) / (horse.runs + 10)),
  feature('form', 'placeRate', 'share', 'place', ({ horse }) => (horse.placed + 2.5) / (horse.runs + 10)),
  feature('form', 'lastPlace', '0–1', 'place', ({ last }) =>
    last === null || last.place === null ? null : (last.place - 1) / Math.max(1, last.starters - 1),
  ),
  feature('speed', 'figureRecent', 's/km', 'finish_time, going', ({ runs }) =>
    faded(runs, ({ figure }) => figure),
  ),
  feature('speed', 'figureBest', 's/km', 'finish_time, going', ({ runs }) =>
    atMost(runs.slice(-8).map(({ figure }) => figure)),
  ),
  feature('speed', 'figureLast', 's/km', 'finish_time, going', ({ last }) => last && last.figure),
  feature('speed', 'figureHere', 's/km', 'finish_time, distance_m', (seen) => {
    const like = seen.runs.filter(
      (run) => similarDistance(run, seen.card) > 0.5 && sameTrack(run, seen.card) === 1,
    )
    return atMost(like.slice(-6).map(({ figure }) => figure))
  }),
  feature('jockey', 'jockeySkill', 'level', 'jockey', ({ jockey }) => jockey.skill),
  feature('jockey', 'jockeyWins', 'share', 'jockey', ({ jockey }) => jockey.wins),
  feature('jockey', 'jockeyPlaced', 'share', 'jockey', ({ jockey }) => jockey.placed),
  feature('jockey', 'jockeyHere', 'share', 'jockey, venue', ({ jockey }) => jockey.here - jockey.wins),
  feature('jockey', 'jockeyForm', 'share', 'jockey', ({ jockey }) => jockey.form),
  feature('jockey', 'jockeyChange', 'share', 'jockey', ({ jockey, lastJockey }) =>
    lastJockey === null ? null : jockey.wins - lastJockey.wins,
  ),
  feature('jockey', 'jockeyKeeps', 'flag', 'jockey', ({ last, starter }) =>
    last === null ? null : last.jockeyId === starter.jockeyId ? 1 : 0,
  ),
  feature('jockey', 'jockeyWonOn', 'flag', 'jockey, place', ({ runs, starter }) =>
    runs.some(({ jockeyId, place }) => place === 1 && jockeyId !== null && jockeyId === starter.jockeyId)
      ? 1
      : 0,
  ),
  feature('jockey', 'jockeyOnDebut', 'share', 'jockey', (seen) => (isFirst(seen) ? seen.jockey.wins : 0)),
  feature('jockey', 'jockeyTrainer', 'share', 'jockey, trainer', ({ pair }) => pair),
  feature('trainer', 'trainerSkill', 'level', 'trainer', ({ trainer }) => trainer.skill),
  feature('trainer', 'trainerWins', 'share', 'trainer', ({ trainer }) => trainer.wins),
  feature('trainer', 'trainerPlaced', 'share', 'trainer', ({ trainer }) => trainer.placed),
  feature('trainer', 'trainerHere', 'share', 'trainer, venue', ({ trainer }) => trainer.here - trainer.wins),
  feature('trainer', 'trainerForm', 'share', 'trainer', ({ trainer }) => trainer.form),
  feature('trainer', 'trainerChange', 'flag', 'trainer', ({ last, starter }) =>
    last === null || last.trainerId === null ? null : last.trainerId === starter.trainerId ? 0 : 1,
  ),
  feature('trainer', 'trainerOnDebut', 'share', 'trainer', (seen) => (isFirst(seen) ? seen.trainer.wins : 0)),
  feature('draw', 'stall', 'level', 'draw, course, distance_m', ({ stall }) => stall),
  feature('draw', 'stallCourse', 'level', 'draw, distance_m', ({ stallAnywhere }) => stallAnywhere),
  feature('draw', 'stallLast', 'level', 'draw', ({ last }) => last && last.drawLuck),
  feature('draw', 'drawWide', '0–1', 'draw', lateDraw),
  feature('draw', 'drawWideValley', '0–1', 'draw, venue', (seen) =>
    seen.card.stadiumId === 'HKHAV' ? lateDraw(seen) : 0,
  ),
  feature('draw', 'drawStraight', '0–1', 'draw, distance_m', (seen) => (straight(seen) ? lateDraw(seen) : 0)),
  feature('rating', 'rating', 'points', 'rating', ({ starter }) => starter.rating),
  feature('rating', 'ratingChange', 'points', 'rating', ({ starter, last }) =>
    difference(starter.rating, last?.rating),
  ),
  feature('rating', 'ratingBelowBest', 'points', 'rating, place', ({ starter, runs }) =>
    difference(starter.rating, atMost(runs.filter(({ place }) => place === 1).map(({ rating }) => rating))),
  ),
  feature('rating', 'ratingTrend', 'points', 'rating', ({ starter, runs }) =>
    difference(
      starter.rating,
      faded(runs.slice(-8), ({ rating }) => rating),
    ),
  ),
  feature('rating', 'classDrop', 'items', 'race_class', ({ card, last }) =>
    difference(classNumber(card.raceClass), last?.raceClass),
  ),
  feature('weight', 'weight', 'lb', 'actual_weight', ({ starter }) => starter.weightLb),
  feature('weight', 'weightChange', 'lb', 'actual_weight', ({ starter, last }) =>
    difference(starter.weightLb, last?.weightLb),
  ),
  feature('weight', 'weightShare', 'share', 'actual_weight, declared_weight', ({ starter }) =>
    starter.weightLb === null || starter.bodyLb === null ? null : (100 * starter.weightLb) / starter.bodyLb,
  ),
  feature('experience', 'runs', 'runs', 'place', ({ horse }) => Math.log1p(horse.runs)),
  feature('experience', 'debut', 'flag', 'place', (seen) => (isFirst(seen) ? 1 : 0)),
  feature('experience', 'maiden', 'runs', 'place', ({ horse }) =>
    horse.wins === 0 ? Math.log1p(horse.runs) : 0,
  ),
  feature('experience', 'runsAtDistance', 'runs', 'distance_m', (seen) => count(seen, similarDistance)),
  feature('experience', 'runsHere', 'runs', 'venue, course', (seen) => count(seen, sameCourse)),
  feature('experience', 'runsOnTrack', 'runs', 'course', (seen) => count(seen, sameTrack)),
  feature('rest', 'daysOff', 'days', 'date', ({ days }) =>
    days === null ? null : Math.log1p(Math.min(days, 200)),
  ),
  feature('rest', 'longRest', 'flag', 'date', ({ days }) => (days !== null && days > 60 ? 1 : 0)),
  feature('rest', 'secondUp', 'flag', 'date', ({ days, runs }) =>
    days !== null && days <= 60 && runs.length >= 2 && runs.at(-1)!.day - runs.at(-2)!.day > 60 ? 1 : 0,
  ),
  feature('rest', 'quickBack', 'flag', 'date', ({ days }) => (days !== null && days <= 10 ? 1 : 0)),
  feature('pace', 'leads', '0–1', 'running_position', lead),
  feature('pace', 'pressed', '0–1', 'running_position', (seen) => lead(seen) * seen.pressure * 2),
  feature('pace', 'otherLeaders', 'items', 'running_position', (seen) => lead(seen) * seen.otherLeaders),
  feature('pace', 'leadsWide', '0–1', 'running_position, draw', (seen) => {
    const wide = lateDraw(seen)
    return wide === null ? null : seen.early * wide
  }),
  feature(
    'pace',
    'backRunnerFar',
    'km',
    'running_position, distance_m',
    (seen) => seen.early * ((seen.card.distanceM ?? 1400) / 1000 - 1.4),
  ),
  feature('preference', 'likesDistance', 'level', 'distance_m', (seen) => preference(seen, similarDistance)),
  feature('preference', 'likesCourse', 'level', 'venue, course', (seen) => preference(seen, sameCourse)),
  feature('preference', 'likesTrack', 'level', 'course', (seen) => preference(seen, sameTrack)),
  feature('preference', 'likesGround', 'level', 'going', (seen) => preference(seen, sameGround)),
  feature('preference', 'distanceChange', 'km', 'distance_m', ({ card, last }) =>
    last === null || card.distanceM === null ? null : Math.abs(card.distanceM - last.distanceM) / 1000,
  ),
  feature('preference', 'venueChange', 'flag', 'venue', ({ card, last }) =>
    last === null ? null : last.stadiumId === card.stadiumId ? 0 : 1,
  ),
  feature('body', 'body', 'lb', 'declared_weight', ({ starter }) => starter.bodyLb),
  feature('body', 'bodySprint', 'lb', 'declared_weight, distance_m', (seen) =>
    isSprint(seen) ? seen.starter.bodyLb : null,
  ),
  feature('body', 'bodyChange', 'lb', 'declared_weight', ({ starter, last }) =>
    difference(starter.bodyLb, last?.bodyLb),
  ),
  feature('body', 'bodyFromWinning', 'lb', 'declared_weight, place', ({ starter, runs }) => {
    const best = runs.findLast(({ place }) => place !== null && place <= 3)
    const away = difference(starter.bodyLb, best?.bodyLb)
    return away === null ? null : Math.abs(away)
  }),
  feature('gear', 'gearItems', 'items', 'gear', ({ starter }) =>
    starter.gear === null ? null : worn(starter.gear).length,
  ),
  feature('gear', 'gearFirst', 'items', 'gear', ({ starter }) =>
    starter.gear === null ? null : worn(starter.gear).filter((item) => item.endsWith('1')).length,
  ),
  feature('gear', 'gearOff', 'items', 'gear', ({ starter }) =>
    starter.gear === null ? null : items(starter.gear).filter((item) => item.endsWith('-')).length,
  ),
]

export const FEATURE_COUNT = FEATURES.length

/**
 * The features of a racecard's starters, from a state that ends before its day: starters × features, row by
 * row, each relative to the mean of the race's known values. Unknown values, and values equal for all
 * starters, are 0.
 */
export const computeFeatures = (state: FeatureState, card: Card): Float64Array =>
  featuresOf(lookBack(state, card))

/** Features and context of a racecard's starters, from a state that ends before its day. */
export function computeInputs(
  state: FeatureState,
  card: Card,
): { features: Float64Array; context: Float64Array } {
  const seen = lookBack(state, card)
  return { features: featuresOf(seen), context: contextOf(seen) }
}

function featuresOf(seen: readonly LookBack[]): Float64Array {
  const values = new Float64Array(seen.length * FEATURE_COUNT)
  for (const [column, { of }] of FEATURES.entries()) {
    const raw = seen.map(of)
    let sum = 0
    let known = 0
    for (const value of raw) {
      if (value === null) continue
      sum += value
      known += 1
    }
    const mean = known === 0 ? 0 : sum / known
    for (const [row, value] of raw.entries()) {
      values[row * FEATURE_COUNT + column] = value === null ? 0 : value - mean
    }
  }
  return values
}
