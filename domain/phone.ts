const MAINLAND = /^1\d{10}$/
const HONG_KONG = /^[4-9]\d{7}$/
const INTERNATIONAL = /^\+[1-9]\d{6,14}$/

/**
 * A phone as E.164: mainland (11 digits, the first a 1), Hong Kong (8 digits, the first 4 to 9), or given with `+`.
 * `null` for anything else (decisions section 5). Blanks and hyphens between digits are not looked at.
 */
export function normalisePhone(text: string): string | null {
  const digits = text.trim().replaceAll(/(?<=[\d+])[ -](?=\d)/g, '')
  if (MAINLAND.test(digits)) return `+86${digits}`
  if (HONG_KONG.test(digits)) return `+852${digits}`
  return INTERNATIONAL.test(digits) ? digits : null
}
