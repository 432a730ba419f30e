import type { OwnColumn, OwnFile, OwnNote } from '../../analytics/own-api.ts'
import {
  columnNames,
  distinctNames,
  guessRoles,
  isCounterName,
  type OwnRoles,
} from '../../domain/reading/own-columns.ts'
import {
  guessKinds,
  isSomeNumber,
  looksLikeNumbers,
  readCell,
  type GuessedKind,
} from '../../domain/reading/guess-kind.ts'
import { isMissing } from '../../domain/reading/clean-text.ts'
import type { DecimalSign } from '../../domain/reading/read-number.ts'
import { OWN_KEYS } from './match-sql.ts'
import type { OwnEngine, Row } from './own-engine.ts'
import type { RawTable } from './raw-table.ts'
import { plainSql, readTexts, type TypedColumn } from './typed-sql.ts'

const SAMPLE_ROWS = 4000

/** The file that was read, with the types and names of its columns. */
export interface ReadFile extends RawTable {
  typed: TypedColumn[]
  columns: string[]
  /** Smallest and largest number of each number column that has any. */
  ranges: ({ low: number; high: number } | null)[]
  /** Some cells of each column. */
  samples: string[][]
}

export interface DescribeOptions {
  /** The zone whose days an instant with an offset is on. */
  timeZone: string
  /** The decimal sign that the reader of the file has chosen. */
  decimal: DecimalSign | null
}

/** A cell of `own_raw`, whose columns are all texts. */
export const cellText = (cell: unknown): string => (typeof cell === 'string' ? cell : '')

/** The line of a row in its file; in a file without lines, the number of the row. */
export const lineOf = ({ lines }: Pick<RawTable, 'lines'>, row: number): number => lines?.[row - 1] ?? row

/** The type of each column, and the role that its name suggests. */
export async function describe(
  engine: OwnEngine,
  found: RawTable,
  { timeZone, decimal }: DescribeOptions,
): Promise<{ read: ReadFile; file: OwnFile }> {
  const { raw, notes } = await withNames(engine, found)
  const total = await rowsOf(engine)
  // Rounded up: a step that is too small would end the sample before the end of the file.
  const step = Math.max(1, Math.ceil(total / SAMPLE_ROWS))
  const sample = await engine.rows(`SELECT * FROM own_raw WHERE row_no % ${step} = 0 ORDER BY row_no`)
  const sampleRows = sample.map((row) => Number(row['row_no']))
  const samples = raw.names.map((_, at) => sample.map((row) => cellText(row[`c${at}`])))
  const { kinds, sign } = guessKinds(
    raw.names.map((name, at) => ({ name, sample: samples[at]! })),
    { timeZone, chosen: decimal, likely: raw.likelyDecimal },
  )
  const counters = await countersOf(
    engine,
    raw.names.flatMap((name, at) => (isCounterName(name) ? [at] : [])),
    'rising',
  )
  const columns = columnNames(raw.names, OWN_KEYS)
  const roles = guessRoles(raw.names)
  const [typed] = await engine.rows(countsSql(kinds))
  const described: OwnColumn[] = []
  const typedColumns: TypedColumn[] = []
  const ranges: ReadFile['ranges'] = []
  for (const [at, name] of raw.names.entries()) {
    const plain = Number(typed![`plain${at}`])
    // Only columns with cells that the engine does not read by itself are read once more.
    const others = await othersOf(engine, at, kinds[at]!, plain === Number(typed![`cells${at}`]))
    typedColumns.push({ at, kind: kinds[at]!, looked: others.looked })
    described.push({
      name,
      column: columns[at]!,
      kind: kinds[at]!.kind,
      filled: plain + others.filled,
      odd: others.odd,
      oddLine: others.first === null ? null : lineOf(raw, others.first),
      oddValue: others.value?.slice(0, 60) ?? null,
      example: (samples[at]!.find((cell) => !isMissing(cell)) ?? '').trim().slice(0, 60),
      counts: counters.includes(at),
    })
    ranges.push(rangeOf([typed![`low${at}`], typed![`high${at}`], ...others.numbers]))
    notes.push(
      ...columnNotes(raw, at, kinds[at]!, { roles, samples, sampleRows, counts: counters.includes(at) }),
    )
  }
  return {
    read: { ...raw, typed: typedColumns, columns, ranges, samples },
    file: { rows: total, columns: described, roles, encoding: raw.encoding, sign, notes },
  }
}

