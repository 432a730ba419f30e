import type { Queries } from './database.ts'

/** The small integer keys of one table: those given out, and the next free ones. */
export class KeyRing {
  private readonly keys = new Map<string, number>()
  private readonly names = new Map<string, string | null>()
  private next: number

  private constructor(rows: readonly { id: string; key: number; name: string | null }[]) {
    let highest = 0
    for (const { id, key, name } of rows) {
      this.keys.set(id, key)
      this.names.set(id, name)
      highest = Math.max(highest, key)
    }
    this.next = highest + 1
  }

  static async load(
    database: Queries,
    table: 'stadium' | 'horse' | 'jockey' | 'trainer' | 'race',
  ): Promise<KeyRing> {
    return new KeyRing(await database.rows(`select id, key, name_hant as name from ${table}`))
  }

  /** The key of an id, a new one when it has none yet. */
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
