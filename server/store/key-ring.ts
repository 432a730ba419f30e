import type { Queries } from './database.ts'

export type KeyedTable = 'stadium' | 'horse' | 'jockey' | 'trainer' | 'race'

/** The small integer keys of one table: those assigned, and the next free one. */
export class KeyRing {
  private readonly keys = new Map<string, number>()
  private readonly names = new Map<string, string | null>()
  private next: number

  private constructor(rows: readonly { id: string; key: number; name: string | null }[], highest: number) {
    for (const { id, key, name } of rows) {
      this.keys.set(id, key)
      this.names.set(id, name)
    }
    this.next = highest + 1
  }

  /** Loads the keys of a table, or only of the rows in `ids`. */
  static async load(database: Queries, table: KeyedTable, ids?: readonly string[]): Promise<KeyRing> {
    const [row] = await database.rows<{ highest: number }>(
      `select coalesce(max(key), 0) as highest from ${table}`,
    )
    return new KeyRing(
      await database.rows(
        `select id, key, name_hant as name from ${table} ${ids === undefined ? '' : 'where id = any($1::text[])'}`,
        ids === undefined ? [] : [ids],
      ),
      row!.highest,
    )
  }

  /** The key of an id; assigns a new one if it has none yet. */
  keyOf(id: string): number {
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
}
