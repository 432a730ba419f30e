import type { OpenedDataset, OpenRequest, Reply } from '../../analytics/engine-api.ts'
import type { Filter } from '../../analytics/filter.ts'
import {
  LISTED_UNMATCHED,
  OWN_TABLE,
  UNMATCHED_REASONS,
  type OwnApi,
  type OwnChoices,
  type OwnDays,
  type OwnFile,
  type OwnGroup,
  type OwnMatch,
  type OwnProgress,
  type OwnSource,
  type UnmatchedReason,
} from '../../analytics/own-api.ts'
import { rowSource } from '../../analytics/source.ts'
import { quoted } from '../../analytics/sql.ts'
import { RUNNERS } from '../../analytics/runners.ts'
import { csvLine } from '../../domain/csv.ts'
import { FurlongError } from '../../domain/errors.ts'
import { compareChances, type Comparison, type JudgedStarter } from '../../domain/own-compare.ts'
import { hasKeys, type OwnRoles } from '../../domain/reading/own-columns.ts'
import { dayKindOf, readCell, type GuessedKind } from '../../domain/reading/guess-kind.ts'
import { dayOrdersOf, readDay, type DayOrder } from '../../domain/reading/read-day.ts'
import { regionRules } from '../../domain/region.ts'
import { openAlone, type Dataset } from '../engine/dataset.ts'
import type { DuckDb } from '../engine/duckdb.ts'
import { runShortSql } from '../engine/run-sql.ts'
import { exportDatabase } from '../engine/export-database.ts'
import { moving, reply } from '../channel/reply.ts'
import { breakdownSql, groupsOf } from './breakdown.ts'
import { cellText, describe, lineOf, othersOf, type ReadFile } from './describe.ts'
import { matchStatements, nameStatements, ownDataSql, readDays, readKeys } from './match-sql.ts'
import { ownEngine, type OwnEngine, type Row } from './own-engine.ts'
import { ownProblem, type Stop } from './raw-table.ts'
import { readTable } from './read-table.ts'
import { textJoins, typedSql } from './typed-sql.ts'

/** A file whose rows are in the engine's tables: nothing of an earlier one may touch them. */
interface Reading {
  isDone: boolean
}

type DayKind = Extract<GuessedKind, { kind: 'date' }>

/** Implements the API of the user's own data in the worker. */
export class Own implements OwnApi {
  private duckdb: DuckDb | null = null
  private dataset: Dataset | null = null
  private file: ReadFile | null = null
  private timeZone = 'UTC'
  private sign: OwnFile['sign']['decimal'] = '.'
  private probability: number | null = null
  /** The newest reading; `null` after it was cancelled. */
  private reading: Reading | null = null
  private last: Promise<unknown> = Promise.resolve()
  private matching: Promise<unknown> = Promise.resolve()
  private engine = this.engineOf(null)
  private readonly openRegion: typeof openAlone

  /** `openRegion` starts an engine with a region's files. */
  constructor(openRegion = openAlone) {
    this.openRegion = openRegion
  }

  open(request: OpenRequest): Promise<Reply<{ dataset: OpenedDataset }>> {
    return reply(async () => {
      const { duckdb, dataset, opened } = await this.openRegion(request)
      this.duckdb = duckdb
      this.dataset = dataset
      this.timeZone = regionRules(request.regionId).timeZone
      return { dataset: opened }
    })
  }

  read(
    file: OwnSource,
    choices: OwnChoices,
    onProgress: (progress: OwnProgress) => void,
  ): Promise<Reply<{ file: OwnFile }>> {
    return reply(async () => {
      this.started()
      const mine: Reading = { isDone: false }
      this.reading = mine
      this.file = null
      this.engine = this.engineOf(mine)
      try {
        return { file: await this.readNow(mine, file, choices, onProgress) }
      } catch (error) {
        await this.alone(async (duckdb) => {
          // The table may be a newer reading's by now.
          if (this.reading === mine || this.reading === null)
            await runShortSql(duckdb, 'DROP TABLE IF EXISTS own_raw')
        })
        throw error
      }
    })
  }

  private async readNow(
    mine: Reading,
    file: OwnSource,
    choices: OwnChoices,
    onProgress: (progress: OwnProgress) => void,
  ): Promise<OwnFile> {
    const stop: Stop = { check: () => this.checkIsNewest(mine) }
    // Nothing else runs meanwhile: the rows are written in one transaction, and an earlier reading ends first.
    const raw = await this.alone(async (duckdb) => {
      stop.check()
      return readTable(duckdb, file, choices, stop, onProgress)
    })
    const described = await describe(this.engineOf(mine), raw, {
      timeZone: this.timeZone,
      decimal: choices.decimal,
    })
    stop.check()
    mine.isDone = true
    this.file = described.read
    this.sign = described.file.sign.decimal
    return described.file
  }

