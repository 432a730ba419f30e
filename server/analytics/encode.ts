import { Bool, Float64, Table, tableToIPC, Utf8, vectorFromArray, type Vector } from 'apache-arrow'
import type { ColumnSpec } from '../../analytics/plan.ts'
import { csvLine } from '../../domain/csv.ts'
import type { Format } from './protocol.ts'

export type AnswerColumn = (string | number | boolean | null)[]

/** The rows of a result as bytes: an Arrow IPC stream, a JSON list of objects, or CSV with a header. */
export function encodeAnswer(
  columns: readonly ColumnSpec[],
  values: readonly AnswerColumn[],
  rows: number,
  format: Format,
): Uint8Array {
  if (format === 'arrow') return tableToIPC(arrowTable(columns, values), 'stream')
  const lines = Array.from({ length: rows }, (_, at) =>
    columns.map((_column, index) => values[index]![at] ?? null),
  )
  const text =
    format === 'json'
      ? JSON.stringify(
          lines.map((line) => Object.fromEntries(columns.map(({ name }, at) => [name, line[at]]))),
        )
      : [columns.map(({ name }) => name), ...lines].map(csvLine).join('')
  return new TextEncoder().encode(text)
}

function arrowTable(columns: readonly ColumnSpec[], values: readonly AnswerColumn[]): Table {
  const vectors = columns.map(({ name, type }, index): [string, Vector] => {
    const own = values[index] ?? []
    if (type === 'number') return [name, vectorFromArray(own as (number | null)[], new Float64())]
    if (type === 'boolean') return [name, vectorFromArray(own as (boolean | null)[], new Bool())]
    return [name, vectorFromArray(own as (string | null)[], new Utf8())]
  })
  return new Table(Object.fromEntries(vectors))
}
