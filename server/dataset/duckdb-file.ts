import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib'
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api'
import { camelCase } from '../../domain/camel-case.ts'
import { createTable, type Cell, type Column, type Table } from '../../analytics/table.ts'

/** Cells by camel-cased column name. */
type NamedRow = Readonly<Record<string, Cell>>
/** One row, as one part or several that share no column; keys that are not columns are ignored. */
export type RowParts = NamedRow | readonly NamedRow[]

type Library = typeof import('@duckdb/node-api')

/** DuckDB databases that are written together, each under its own name. */
export class DuckdbWriter {
  /** Row counts by file and table. */
  readonly rows: Record<string, Record<string, number>> = {}
  private readonly connection: DuckDBConnection
  private readonly library: Library

  constructor(connection: DuckDBConnection, library: Library) {
    this.connection = connection
    this.library = library
  }

  async create(file: string, table: Table): Promise<void> {
    await this.connection.run(createTable(table, `${file}.`))
    this.rows[file] = { ...this.rows[file], [table.name]: 0 }
  }

  /** Creates a table with rows, in order. Throws if a row lacks one of the columns. */
  async write(file: string, table: Table, rows: Iterable<RowParts>): Promise<void> {
    await this.create(file, table)
    const appender = await this.connection.createAppender(table.name, 'main', file)
    const columns = Object.entries(table.columns).map(
      ([name, { type }]) => [camelCase(name), APPENDS.get(type) ?? appendText] as const,
    )
    let sources: number[] | null = null
    let count = 0
    for (const row of rows) {
      const parts: readonly NamedRow[] = isParts(row) ? row : [row]
      // All rows of a table have their columns in the same parts.
      sources ??= columns.map(([name]) => parts.findIndex((part) => name in part))
      for (const [index, [name, append]] of columns.entries()) {
        const cell = parts[sources[index]!]?.[name]
        if (cell === undefined) throw new Error(`${table.name}: a row without ${name}`)
        if (cell === null) appender.appendNull()
        else append(appender, cell, this.library)
      }
      appender.endRow()
      count += 1
    }
    appender.closeSync()
    this.rows[file]![table.name] = count
  }

  /** Creates a table and fills it with one statement over the others. */
  async derive(file: string, table: Table, insertSql: string): Promise<void> {
    await this.create(file, table)
    await this.connection.run(insertSql)
    const reader = await this.connection.runAndReadAll(`SELECT count(*)::INTEGER FROM ${file}.${table.name}`)
    this.rows[file]![table.name] = reader.getRows()[0]![0] as number
  }
}

const isParts = (row: RowParts): row is readonly NamedRow[] => Array.isArray(row)

const DAY_MS = 86_400_000

type Append = (to: DuckDBAppender, cell: NonNullable<Cell>, library: Library) => void

/** How a cell that is not null is appended, by the type of its column; all other types are text. */
const APPENDS: ReadonlyMap<Column['type'], Append> = new Map<Column['type'], Append>([
  ['TINYINT', (to, cell) => to.appendTinyInt(cell as number)],
  ['SMALLINT', (to, cell) => to.appendSmallInt(cell as number)],
  ['INTEGER', (to, cell) => to.appendInteger(cell as number)],
  ['BIGINT', (to, cell) => to.appendBigInt(BigInt(cell))],
  ['FLOAT', (to, cell) => to.appendFloat(cell as number)],
  ['DOUBLE', (to, cell) => to.appendDouble(cell as number)],
  ['BOOLEAN', (to, cell) => to.appendBoolean(cell as boolean)],
  [
    'DATE',
    (to, cell, { DuckDBDateValue }) =>
      to.appendDate(new DuckDBDateValue(Date.parse(cell as string) / DAY_MS)),
  ],
  [
    'TIMESTAMP',
    (to, cell, { DuckDBTimestampValue }) =>
      to.appendTimestamp(new DuckDBTimestampValue(BigInt(Date.parse(cell as string)) * 1000n)),
  ],
])
const appendText: Append = (to, cell) => to.appendVarchar(cell as string)

export interface WrittenFile {
  sha256: string
  bytes: number
  rows: Record<string, number>
}

/** Smaller than the default of 256 KiB, which would be mostly empty for a season's many short columns. */
const BLOCK_BYTES = 16_384

/**
 * Writes database files together with `fill`, names each by its content hash and moves it, with its brotli
 * version, into `folder` atomically: a reader finds a complete file or none. `names` are their names within
 * `fill`.
 */
export async function writeDuckdbFiles<const Name extends string>(
  folder: string,
  names: readonly Name[],
  fill: (writer: DuckdbWriter) => Promise<void>,
): Promise<Record<Name, WrittenFile>> {
  const draftOf = (name: Name): string => join(folder, `draft-${process.pid}-${name}`)
  // Instances that share a folder overwrite each other's files; DuckDB's own choice is `.tmp` of the working folder.
  const spill = join(folder, `draft-${process.pid}-${names.join('-')}.tmp`)
  const leftovers = names.map(draftOf).flatMap((path) => [path, `${path}.br`, `${path}.wal`])
  const sweep = (): void =>
    [...leftovers, spill].forEach((path) => rmSync(path, { recursive: true, force: true }))
  sweep()
  try {
    // Loading it takes longer than all else that a command loads, and few commands write files.
    const library = await import('@duckdb/node-api')
    const instance = await library.DuckDBInstance.create(':memory:', { threads: '1', temp_directory: spill })
    const connection = await instance.connect()
    const writer = new DuckdbWriter(connection, library)
    try {
      for (const name of names) {
        const path = draftOf(name).replaceAll("'", "''")
        await connection.run(`ATTACH '${path}' AS ${name} (BLOCK_SIZE ${BLOCK_BYTES})`)
      }
      await fill(writer)
      for (const name of names) {
        await connection.run(`CHECKPOINT ${name}`)
        await connection.run(`DETACH ${name}`)
      }
    } finally {
      // Files that stay open would occupy the disk after they are removed, and a full disk is one reason to fail.
      connection.closeSync()
      instance.closeSync()
    }
    const written = {} as Record<Name, WrittenFile>
    for (const name of names) written[name] = await publish(folder, draftOf(name), writer.rows[name] ?? {})
    return written
  } finally {
    sweep()
  }
}

/** Names a finished file by its content hash and moves it, with its brotli version, into `folder`. */
async function publish(folder: string, draft: string, rows: Record<string, number>): Promise<WrittenFile> {
  const sha256 = await hashFile(draft)
  const bytes = statSync(draft).size
  const path = join(folder, `${sha256}.duckdb`)
  await compress(draft, `${draft}.br`)
  renameSync(`${draft}.br`, `${path}.br`)
  renameSync(draft, path)
  return { sha256, bytes, rows }
}

async function hashFile(path: string, unpack: readonly Transform[] = []): Promise<string> {
  const hash = createHash('sha256')
  await pipeline([createReadStream(path), ...unpack, hash])
  return hash.digest('hex')
}

/** Whether a published file and its brotli version match the hash in their name. */
export async function isUndamaged(folder: string, sha256: string): Promise<boolean> {
  const path = join(folder, `${sha256}.duckdb`)
  try {
    const packed = await hashFile(`${path}.br`, [createBrotliDecompress()])
    return packed === sha256 && (await hashFile(path)) === sha256
  } catch {
    // Missing, unreadable, or not brotli.
    return false
  }
}

async function compress(from: string, to: string): Promise<void> {
  const brotli = createBrotliCompress({
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: statSync(from).size },
  })
  await pipeline(createReadStream(from), brotli, createWriteStream(to))
}
