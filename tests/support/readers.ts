import fc from 'fast-check'
import type { Reading } from '../../domain/reading/reading.ts'
import { RowError } from '../../server/ingest/reading/format.ts'

/** What a reader makes of a text: the value, `missing`, or the problem. */
export const told = (reading: Reading<unknown, string>): unknown =>
  reading.kind === 'value' ? reading.value : reading.kind === 'missing' ? 'missing' : reading.problem

/** What the reader of a cell makes of it: its value, or the kind of its refusal. */
export function read(reader: () => unknown): unknown {
  try {
    return reader()
  } catch (error) {
    if (error instanceof RowError) return error.kind
    throw error
  }
}

/** Two digits. */
export const two = (value: number): string => String(value).padStart(2, '0')

/** A day as its parts, and as `yyyy-mm-dd`. */
export const days = fc
  .date({ min: new Date('1969-01-01T00:00:00Z'), max: new Date('2068-12-31T00:00:00Z'), noInvalidDate: true })
  .map((at) => {
    const iso = at.toISOString().slice(0, 10)
    const [y, m, d] = iso.split('-').map(Number) as [number, number, number]
    return { iso, y, m, d }
  })
export type Day = { iso: string; y: number; m: number; d: number }

/** Names of months as programs shorten them. */
export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
