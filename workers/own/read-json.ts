import { MAX_OWN_ROWS, type OwnEncoding, type OwnSource } from '../../analytics/own-api.ts'
import type { DuckDb } from '../engine/duckdb.ts'
import { checkHeader, ownProblem, type RawTable, type Stop } from './raw-table.ts'
import { openText } from './text-source.ts'
import { writeRows } from './write-rows.ts'

type JsonRow = Record<string, unknown>

const isRow = (value: unknown): value is JsonRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A part of a JSON text, or the JSON of a line. Throws `own-file`. */
function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw ownProblem('json', { line }, { cause: error })
  }
}

/**
 * Reads JSON lines, or a list of objects, into the table `own_raw`: one object a row, its fields are the columns. Throws
 * `own-file` with the line of the problem.
 */
export async function readJson(
  duckdb: DuckDb,
  file: OwnSource,
  chosen: OwnEncoding | null,
  stop: Stop,
): Promise<RawTable> {
  const source = await openText(file, chosen)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  try {
    for await (const { bytes } of source.parts(stop)) text += decoder.decode(bytes, { stream: true })
    text += decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw ownProblem('encoding', { line: 1, encoding: source.encoding })
    throw error
  }
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

function listOf(text: string): { rows: JsonRow[]; lines: null } {
  const list = parsed(text, 1)
  if (!Array.isArray(list) || !list.every(isRow)) throw ownProblem('json', { line: 1 })
  return { rows: list, lines: null }
}

function linesOf(text: string): { rows: JsonRow[]; lines: number[] } {
  const rows: JsonRow[] = []
  const lines: number[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const row = parsed(line, at + 1)
    if (!isRow(row)) throw ownProblem('json', { line: at + 1 })
    rows.push(row)
    lines.push(at + 1)
  }
  return { rows, lines }
}
