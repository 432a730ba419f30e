import { FurlongError } from '../../../domain/errors.ts'
import { readRows, type CsvFile } from './csv-file.ts'
import type { FileKind, ImportFormat } from './format.ts'

const IN_NUMBERS = /^(\d{1,2})[/.-](\d{1,2})[/.-](?:\d{2}|\d{4})$/
const MONTHS = 12
const FIRST = { dmy: 'day', mdy: 'month' } as const

const ignore = (): void => {}

/** Whether a cell is a day in numbers that only the other order can read. */
function isOfOtherOrder(cell: string, order: 'dmy' | 'mdy'): boolean {
  const [, first, second] = (IN_NUMBERS.exec(cell.trim()) ?? []).map(Number)
  if (first === undefined || second === undefined) return false
  const [month, day] = order === 'mdy' ? [first, second] : [second, first]
  return month > MONTHS && day <= MONTHS
}

/** Throws `file-unreadable` for a file whose kind writes days in one order, with the first cell that has the other. */
export async function requireDayOrder(
  { encoding }: ImportFormat,
  files: readonly { file: CsvFile; kind: FileKind }[],
): Promise<void> {
  for (const { file, kind } of files) {
    if (kind.days === undefined) continue
    const { column, order } = kind.days
    for await (const { row, line } of readRows(file, encoding, ignore, ignore)) {
      const cell = row[column] ?? ''
      if (!isOfOtherOrder(cell, order)) continue
      const reason = `line ${line}, ${column}: ${cell} (this layout has the ${FIRST[order]} first; the other days would be misread)`
      throw new FurlongError('file-unreadable', { file: file.name, reason })
    }
  }
}
