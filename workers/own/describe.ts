import type { OwnColumn, OwnFile } from '../../analytics/own-api.ts'
import {
  columnNames,
  guessKind,
  guessRoles,
  nearestKind,
  type GuessedKind,
  type OwnKind,
} from '../../domain/own-columns.ts'
import { nothingSql, oddSql, OWN_KEYS, typedSql } from './match-sql.ts'
import type { RawTable } from './raw-table.ts'

const SAMPLE_ROWS = 4000

type Row = Record<string, unknown>
/** Runs a statement and returns its rows. */
export type RunRows = (sql: string) => Promise<Row[]>

/** The file that was read, with the types and names of its columns. */
export interface ReadFile extends RawTable {
  kinds: GuessedKind[]
  columns: string[]
  /** Smallest and largest number of each number column that has any. */
  ranges: ({ low: number; high: number } | null)[]
  /** Some cells of each column. */
  samples: string[][]
}

/** A cell of `own_raw`, whose columns are all texts. */
export const cellText = (cell: unknown): string => (typeof cell === 'string' ? cell : '')

/** The line of a row in its file; in a file without lines, the number of the row. */
export const lineOf = ({ lines }: Pick<RawTable, 'lines'>, row: number): number => lines?.[row - 1] ?? row

/** The type of each column, and the role that its name suggests. */
export async function describe(rows: RunRows, raw: RawTable): Promise<{ read: ReadFile; file: OwnFile }> {
  const total = Number((await rows('SELECT count(*)::DOUBLE AS n FROM own_raw'))[0]!['n'])
  const step = Math.max(1, Math.floor(total / SAMPLE_ROWS))
  const sample = await rows(
    `SELECT * FROM own_raw WHERE row_no % ${step} = 0 ORDER BY row_no LIMIT ${SAMPLE_ROWS}`,
  )
  const samples = raw.names.map((_, at) => sample.map((row) => cellText(row[`c${at}`])))
  const kinds = samples.map((cells) => guessKind(cells, raw.commaSeparates))
  const columns = columnNames(raw.names, OWN_KEYS)
  const [typed] = await rows(typedCountsSql(kinds))
  const described: OwnColumn[] = []
  for (const [at, name] of raw.names.entries()) {
    const filled = Number(typed![`typed${at}`])
    // Only columns with cells that are not of their type are read once more.
    const others =
      filled === Number(typed![`cells${at}`]) ? NO_OTHERS : await othersOf(rows, `c${at}`, kinds[at]!)
    described.push({
      name,
      column: columns[at]!,
      kind: kinds[at]!.kind,
      filled: filled + others.filled,
      odd: others.odd,
      oddLine: others.first === null ? null : lineOf(raw, others.first),
      example: (samples[at]!.find((cell) => cell !== '') ?? '').slice(0, 60),
    })
  }
  const ranges = kinds.map((_, at) => {
    const [low, high] = [typed![`low${at}`], typed![`high${at}`]]
    return typeof low === 'number' && typeof high === 'number' ? { low, high } : null
  })
  return {
    read: { ...raw, kinds, columns, ranges, samples },
    file: { rows: total, columns: described, roles: guessRoles(raw.names) },
  }
}

/**
 * Counts all cells of each column and those of its type, in a single pass. Each cell is converted once, in the
 * inner query. A text that begins with a printable ASCII character is not blank: it is not trimmed, which is slow.
 */
function typedCountsSql(kinds: readonly GuessedKind[]): string {
  const converted = kinds.map((kind, at) =>
    kind.kind === 'text'
      ? `CASE WHEN ord(c${at}) BETWEEN 33 AND 126 OR c${at} IS NULL THEN c${at} ELSE nullif(trim(c${at}), '') END AS t${at}`
      : `${typedSql(`c${at}`, kind)} AS t${at}`,
  )
  const counted = kinds.map(({ kind }, at) =>
    [
      `count(t${at})::DOUBLE AS typed${at}`,
      // A text column has only texts and blanks.
      `count(${kind === 'text' ? 't' : 'c'}${at})::DOUBLE AS cells${at}`,
      ...(kind === 'number' ? [`min(t${at}) AS low${at}, max(t${at}) AS high${at}`] : []),
    ].join(', '),
  )
  return `SELECT ${counted.join(',\n')} FROM (SELECT *, ${converted.join(',\n')} FROM own_raw)`
}

interface Others {
  filled: number
  odd: number
  first: number | null
}
const NO_OTHERS: Others = { filled: 0, odd: 0, first: null }

/** Cells that are not of their column's type: how many are not blank, and how many have a value. */
async function othersOf(rows: RunRows, cell: string, kind: GuessedKind): Promise<Others> {
  const [found] = await rows(
    `SELECT (count(*) FILTER (WHERE trim(cell) <> ''))::DOUBLE AS filled, (count(*) FILTER (WHERE NOT nothing))::DOUBLE AS odd,
       min(row_no) FILTER (WHERE NOT nothing) AS first
     FROM (SELECT row_no, ${cell} AS cell, ${nothingSql(cell)} AS nothing FROM own_raw
       WHERE ${cell} IS NOT NULL AND ${typedSql(cell, kind)} IS NULL)`,
  )
  const first = found!['first']
  return {
    filled: Number(found!['filled']),
    odd: Number(found!['odd']),
    first: first === null ? null : Number(first),
  }
}

/** The first cell of a column that is neither of a wanted type nor empty; the first of all if every cell is empty. */
export async function firstOdd(
  rows: RunRows,
  read: ReadFile,
  at: number,
  wanted: Exclude<OwnKind, 'text'>,
): Promise<{ line: number; value: string }> {
  const kind = nearestKind(read.samples[at]!, wanted, read.commaSeparates)
  const [odd] = await rows(
    `SELECT row_no, c${at} AS cell FROM own_raw WHERE ${oddSql(`c${at}`, kind)} ORDER BY row_no LIMIT 1`,
  )
  return { line: lineOf(read, odd === undefined ? 1 : Number(odd['row_no'])), value: cellText(odd?.['cell']) }
}