  async cancel(): Promise<void> {
    if (this.reading?.isDone === false) this.reading = null
  }

  private checkIsNewest(reading: Reading | null): void {
    if (this.reading !== reading) throw new FurlongError('query-cancelled')
  }

  /**
   * The engine for a file: its statements end with `query-cancelled` once the file is not the newest any more, because
   * they would run on the rows of the one that replaces it.
   */
  private engineOf(reading: Reading | null): OwnEngine {
    const isOlder = (): boolean => this.reading !== reading
    return ownEngine(
      (work) =>
        this.alone((duckdb) => {
          this.checkIsNewest(reading)
          return work(duckdb)
        }),
      {
        get cancelled() {
          return isOlder()
        },
      },
    )
  }

  /** Matches run one after another, because they create the same tables. */
  match(roles: OwnRoles, dayOrder: DayOrder | null): Promise<Reply<{ match: OwnMatch }>> {
    const matched = this.matching.then(() => this.matchNow(roles, dayOrder))
    this.matching = matched
    return matched
  }

  private matchNow(roles: OwnRoles, dayOrder: DayOrder | null): Promise<Reply<{ match: OwnMatch }>> {
    return reply(async () => {
      const file = this.theFile()
      if (!hasKeys(roles)) throw ownProblem('no-keys')
      const { probability } = roles
      if (probability !== undefined) await this.checkProbability(probability)
      this.probability = probability ?? null
      await readKeys(this.engine, roles)
      for (const statement of nameStatements(roles)) await this.engine.run(statement)
      const days = await this.matchByDays(roles, dayOrder)
      const counts = await this.engine.rows(
        `SELECT coalesce(reason, '') AS reason, count(*)::DOUBLE AS n, count(DISTINCT race_key)::DOUBLE AS races
         FROM own_match GROUP BY 1`,
      )
      const of = (reason: string): Row | undefined => counts.find((row) => row['reason'] === reason)
      const countOf = (reason: string): number => Number(of(reason)?.['n'] ?? 0)
      await this.engine.run(ownDataSql(file.columns, file.typed))
      const listed = await this.unmatchedRows(LISTED_UNMATCHED)
      return {
        match: {
          rows: counts.reduce((sum, row) => sum + Number(row['n']), 0),
          matched: countOf(''),
          races: Number(of('')?.['races'] ?? 0),
          unmatched: Object.fromEntries(
            UNMATCHED_REASONS.map((reason) => [reason, countOf(reason)]),
          ) as Record<UnmatchedReason, number>,
          listed: listed.map(({ line, reason, cells }) => ({
            line,
            reason,
            text: cells
              .filter((cell) => cell !== '')
              .join(' · ')
              .slice(0, 120),
          })),
          days,
        },
      }
    })
  }

  /**
   * Finds the starters with the days in the order that is chosen, or else in each that is possible, and keeps the one
   * with which the most rows have a starter: horses, fields and race days that exist tell the orders apart.
   */
  private async matchByDays(roles: OwnRoles, chosen: DayOrder | null): Promise<OwnDays | null> {
    const kind = await this.dayKind(roles)
    const texts = kind === null ? [] : await this.textsOf(roles.date!)
    const possible = dayOrdersOf(texts.map(({ text }) => text))
    const orders = chosen === null || !possible.includes(chosen) ? possible : [chosen]
    if (kind === null || orders.length < 2) {
      const order = orders[0] ?? kind?.order ?? 'dmy'
      await this.matchWith(roles, kind === null ? null : { ...kind, order })
      if (possible.length === 0) return null
      await this.useOrder(order, possible)
      return daysOf(texts, order, chosen === order ? 'chosen' : 'possible', possible, this.timeZone)
    }
    const matched = new Map<DayOrder, number>()
    for (const order of orders) matched.set(order, await this.matchWith(roles, { ...kind, order }))
    const most = Math.max(...matched.values())
    const best = orders.filter((order) => matched.get(order) === most)
    const order = best[0]!
    if (order !== orders.at(-1)) await this.matchWith(roles, { ...kind, order })
    await this.useOrder(order, possible)
    return daysOf(texts, order, best.length === 1 ? 'matched' : 'assumed', possible, this.timeZone)
  }

