import { readNumber, type DecimalSign } from './read-number.ts'
import { cleanText } from './clean-text.ts'
import { MISSING, unreadable, type Reading } from './reading.ts'

/** Marks a favourite after its odds, alone or with others: `2/1F`, `5/2JF`, `2.5F`. */
const FAVOURITE = /(?<=[\ds]) ?[CJ]?F\d?$|(?<=[\ds]) ?[CJ]$/i
const NO_ODDS = /^no (?:odds|sp)$/i

/** Odds without the mark of a favourite. */
export const withoutFavourite = (text: string): string => text.replace(FAVOURITE, '')

/** Decimal odds above any that a horse ever had: a greater number is none. */
export const MOST_ODDS = 10_000

/** American odds, `+250` for 2.5 to one, and shares of a hundred: numbers that are no decimal odds. */
const OTHER_NUMBER = /^'?\+|%$/

/** Whether a text is a number of another kind than odds, which would be taken for decimal ones. */
export const isOtherNumber = (text: string): boolean => OTHER_NUMBER.test(cleanText(text))

/** Odds as decimal odds, which are above 1: `2/1F` is 3, `Evens` 2, `4.50` is 4.5. */
export function readOdds(text: string, decimal: DecimalSign = '.'): Reading<number> {
  if (NO_ODDS.test(cleanText(text))) return MISSING
  if (isOtherNumber(text)) return unreadable('not-a-number', '4.50')
  const reading = readNumber(withoutFavourite(text), { decimal, odds: true })
  const isNone = reading.kind === 'value' && (reading.value <= 1 || reading.value > MOST_ODDS)
  return isNone ? unreadable('out-of-range', `1.01–${MOST_ODDS}`) : reading
}
