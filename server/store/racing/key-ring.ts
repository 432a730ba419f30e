import type { Queries } from '../../db/database.ts'
import { writeSetting } from '../../db/settings.ts'

const KEYED_TABLES = ['stadium', 'horse', 'jockey', 'trainer', 'race'] as const
export type KeyedTable = (typeof KEYED_TABLES)[number]

/** The small integer keys of one table: those assigned, and the next free one. */
class KeyRing {
  private readonly keys = new Map<string, number>()
  private readonly names = new Map<string, string | null>()
  private readonly births = new Map<string, number>()
  private next: number

  private constructor(rows: readonly { id: string; key: number; name: string | null }[], highest: number) {
    for (const { id, key, name } of rows) {
      this.keys.set(id, key)
      this.names.set(id, name)
    }
    this.next = highest + 1
  }

  /** Loads the keys of a table, or only of the rows in `ids`. */
  static async load(
    database: Queries,
    table: KeyedTable,
    highest: Highest,
    ids?: readonly string[],
  ): Promise<KeyRing> {
    return new KeyRing(
      await database.rows(
        `select id, key, name_hant as name from ${table} ${ids === undefined ? '' : 'where id = any($1::text[])'}`,
        ids === undefined ? [] : [ids],
      ),
      highest[table],
    )
  }

  /** Loads the keys of horses, with their years of birth. */
  static async loadHorses(database: Queries, highest: Highest): Promise<KeyRing> {
    const ring = await KeyRing.load(database, 'horse', highest)
    const births = await database.rows<{ id: string; year: number }>(
      'select id, birth_year as year from horse where birth_year is not null',
    )
    for (const { id, year } of births) ring.bear(id, year)
    return ring
  }

  /** The last assigned key. */
  get last(): number {
    return this.next - 1
  }

  /** The key of an id; assigns a new one if it has none yet. */
  numberOf(id: string): number {
    const known = this.keys.get(id)
    if (known !== undefined) return known
    const key = this.next
    this.next += 1
    this.keys.set(id, key)
    return key
  }

  has(id: string): boolean {
    return this.keys.has(id)
  }

  nameOf(id: string): string | null | undefined {
    return this.names.get(id)
  }

  name(id: string, name: string | null): void {
    this.names.set(id, name)
  }

  /** The year of birth of a horse; `null` if nothing has told it. */
  bornIn(id: string): number | null {
    return this.births.get(id) ?? null
  }

  bear(id: string, year: number): void {
    this.births.set(id, year)
  }
}

export type KeyRings = Record<KeyedTable, KeyRing>

/** Loads the keys of every table; of races only those in `races`, if given. */
export async function loadRings(database: Queries, races?: readonly string[]): Promise<KeyRings> {
  const highest = await highestKeys(database)
  return {
    stadium: await KeyRing.load(database, 'stadium', highest),
    horse: await KeyRing.loadHorses(database, highest),
    jockey: await KeyRing.load(database, 'jockey', highest),
    trainer: await KeyRing.load(database, 'trainer', highest),
    race: await KeyRing.load(database, 'race', highest, races),
  }
}

/** Loads the keys of tables to which another transaction has written since. */
export async function renewRings(database: Queries, rings: KeyRings): Promise<void> {
  const highest = await highestKeys(database)
  for (const table of KEYED_TABLES)
    if (highest[table] !== rings[table].last)
      rings[table] =
        table === 'horse'
          ? await KeyRing.loadHorses(database, highest)
          : await KeyRing.load(database, table, highest)
}

/** The highest key that was ever assigned in each table. */
type Highest = Record<KeyedTable, number>

/** The setting with the keys that are never assigned again although their rows are gone, as JSON by table. */
const RETIRED = 'retired-keys'

async function highestKeys(database: Queries): Promise<Highest> {
  const columns = KEYED_TABLES.map(
    (table) =>
      `greatest((select max(key) from ${table}), (select (value::json->>'${table}')::int from setting where name = '${RETIRED}'), 0)::int as ${table}`,
  )
  const [row] = await database.rows<Highest>(`select ${columns.join(', ')}`)
  return row!
}

/**
 * Call it before rows are deleted: their keys are not assigned to other rows then, because customers' views and rules
 * name horses and people by key. Another key of each table is passed over, by which imports in pieces see that rows went.
 */
export async function retireKeys(queries: Queries): Promise<void> {
  const highest = await highestKeys(queries)
  const retired = Object.fromEntries(KEYED_TABLES.map((table) => [table, highest[table] + 1]))
  await writeSetting(queries, RETIRED, JSON.stringify(retired))
}
