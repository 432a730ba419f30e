import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { FurlongError } from '../../../domain/errors.ts'

/**
 * Files of the stream of the betting exchange Betfair as it sells its history: a message a line in JSON, of changes of a market or
 * of a few of them. They are read as a table with a row for each runner of a market.
 */

/** Its columns. The prices are pairs of epoch milliseconds and decimal odds: `1497371499779 15;1497371549411 20`. */
export const MARKET_COLUMNS = [
  'market',
  'sport',
  'market_type',
  'market_name',
  'market_status',
  'country',
  'venue',
  'timezone',
  'starts_at',
  'first_starts_at',
  'meeting_starts_at',
  'winners',
  'runner',
  'runner_name',
  'runner_status',
  'bsp',
  'prices',
  'prices_after_off',
  'prices_of_reductions',
  'prices_after_removal',
  'prices_replaced',
] as const

/** Bytes of a file when it is not compressed. A market of the basic plan has one or two million, of the largest some fifty. */
const MOST_BYTES = 256 * 1024 * 1024
/** Characters of a line: a definition with forty runners has ten thousand. */
const MOST_IN_LINE = 4 * 1024 * 1024

/** Milliseconds of the year in which the exchange opened: no message is older. */
const FIRST_TIME = Date.UTC(2000, 0)

/** Of the format bzip2: a block has one to nine times as many, before it is filled up with repeated bytes. */
const BLOCK_BYTES = 100_000
/** Bytes that are worked on at once: as many as those of a file that is not compressed. */
const PIECE_BYTES = 65_536

