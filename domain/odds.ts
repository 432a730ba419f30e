import { FurlongError } from './errors.ts'

/**
 * Win odds as the Hong Kong tote displays them for a dividend of `dividendCents` per HK$10:
 * truncated to one decimal below 10 and to whole numbers from 10 (a dividend of 57.5 is displayed as
 * 5.7). Never settle from them.
 */
export function shownOdds(dividendCents: number): number {
  const tenths = Math.floor(dividendCents / 100)
  return tenths < 100 ? tenths / 10 : Math.floor(tenths / 10)
}

/** Values divided by their sum. */
export function normalised(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  return values.map((value) => value / total)
}

/**
 * Win probabilities from decimal odds: inverse odds, normalised over the field. Throws `bad-field`
 * unless all odds are above 0.
 */
export function normaliseOdds(odds: readonly number[]): number[] {
  if (odds.length === 0 || odds.some((value) => !(value > 0) || !Number.isFinite(value))) {
    throw new FurlongError('bad-field', { value: odds.join(' ') })
  }
  return normalised(odds.map((value) => 1 / value))
}
