import { FurlongError } from '../../../domain/errors.ts'
import { required } from './cells.ts'
import { readRows, type CsvFile, type CsvRow } from './csv-file.ts'
import {
  BY_NAME,
  nullOnRowError,
  NUMBERS,
  RACE_DIFFERS,
  RACE_NO,
  RowError,
  RUNNER_NO,
  type FileKind,
  type ImportFormat,
  type StoredRaces,
} from './format.ts'
import { countRaces } from './count-races.ts'

/** Files of one format, each with its kind. */
type Files = readonly { file: CsvFile; kind: FileKind }[]

/**
 * A row with the cells of the row that it joins, or with the numbers that are counted for it and what a second row tells of its
 * runner; a row of another kind as it is. Throws `missing-field`, `no-joined-row`, `two-races-of-one-id`, `two-rows-of-one-runner`,
 * `runners-missing`, `race-number-uncertain`.
 */
export type JoinRow = (kind: FileKind, row: CsvRow) => CsvRow

/** Throws `file-needed` if there are files of one kind and none of the other. */
function requireBoth(files: Files, one: FileKind, other: FileKind): void {
  const own = files.find(({ kind }) => kind.name === one.name)
  if (own === undefined || files.some(({ kind }) => kind.name === other.name)) return
  throw new FurlongError('file-needed', {
    file: own.file.name,
    kind: one.name,
    needed: other.name,
    columns: other.columns.join(', '),
  })
}

type Joins = NonNullable<FileKind['joins']>
type Days = NonNullable<Joins['days']>

const keyOf = (cells: readonly string[]): string => cells.map((cell) => cell.trim()).join(' ')

const IN_NUMBERS = /^(\d{1,2})[/.-](\d{1,2})[/.-](?:\d{2}|\d{4})$/
const MONTHS = 12
const FIRST = { dmy: 'day', mdy: 'month' } as const

/** Whether a cell is a day in numbers that only the other order can read. */
function isOfOtherOrder(cell: string, order: Days['order']): boolean {
  const [, first, second] = (IN_NUMBERS.exec(cell.trim()) ?? []).map(Number)
  if (first === undefined || second === undefined) return false
  const [month, day] = order === 'mdy' ? [first, second] : [second, first]
  return month > MONTHS && day <= MONTHS
}

/** Throws `file-unreadable` for a row whose day is written in another order than the layout's. */
function requireOrder({ name }: CsvFile, line: number, row: CsvRow, { column, order }: Days): void {
  const cell = row[column] ?? ''
  if (!isOfOtherOrder(cell, order)) return
  const reason = `line ${line}, ${column}: ${cell} (this layout has the ${FIRST[order]} first; the other days would be misread)`
  throw new FurlongError('file-unreadable', { file: name, reason })
}

/** The rows that others join, by their columns; `null` for two rows of which `raceOf` says that they are different races. */
async function rowsBy(
  { by, days }: Joins,
  files: readonly CsvFile[],
  raceOf: (row: CsvRow) => string,
): Promise<Map<string, CsvRow | null>> {
  const rows = new Map<string, CsvRow | null>()
  for (const file of files)
    for await (const { row, line } of readRows(file)) {
      if (days !== undefined) requireOrder(file, line, row, days)
      const key = keyOf(by.map((column) => row[column] ?? ''))
      const known = rows.get(key)
      if (known === undefined) rows.set(key, row)
      else if (known !== null) rows.set(key, oneOf(known, row, raceOf))
    }
  return rows
}

/** The one of two rows with an id whose race can be read, the first one if both can; `null` if they are different races. */
function oneOf(one: CsvRow, other: CsvRow, raceOf: (row: CsvRow) => string): CsvRow | null {
  const [first, second] = [one, other].map((row) => nullOnRowError(() => raceOf(row))) as [
    string | null,
    string | null,
  ]
  if (first === null) return other
  if (second === null) return one
  return first === second ? { ...one, ...differenceOf(one, other) } : null
}

/** A cell that tells what two rows of one race say differently, of which the first is kept. */
function differenceOf(one: CsvRow, other: CsvRow): CsvRow {
  const differing = Object.keys(one).filter(
    (cell) => (other[cell] ?? one[cell])!.trim() !== one[cell]!.trim(),
  )
  if (differing.length === 0) return {}
  return {
    [RACE_DIFFERS]: differing.map((cell) => `${cell}: ${other[cell]}, and ${one[cell]} before`).join('; '),
  }
}

