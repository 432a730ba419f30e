const MAINLAND = /^1\d{10}$/
const HONG_KONG = /^[4-9]\d{7}$/
const INTERNATIONAL = /^\+[1-9]\d{6,14}$/

/**
 * Normalises a phone number to E.164: mainland (11 digits, the first a 1), Hong Kong (8 digits, the
 * first 4 to 9), or given with `+`, where these two have the same form. `null` for anything else (decisions section 5).
 * Ignores blanks and hyphens between digits.
 */
export function normalisePhone(text: string): string | null {
  const digits = text.trim().replaceAll(/(?<=[\d+])[ -](?=\d)/g, '')
  const [, code, own] = /^\+(86|852)(\d+)$/.exec(digits) ?? []
  if (own !== undefined) return (code === '86' ? MAINLAND : HONG_KONG).test(own) ? digits : null
  if (MAINLAND.test(digits)) return `+86${digits}`
  if (HONG_KONG.test(digits)) return `+852${digits}`
  return INTERNATIONAL.test(digits) ? digits : null
}