const rowsOf = async (engine: OwnEngine): Promise<number> =>
  Number((await engine.rows('SELECT count(*)::DOUBLE AS n FROM own_raw'))[0]!['n'])

function rangeOf(values: readonly unknown[]): { low: number; high: number } | null {
  const numbers = values.filter((value) => typeof value === 'number')
  return numbers.length === 0
    ? null
    : {
        low: numbers.reduce((low, value) => Math.min(low, value)),
        high: numbers.reduce((high, value) => Math.max(high, value)),
      }
}

/** Leaves out columns without a name that are empty or count the rows, and gives every other one a name of its own. */
async function withNames(engine: OwnEngine, raw: RawTable): Promise<{ raw: RawTable; notes: OwnNote[] }> {
  const nameless = raw.names.flatMap((name, at) => (name.trim() === '' ? [at] : []))
  const left =
    nameless.length === 0
      ? []
      : [...(await countersOf(engine, nameless, 'each')), ...(await emptyOf(engine, nameless))]
  for (const at of left) await engine.run(`ALTER TABLE own_raw DROP COLUMN c${at}`)
  const kept = raw.names.flatMap((name, at) => (left.includes(at) ? [] : [{ name, at }]))
  for (const [to, { at }] of kept.entries())
    if (to !== at) await engine.run(`ALTER TABLE own_raw RENAME COLUMN c${at} TO c${to}`)
  const given = kept.map(({ name }) => name.trim())
  const names = distinctNames(given)
  const named = given.filter((name) => name === '').length
  const numbered = names.filter(
    (name, at) => given[at] !== '' && name !== distinctNames([given[at]!])[0],
  ).length
  const notes: OwnNote[] = [...raw.notes]
  if (left.length > 0)
    notes.push({
      note: 'left-out',
      values: {
        columns: left
          .toSorted((a, b) => a - b)
          .map((at) => at + 1)
          .join(', '),
      },
    })
  if (named > 0) notes.push({ note: 'named', values: { count: named } })
  if (numbered > 0) notes.push({ note: 'numbered', values: { count: numbered } })
  return { raw: { ...raw, names }, notes }
}

/**
 * Of some columns, those whose cells count the rows: each from 0 or 1, or `rising`, as in a table from which rows were
 * taken.
 */
async function countersOf(
  engine: OwnEngine,
  columns: readonly number[],
  how: 'each' | 'rising',
): Promise<number[]> {
  const counters: number[] = []
  for (const at of columns) {
    const [row] = await engine.rows(
      `SELECT coalesce(bool_and(value IS NOT NULL AND value = floor(value) AND value >= 0
         AND ${how === 'each' ? '(value = before + 1 OR (before IS NULL AND value IN (0, 1)))' : '(before IS NULL OR value > before)'}), false) AS counts
       FROM (SELECT row_no, value, lag(value) OVER (ORDER BY row_no) AS before
         FROM (SELECT row_no, try_cast(c${at} AS DOUBLE) AS value FROM own_raw))`,
    )
    if (row!['counts'] === true) counters.push(at)
  }
  return counters
}

/** Of some columns, those that have no value in any row. */
async function emptyOf(engine: OwnEngine, columns: readonly number[]): Promise<number[]> {
  const empty: number[] = []
  for (const at of columns) {
    const texts = await engine.rows(
      `SELECT DISTINCT c${at} AS text FROM own_raw WHERE c${at} IS NOT NULL LIMIT 50`,
    )
    if (texts.every(({ text }) => isMissing(cellText(text)))) empty.push(at)
  }
  return empty
}