/** What second rows tell of the runners that have a row, by what is common to both; `null` for rows that contradict each other. */
async function readSeconds(
  files: Files,
): Promise<{ firsts: Set<string>; seconds: Map<string, CsvRow | null> }> {
  const firsts = new Set<string>()
  const seconds = new Map<string, CsvRow | null>()
  for (const { file, kind } of files) {
    if (kind.seconds === undefined) continue
    const { isSecond, runnerOf, cellsOf } = kind.seconds
    for await (const { row } of readRows(file)) {
      const runner = nullOnRowError(() => runnerOf(row))
      if (runner === null) continue
      if (!isSecond(row)) {
        firsts.add(runner)
        continue
      }
      const [known, cells] = [seconds.get(runner), cellsOf(row)]
      const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(cells)
      seconds.set(runner, isSame ? cells : null)
    }
  }
  return { firsts, seconds }
}

/** The cells that a second row adds to a row of a kind, none to the second row itself. */
async function secondCells(files: Files): Promise<(kind: FileKind, row: CsvRow) => CsvRow> {
  const { firsts, seconds } = await readSeconds(files)
  return ({ seconds: told }, row) => {
    // Of a row whose runner cannot be read, the reason is told where it is read.
    const runner = nullOnRowError(() => told?.runnerOf(row) ?? null)
    if (told === undefined || runner === null) return {}
    const cells = seconds.get(runner)
    if (!told.isSecond(row)) return cells ?? {}
    if (!firsts.has(runner))
      throw new RowError('no-joined-row', `${runner} is in no row that this one belongs to`)
    if (cells === null) throw new RowError('two-rows-of-one-runner', runner)
    return {}
  }
}

/** What the files of each kind say together, by the names of kinds. */
async function readTogether(
  { kinds }: ImportFormat,
  files: Files,
  stored: StoredRaces,
): Promise<Map<string, (row: CsvRow) => CsvRow>> {
  const together = new Map<string, (row: CsvRow) => CsvRow>()
  for (const kind of kinds) {
    const own = files.flatMap((each) => (each.kind.name === kind.name ? [each.file] : []))
    if (kind.together !== undefined && own.length > 0)
      together.set(kind.name, await kind.together(own, stored))
  }
  return together
}

/** Reads the files whose rows are joined by those of others. Throws `file-needed`, `file-unreadable`. */
export async function readJoins(format: ImportFormat, files: Files, stored: StoredRaces): Promise<JoinRow> {
  /** By the names of kinds, because what explains an import has kinds of its own. */
  const joined = new Map<string, Map<string, CsvRow | null>>()
  for (const kind of format.kinds) {
    if (kind.joins === undefined) continue
    const other = format.kinds.find(({ name }) => name === kind.joins!.kind)!
    requireBoth(files, kind, other)
    if (kind.joins.isWholeAlone !== true) requireBoth(files, other, kind)
    const theirs = files.flatMap((each) => (each.kind.name === other.name ? [each.file] : []))
    joined.set(kind.name, await rowsBy(kind.joins, theirs, (kind.raceOf ?? other.raceOf)!))
  }
  const numbersOf = await countRaces(files, stored)
  const cellsOf = await secondCells(files)
  const together = await readTogether(format, files, stored)
  return (kind, row) => {
    const added = together.get(kind.name)?.(row)
    if (added !== undefined) return added
    const cells = cellsOf(kind, row)
    const numbers = numbersOf(kind, row)
    if (numbers !== null)
      return {
        ...row,
        ...cells,
        [RACE_NO]: String(numbers.raceNo),
        [RUNNER_NO]: String(numbers.runnerNo ?? ''),
        [NUMBERS]: numbers.areByName ? BY_NAME : '',
      }
    if (kind.joins === undefined) return kind.seconds === undefined ? row : { ...row, ...cells }
    const { by } = kind.joins
    const key = keyOf(by.map((column) => required(row, column)))
    const other = joined.get(kind.name)!.get(key)
    if (other === undefined)
      throw new RowError('no-joined-row', `${by.join(', ')} ${key} is in no file of ${kind.joins.kind}`)
    if (other === null) throw new RowError('two-races-of-one-id', `${by.join(', ')} ${key}`)
    return { ...other, ...row }
  }
}
