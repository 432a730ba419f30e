import { parquetWriteBuffer } from 'hyparquet-writer'
import type { ColumnSpec } from '../../analytics/plan.ts'
import { decodeRows } from '../data/analytics/decode.ts'

const TYPE_OF = { number: 'DOUBLE', text: 'STRING', boolean: 'BOOLEAN' } as const

/** Rows as a Parquet file: the columns of the model by their names, amounts in cents, shares of one. */
export function parquetOf(
  bytes: Uint8Array,
  columns: readonly ColumnSpec[],
): { file: ArrayBuffer; rows: number } {
  const rows = decodeRows(bytes, columns)
  const columnData = columns.map(({ name, type }) => ({
    name,
    type: TYPE_OF[type],
    data: rows.map((row) => row[name] ?? null),
    nullable: true,
  }))
  return { file: parquetWriteBuffer({ columnData }), rows: rows.length }
}
