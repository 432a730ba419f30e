import { ownProblem } from './raw-table.ts'

const LF = 10
const CR = 13
const QUOTE = 34
/** A longer record is treated as an unclosed quote. */
const MAX_RECORD_BYTES = 1_000_000

/** Complete records of a CSV file, each ended by LF alone, with their line numbers. */
export interface CsvPart {
  bytes: Uint8Array<ArrayBuffer>
  /** Line at which each record starts, without blank lines. */
  lines: number[]
  /** Line of each record and blank line, because the engine counts both. */
  units: number[]
}

/**
 * Splits a CSV file into parts of complete records (RFC 4180: a quoted cell may contain line
 * breaks), so that it can be read with progress and cancelled between two parts. Feed bytes in
 * order; `finish` returns the remainder.
 */
export class CsvScanner {
  private readonly delimiter: number
  private left = new Uint8Array(0)
  /** Line at which the remainder begins. */
  private line: number

  /** `delimiter`: its character code; `line`: the line of the first byte. */
  constructor(delimiter: number, line: number) {
    this.delimiter = delimiter
    this.line = line
  }

  feed(bytes: Uint8Array): CsvPart {
    const whole = new Uint8Array(this.left.length + bytes.length)
    whole.set(this.left)
    whole.set(bytes, this.left.length)
    return this.scan(whole)
  }

  /**
   * Returns the last record, which may have no line break. Throws `own-file` if a quote in it is not closed.
   */
  finish(): CsvPart {
    const last =
      this.left.length === 0
        ? { bytes: new Uint8Array(0), lines: [], units: [] }
        : this.feed(new Uint8Array([LF]))
    if (this.left.length > 0) throw ownProblem('quote', { line: this.line })
    return last
  }

  private scan(bytes: Uint8Array<ArrayBuffer>): CsvPart {
    const lines: number[] = []
    const units: number[] = []
    const { delimiter } = this
    let { line } = this
    let start = 0
    // CR LF line ends are reduced to LF, because the engine's reader accepts only one kind per file.
    const out = new Uint8Array(bytes.length)
    let written = 0
    let startLine = line
    let cell = true
    let inQuote = false
    let closed = false
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!
      if (byte === LF) {
        line += 1
        if (inQuote) continue
        units.push(startLine)
        const end = at > start && bytes[at - 1] === CR ? at - 1 : at
        if (end > start) lines.push(startLine)
        out.set(bytes.subarray(start, end), written)
        written += end - start
        out[written] = LF
        written += 1
        start = at + 1
        startLine = line
        cell = true
        closed = false
      } else if (inQuote) {
        if (byte === QUOTE) {
          inQuote = false
          closed = true
        }
      } else if (byte === QUOTE && (cell || closed)) {
        inQuote = true
        cell = false
        closed = false
      } else {
        cell = byte === delimiter
        closed = false
      }
    }
    if (bytes.length - start > MAX_RECORD_BYTES) {
      throw ownProblem(inQuote ? 'quote' : 'line-too-long', { line: startLine })
    }
    this.left = bytes.slice(start)
    this.line = startLine
    return { bytes: out.slice(0, written), lines, units }
  }
}

/** The cells of one record. */
export function cellsOf(record: string, delimiter: string): string[] {
  const cells: string[] = []
  let at = 0
  for (;;) {
    if (record[at] === '"') {
      let text = ''
      at += 1
      for (;;) {
        const end = record.indexOf('"', at)
        if (end < 0) throw ownProblem('quote', { line: 1 })
        text += record.slice(at, end)
        at = end + 1
        if (record[at] !== '"') break
        text += '"'
        at += 1
      }
      if (at < record.length && record[at] !== delimiter) throw ownProblem('quote', { line: 1 })
      cells.push(text)
    } else {
      const end = record.indexOf(delimiter, at)
      cells.push(record.slice(at, end < 0 ? undefined : end))
      at = end < 0 ? record.length : end
    }
    if (at >= record.length) return cells
    at += 1
    if (at === record.length) {
      cells.push('')
      return cells
    }
  }
}

export const DELIMITERS = [',', ';', '\t', '|'] as const
