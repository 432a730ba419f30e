import { FurlongError } from './errors.ts'

/** Stage exponents of the discounted Harville formulas: 2nd, 3rd and 4th place. */
export interface StageExponents {
  second: number
  third: number
  fourth: number
}

/** The shape of gamma distributed finishing times (`gamma-field.ts`). */
interface FinishShape {
  shape: number
}

/** Chosen on the tuning seasons by `score choose --order` (docs/decisions/033-order-of-the-places.md). */
export const USUAL_SHAPE = 24

/** How chances of the places behind the winner follow from win chances. */
export type OrderRule = StageExponents | FinishShape

/** Largest field that the formulas accept. */
const MAX_FIELD = 30

/**
 * Throws `bad-field` unless the win probabilities sum to 1, the field is not too large, and none is below 0. A probability
 * of 0 is one that finishing times allow and stage exponents do not: they would share out 0 by 0.
 */
export function checkField(win: readonly number[], rule: OrderRule): void {
  const sum = win.reduce((total, value) => total + value, 0)
  const isOff = (p: number): boolean => !(p > 0) && !(p === 0 && 'shape' in rule)
  if (win.length > MAX_FIELD || win.some(isOff) || !(Math.abs(sum - 1) < 1e-6))
    throw new FurlongError('bad-field', { value: win.join(' ') })
}
