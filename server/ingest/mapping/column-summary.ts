import { isMissing } from '../../../domain/reading/clean-text.ts'
import type { CsvRow } from '../reading/csv-file.ts'

const SAMPLES = 3
/** As many different cells of a column are kept. */
const MOST_WORDS = 60

/** What the cells of a column are. */
export interface ColumnSummary {
  column: string
  rows: number
  blank: number
  /** Its first different cells that are not blank. */
  samples: string[]
  /** Its different cells, as many as are kept. */
  words: Set<string>
}

/** Sums up the columns of a file, row by row. */
export class ColumnSummaries {
  readonly columns: ColumnSummary[]

  constructor(header: readonly string[]) {
    this.columns = header.map((column) => ({ column, rows: 0, blank: 0, samples: [], words: new Set() }))
  }

  add(row: CsvRow): void {
    for (const summary of this.columns) {
      const cell = row[summary.column]?.trim() ?? ''
      summary.rows += 1
      if (summary.words.size < MOST_WORDS) summary.words.add(cell)
      if (isMissing(cell)) summary.blank += 1
      else if (summary.samples.length < SAMPLES && !summary.samples.includes(cell)) summary.samples.push(cell)
    }
  }
}
