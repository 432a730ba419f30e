import { tableFromIPC } from 'apache-arrow'
import type { OpenedDataset, OpenRequest, Reply } from '../../analytics/engine-api.ts'
import type { Filter } from '../../analytics/filter.ts'
import {
  LISTED_UNMATCHED,
  MAX_OWN_BYTES,
  OWN_TABLE,
  UNMATCHED_REASONS,
  type OwnApi,
  type OwnFile,
  type OwnGroup,
  type OwnMatch,
  type OwnProgress,
  type OwnSource,
  type UnmatchedReason,
} from '../../analytics/own-api.ts'
import { rowSource } from '../../analytics/source.ts'
import { STARTERS } from '../../analytics/starters.ts'
import { csvLine } from '../../domain/csv.ts'
import { FurlongError } from '../../domain/errors.ts'
import { compareChances, type Comparison, type JudgedStarter } from '../../domain/own-compare.ts'
import { hasKeys, type OwnRoles } from '../../domain/own-columns.ts'
import { openAlone, type Dataset } from '../engine/dataset.ts'
import type { DuckDb } from '../engine/duckdb.ts'
import { exportDatabase } from '../engine/export-database.ts'
import { runSql } from '../engine/run-sql.ts'
import { moving, reply } from '../channel/reply.ts'
import { breakdownSql, groupsOf } from './breakdown.ts'
import { describe, firstOdd, lineOf, cellText, type ReadFile } from './describe.ts'
import { matchStatements, ownDataSql, quoted, typedSql } from './match-sql.ts'
import { ownProblem, type RawTable, type Stop } from './raw-table.ts'
import { readCsv } from './read-csv.ts'

const PARQUET = 'PAR1'

type Row = Record<string, unknown>

/** Implements the API of the user's own data in the worker. */
export class Own implements OwnApi {
  private duckdb: DuckDb | null = null
  private dataset: Dataset | null = null
  private file: ReadFile | null = null
  private probability: number | null = null
  private readings = 0
  private last: Promise<unknown> = Promise.resolve()
  private matching: Promise<unknown> = Promise.resolve()

  open(request: OpenRequest): Promise<Reply<{ dataset: OpenedDataset }>> {
    return reply(async () => {
      const { duckdb, dataset, opened } = await openAlone(request)
      this.duckdb = duckdb
      this.dataset = dataset
      return { dataset: opened }
    })
  }

  read(file: OwnSource, onProgress: (progress: OwnProgress) => void): Promise<Reply<{ file: OwnFile }>> {
    return reply(async () => {
      const duckdb = this.started()
      this.readings += 1
      const mine = this.readings
      const stop: Stop = {
        check: () => {
          if (this.readings !== mine) throw new FurlongError('query-cancelled')
        },
      }
      this.file = null
      if (file.size === 0) throw ownProblem('empty')
      if (file.size > MAX_OWN_BYTES) throw ownProblem('too-large', { limit: MAX_OWN_BYTES })
      const start = new TextDecoder().decode(await file.slice(0, 4).arrayBuffer())
      // Nothing else runs meanwhile: the rows are written in one transaction, and an earlier reading ends first.
      const raw = await this.alone(async (): Promise<RawTable> => {
        stop.check()
        if (start !== PARQUET) return readCsv(duckdb, file, stop, onProgress)
        // The Parquet reader is loaded with the first Parquet file.
        const { readParquet } = await import('./read-parquet.ts')
        return readParquet(duckdb, file, stop, onProgress)
      })
      stop.check()
      const described = await describe((sql) => this.rows(sql), raw)
      stop.check()
      this.file = described.read
      return { file: described.file }
    })
  }

  async cancel(): Promise<void> {
    this.readings += 1
  }

  /** Matches run one after another, because they create the same tables. */
  match(roles: OwnRoles): Promise<Reply<{ match: OwnMatch }>> {
    const matched = this.matching.then(() => this.matchNow(roles))
    this.matching = matched
    return matched
  }

  private matchNow(roles: OwnRoles): Promise<Reply<{ match: OwnMatch }>> {
    return reply(async () => {
      const file = this.theFile()
      const { kinds } = file
      if (!hasKeys(roles)) throw ownProblem('no-keys')
      const { date, probability } = roles
      if (roles.raceId === undefined) await this.checkDate(date!)
      if (probability !== undefined) await this.checkProbability(probability)
      this.probability = probability ?? null
      for (const statement of matchStatements(roles, kinds)) await this.inTurn(statement)
      const counts = await this.rows(
        `SELECT coalesce(reason, '') AS reason, count(*)::DOUBLE AS n, count(DISTINCT race_key)::DOUBLE AS races
         FROM own_match GROUP BY 1`,
      )
      const of = (reason: string): Row | undefined => counts.find((row) => row['reason'] === reason)
      const countOf = (reason: string): number => Number(of(reason)?.['n'] ?? 0)
      const matched = countOf('')
      if (matched === 0) throw ownProblem('no-match')
      await this.inTurn(ownDataSql(file.columns, kinds))
      const listed = await this.unmatchedRows(LISTED_UNMATCHED)
      return {
        match: {
          rows: counts.reduce((sum, row) => sum + Number(row['n']), 0),
          matched,
          races: Number(of('')!['races']),
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
        },
      }
    })
  }

  compare(where: Filter | null): Promise<Reply<{ comparison: Comparison }>> {
    return reply(async () => {
      const column = this.probability
      if (column === null) throw ownProblem('no-keys')
      const { from, condition } = this.starters(where)
      const rows = await this.rows(
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
      const { columns, kinds } = this.theFile()
      const name = columns[column]
      if (name === undefined) throw ownProblem('no-keys')
      const isNumber = kinds[column]!.kind === 'number'
      const rows = await this.rows(breakdownSql(name, isNumber, this.starters(where)))
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

  private async checkDate(at: number): Promise<void> {
    const file = this.theFile()
    if (file.kinds[at]!.kind === 'date') return
    const odd = await firstOdd((sql) => this.rows(sql), file, at, 'date')
    throw ownProblem('bad-date', { ...odd, column: file.names[at]! })
  }

  private async checkProbability(at: number): Promise<void> {
    const file = this.theFile()
    const column = file.names[at]!
    if (file.kinds[at]!.kind !== 'number') {
      const odd = await firstOdd((sql) => this.rows(sql), file, at, 'number')
      throw ownProblem('bad-number', { ...odd, column })
    }
    const range = file.ranges[at] ?? null
    if (range === null || (range.low >= 0 && range.high <= 1)) return
    const value = typedSql(`c${at}`, file.kinds[at]!)
    const [bad] = await this.rows(
      `SELECT row_no, c${at} AS cell FROM own_raw WHERE NOT (${value} BETWEEN 0 AND 1) ORDER BY row_no LIMIT 1`,
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
    const rows = await this.rows(
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
    return rowSource(STARTERS, [], where, this.dataset!.access)
  }

  private async rows(sql: string): Promise<Row[]> {
    return tableFromIPC(await this.inTurn(sql))
      .toArray()
      .map((row) => (row as { toJSON(): Row }).toJSON())
  }

  private inTurn(sql: string): Promise<Uint8Array<ArrayBuffer>> {
    return this.alone((duckdb) => runSql(duckdb, sql))
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
