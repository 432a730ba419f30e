import type { OwnEncoding, OwnSource } from '../../analytics/own-api.ts'
import { FurlongError } from '../../domain/errors.ts'
import { ownProblem, type Stop } from './raw-table.ts'

const PART_BYTES = 4_000_000
/** The part of a file by which its encoding and its header are recognised. */
export const HEAD_BYTES = 1_000_000

/** A text file whose bytes are read as UTF-8, whatever its encoding. */
export interface TextSource {
  encoding: OwnEncoding
  /** Parts of the file in order, without the byte order mark. */
  parts(stop: Stop): AsyncGenerator<{ bytes: Uint8Array<ArrayBuffer>; doneBytes: number }, void>
  /** The same parts as texts. Throws `own-file` with the line of bytes that are not in the encoding. */
  texts(stop: Stop): AsyncGenerator<{ text: string; doneBytes: number }, void>
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
async function openText(file: OwnSource, chosen: OwnEncoding | null): Promise<TextSource> {
  const head = await bytesOf(file, 0, HEAD_BYTES)
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte))
  const start = mark?.bytes.length ?? 0
  const marked = chosen ?? mark?.encoding ?? zerosOf(head.subarray(0, 8000))
  if (marked === null || !marked.startsWith('utf-16')) {
    if (head.subarray(0, 8000).includes(0)) throw ownProblem('not-table')
  }
  const encoding = marked ?? (await recognised(head))
  return {
    encoding,
    parts: (stop) => partsOf(file, encoding, start, stop),
    texts: (stop) => textsOf(file, encoding, start, stop),
  }
}

/**
 * Reads a text file in the encoding that is chosen, or else in the one that its beginning suggests; if that is plain ASCII
 * and the file is in another encoding further on, it is read once more. Throws what `read` and `openText` throw.
 */
export async function readAsText<Result>(
  file: OwnSource,
  chosen: OwnEncoding | null,
  read: (source: TextSource) => Promise<Result>,
): Promise<Result> {
  const source = await openText(file, chosen)
  try {
    return await read(source)
  } catch (error) {
    const isUndecoded = error instanceof FurlongError && error.details['problem'] === 'encoding'
    if (!isUndecoded || chosen !== null || source.encoding !== 'utf-8') throw error
    const encoding = await encodingFurtherOn(file)
    if (encoding === null) throw error
    return read(await openText(file, encoding))
  }
}

/**
 * The encoding of a file whose beginning is plain ASCII but which is not UTF-8 further on; `null` if other characters
 * are UTF-8, so that single ones are damaged.
 */
async function encodingFurtherOn(file: OwnSource): Promise<OwnEncoding | null> {
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

/** The texts of the parts of a file. Throws `own-file` with the line of the first bytes that are not in its encoding. */
async function* textsOf(
  file: OwnSource,
  encoding: OwnEncoding,
  start: number,
  stop: Stop,
): AsyncGenerator<{ text: string; doneBytes: number }, void> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  for (let at = start; at < file.size; at += PART_BYTES) {
    stop.check()
    const doneBytes = Math.min(file.size, at + PART_BYTES)
    const bytes = await bytesOf(file, at, doneBytes)
    let text: string
    try {
      text = decoder.decode(bytes, { stream: doneBytes < file.size })
    } catch (error) {
      const line = await undecodedLine(file, encoding, start, at)
      throw ownProblem('encoding', { line, encoding }, { cause: error })
    }
    yield { text, doneBytes }
  }
}

async function* partsOf(
  file: OwnSource,
  encoding: OwnEncoding,
  start: number,
  stop: Stop,
): AsyncGenerator<{ bytes: Uint8Array<ArrayBuffer>; doneBytes: number }, void> {
  const encoder = new TextEncoder()
  if (encoding !== 'utf-8') {
    for await (const { text, doneBytes } of textsOf(file, encoding, start, stop))
      yield { bytes: encoder.encode(text), doneBytes }
    return
  }
  // The engine's reader checks that a text is UTF-8.
  for (let at = start; at < file.size; at += PART_BYTES) {
    stop.check()
    const doneBytes = Math.min(file.size, at + PART_BYTES)
    yield { bytes: await bytesOf(file, at, doneBytes), doneBytes }
  }
}

/**
 * The line of the first bytes that are not in an encoding, in the part that begins at `failed`. The parts before it are
 * decoded once more, because a character may go on from one to the next.
 */
async function undecodedLine(
  file: OwnSource,
  encoding: OwnEncoding,
  start: number,
  failed: number,
): Promise<number> {
  const STEP = 2
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  let line = 1
  const decode = (bytes: Uint8Array): void => {
    line += decoder.decode(bytes, { stream: true }).split('\n').length - 1
  }
  for (let at = start; at < failed; at += PART_BYTES) decode(await bytesOf(file, at, at + PART_BYTES))
  const bytes = await bytesOf(file, failed, failed + PART_BYTES)
  try {
    for (let at = 0; at < bytes.length; at += STEP) decode(bytes.subarray(at, at + STEP))
  } catch {
    // The bytes of this line.
  }
  return line
}
