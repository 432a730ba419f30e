import readSheets from 'read-excel-file/web-worker'
import { MAX_OWN_ROWS, type OwnNote, type OwnSource } from '../../analytics/own-api.ts'
import type { DuckDb } from '../engine/duckdb.ts'
import { checkHeader, ownProblem, type RawTable, type Stop } from './raw-table.ts'
import { headerAt } from './read-head.ts'
import { printedValue, writeRows } from './write-rows.ts'

/** Rows among which the header is. */
const LOOKED_AT = 60

/**
 * Reads the first sheet with a table of an XLSX file into the table `own_raw`. Lines are rows of the sheet. Throws
 * `own-file`: `sheet` if it is damaged.
 */
export async function readSheet(duckdb: DuckDb, file: OwnSource, stop: Stop): Promise<RawTable> {
  const sheets = await sheetsOf(file)
  const isFilled = (row: readonly unknown[]): boolean => row.some((cell) => cell !== null && cell !== '')
  // A sheet of remarks has rows of single cells.
  const isRow = (row: readonly unknown[]): boolean =>
    row.filter((cell) => cell !== null && cell !== '').length > 1
  const found = sheets.find(({ data }) => data.filter(isRow).length > 1) ?? sheets[0]
  const rows = (found?.data ?? [])
    .map((cells, at) => ({ cells, line: at + 1 }))
    .filter(({ cells }) => isFilled(cells))
  if (found === undefined || rows.length === 0) throw ownProblem('no-header')
  const texts = rows.slice(0, LOOKED_AT).map(({ cells }) => cells.map((cell) => printedValue(cell) ?? ''))
  const at = headerAt(texts)
  const names = texts[at]!
  checkHeader(names, { line: rows[at]!.line })
  const table = rows.slice(at + 1)
  if (table.length === 0) throw ownProblem('no-rows')
  if (table.length > MAX_OWN_ROWS) throw ownProblem('too-many-rows', { limit: MAX_OWN_ROWS })
  await writeRows(
    duckdb,
    names.length,
    table.map(({ cells }) => cells),
    stop,
  )
  const above = rows[at]!.line - 1
  const notes: OwnNote[] = [
    { note: 'sheet', values: { sheet: found.sheet, count: sheets.length } },
    ...(above > 0 ? [{ note: 'above' as const, values: { count: above } }] : []),
  ]
  return { names, lines: table.map(({ line }) => line), notes, encoding: null, likelyDecimal: '.' }
}

async function sheetsOf(
  file: OwnSource,
): Promise<{ sheet: string; data: readonly (readonly unknown[])[] }[]> {
  try {
    return await readSheets(await file.slice(0, file.size).arrayBuffer())
  } catch (error) {
    throw ownProblem('sheet', { reason: (error as Error).message.slice(0, 200) }, { cause: error })
  }
}
