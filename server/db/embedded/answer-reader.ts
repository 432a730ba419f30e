import { protocol, type PGlite } from '@electric-sql/pglite'

type Message = Parameters<Parameters<protocol.Parser['parse']>[1]>[0]

type Cells = (string | null)[]

/** A message is a byte for its kind, its length without that byte in four, and its body. */
const HEADER_BYTES = 5
const DATA_ROW = 'D'.charCodeAt(0)

/** Reads only whole messages, so that it keeps nothing from one to the next. */
const parser = new protocol.Parser()

/** Reads the messages of one answer from its bytes, however they are divided. */
export class AnswerReader {
  readonly messages: Message[] = []
  /** The first error in the answer. */
  error: Error | null = null
  private parts: Buffer[] = []
  private partBytes = 0
  private above: Cells = []
  /** Bytes without which nothing more can be read. */
  private needed = HEADER_BYTES

  /** `data` may be overwritten afterwards. */
  take(data: Uint8Array): void {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    if (this.partBytes === 0) {
      this.keep(bytes, this.read(bytes))
      return
    }
    this.keep(bytes, 0)
    if (this.partBytes < this.needed) return
    const whole = Buffer.concat(this.parts)
    this.parts = []
    this.partBytes = 0
    this.keep(whole, this.read(whole))
  }

  /** Reads the whole messages in some bytes, and returns where the first that is not whole begins. */
  private read(bytes: Buffer): number {
    let at = 0
    this.needed = HEADER_BYTES
    while (at + HEADER_BYTES <= bytes.length) {
      const length = bytes.readUInt32BE(at + 1)
      const end = at + 1 + length
      if (end > bytes.length) {
        this.needed = 1 + length
        break
      }
      if (bytes[at] === DATA_ROW) {
        this.above = cellsAt(bytes, at + HEADER_BYTES, this.above)
        this.messages.push(new protocol.messages.DataRowMessage(length, this.above))
      } else parser.parse(bytes.subarray(at, end), (message) => this.note(message))
      at = end
    }
    return at
  }

  private note(message: Message): void {
    if (message instanceof Error) this.error ??= message
    this.messages.push(message)
  }

  private keep(bytes: Buffer, from: number): void {
    if (from === bytes.length) return
    this.parts.push(Buffer.from(bytes.subarray(from)))
    this.partBytes += bytes.length - from
  }
}

/**
 * The cells of a row, whose number is in two bytes; each is its length in four, −1 for NULL, and its text. Of texts that the
 * row above has too, its own are kept: all rows of an answer are in memory together.
 */
function cellsAt(bytes: Buffer, from: number, above: Cells): Cells {
  const cells: Cells = []
  const count = bytes.readInt16BE(from)
  let at = from + 2
  for (let index = 0; index < count; index += 1) {
    const length = bytes.readInt32BE(at)
    at += 4
    if (length < 0) cells.push(null)
    else {
      const text = bytes.toString('utf8', at, at + length)
      cells.push(text === above[index] ? above[index]! : text)
      at += length
    }
  }
  return cells
}

/**
 * Lets an embedded database read its answers with `AnswerReader`: its own parser copies each cell into a buffer before it
 * decodes it, which took ten times as long, and a tenth of an import. Nobody listens to notices and notifications.
 */
export function readAnswersFast(pglite: PGlite): void {
  pglite.execProtocolStream = async (message, { syncToFs = true, throwOnError = true } = {}) => {
    const reader = new AnswerReader()
    await pglite.execProtocolRawStream(message, { syncToFs, onRawData: (data) => reader.take(data) })
    if (throwOnError && reader.error !== null) throw reader.error
    return reader.messages
  }
}
