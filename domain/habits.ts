/** Measures that racing people of a region have in mind, beside metres and pounds. */

const METRES_A_YARD = 0.9144
const METRES_A_FURLONG = 201.168
const YARDS_A_FURLONG = 220
const YARDS_A_MILE = 1760
const HALVES_A_MILE = 16
const POUNDS_A_STONE = 14
const POUNDS_A_KILOGRAM = 2.204_622_6
const BETWEEN_STONES = '-'

/** Codes of regions; in the others distances are metres only, and weights pounds. */
const BY_FURLONGS = ['GB', 'IE']
const BY_MILES = ['US']
const BY_STONES = ['GB', 'IE']
const BY_KILOGRAMS = ['AU', 'JP', 'FR']

/**
 * A distance as racecards of the region write it: British ones in miles and furlongs to the nearest half, American ones in
 * furlongs below a mile and then in miles with sixteenths, or with yards. `null` where nobody is used to it. `code`: of a region, or
 * an id that begins with it.
 *
 * ```ts
 * habitualDistance(2063, 'GB') // => '1m2½f'
 * habitualDistance(1710, 'US') // => '1 1/16m'
 * ```
 */
export function habitualDistance(metres: number, code: string): string | null {
  const region = code.slice(0, 2)
  if (metres <= 0) return null
  if (BY_MILES.includes(region)) return americanDistance(metres)
  return BY_FURLONGS.includes(region) ? britishDistance(metres) : null
}

function britishDistance(metres: number): string {
  const halves = Math.round((2 * metres) / METRES_A_FURLONG)
  const miles = Math.floor(halves / HALVES_A_MILE)
  const furlongs = Math.floor((halves % HALVES_A_MILE) / 2)
  const half = halves % 2 === 1 ? '½' : ''
  const short = furlongs === 0 && half === '' ? '' : `${furlongs === 0 ? '' : furlongs}${half}f`
  return `${miles === 0 ? '' : `${miles}m`}${short}`
}

/** Yards that sources round away. */
const ROUNDED_YARDS = 15
const SHORTEST_BY_FURLONGS = 440

function americanDistance(metres: number): string {
  const yards = Math.round(metres / METRES_A_YARD)
  if (yards < SHORTEST_BY_FURLONGS) return `${yards}y`
  const halves = Math.round((2 * yards) / YARDS_A_FURLONG)
  const isByYards = Math.abs(yards - (halves * YARDS_A_FURLONG) / 2) > ROUNDED_YARDS
  if (isByYards) {
    const [length, unit] = yards < YARDS_A_MILE ? [YARDS_A_FURLONG, 'f'] : [YARDS_A_MILE, 'm']
    return `${Math.floor(yards / length)}${unit}${10 * Math.round((yards % length) / 10)}y`
  }
  if (halves < HALVES_A_MILE) return `${Math.floor(halves / 2) || ''}${halves % 2 === 1 ? '½' : ''}f`
  const sixteenths = halves % HALVES_A_MILE
  // The largest power of two that divides it.
  const divisor = sixteenths & -sixteenths
  const fraction = sixteenths === 0 ? '' : ` ${sixteenths / divisor}/${HALVES_A_MILE / divisor}`
  return `${Math.floor(halves / HALVES_A_MILE)}${fraction}m`
}

/**
 * A weight in stones and pounds, or in kilograms to the nearest half; `null` where nobody is used to them. `code`: of a region,
 * or an id that begins with it.
 *
 * ```ts
 * habitualWeight(128, 'GB') // => { text: '9-2', unit: 'stones' }
 * ```
 */
export function habitualWeight(
  pounds: number,
  code: string,
): { text: string; unit: 'stones' } | { kilograms: number; unit: 'kilograms' } | null {
  const region = code.slice(0, 2)
  if (BY_STONES.includes(region))
    return {
      text: [Math.floor(pounds / POUNDS_A_STONE), pounds % POUNDS_A_STONE].join(BETWEEN_STONES),
      unit: 'stones',
    }
  if (!BY_KILOGRAMS.includes(region)) return null
  return { kilograms: Math.round((2 * pounds) / POUNDS_A_KILOGRAM) / 2, unit: 'kilograms' }
}