  /** Finds the starters with the days read in one way; returns how many rows have one. */
  private async matchWith(roles: OwnRoles, kind: DayKind | null): Promise<number> {
    await readDays(this.engine, roles.date, kind)
    for (const statement of matchStatements(roles)) await this.engine.run(statement)
    const [row] = await this.engine.rows('SELECT count(*)::DOUBLE AS n FROM own_match WHERE reason IS NULL')
    return Number(row!['n'])
  }

  /** Reads the columns of days that can be read in an order with it. */
  private async useOrder(order: DayOrder, possible: readonly DayOrder[]): Promise<void> {
    const { typed, samples } = this.theFile()
    for (const [at, { kind }] of typed.entries()) {
      if (kind.kind !== 'date' || kind.order === order || !possible.includes(kind.order)) continue
      if (!dayOrdersOf(samples[at]!).includes(order)) continue
      const ordered = { ...kind, order }
      const { looked } = await othersOf(this.engine, at, ordered)
      typed[at] = { at, kind: ordered, looked }
    }
  }

  /** How the days are read; `null` if there are none, or if they cannot be read but races have ids. */
  private async dayKind({ raceId, date }: OwnRoles): Promise<DayKind | null> {
    if (date === undefined) return null
    const file = this.theFile()
    const column = file.names[date]!
    const kind = dayKindOf({ name: column, sample: file.samples[date]! }, this.timeZone, true)
    if (kind !== null || raceId !== undefined) return kind
    const order = dayOrdersOf(file.samples[date]!)[0] ?? 'dmy'
    throw await this.firstOdd(
      date,
      { kind: 'date', order, serial: true, timeZone: this.timeZone },
      'bad-date',
    )
  }

  compare(where: Filter | null): Promise<Reply<{ comparison: Comparison }>> {
    return reply(async () => {
      const column = this.probability
      if (column === null) throw ownProblem('no-keys')
      const { from, condition } = this.starters(where)
      const rows = await this.engine.rows(
        `SELECT s.race_key, s.meeting_key, o.own, s.probability::DOUBLE AS model,
           s.market_probability::DOUBLE AS market, s.win_odds::DOUBLE AS odds, s.won::DOUBLE AS won, s.interests,
           s.outcome = 'void' AS is_void, s.profit_cents::DOUBLE AS profit
         FROM (SELECT * FROM ${from} WHERE ${condition}) s
         LEFT JOIN (SELECT race_key, horse_no, ${quoted(this.theFile().columns[column]!)} AS own FROM ${OWN_TABLE}) o
           ON o.race_key = s.race_key AND o.horse_no = s.horse_no
         WHERE s.race_key IN (SELECT race_key FROM ${OWN_TABLE}) ORDER BY s.race_key, s.horse_no`,
      )
      return { comparison: compareChances(rows.map(judged)) }
    })
  }

  breakdown(column: number, where: Filter | null): Promise<Reply<{ groups: OwnGroup[] }>> {
    return reply(async () => {
      const { columns, typed } = this.theFile()
      const name = columns[column]
      if (name === undefined) throw ownProblem('no-keys')
      const isNumber = typed[column]!.kind.kind === 'number'
      const rows = await this.engine.rows(breakdownSql(name, isNumber, this.starters(where)))
      return { groups: groupsOf(rows, isNumber) }
    })
  }

  unmatched(): Promise<Reply<{ text: string }>> {
    return reply(async () => {
      const rows = await this.unmatchedRows(null)
      const head = csvLine(['line', 'reason', ...this.theFile().names])
      return {
        text: [head, ...rows.map(({ line, reason, cells }) => csvLine([line, reason, ...cells]))].join(''),
      }
    })
  }

  async table(): Promise<Reply<{ bytes: Uint8Array<ArrayBuffer> }>> {
    const response = await reply(() =>
      this.alone((duckdb) =>
        exportDatabase(duckdb, OWN_TABLE, `SELECT * FROM ${OWN_TABLE}`, { cancelled: false }),
      ),
    )
    return moving(response, ({ bytes }) => bytes)
  }

  /** The problem of the first cell of a column that is neither missing nor of a kind. */
  private async firstOdd(
    at: number,
    kind: GuessedKind,
    problem: 'bad-date' | 'bad-number',
  ): Promise<FurlongError> {
    const file = this.theFile()
    const column = file.names[at]!
    const texts = (await this.textsOf(at)).map(({ text, first }) => ({
      text,
      first,
      reading: readCell(text, kind),
    }))
    const odd = texts.find(({ reading }) => reading.kind === 'unreadable')
    if (odd !== undefined)
      return ownProblem(problem, { line: lineOf(file, odd.first), value: odd.text.slice(0, 60), column })
    return ownProblem('empty-column', { column })
  }

