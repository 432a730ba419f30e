import { tableFromIPC } from 'apache-arrow'
import type { Answer } from '../../../analytics/connector.ts'
import type { Scalar } from '../../../analytics/model.ts'
import type { ColumnSpec } from '../../../analytics/plan.ts'
import type { Request } from '../../../analytics/request.ts'
import { FurlongError } from '../../../domain/errors.ts'
import type { AnswerRow, Rows } from '../../../analytics/cells.ts'

const TYPE_OF = { number: 'number', text: 'string', boolean: 'boolean' } as const

/**
 * Decodes rows by the column names in the stream. Throws `query-failed` if a column or a
 * value is not as specified.
 */
export function decodeRows(bytes: Uint8Array, columns: readonly ColumnSpec[]): AnswerRow[] {
  const table = tableFromIPC(bytes)
  const names = table.schema.fields.map(({ name }) => name)
  const read = columns.map(({ name, type }) => {
    const at = names.indexOf(name)
    if (at < 0) throw new FurlongError('query-failed', { reason: `no column ${name}` })
    return { name, type, vector: table.getChildAt(at)! }
  })
  return Array.from({ length: table.numRows }, (_, row) => {
    const cells: Record<string, Scalar | null> = {}
    for (const { name, type, vector } of read) {
      const value: unknown = vector.get(row)
      cells[name] = isCell(value, type) ? value : failed(name)
    }
    return cells
  })
}

const isCell = (value: unknown, type: ColumnSpec['type']): value is Scalar | null =>
  value === null || typeof value === TYPE_OF[type]

function failed(name: string): never {
  throw new FurlongError('query-failed', { reason: `a value of ${name} has another type` })
}

export const readAnswer = (request: Request, { bytes, ...about }: Answer): Rows => ({
  ...about,
  request,
  rows: decodeRows(bytes, about.columns),
})