const COMPRESSED = /^BZh/
const MESSAGE = /^(?:\u00EF\u00BB\u00BF)?\s*\{[^\n]*"op"\s*:\s*"mcm"/

/** The rows of a file with this beginning, in latin1; `null` if it is none of the stream. `most`: bytes that are read of it. */
export function marketReader(
  path: string,
  start: string,
  most = MOST_BYTES,
): (() => AsyncGenerator<MarketRow>) | null {
  const isCompressed = COMPRESSED.test(start)
  return isCompressed || MESSAGE.test(start) ? () => marketRows({ path, isCompressed, most }) : null
}

interface Source {
  path: string
  isCompressed: boolean
  most: number
}

/** What files of the stream are named, as they are delivered: `1.132153978.bz2`, `1.132153978`, `BASIC-1.132153978`. */
export const MARKET_FILE = /\.bz2$|^(?:[A-Z]+-)?1\.\d+(?:\.json)?$/i

const RUNNER = z.object({
  id: z.number().int().positive(),
  name: z.string().nullish(),
  status: z.string(),
  bsp: z.union([z.number(), z.string()]).nullish(),
})
const DEFINITION = z.object({
  eventTypeId: z.string().nullish(),
  marketType: z.string().nullish(),
  name: z.string().nullish(),
  status: z.string(),
  countryCode: z.string().nullish(),
  venue: z.string().nullish(),
  timezone: z.string().nullish(),
  marketTime: z.string().nullish(),
  openDate: z.string().nullish(),
  numberOfWinners: z.number().nullish(),
  inPlay: z.boolean().nullish(),
  bspReconciled: z.boolean().nullish(),
  runners: z.array(RUNNER),
})
const MESSAGE_SHAPE = z.object({
  op: z.literal('mcm'),
  pt: z.number().int().min(FIRST_TIME, 'no milliseconds of a time since the year 2000').max(8.64e15),
  mc: z
    .array(
      z.object({
        id: z.string(),
        marketDefinition: DEFINITION.nullish(),
        rc: z.array(z.object({ id: z.number(), ltp: z.number().nullish() })).nullish(),
      }),
    )
    .nullish(),
})
type Definition = z.infer<typeof DEFINITION>
type Change = NonNullable<z.infer<typeof MESSAGE_SHAPE>['mc']>[number]

/** A row, its cells in the order of the columns, and the line of its market's last definition. */
interface MarketRow {
  row: Readonly<Record<string, string>>
  cells: string[]
  line: number
}

interface MarketRunner {
  name: string | null
  status: string
  bsp: string | null
  /** The last price that was published, also one that is no trade. */
  published: number | null
  /** By the time of their message. */
  prices: Map<number, number>
  afterOff: number
  ofReductions: number
  afterRemoval: number
  /** Prices of a moment that has a later one. */
  replaced: number
}

const NEW_RUNNER = { published: null, afterOff: 0, ofReductions: 0, afterRemoval: 0, replaced: 0 } as const

/** What some files have for a starting price that there was none of. */
const NO_PRICES: ReadonlySet<unknown> = new Set(['NaN', 'Infinity'])

/** A message that cannot be of a market. */
class MessageError extends Error {}

const REMOVED = 'REMOVED'
const CLOSED = 'CLOSED'

const isOffBy = ({ inPlay, bspReconciled, status }: Definition): boolean =>
  inPlay === true || bspReconciled === true || status === CLOSED

/** A market as its messages change it. */
class Market {
  private readonly id: string
  private readonly first: Definition
  private last: Definition
  private line: number
  private readonly runners = new Map<number, MarketRunner>()
  /** Time of the last message that removed a runner. */
  private removedAt: number | null = null
  /** Whether the race is on, or over: prices are no longer those of before the off. */
  private isOff = false

  constructor(id: string, first: Definition, line: number) {
    this.id = id
    this.first = first
    this.last = first
    this.line = line
  }

  /** Whether its prices are odds of winning. */
  get hasOdds(): boolean {
    return this.last.marketType === 'WIN'
  }

  define(definition: Definition, pt: number, line: number): void {
    this.last = definition
    this.line = line
    for (const { id, name, status, bsp } of definition.runners) {
      const known = this.runners.get(id)
      if (status === REMOVED && known?.status !== REMOVED) this.removedAt = pt
      const runner = known ?? { ...NEW_RUNNER, name: null, status, bsp: null, prices: new Map() }
      // Later definitions may lack the names.
      runner.name = name ?? runner.name
      runner.status = status
      if (bsp !== null && bsp !== undefined && !NO_PRICES.has(bsp)) runner.bsp = String(bsp)
      this.runners.set(id, runner)
    }
    const wasOff = this.isOff
    this.isOff ||= isOffBy(definition)
    // A moment may have several lines, of which that of the prices comes before that of the removal or the off.
    if (this.removedAt === pt) this.leaveOut(pt, 'ofReductions')
    else if (!wasOff && this.isOff) this.leaveOut(pt, 'afterOff')
  }

  /** Takes the prices of a moment back. */
  private leaveOut(pt: number, as: 'ofReductions' | 'afterOff'): void {
    for (const runner of this.runners.values()) if (runner.prices.delete(pt)) runner[as] += 1
  }

  /** Throws `MessageError` for a runner that no definition has. */
  price(id: number, price: number, pt: number): void {
    const runner = this.runners.get(id)
    if (runner === undefined) throw new MessageError(`market ${this.id} has no runner ${id}`)
    const isSame = price === runner.published
    runner.published = price
    // The last prices of all are multiplied by the reduction factor of a removed runner: nobody traded at them.
    if (pt === this.removedAt) runner.ofReductions += 1
    else if (this.isOff) runner.afterOff += 1
    else if (runner.status === REMOVED) runner.afterRemoval += 1
    else if (!isSame) {
      if (runner.prices.has(pt)) runner.replaced += 1
      runner.prices.set(pt, price)
    }
  }

  *rows(): Generator<MarketRow> {
    const { first, last } = this
    const cell = (value: string | number | null | undefined): string => String(value ?? '')
    for (const [id, runner] of this.runners) {
      const prices = [...runner.prices].map(([pt, price]) => `${pt} ${price}`)
      const cells = [
        this.id,
        cell(last.eventTypeId),
        cell(last.marketType),
        cell(last.name ?? first.name),
        last.status,
        cell(last.countryCode),
        cell(last.venue),
        cell(last.timezone),
        cell(last.marketTime),
        cell(first.marketTime),
        cell(first.openDate),
        cell(last.numberOfWinners),
        String(id),
        cell(runner.name),
        runner.status,
        cell(runner.bsp),
        prices.join(';'),
        String(runner.afterOff),
        String(runner.ofReductions),
        String(runner.afterRemoval),
        String(runner.replaced),
      ]
      const row = Object.fromEntries(MARKET_COLUMNS.map((column, index) => [column, cells[index]!]))
      yield { row, cells, line: this.line }
    }
  }
}

/**
 * Applies the changes of a message. The definitions come first, wherever they stand: prices that are published with the off or a
 * removal are none of before it. Throws `MessageError` for a market without a definition, and for a runner that no definition has.
 */
function apply(markets: Map<string, Market>, changes: readonly Change[], pt: number, line: number): void {
  for (const { id, marketDefinition } of changes) {
    if (!marketDefinition) continue
    const market = markets.get(id) ?? new Market(id, marketDefinition, line)
    markets.set(id, market)
    market.define(marketDefinition, pt, line)
  }
  for (const { id, rc } of changes) {
    const market = markets.get(id)
    if (market === undefined) throw new MessageError(`market ${id} has no definition`)
    if (!market.hasOdds) continue
    for (const { id: runner, ltp } of rc ?? []) if (typeof ltp === 'number') market.price(runner, ltp, pt)
  }
}

const unreadable = (path: string, reason: string, cause?: unknown): FurlongError =>
  new FurlongError('file-unreadable', { file: basename(path), reason }, { cause })

const tooLarge = ({ path, most }: Source): FurlongError =>
  unreadable(path, `more than ${most} bytes when it is not compressed`)

const TOO_EARLY = 'the compressed data end too early'

/**
 * What was compressed, of which never more than a block is kept: a few bytes can be gigabytes. A piece is valid until the next one
 * is asked for. Throws `file-unreadable` for a file that is too large, `MessageError` for one that is damaged or cut.
 */
async function* decompressed(source: AsyncIterable<Buffer>, of: Source): AsyncGenerator<Buffer> {
  // Needed for these files alone.
  const { default: bzip2 } = await import('unbzip2-stream/lib/bzip2.js')
  const { default: bitsOf } = await import('unbzip2-stream/lib/bit_iterator.js')
  const chunks: Buffer[] = []
  let compressed = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    compressed += chunk.length
    if (compressed > of.most) throw tooLarge(of)
  }
  const bits = bitsOf(() => {
    const chunk = chunks.shift()
    if (chunk === undefined) throw new MessageError(TOO_EARLY)
    return chunk
  })
  let [given, used, piece] = [0, 0, Buffer.alloc(BLOCK_BYTES)]
  const put = (byte: number): void => {
    if (given + used >= of.most) throw tooLarge(of)
    if (used === piece.length) piece = Buffer.concat([piece], 2 * used)
    piece[used] = byte
    used += 1
  }
  let work: Int32Array | null = null
  let sum: number | null = null
  while (bits.bytesRead < compressed) {
    used = 0
    try {
      if (work === null) {
        work = new Int32Array(BLOCK_BYTES * bzip2.header(bits))
        sum = 0
      } else {
        sum = bzip2.decompress(bits, put, work, work.length, sum)
        if (sum === null) work = null
      }
    } catch (error) {
      if (error instanceof FurlongError || error instanceof MessageError) throw error
      // The texts of the library are jokes.
      throw new MessageError('the compressed data are damaged', { cause: error })
    }
    given += used
    for (let at = 0; at < used; at += PIECE_BYTES) {
      yield piece.subarray(at, Math.min(used, at + PIECE_BYTES))
      // Others have a turn.
      await setImmediate()
    }
  }
  if (sum !== null) throw new MessageError(TOO_EARLY)
}