/** Counts all cells of each column and those that the engine reads by itself, in a single pass. */
function countsSql(kinds: readonly GuessedKind[]): string {
  const converted = kinds.map((kind, at) => `${plainSql(`c${at}`, kind)} AS p${at}`)
  const counted = kinds.map(({ kind }, at) =>
    [
      `count(p${at})::DOUBLE AS plain${at}`,
      `count(c${at})::DOUBLE AS cells${at}`,
      ...(kind === 'number' ? [`min(p${at}) AS low${at}, max(p${at}) AS high${at}`] : []),
    ].join(', '),
  )
  return `SELECT ${counted.join(',\n')} FROM (SELECT *, ${converted.join(',\n')} FROM own_raw)`
}

/** Cells that the engine does not read by itself: how many have a value, and how many cannot be read. */
interface Others {
  /** Whether `typedSql` looks any text up. */
  looked: boolean
  filled: number
  odd: number
  /** The first row with a cell that cannot be read, and that cell. */
  first: number | null
  value: string | null
  numbers: number[]
}

/** Reads every distinct text of a column that the engine does not read by itself, and keeps the values for `typedSql`. */
export async function othersOf(
  engine: OwnEngine,
  at: number,
  kind: GuessedKind,
  allPlain = false,
): Promise<Others> {
  const others: Others = { looked: false, filled: 0, odd: 0, first: null, value: null, numbers: [] }
  const records: [string, string | number][] = []
  const texts = allPlain ? [] : await textsOf(engine, at, kind)
  for (const { text, cells, first } of texts) {
    const reading = readCell(text, kind)
    if (reading.kind === 'value') {
      others.filled += cells
      if (kind.kind !== 'text') records.push([text, reading.value])
      if (typeof reading.value === 'number') others.numbers.push(reading.value)
    } else if (reading.kind === 'missing') {
      if (kind.kind === 'text') records.push([text, ''])
    } else {
      others.odd += cells
      if (others.first === null || first < others.first) {
        others.first = first
        others.value = text
      }
    }
  }
  const type = { number: 'DOUBLE', date: 'DATE', text: 'VARCHAR' } as const
  others.looked = records.length > 0
  if (others.looked) await engine.write(readTexts(at), { value: type[kind.kind] }, records)
  return others
}

async function textsOf(
  engine: OwnEngine,
  at: number,
  kind: GuessedKind,
): Promise<{ text: string; cells: number; first: number }[]> {
  const rows: Row[] = await engine.rows(
    `SELECT c${at} AS text, count(*)::DOUBLE AS cells, min(row_no)::DOUBLE AS first FROM own_raw
     WHERE c${at} IS NOT NULL AND ${plainSql(`c${at}`, kind)} IS NULL GROUP BY c${at}`,
  )
  return rows.map((row) => ({
    text: cellText(row['text']),
    cells: Number(row['cells']),
    first: Number(row['first']),
  }))
}

function columnNotes(
  raw: RawTable,
  at: number,
  kind: GuessedKind,
  {
    roles,
    samples,
    sampleRows,
    counts,
  }: { roles: OwnRoles; samples: string[][]; sampleRows: number[]; counts: boolean },
): OwnNote[] {
  const column = raw.names[at]!
  if (counts) return [{ note: 'counter', values: { column } }]
  const cells = samples[at]!
  if (kind.kind === 'number' && kind.odds === true) {
    const value = cells.find((cell) => cell.includes('/'))
    return value === undefined ? [] : [{ note: 'odds', values: { column, value: value.trim() } }]
  }
  if (kind.kind === 'date' && kind.serial && cells.some((cell) => /^\s*\d{5}(\.\d+)?\s*$/.test(cell)))
    return [{ note: 'serial-days', values: { column } }]
  const isKey = Object.values(roles).includes(at) && roles.probability !== at
  if (kind.kind !== 'text' || isKey || !looksLikeNumbers(cells)) return []
  const index = cells.findIndex((cell) => !isMissing(cell) && !isSomeNumber(cell))
  const odd = index < 0 ? cells.findIndex((cell) => !isMissing(cell)) : index
  const line = lineOf(raw, sampleRows[odd]!)
  return [{ note: 'not-numbers', values: { column, line, value: cells[odd]!.trim().slice(0, 60) } }]
}
