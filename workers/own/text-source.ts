import type { OwnEncoding, OwnSource } from '../../analytics/own-api.ts'
import { ownProblem, type Stop } from './raw-table.ts'

const PART_BYTES = 4_000_000
/** The part of a file by which its encoding and its header are recognised. */
export const HEAD_BYTES = 1_000_000
const LF = 10

/** A text file whose bytes are read as UTF-8, whatever its encoding. */
export interface TextSource {
  encoding: OwnEncoding
  /** Parts of the file in order, without the byte order mark. */
  parts(stop: Stop): AsyncGenerator<{ bytes: Uint8Array<ArrayBuffer>; doneBytes: number }, void>
}

const MARKS: readonly { encoding: OwnEncoding; bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
]

const bytesOf = async (file: OwnSource, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await file.slice(from, Math.min(file.size, to)).arrayBuffer())

/** Whether bytes that may end within a character are UTF-8. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Whether a text is UTF-8 with single characters that are damaged, rather than in another encoding. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(bytes)
  const damaged = text.split('\uFFFD').length - 1
  const others = text.replaceAll(/[\0-\u007F\uFFFD]+/g, '').length
  return others > damaged
}

/** UTF-16 without a mark has a zero in every other byte of ASCII characters. */
function zerosOf(bytes: Uint8Array): OwnEncoding | null {
  const zeros = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 0) zeros[at % 2]! += 1
  const [even = 0, odd = 0] = zeros
  const many = bytes.length / 10
  if (odd > many && even === 0) return 'utf-16le'
  return even > many && odd === 0 ? 'utf-16be' : null
}

/**
 * Opens a text file in an encoding: the one that is chosen, marked or recognised. Throws `own-file`: `not-table` if
 * the file is not text.
 */
export async function openText(file: OwnSource, chosen: OwnEncoding | null): Promise<TextSource> {
  const head = await bytesOf(file, 0, HEAD_BYTES)
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte))
  const start = mark?.bytes.length ?? 0
  const marked = chosen ?? mark?.encoding ?? zerosOf(head.subarray(0, 8000))
  if (marked === null || !marked.startsWith('utf-16')) {
    if (head.subarray(0, 8000).includes(0)) throw ownProblem('not-table')
  }
  const encoding = marked ?? (await recognised(head))
  return { encoding, parts: (stop) => partsOf(file, encoding, start, stop) }
}

/**
 * The encoding of a file whose beginning is plain ASCII but which is not UTF-8 further on; `null` if other characters
 * are UTF-8, so that single ones are damaged.
 */
export async function encodingFurtherOn(file: OwnSource): Promise<OwnEncoding | null> {
  for (let at = 0; at < file.size; at += HEAD_BYTES) {
    const bytes = await bytesOf(file, at, at + HEAD_BYTES)
    const first = bytes.findIndex((byte) => byte > 127)
    if (first < 0) continue
    const encoding = await recognised(bytes.subarray(first))
    return encoding === 'utf-8' ? null : encoding
  }
  return null
}

/** The library that recognises encodings is loaded with the first file that is not UTF-8. */
async function recognised(bytes: Uint8Array): Promise<OwnEncoding> {
  if (isUtf8(bytes) || isDamagedUtf8(bytes)) return 'utf-8'
  const { recognisedEncoding } = await import('./recognise-encoding.ts')
  return recognisedEncoding(bytes)
}

async function* partsOf(
  file: OwnSource,
  encoding: OwnEncoding,
  start: number,
  stop: Stop,
): AsyncGenerator<{ bytes: Uint8Array<ArrayBuffer>; doneBytes: number }, void> {
  // The engine's reader checks that a text is UTF-8.
  const decoder = encoding === 'utf-8' ? null : new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  const encoder = new TextEncoder()
  let line = 1
  for (let at = start; at < file.size; at += PART_BYTES) {
    stop.check()
    const doneBytes = Math.min(file.size, at + PART_BYTES)
    const bytes = await bytesOf(file, at, doneBytes)
    if (decoder === null) {
      yield { bytes, doneBytes }
      continue
    }
    const stream = doneBytes < file.size
    let text: string
    try {
      text = decoder.decode(bytes, { stream })
    } catch (error) {
      throw ownProblem('encoding', { line: line + linesBefore(bytes, encoding), encoding }, { cause: error })
    }
    const decoded = encoder.encode(text)
    for (const byte of decoded) if (byte === LF) line += 1
    yield { bytes: decoded, doneBytes }
  }
}

/** The number of line ends in a part before the first bytes that are not in an encoding. */
function linesBefore(bytes: Uint8Array, encoding: OwnEncoding): number {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const STEP = 2
  let lines = 0
  try {
    for (let at = 0; at < bytes.length; at += STEP) {
      const text = decoder.decode(bytes.subarray(at, at + STEP), { stream: true })
      for (const character of text) if (character === '\n') lines += 1
    }
  } catch {
    // The bytes of this line.
  }
  return lines
}
