import type { FeatureGroup } from './groups.ts'
import type { LookBack } from './look-back.ts'
import { classNumber } from './learn.ts'

const WET = /yielding|soft|heavy|wet|slow|sealed/
const DAYS_OF_YEAR = 365.25

const onTheYear = ({ day }: LookBack): number => (2 * Math.PI * (day % DAYS_OF_YEAR)) / DAYS_OF_YEAR

interface ContextColumn {
  /** The group that it belongs to in reasons; what is equal for all starters of a race never shows in them. */
  group: FeatureGroup
  of: (seen: LookBack) => number | null
}

const inGroup = (group: FeatureGroup, of: ContextColumn['of']): ContextColumn => ({ group, of })

/**
 * What a race and a starter are like in themselves, not relative to the race's mean as features are: for models that
 * are not linear in the features. `null` if unknown. Read like features: from the racecard and the state alone.
 */
export const CONTEXT: readonly ContextColumn[] = [
  inGroup('draw', ({ starter }) => starter.draw),
  inGroup('draw', ({ fieldSize }) => fieldSize),
  inGroup('preference', ({ card }) => card.distanceM),
  inGroup('rating', ({ card }) => classNumber(card.raceClass)),
  inGroup('rating', ({ starter }) => starter.rating),
  inGroup('preference', ({ card }) => (card.stadiumId === 'HKHAV' ? 1 : 0)),
  inGroup('preference', ({ card }) => (card.track === '' ? null : card.track === 'awt' ? 1 : 0)),
  inGroup('preference', ({ card }) => (card.going === '' ? null : WET.test(card.going) ? 1 : 0)),
  inGroup('rest', (seen) => Math.sin(onTheYear(seen))),
  inGroup('rest', (seen) => Math.cos(onTheYear(seen))),
  inGroup('weight', ({ starter }) => starter.weightLb),
  inGroup('body', ({ starter }) => starter.bodyLb),
  inGroup('experience', ({ horse }) => Math.log1p(horse.runs)),
  inGroup('rest', ({ days }) => (days === null ? null : Math.log1p(Math.min(days, 200)))),
]

export const CONTEXT_COUNT = CONTEXT.length

/**
 * The context of a racecard's starters: starters × `CONTEXT_COUNT`, row by row. An unknown value is the mean of the
 * race's known ones, so that nothing tells that it was unknown; NaN if the race has none.
 */
export function contextOf(seen: readonly LookBack[]): Float64Array {
  const values = new Float64Array(seen.length * CONTEXT_COUNT)
  for (const [column, { of }] of CONTEXT.entries()) {
    const raw = seen.map(of)
    const known = raw.filter((value) => value !== null)
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length
    for (const [row, value] of raw.entries()) values[row * CONTEXT_COUNT + column] = value ?? mean
  }
  return values
}
