import { tableFromIPC } from 'apache-arrow'
import { transfer } from 'comlink'
import type { OpenedDataset, OpenRequest, Reply } from '../../analytics/engine-api.ts'
import type { Filter } from '../../analytics/filter.ts'
import {
  LISTED_UNMATCHED,
  MAX_OWN_BYTES,
  OWN_TABLE,
  UNMATCHED_REASONS,
  type OwnApi,
  type OwnColumn,
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
import {
  columnNames,
  guessKind,
  guessRoles,
  hasKeys,
  type GuessedKind,
  type OwnRoles,
} from '../../domain/own-columns.ts'
import { Dataset } from '../engine/dataset.ts'
import { loadEngine, startEngine, type DuckDb } from '../engine/duckdb.ts'
import { exportDatabase } from '../engine/export-database.ts'
import { runSql } from '../engine/run-sql.ts'
import { reply } from '../reply.ts'
import { breakdownSql, groupsOf } from './breakdown.ts'
import { matchStatements, OWN_KEYS, ownDataSql } from './match-sql.ts'
import { oddSql, quoted, typedSql } from './own-columns-sql.ts'
import { ownProblem } from './problem.ts'
import type { RawTable, Stop } from './raw-table.ts'
import { readCsv } from './read-csv.ts'

const SAMPLE_ROWS = 4000
const PARQUET = 'PAR1'

type Row = Record<string, unknown>

/** The file that was read, with the types and names of its columns. */
interface Read extends RawTable {
  kinds: GuessedKind[]
  columns: string[]
}

/** Implements the API of the user's own data in the worker. */
export class Own implements OwnApi {
  private duckdb: DuckDb | null = null
  private dataset: Dataset | null = null
  private file: Read | null = null
  private probability: number | null = null
  private readings = 0
  private last: Promise<unknown> = Promise.resolve()
  private matching: Promise<unknown> = Promise.resolve()

  open(request: OpenRequest): Promise<Reply<{ dataset: OpenedDataset }>> {
    return reply(async () => {
      const started = startEngine(loadEngine(request.baseUrl))
      const dataset = new Dataset(() => started)
      const opened = await dataset.open(request, () => {})
      this.duckdb = await started
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
      let raw: RawTable
      if (start === PARQUET) {
        // The Parquet reader is loaded with the first Parquet file.
        const { readParquet } = await import('./read-parquet.ts')
        raw = await readParquet(duckdb, file, stop, onProgress)
      } else {
        raw = await readCsv(duckdb, file, stop, onProgress)
      }
      stop.check()
      return { file: await this.describe(raw) }
    })
  }

  async cancel(): Promise<void> {
    this.readings += 1
  }

  /** Matches run one after another, because they create the same tables. */
  match(roles: OwnRoles): Promise<Reply<{ match: OwnMatch }>> {
    const asked = this.matching.then(() => this.matchNow(roles))
    this.matching = asked
    return asked
  }

  private matchNow(roles: OwnRoles): Promise<Reply<{ match: OwnMatch }>> {
    return reply(async () => {
      const file = this.theFile()
      const { kinds, names } = file
      if (!hasKeys(roles)) throw ownProblem('no-keys')
      const { date, probability } = roles
      if (roles.raceId === undefined && kinds[date!]!.kind !== 'date')
        throw ownProblem('bad-date', { column: names[date!]! })
      if (probability !== undefined) await this.checkProbability(probability)
      this.probability = probability ?? null
      for (const statement of matchStatements(roles, kinds)) await this.inTurn(statement)
      const counts = await this.rows(
        `SELECT coalesce(reason, '') AS reason, count(*)::DOUBLE AS n, count(DISTINCT race_key)::DOUBLE AS races
         FROM own_match GROUP BY 1`,
      )
      const of = (reason: string): Row | undefined => counts.find((row) => row['reason'] === reason)
      const matched = Number(of('')?.['n'] ?? 0)
      if (matched === 0) throw ownProblem('no-match')
      await this.inTurn(ownDataSql(file.columns, kinds))
      const listed = await this.unmatchedRows(LISTED_UNMATCHED)
      return {
        match: {
          rows: counts.reduce((sum, row) => sum + Number(row['n']), 0),
          matched,
          races: Number(of('')!['races']),
          unmatched: Object.fromEntries(
            UNMATCHED_REASONS.map((reason) => [reason, Number(of(reason)?.['n'] ?? 0)]),
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
    const answered = await reply(() =>
      this.alone((duckdb) =>
        exportDatabase(duckdb, OWN_TABLE, `SELECT * FROM ${OWN_TABLE}`, { cancelled: false }),
      ),
    )
    return answered.ok ? transfer(answered, [answered.bytes.buffer]) : answered
  }

  /** The type of each column, and the role that its name suggests. */
  private async describe(raw: RawTable): Promise<OwnFile> {
    const total = Number((await this.rows('SELECT count(*)::DOUBLE AS n FROM own_raw'))[0]!['n'])
    const step = Math.max(1, Math.floor(total / SAMPLE_ROWS))
    const sample = await this.rows(
      `SELECT * FROM own_raw WHERE row_no % ${step} = 0 ORDER BY row_no LIMIT ${SAMPLE_ROWS}`,
    )
    const kinds = raw.names.map((_, at) =>
      guessKind(
        sample.map((row) => textOf(row[`c${at}`])),
        raw.commaSeparates,
      ),
    )
    const columns = columnNames(raw.names, OWN_KEYS)
    this.file = { ...raw, kinds, columns }
    const [stats] = await this.rows(
      `SELECT ${kinds
        .map((kind, at) => {
          const odd = oddSql(`c${at}`, kind)
          return `count(nullif(trim(c${at}), ''))::DOUBLE AS filled${at}, count(*) FILTER (WHERE ${odd})::DOUBLE AS odd${at},
            min(row_no) FILTER (WHERE ${odd}) AS first${at}`
        })
        .join(',\n')} FROM own_raw`,
    )
    const described = raw.names.map((name, at): OwnColumn => {
      const first = stats![`first${at}`]
      const example = sample.find((row) => row[`c${at}`] !== null)?.[`c${at}`]
      return {
        name,
        column: columns[at]!,
        kind: kinds[at]!.kind,
        filled: Number(stats![`filled${at}`]),
        odd: Number(stats![`odd${at}`]),
        oddLine: first === null || first === undefined ? null : this.lineOf(Number(first)),
        example: textOf(example).slice(0, 60),
      }
    })
    return { rows: total, columns: described, roles: guessRoles(raw.names) }
  }

  private async checkProbability(at: number): Promise<void> {
    const { kinds, names } = this.theFile()
    if (kinds[at]!.kind !== 'number') throw ownProblem('bad-number', { column: names[at]! })
    const value = typedSql(`c${at}`, kinds[at]!)
    const [bad] = await this.rows(
      `SELECT row_no, c${at} AS cell FROM own_raw WHERE NOT (${value} BETWEEN 0 AND 1) ORDER BY row_no LIMIT 1`,
    )
    if (bad)
      throw ownProblem('bad-probability', {
        line: this.lineOf(Number(bad['row_no'])),
        column: names[at]!,
        value: String(bad['cell']),
      })
  }

  private async unmatchedRows(
    limit: number | null,
  ): Promise<{ line: number; reason: UnmatchedReason; cells: string[] }[]> {
    const { names } = this.theFile()
    const rows = await this.rows(
      `SELECT own_raw.*, m.reason FROM own_match m JOIN own_raw ON own_raw.row_no = m.row_no
       WHERE m.reason IS NOT NULL ORDER BY own_raw.row_no ${limit === null ? '' : `LIMIT ${limit}`}`,
    )
    return rows.map((row) => ({
      line: this.lineOf(Number(row['row_no'])),
      reason: row['reason'] as UnmatchedReason,
      cells: names.map((_, at) => textOf(row[`c${at}`])),
    }))
  }

  /** The line of a row in its file; in a file without lines, the number of the row. */
  private lineOf(row: number): number {
    return this.theFile().lines?.[row - 1] ?? row
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
    const asked = this.last.then(() => work(this.started()))
    this.last = asked.catch(() => undefined)
    return asked
  }

  private theFile(): Read {
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

/** A cell of `own_raw`, whose columns are all texts. */
const textOf = (cell: unknown): string => (typeof cell === 'string' ? cell : '')
