/**
 * Values as SQL literals. Only checked values reach these functions; they quote regardless.
 *
 * ```ts
 * text("King's Best") // => "'King''s Best'"
 * ```
 */
export const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

/**
 * A column's name as an SQL identifier, whatever it contains.
 *
 * ```ts
 * quoted('a "b" c') // => '"a ""b"" c"'
 * ```
 */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * A number as an SQL literal. Throws `RangeError` unless it is finite.
 *
 * ```ts
 * number(2.5) // => '2.5'
 * ```
 */
export function number(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`not a number for SQL: ${value}`)
  return String(value)
}
