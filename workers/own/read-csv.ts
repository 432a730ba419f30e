import { MAX_OWN_ROWS, type OwnProgress, type OwnSource } from '../../analytics/own-api.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { DuckDb } from '../engine/duckdb.ts'
import { cellsOf, CsvScanner, delimiterOf, type CsvPart } from './csv-scanner.ts'
import { checkHeader, ownProblem, writeRaw, type RawTable, type Stop } from './raw-table.ts'

const PART_BYTES = 4_000_000
const BOM = [0xef, 0xbb, 0xbf] as const

/**
 * Reads a CSV file into the table `own_raw`, every cell as text. Throws `own-file` with
 * the line of the problem.
 */
export async function readCsv(
  duckdb: DuckDb,
  file: OwnSource,
  stop: Stop,
  onProgress: (progress: OwnProgress) => void,
): Promise<RawTable> {
  const head = new Uint8Array(await file.slice(0, 1_000_000).arrayBuffer())
  const bom = BOM.every((byte, at) => head[at] === byte) ? BOM.length : 0
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
    throw ownProblem('utf16')
  if (head.subarray(0, 8000).includes(0)) throw ownProblem('not-table')
  const first = headerOf(head.subarray(bom), head.length === file.size)
  const delimiter = delimiterOf(first.text)
  const names = cellsOf(first.text, delimiter)
  checkHeader(names, { line: 1 })
  const scanner = new CsvScanner(delimiter.codePointAt(0)!, first.lines + 1)
  const lines: number[] = []
  await writeRaw(duckdb, names.length, delimiter, async (append) => {
    const parts = scannedParts(file, bom + first.bytes, scanner, stop)
    let next = parts.next()
    for (;;) {
      const { value: part } = await next
      if (part === undefined) break
      const appended = append(part.bytes, lines.length)
      // The next part is read and split while the engine reads this one.
      next = parts.next()
      // Its error is thrown only after the errors of this part, which are further up in the file.
      next.catch(() => undefined)
      try {
        await appended
      } catch (error) {
        throw asProblem(error, part.units)
      }
      for (const line of part.lines) lines.push(line)
      const line = lines[MAX_OWN_ROWS]
      if (line !== undefined) throw ownProblem('too-many-rows', { line, limit: MAX_OWN_ROWS })
      onProgress({ doneBytes: part.doneBytes, totalBytes: file.size })
    }
  })
  if (lines.length === 0) throw ownProblem('no-rows')
  return { names, lines, commaSeparates: delimiter === ',' }
}

/** The parts of a file from `start`, except for those that have only blank lines. */
async function* scannedParts(
  file: OwnSource,
  start: number,
  scanner: CsvScanner,
  stop: Stop,
): AsyncGenerator<CsvPart & { doneBytes: number }, undefined> {
  for (let at = start; at < file.size; at += PART_BYTES) {
    stop.check()
    const doneBytes = Math.min(file.size, at + PART_BYTES)
    const part = scanner.feed(new Uint8Array(await file.slice(at, doneBytes).arrayBuffer()))
    if (part.lines.length > 0) yield { ...part, doneBytes }
  }
  stop.check()
  const last = scanner.finish()
  if (last.lines.length > 0) yield { ...last, doneBytes: file.size }
  return undefined
}

/** The first record: its text, its size in bytes including the line break, and its number of lines. */
function headerOf(bytes: Uint8Array, whole: boolean): { text: string; bytes: number; lines: number } {
  let inQuote = false
  let lines = 1
  let end = bytes.length
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === 34) inQuote = !inQuote
    else if (byte === 10) {
      if (!inQuote) {
        end = at
        break
      }
      lines += 1
    }
  }
  if (end === bytes.length && inQuote) throw ownProblem('quote', { line: 1 })
  if (end === bytes.length && !whole) throw ownProblem('line-too-long', { line: 1 })
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end))
  } catch {
    throw ownProblem('encoding', { line: 1 })
  }
  if (text.replace(/\r$/, '').includes('\r')) throw ownProblem('line-endings')
  return { text: text.replace(/\r$/, ''), bytes: end + 1, lines }
}

/**
 * Converts an error of the engine's CSV reader, with the line in the file; `units`: the line of
 * each record that it counted.
 */
function asProblem(error: unknown, units: readonly number[]): unknown {
  const reason = error instanceof FurlongError ? String(error.details['reason'] ?? '') : ''
  const counted = /CSV Error on Line: (\d+)/.exec(reason)?.[1]
  if (counted === undefined) return /CSV/.test(reason) ? ownProblem('quote') : error
  const line = units[Number(counted) - 1] ?? units.at(-1) ?? 1
  const cells = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(reason)
  if (cells) {
    const [, expected, found] = cells.map(Number) as [number, number, number]
    return ownProblem(found < expected ? 'too-few-cells' : 'too-many-cells', { line, expected, found })
  }
  if (/unicode|utf-8/i.test(reason)) return ownProblem('encoding', { line })
  if (/maximum line size/i.test(reason)) return ownProblem('line-too-long', { line })
  return ownProblem('quote', { line })
}