/** The lines of a file with their numbers. Throws `file-unreadable` for one that is damaged, cut or too large. */
async function* linesOf(of: Source): AsyncGenerator<{ text: string; line: number }> {
  const { path, isCompressed, most } = of
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const source = createReadStream(path) as AsyncIterable<Buffer>
  let [bytes, line, rest] = [0, 0, '']
  try {
    for await (const chunk of isCompressed ? decompressed(source, of) : source) {
      bytes += chunk.length
      if (bytes > most) throw tooLarge(of)
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop()!
      if (rest.length > MOST_IN_LINE) throw unreadable(path, `line ${line + lines.length + 1} is too long`)
      for (const text of lines) yield { text, line: (line += 1) }
    }
    rest += decoder.decode()
  } catch (error) {
    if (error instanceof FurlongError) throw error
    throw unreadable(path, `damaged or cut behind line ${line}: ${(error as Error).message}`, error)
  }
  if (rest !== '') yield { text: rest, line: line + 1 }
}

/** Throws `MessageError`. */
function messageIn(text: string): z.infer<typeof MESSAGE_SHAPE> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new MessageError('no JSON; the file may be cut')
  }
  const checked = MESSAGE_SHAPE.safeParse(value)
  if (checked.success) return checked.data
  const { path, message } = checked.error.issues[0]!
  throw new MessageError(`${path.join('.') || 'message'}: ${message}`)
}

/**
 * The rows of a file, each with the line of the last definition of its market. Prices are those of before the off; what is
 * published with the removal of a runner, or of a runner that is removed, is counted and left out. Throws `file-unreadable` with
 * the line of what is no message of a market, for a price of a market or runner that has no definition, and for a file that is
 * damaged, cut, empty or too large.
 */
async function* marketRows(of: Source): AsyncGenerator<MarketRow> {
  const { path } = of
  const markets = new Map<string, Market>()
  for await (const { text, line } of linesOf(of)) {
    if (text.trim() === '') continue
    try {
      const { mc, pt } = messageIn(text)
      apply(markets, mc ?? [], pt, line)
    } catch (error) {
      if (error instanceof MessageError) throw unreadable(path, `line ${line}: ${error.message}`)
      throw error
    }
  }
  if (markets.size === 0) throw unreadable(path, 'empty')
  for (const market of markets.values()) yield* market.rows()
}
