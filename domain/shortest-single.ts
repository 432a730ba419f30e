/** Nine significant digits distinguish any two numbers of single precision; most need fewer. */
const DIGITS = [7, 8, 9] as const

/**
 * The shortest decimal number that rounds to a value of single precision; another value is returned as it is.
 *
 * ```ts
 * shortestSingle(Math.fround(3.4)) // => 3.4
 * ```
 */
export function shortestSingle(value: number): number {
  for (const digits of DIGITS) {
    const decimal = Number(value.toPrecision(digits))
    if (Math.fround(decimal) === value) return decimal
  }
  return value
}
