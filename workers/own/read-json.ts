import { MAX_OWN_ROWS, type OwnEncoding, type OwnSource } from '../../analytics/own-api.ts'
import type { FurlongError } from '../../domain/errors.ts'
import { jsonPlaces } from '../../domain/reading/json-places.ts'
import type { DuckDb } from '../engine/duckdb.ts'
import { checkHeader, ownProblem, type RawTable, type Stop } from './raw-table.ts'
import { readAsText, type TextSource } from './text-source.ts'
import { writeRows } from './write-rows.ts'

type JsonRow = Record<string, unknown>

const isRow = (value: unknown): value is JsonRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The error of a text that is not JSON, with its line. */
const notJson = (line: number, cause?: unknown): FurlongError => ownProblem('json', { line }, { cause })

/**
 * Reads JSON lines, or a list of objects, into the table `own_raw`: one object a row, its fields are the columns. Throws
 * `own-file` with the line of the problem.
 */
export const readJson = (
  duckdb: DuckDb,
  file: OwnSource,
  chosen: OwnEncoding | null,
  stop: Stop,
): Promise<RawTable> => readAsText(file, chosen, (source) => readText(duckdb, source, stop))

async function readText(duckdb: DuckDb, source: TextSource, stop: Stop): Promise<RawTable> {
  let text = ''
  for await (const part of source.texts(stop)) text += part.text
  const { rows, lines } = text.trimStart().startsWith('[') ? listOf(text) : linesOf(text)
  if (rows.length === 0) throw ownProblem('no-rows')
  if (rows.length > MAX_OWN_ROWS) throw ownProblem('too-many-rows', { limit: MAX_OWN_ROWS })
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  checkHeader(names, {})
  await writeRows(
    duckdb,
    names.length,
    rows.map((row) => names.map((name) => row[name])),
    stop,
  )
  return { names, lines, notes: [], encoding: source.encoding, likelyDecimal: '.' }
}

/** The rows of a list; a list on a single line has no lines. */
function listOf(text: string): { rows: JsonRow[]; lines: number[] | null } {
  const { items, error } = jsonPlaces(text)
  if (error !== null) throw notJson(linesAt(text, [error])[0]!)
  const lines = linesAt(text, items)
  const list = parsed(text, 1) as unknown[]
  const rows = list.filter(isRow)
  if (rows.length < list.length) throw notJson(lines[list.findIndex((item) => !isRow(item))]!)
  return { rows, lines: lines[0] === lines.at(-1) ? null : lines }
}

/** The lines of places in a text, which are ascending. */
function linesAt(text: string, places: readonly number[]): number[] {
  let [line, end] = [1, text.indexOf('\n')]
  return places.map((place) => {
    while (end >= 0 && end < place) {
      line += 1
      end = text.indexOf('\n', end + 1)
    }
    return line
  })
}

function linesOf(text: string): { rows: JsonRow[]; lines: number[] } {
  const rows: JsonRow[] = []
  const lines: number[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const row = parsed(line, at + 1)
    if (!isRow(row)) throw notJson(at + 1)
    rows.push(row)
    lines.push(at + 1)
  }
  return { rows, lines }
}

function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw notJson(line, error)
  }
}
