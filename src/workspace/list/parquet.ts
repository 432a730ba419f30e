import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Scalar } from '../../../analytics/model.ts'
import type { ColumnSpec } from '../../../analytics/plan.ts'
import type { Collection } from '../../data/analytics/all-rows.ts'
import type { AnswerRow } from '../../data/analytics/cells.ts'

const TYPE_OF = { number: 'DOUBLE', text: 'STRING', boolean: 'BOOLEAN' } as const

/**
 * Rows as a Parquet file: columns named as in the model, amounts in cents, percentages as fractions of one.
 */
export class ParquetRows implements Collection {
  private readonly columns: readonly { spec: ColumnSpec; data: (Scalar | null)[] }[]

  constructor(columns: readonly ColumnSpec[]) {
    this.columns = columns.map((spec) => ({ spec, data: [] }))
  }

  add(rows: readonly AnswerRow[]): void {
    for (const { spec, data } of this.columns) for (const row of rows) data.push(row[spec.name] ?? null)
  }

  file(): Blob {
    const columnData = this.columns.map(({ spec: { name, type }, data }) => ({
      name,
      type: TYPE_OF[type],
      data,
      nullable: true,
    }))
    return new Blob([parquetWriteBuffer({ columnData })])
  }
}
