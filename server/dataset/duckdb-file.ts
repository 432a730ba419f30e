import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib'
import type { DuckDBAppender, DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api'
import { camelCase } from '../../domain/camel-case.ts'
import { remembered } from '../../domain/remembered.ts'
import { createTable, type Cell, type Column, type Table } from '../../analytics/table.ts'

/** Cells by camel-cased column name. */
type NamedRow = Readonly<Record<string, Cell>>
/** One row, as one part or several, of which the first with a column counts; keys that are not columns are ignored. */
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
  write(file: string, table: Table, rows: Iterable<RowParts>): Promise<void> {
    return this.divide([file], table, rows, () => file)
  }

  /**
   * Creates a table in each of some files and divides rows among them, in order; `fileOf`: the file of a row. Throws if a
   * row lacks one of the columns.
   */
  async divide<Row extends RowParts>(
    files: readonly string[],
    table: Table,
    rows: Iterable<Row>,
    fileOf: (row: Row) => string,
  ): Promise<void> {
    const { library } = this
    const columns = Object.entries(table.columns).map(([name, { type }]) => ({
      name: camelCase(name),
      of: columnType(type, library),
    }))
    const batches = new Map<string, RowBatch>()
    for (const file of files) {
      await this.create(file, table)
      const appender = await this.connection.createAppender(table.name, 'main', file)
      batches.set(
        file,
        new RowBatch(
          appender,
          columns.map((column) => column.of),
          library,
        ),
      )
    }
    let sources: number[] | null = null
    for (const row of rows) {
      const file = fileOf(row)
      const batch = batches.get(file)!
      const parts: readonly NamedRow[] = isParts(row) ? row : [row]
      // All rows of a table have their columns in the same parts.
      sources ??= columns.map(({ name }) => parts.findIndex((part) => name in part))
      for (let index = 0; index < columns.length; index += 1) {
        const { name } = columns[index]!
        const cell = parts[sources[index]!]?.[name]
        if (cell === undefined) throw new Error(`${table.name}: a row without ${name}`)
        batch.set(index, cell)
      }
      batch.endRow()
      this.rows[file]![table.name]! += 1
    }
    for (const batch of batches.values()) batch.close()
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

interface ColumnType {
  type: DuckDBType
  /** The value that a cell which is not null becomes. Throws for a text that is none of an ENUM's. */
  valueOf: (cell: NonNullable<Cell>) => DuckDBValue
}

function columnType(type: Column['type'], library: Library): ColumnType {
  const { DuckDBDateValue, DuckDBTimestampValue } = library
  if (typeof type !== 'string')
    return {
      type: library.ENUM(type.enum),
      valueOf: (cell) => {
        if (!type.enum.includes(cell as string)) throw new Error(`${cell} is not in ${type.enum.join(', ')}`)
        return cell
      },
    }
  if (type === 'BIGINT') return { type: library.BIGINT, valueOf: BigInt }
  if (type === 'DATE')
    return {
      type: library.DATE,
      valueOf: remembered((cell) => new DuckDBDateValue(Date.parse(cell as string) / DAY_MS)),
    }
  if (type === 'TIMESTAMP')
    return {
      type: library.TIMESTAMP,
      valueOf: (cell) => new DuckDBTimestampValue(BigInt(Date.parse(cell as string)) * 1000n),
    }
  return { type: library[type], valueOf: (cell) => cell }
}

/** The largest number of rows that DuckDB takes at once. */
const BATCH_ROWS = 2048

/** Rows that are appended together, column by column: a call of the library for each cell took several times as long. */
class RowBatch {
  private readonly appender: DuckDBAppender
  private readonly library: Library
  private readonly columns: readonly ColumnType[]
  private readonly cells: DuckDBValue[][]
  private count = 0

  constructor(appender: DuckDBAppender, columns: readonly ColumnType[], library: Library) {
    this.appender = appender
    this.columns = columns
    this.library = library
    this.cells = columns.map(() => Array.from({ length: BATCH_ROWS }, () => null))
  }

  /** Sets a cell of the row that `endRow` ends. */
  set(column: number, cell: Cell): void {
    this.cells[column]![this.count] = cell === null ? null : this.columns[column]!.valueOf(cell)
  }

  endRow(): void {
    this.count += 1
    if (this.count === BATCH_ROWS) this.append()
  }

  close(): void {
    if (this.count > 0) this.append()
    this.appender.closeSync()
  }

  private append(): void {
    const { DuckDBDataChunk } = this.library
    const chunk = DuckDBDataChunk.create(
      this.columns.map(({ type }) => type),
      this.count,
    )
    for (const [index, column] of this.cells.entries())
      chunk.setColumnValues(index, this.count === BATCH_ROWS ? column : column.slice(0, this.count))
    this.appender.appendDataChunk(chunk)
    this.count = 0
  }
}

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
