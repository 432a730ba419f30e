import {
  MAX_OWN_ROWS,
  type OwnEncoding,
  type OwnNote,
  type OwnProgress,
  type OwnSource,
} from '../../analytics/own-api.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { DuckDb } from '../engine/duckdb.ts'
import { CsvScanner, type CsvPart } from './csv-scanner.ts'
import { checkHeader, ownProblem, writeRaw, type RawTable, type Stop } from './raw-table.ts'
import { readHead, type Head } from './read-head.ts'
import { HEAD_BYTES, readAsText, type TextSource } from './text-source.ts'

/**
 * Reads a CSV file into the table `own_raw`, every cell as text. `chosen`: its encoding, if it is not to be recognised.
 * Throws `own-file` with the line of the problem.
 */
export const readCsv = (
  duckdb: DuckDb,
  file: OwnSource,
  chosen: OwnEncoding | null,
  stop: Stop,
  onProgress: (progress: OwnProgress) => void,
): Promise<RawTable> =>
  readAsText(file, chosen, (source) => readText(duckdb, source, file.size, stop, onProgress))

async function readText(
  duckdb: DuckDb,
  source: TextSource,
  totalBytes: number,
  stop: Stop,
  onProgress: (progress: OwnProgress) => void,
): Promise<RawTable> {
  const { head, begun, rest } = await begin(source, stop)
  checkHeader(head.names, { line: head.lines })
  const { delimiter } = head
  const scanner = new CsvScanner(delimiter.codePointAt(0)!, head.lines + 1)
  const lines: number[] = []
  await writeRaw(duckdb, head.names.length, delimiter, async (append) => {
    const parts = scannedParts(scanner, begun, rest, stop)
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
        throw asProblem(error, part.units, source.encoding)
      }
      for (const line of part.lines) lines.push(line)
      const line = lines[MAX_OWN_ROWS]
      if (line !== undefined) throw ownProblem('too-many-rows', { line, limit: MAX_OWN_ROWS })
      onProgress({ doneBytes: part.doneBytes, totalBytes })
    }
  })
  if (lines.length === 0) throw ownProblem('no-rows')
  const notes: OwnNote[] = head.notes
  return {
    names: head.names,
    lines,
    notes,
    encoding: source.encoding,
    // Where commas are decimal signs, spreadsheets separate cells by semicolons.
    likelyDecimal: delimiter === ';' ? ',' : '.',
  }
}

type Parts = ReturnType<TextSource['parts']>
interface Begun {
  bytes: Uint8Array<ArrayBuffer>
  doneBytes: number
}

/** Reads the header; returns what was read behind it, and the parts that follow. */
async function begin(source: TextSource, stop: Stop): Promise<{ head: Head; begun: Begun; rest: Parts }> {
  const rest = source.parts(stop)
  const first = await rest.next()
  if (first.done === true) throw ownProblem('empty')
  const { bytes, doneBytes } = first.value
  let looked: Head
  try {
    looked = readHead(bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES)
  } catch (error) {
    await rest.return()
    throw error
  }
  return { head: looked, begun: { bytes: bytes.subarray(looked.bytes), doneBytes }, rest }
}

/** The parts of a file, except for those that have only blank lines. */
async function* scannedParts(
  scanner: CsvScanner,
  begun: Begun,
  rest: Parts,
  stop: Stop,
): AsyncGenerator<CsvPart & { doneBytes: number }, undefined> {
  let { doneBytes } = begun
  const first = scanner.feed(begun.bytes)
  if (first.lines.length > 0) yield { ...first, doneBytes }
  for await (const { bytes, doneBytes: done } of rest) {
    doneBytes = done
    const part = scanner.feed(bytes)
    if (part.lines.length > 0) yield { ...part, doneBytes }
  }
  stop.check()
  const last = scanner.finish()
  if (last.lines.length > 0) yield { ...last, doneBytes }
  return undefined
}

/**
 * Converts an error of the engine's CSV reader, with the line in the file; `units`: the line of
 * each record that it counted.
 */
function asProblem(error: unknown, units: readonly number[], encoding: OwnEncoding): unknown {
  const reason = error instanceof FurlongError ? String(error.details['reason'] ?? '') : ''
  const counted = /CSV Error on Line: (\d+)/.exec(reason)?.[1]
  if (counted === undefined) return /CSV/.test(reason) ? ownProblem('quote') : error
  const line = units[Number(counted) - 1] ?? units.at(-1) ?? 1
  const cells = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(reason)
  if (cells) {
    const [, expected, found] = cells.map(Number) as [number, number, number]
    return ownProblem(found < expected ? 'too-few-cells' : 'too-many-cells', { line, expected, found })
  }
  if (/unicode|utf-8/i.test(reason)) return ownProblem('encoding', { line, encoding })
  if (/maximum line size/i.test(reason)) return ownProblem('line-too-long', { line })
  return ownProblem('quote', { line })
}
