import type { FileColumn, FileType } from '../../../analytics/file-columns.ts'
import type { Scalar } from '../../../analytics/model.ts'
import { shortestSingle } from '../../../domain/shortest-single.ts'
import type { Collection } from '../../data/analytics/all-rows.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { daysTo, PARQUET, parquetFile, type ParquetColumn } from './parquet-file.ts'

interface Form {
  element: ParquetColumn['element']
  value(cell: Scalar): ParquetColumn['data'][number]
}

const asItIs = (cell: Scalar): Scalar => cell

const FORMS: Readonly<Record<FileType, Form>> = {
  INTEGER: { element: PARQUET.integer, value: asItIs },
  BIGINT: { element: PARQUET.long, value: (cell) => BigInt(Number(cell)) },
  DOUBLE: { element: PARQUET.double, value: asItIs },
  SINGLE: { element: PARQUET.double, value: (cell) => shortestSingle(Number(cell)) },
  BOOLEAN: { element: PARQUET.boolean, value: asItIs },
  DATE: { element: PARQUET.day, value: (cell) => daysTo(String(cell)) },
  VARCHAR: { element: PARQUET.text, value: asItIs },
}

/**
 * Rows as a Parquet file: columns named as in the model, amounts in cents, percentages as fractions of one.
 */
export class ParquetRows implements Collection {
  private readonly columns: readonly { name: string; form: Form; data: ParquetColumn['data'][number][] }[]

  constructor(columns: readonly FileColumn[]) {
    this.columns = columns.map(({ name, type }) => ({ name, form: FORMS[type], data: [] }))
  }

  add(rows: readonly AnswerRow[]): void {
    for (const { name, form, data } of this.columns)
      for (const row of rows) {
        const cell = row[name] ?? null
        data.push(cell === null ? null : form.value(cell))
      }
  }

  file(): Blob {
    return parquetFile(this.columns.map(({ name, form: { element }, data }) => ({ name, element, data })))
  }
}
