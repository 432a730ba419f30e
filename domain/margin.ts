/**
 * Usual lengths of margins that are published in words: the decimals in which British results write them. Hong Kong publishes none, and
 * sources differ by a twentieth (0.15 for a head, 0.25 for a neck); every source has all of them below half a length.
 */
const IN_WORDS: Readonly<Record<string, number>> = {
  鼻位: 0.05,
  短馬頭位: 0.1,
  頭位: 0.2,
  頸位: 0.3,
  nse: 0.05,
  sh: 0.1,
  shd: 0.1,
  hd: 0.2,
  n: 0.05,
  nk: 0.3,
}
/** Parts of a length, as they are printed after whole ones. */
export const QUARTERS: readonly string[] = ['', '1/4', '1/2', '3/4']

const IN_PARTS = /^(?:(?<whole>\d+)-)?(?<part>1\/2|1\/4|3\/4)$/

/**
 * Lengths of a published margin that is a number of them, `1-3/4` or `2.5`; `null` if it is in words, as a neck.
 *
 * ```ts
 * lengthsOf('1-3/4') // => 1.75
 * lengthsOf('頸位') // => null
 * ```
 */
export function lengthsOf(text: string | null): number | null {
  if (text === null) return null
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text)
  const { whole = '0', part } = IN_PARTS.exec(text)?.groups ?? {}
  return part === undefined ? null : Number(whole) + QUARTERS.indexOf(part) / QUARTERS.length
}

/**
 * Lengths of a published margin, those in words by their usual lengths; `null` for one of no certain length.
 *
 * ```ts
 * usualLengths('頸位') // => 0.3
 * usualLengths('多個馬位') // => null
 * ```
 */
export const usualLengths = (text: string | null): number | null =>
  lengthsOf(text) ?? IN_WORDS[text?.toLowerCase() ?? ''] ?? null

/**
 * Lengths as they are printed; `null` for others than whole quarters of a length.
 *
 * ```ts
 * printedLengths(2.75) // => '2-3/4'
 * ```
 */
export function printedLengths(lengths: number): string | null {
  if (lengths <= 0 || lengths % 0.25 !== 0) return null
  const whole = Math.floor(lengths)
  const part = QUARTERS[(lengths - whole) * QUARTERS.length]!
  return [whole === 0 ? '' : String(whole), part].filter((each) => each !== '').join('-')
}
