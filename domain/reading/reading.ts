/** Why a text could not be read. Each has a message in the reader's language, which shows `form`. */
export type ReadingProblem =
  | 'not-a-number'
  /** A number only if the other of point and comma is the decimal sign. */
  | 'other-decimal-sign'
  | 'not-whole'
  | 'out-of-range'
  | 'not-a-day'
  /** The text has the form of a day, but the calendar has no such day or no such time. */
  | 'no-such-day'
  /** Day and month can be exchanged, and nothing says which is first. */
  | 'two-readings'
  | 'not-an-instant'
  /** A day and time without `Z` or an offset. */
  | 'no-zone'

/**
 * What a text says: a value, that there is none, or why it cannot be read. `form`: an example of a text that would be
 * read, the same in all languages.
 */
export type Reading<Value, Problem extends string = ReadingProblem> =
  | { kind: 'value'; value: Value }
  | { kind: 'missing' }
  | { kind: 'unreadable'; problem: Problem; form: string }

export const valueOf = <Value>(value: Value): Reading<Value, never> => ({ kind: 'value', value })

export const MISSING: Reading<never, never> = { kind: 'missing' }

/** An example of the form in which a text with each problem would be read. */
const FORMS: Readonly<Record<ReadingProblem, string>> = {
  'not-a-number': '1234.5',
  'other-decimal-sign': '1234.5',
  'not-whole': '12',
  'out-of-range': '12',
  'not-a-day': '2026-11-22',
  'no-such-day': '2026-11-22',
  'two-readings': '2026-11-22',
  'not-an-instant': '2026-11-22T05:10:00Z',
  'no-zone': '2026-11-22T13:10:00+08:00',
}

/** A number if it is within bounds. */
export const within = (reading: Reading<number>, from: number, to: number): Reading<number> =>
  reading.kind === 'value' && !(reading.value >= from && reading.value <= to)
    ? unreadable('out-of-range', `${from}–${to}`)
    : reading

export const unreadable = (problem: ReadingProblem, form = FORMS[problem]): Reading<never> => ({
  kind: 'unreadable',
  problem,
  form,
})
