/** Measures that racing people of a region have in mind, beside metres and pounds. */

const METRES_A_FURLONG = 201.168
const HALVES_A_MILE = 16
const POUNDS_A_STONE = 14
const POUNDS_A_KILOGRAM = 2.204_622_6
const BETWEEN_STONES = '-'

/** Codes of regions; in the others distances are metres only, and weights pounds. */
const BY_FURLONGS = ['GB', 'IE']
const BY_STONES = ['GB', 'IE']
const BY_KILOGRAMS = ['JP', 'FR']

/**
 * A distance in miles and furlongs to the nearest half, as British racecards write it; `null` where nobody is used to it.
 * `code`: of a region, or an id that begins with it.
 *
 * ```ts
 * habitualDistance(2063, 'GB') // => '1m2½f'
 * ```
 */
export function habitualDistance(metres: number, code: string): string | null {
  if (!BY_FURLONGS.includes(code.slice(0, 2))) return null
  const halves = Math.round((2 * metres) / METRES_A_FURLONG)
  const miles = Math.floor(halves / HALVES_A_MILE)
  const furlongs = Math.floor((halves % HALVES_A_MILE) / 2)
  const half = halves % 2 === 1 ? '½' : ''
  const short = furlongs === 0 && half === '' ? '' : `${furlongs === 0 ? '' : furlongs}${half}f`
  return `${miles === 0 ? '' : `${miles}m`}${short}`
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
