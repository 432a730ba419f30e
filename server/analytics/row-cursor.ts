import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { RowsRequest } from '../../analytics/rows.ts'
import { FurlongError } from '../../domain/errors.ts'

/** Where a page of rows begins: of which request, in which state of the data. */
const Cursor = z.strictObject({
  of: z.string(),
  asOf: z.string(),
  offset: z.int().min(0).max(10_000_000),
  /** Of all pages, counted with the first. */
  total: z.int().min(0),
})
type Cursor = z.output<typeof Cursor>

const refused = (reason: string): FurlongError =>
  new FurlongError('bad-parameters', { reason: `cursor: ${reason}` })

/** What pages of one request have in common; the size of a page may change between them. */
function nameOf({ offset: _offset, limit: _limit, ...rows }: RowsRequest): string {
  return createHash('sha256').update(JSON.stringify(rows)).digest('base64url').slice(0, 22)
}

/** Reads a cursor of a request; `null` for an empty one, which begins. Throws `bad-parameters`. */
export function readCursor(text: string, rows: RowsRequest): Cursor | null {
  if (text === '') return null
  let cursor: Cursor
  try {
    cursor = Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  } catch {
    throw refused('not one of this server')
  }
  if (cursor.of !== nameOf(rows)) throw refused('of another request')
  return cursor
}

/** Throws `bad-parameters` if the data was built anew since the cursor was given: rows might be missed or come twice. */
export function requireSameData(cursor: Cursor | null, asOf: string): void {
  if (cursor !== null && cursor.asOf !== asOf) throw refused('the data has changed, begin again')
}

/** The cursor of the page after one that ends before `offset`. */
export const writeCursor = (rows: RowsRequest, page: Omit<Cursor, 'of'>): string =>
  Buffer.from(JSON.stringify({ of: nameOf(rows), ...page } satisfies Cursor)).toString('base64url')
