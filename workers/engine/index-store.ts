import {
  CELL_COLUMNS,
  dropIndex,
  indexedSql,
  planIndex,
  type IndexRequest,
} from '../../analytics/panel-index.ts'
import type { IndexAnswer } from '../../analytics/engine-api.ts'
import type { Linked } from '../../analytics/request.ts'
import type { Access } from '../../analytics/source.ts'
import type { DuckDb } from './duckdb.ts'
import { runShortSql, runSql, type Interrupt } from './run-sql.ts'

/** Most bytes of all kept indexes together: those of the last few slices. */
const MAX_BYTES = 30_000_000

interface Kept {
  name: string
  request: IndexRequest
  bytes: number
}

/** The indexes of the open data, the least recently used first. */
export class IndexStore {
  private readonly kept = new Map<string, Kept>()
  private lastNumber = 0
  private readonly maxBytes: number

  /** `maxBytes`: of all kept indexes together, but for the newest. */
  constructor(maxBytes = MAX_BYTES) {
    this.maxBytes = maxBytes
  }

  /** Builds an index unless it is kept. Throws the errors of planning and running; then nothing of it is left. */
  async build(
    duckdb: DuckDb,
    request: IndexRequest,
    access: Access,
    interrupt: Interrupt,
  ): Promise<IndexAnswer> {
    const started = performance.now()
    const key = JSON.stringify(request)
    const known = this.kept.get(key)
    const name = known?.name ?? this.nextName()
    const { statements, cellsSql } = planIndex(request, access, name)
    if (known === undefined) {
      let indexBytes: number
      try {
        const before = await tableBytes(duckdb)
        for (const statement of statements) await runSql(duckdb, statement, interrupt)
        indexBytes = (await tableBytes(duckdb)) - before
      } catch (error) {
        await runShortSql(duckdb, dropIndex(name).join(';')).catch(() => undefined)
        throw error
      }
      this.kept.set(key, { name, request, bytes: indexBytes })
      await this.shrink(duckdb)
    } else this.use(key, known)
    const bytes = await runShortSql(duckdb, cellsSql)
    return { name, bytes, columns: [...CELL_COLUMNS], milliseconds: performance.now() - started }
  }

  /** A kept index by its name. */
  named(name: string): IndexRequest | undefined {
    const found = [...this.kept].find(([, each]) => each.name === name)
    if (found) this.use(...found)
    return found?.[1].request
  }

  /** The statement that answers a linked query from a kept index; `null` if none can. */
  sqlOf(query: Linked): string | null {
    for (const [key, known] of [...this.kept].toReversed()) {
      const sql = indexedSql(known.request, known.name, query)
      if (sql === null) continue
      this.use(key, known)
      return sql
    }
    return null
  }

  /** Removes all indexes: the data is replaced. */
  async clear(duckdb: DuckDb): Promise<void> {
    const names = [...this.kept.values()].map(({ name }) => name)
    this.kept.clear()
    if (names.length > 0) await runShortSql(duckdb, names.flatMap(dropIndex).join(';'))
  }

  private nextName(): string {
    this.lastNumber += 1
    return `index_${this.lastNumber}`
  }

  private use(key: string, known: Kept): void {
    this.kept.delete(key)
    this.kept.set(key, known)
  }

  /** Removes the least recently used indexes beyond the limit, but never the newest. */
  private async shrink(duckdb: DuckDb): Promise<void> {
    let bytes = [...this.kept.values()].reduce((sum, each) => sum + each.bytes, 0)
    for (const [key, each] of [...this.kept].slice(0, -1)) {
      if (bytes <= this.maxBytes) return
      this.kept.delete(key)
      bytes -= each.bytes
      await runShortSql(duckdb, dropIndex(each.name).join(';'))
    }
  }
}

/**
 * Bytes of all tables in memory. They say what an index takes better than its rows do: a column is allocated in whole
 * segments, so that a table of 2,100 rows takes fifteen times as much as one of 2,000.
 */
async function tableBytes({ connection }: DuckDb): Promise<number> {
  const table = await connection.query(
    `SELECT coalesce(sum(memory_usage_bytes), 0)::DOUBLE AS bytes FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'`,
  )
  return Number(table.get(0)!['bytes'])
}
