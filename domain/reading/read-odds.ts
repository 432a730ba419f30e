import { readNumber, type DecimalSign } from './read-number.ts'
import { cleanText } from './clean-text.ts'
import { MISSING, type Reading } from './reading.ts'

/** Marks a favourite after its odds, alone or with others: `2/1F`, `5/2JF`, `2.5F`. */
const FAVOURITE = /(?<=[\ds]) ?[CJ]?F\d?$|(?<=[\ds]) ?[CJ]$/i
const NO_ODDS = /^no (?:odds|sp)$/i

/** Odds without the mark of a favourite. */
export const withoutFavourite = (text: string): string => text.replace(FAVOURITE, '')

/** Odds as decimal odds: `2/1F` is 3, `Evens` 2, `4.50` is 4.5. */
export function readOdds(text: string, decimal: DecimalSign = '.'): Reading<number> {
  if (NO_ODDS.test(cleanText(text))) return MISSING
  return readNumber(withoutFavourite(text), { decimal, odds: true })
}
