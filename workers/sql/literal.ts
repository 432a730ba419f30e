/** Values as SQL literals: parameters are validated first, and quoted here all the same. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

export function day(value: string): string {
  return `DATE ${text(value)}`
}

export function number(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`not a number for SQL: ${value}`)
  return String(value)
}

export function identifier(value: string): string {
  return `"${value.replaceAll('"', '""')}"`
}

/** `column IN (…)`, or nothing for an empty list: no choice means all. */
export function among<Value>(
  column: string,
  values: readonly Value[],
  literal: (value: Value) => string,
): string[] {
  return values.length === 0 ? [] : [`${column} IN (${values.map(literal).join(', ')})`]
}

export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}