  /** The distinct texts of a column with the first row of each, in the order of the file. */
  private async textsOf(at: number): Promise<{ text: string; first: number }[]> {
    const rows = await this.engine.rows(
      `SELECT c${at} AS text, min(row_no)::DOUBLE AS first FROM own_raw WHERE c${at} IS NOT NULL GROUP BY c${at} ORDER BY 2`,
    )
    return rows.map((row) => ({ text: cellText(row['text']), first: Number(row['first']) }))
  }

  private async checkProbability(at: number): Promise<void> {
    const file = this.theFile()
    const column = file.names[at]!
    const typed = file.typed[at]!
    if (typed.kind.kind !== 'number') {
      throw await this.firstOdd(at, { kind: 'number', decimal: this.sign }, 'bad-number')
    }
    const range = file.ranges[at] ?? null
    if (range === null || (range.low >= 0 && range.high <= 1)) return
    const [bad] = await this.engine.rows(
      `SELECT own_raw.row_no, own_raw.c${at} AS cell FROM own_raw ${textJoins([typed])}
       WHERE NOT (${typedSql(typed)} BETWEEN 0 AND 1) ORDER BY own_raw.row_no LIMIT 1`,
    )
    if (bad)
      throw ownProblem('bad-probability', {
        line: lineOf(file, Number(bad['row_no'])),
        column,
        value: cellText(bad['cell']),
      })
  }

  private async unmatchedRows(
    limit: number | null,
  ): Promise<{ line: number; reason: UnmatchedReason; cells: string[] }[]> {
    const file = this.theFile()
    // The rows are chosen first, so that only their cells are read.
    const rows = await this.engine.rows(
      `WITH chosen AS (SELECT row_no, reason FROM own_match WHERE reason IS NOT NULL
         ORDER BY row_no ${limit === null ? '' : `LIMIT ${limit}`})
       SELECT own_raw.*, chosen.reason FROM own_raw JOIN chosen ON chosen.row_no = own_raw.row_no ORDER BY own_raw.row_no`,
    )
    return rows.map((row) => ({
      line: lineOf(file, Number(row['row_no'])),
      reason: row['reason'] as UnmatchedReason,
      cells: file.names.map((_, at) => cellText(row[`c${at}`])),
    }))
  }

  private starters(where: Filter | null): { from: string; condition: string } {
    return rowSource(RUNNERS, [], where, this.dataset!.access)
  }

  /** Runs tasks one after another, because the engine's connection handles one at a time. */
  private alone<Value>(work: (duckdb: DuckDb) => Promise<Value>): Promise<Value> {
    const done = this.last.then(() => work(this.started()))
    this.last = done.catch(() => undefined)
    return done
  }

  private theFile(): ReadFile {
    if (this.file === null) throw ownProblem('empty')
    return this.file
  }

  private started(): DuckDb {
    if (this.duckdb === null) throw new FurlongError('engine-failed', { reason: 'own data is not open' })
    return this.duckdb
  }
}

/** What is said about the days: the first that would be another day in another order, as it was read. */
function daysOf(
  texts: readonly { text: string }[],
  order: DayOrder,
  by: OwnDays['by'],
  orders: DayOrder[],
  timeZone: string,
): OwnDays {
  const dayOf = (text: string, inOrder: DayOrder): string | null => {
    const reading = readDay(text, { order: inOrder, timeZone })
    return reading.kind === 'value' ? reading.value : null
  }
  const told =
    texts.find(({ text }) => orders.some((other) => dayOf(text, other) !== dayOf(text, order))) ?? texts[0]
  const example = told?.text.trim().slice(0, 60) ?? ''
  return { order, by, orders, example, day: dayOf(example, order) ?? '' }
}

const numberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value)

const judged = (row: Row): JudgedStarter => ({
  raceKey: Number(row['race_key']),
  meetingKey: Number(row['meeting_key']),
  own: numberOrNull(row['own']),
  model: Number(row['model']),
  market: numberOrNull(row['market']),
  odds: numberOrNull(row['odds']),
  won: Number(row['won']),
  interests: Number(row['interests']),
  isVoid: row['is_void'] === true,
  profitCents: numberOrNull(row['profit']),
})
