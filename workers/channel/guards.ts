/**
 * Guards of values that reach a worker from outside its bundle. They are written by hand, because a validation library
 * would be half of each engine worker's script.
 */
export type Guard = (value: unknown) => boolean

const INSTANT = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$/

export const isText: Guard = (value) => typeof value === 'string'
export const isFlag: Guard = (value) => typeof value === 'boolean'
export const isWholeNumber: Guard = (value) => Number.isSafeInteger(value)

export const isMatch =
  (pattern: RegExp): Guard =>
  (value) =>
    typeof value === 'string' && pattern.test(value)

/** A finite number within both bounds, inclusive. */
export const isNumberWithin =
  (least: number, most: number): Guard =>
  (value) =>
    typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most

export const isOneOf =
  (values: readonly unknown[]): Guard =>
  (value) =>
    values.includes(value)

export const isNullOr =
  (guard: Guard): Guard =>
  (value) =>
    value === null || guard(value)

/** A field that may be left out. */
export const isAbsentOr =
  (guard: Guard): Guard =>
  (value) =>
    value === undefined || guard(value)

export const isListOf =
  (guard: Guard, most = Number.POSITIVE_INFINITY): Guard =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(guard)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object whose values all pass, whatever their keys. */
export const isRecordOf =
  (guard: Guard): Guard =>
  (value) =>
    isRecord(value) && Object.values(value).every(guard)

/** An object with these fields; others are ignored, unless `exact`. */
export const isObjectOf = (fields: Readonly<Record<string, Guard>>, exact = false): Guard => {
  const guards = Object.entries(fields)
  return (value) =>
    isRecord(value) &&
    guards.every(([name, guard]) => guard(value[name])) &&
    (!exact || Object.keys(value).every((name) => Object.hasOwn(fields, name)))
}

/** An instant in UTC, `yyyy-mm-ddThh:mm:ss[.f]Z`, of a day that exists. */
export const isInstant: Guard = (value) => {
  if (typeof value !== 'string' || !INSTANT.test(value)) return false
  const at = Date.parse(value)
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === value.slice(0, 10)
}
