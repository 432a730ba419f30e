import { cleanText, missingOf } from './clean-text.ts'
import { MISSING, valueOf, type Reading } from './reading.ts'

const METRES_A_YARD = 0.9144
const YARDS_A_FURLONG = 220
const FURLONGS_A_MILE = 8
const POUNDS_A_STONE = 14

/** Miles, furlongs with a half or decimals, and yards: `2m3f110y`, `1m2½f`, `6.5f`. */
const MILES = /^(?:(\d{1,2})m)?(?:(\d{0,2}(?:\.\d{1,2})?)(½|¼|¾)?f)?(?:(\d{1,3})y(?:ds?)?)?$/
const METRES = /^(\d{3,5})m?$/
/** No race of thoroughbreds is as long. */
const MOST_METRES = 10_000
const PARTS: Readonly<Record<string, number>> = { '½': 0.5, '¼': 0.25, '¾': 0.75 }

/**
 * A race's distance in metres, rounded: in miles, furlongs and yards, or in metres.
 *
 * ```ts
 * readDistance('2m3f110y') // => { kind: 'value', value: 3923 }
 * readDistance('1006m') // => { kind: 'value', value: 1006 }
 * ```
 */
export function readDistance(text: string): Reading<number, 'not-a-distance'> {
  const clean = cleanText(text).toLowerCase().replaceAll(' ', '')
  if (missingOf(clean)) return MISSING
  const metres = METRES.exec(clean)
  if (metres) return distanceOf(Number(metres[1]))
  const [, miles = '0', furlongs = '0', part = '', yards = '0'] = MILES.exec(clean) ?? []
  const length =
    (Number(miles) * FURLONGS_A_MILE + Number(furlongs) + (PARTS[part] ?? 0)) * YARDS_A_FURLONG +
    Number(yards)
  return distanceOf(Math.round(length * METRES_A_YARD))
}

const distanceOf = (metres: number): Reading<number, 'not-a-distance'> =>
  metres > 0 && metres <= MOST_METRES
    ? valueOf(metres)
    : { kind: 'unreadable', problem: 'not-a-distance', form: '1m2f110y' }

const STONES = /^(\d{1,2})[-.](\d{1,2})$/
const POUNDS = /^(\d{2,3})(?:\.0)?(?:lbs?)?$/

/**
 * A weight in pounds: stones and pounds, or pounds.
 *
 * ```ts
 * readWeight('11-7') // => { kind: 'value', value: 161 }
 * ```
 */
export function readWeight(text: string): Reading<number, 'not-a-weight'> {
  const clean = cleanText(text).toLowerCase().replaceAll(' ', '')
  if (missingOf(clean)) return MISSING
  const pounds = POUNDS.exec(clean)
  if (pounds) return valueOf(Number(pounds[1]))
  const [, stones, rest] = STONES.exec(clean) ?? []
  if (stones === undefined || Number(rest) >= POUNDS_A_STONE)
    return { kind: 'unreadable', problem: 'not-a-weight', form: '11-7' }
  return valueOf(Number(stones) * POUNDS_A_STONE + Number(rest))
}
