import type { Queries } from './database.ts'

/** The database's own time, and the newest time that it holds. */
export async function clockOf({ rows }: Queries): Promise<{ now: Date; newest: Date | null }> {
  const [row] = await rows<{ now: string; newest: string | null }>(
    // Ids begin with the time: the newest row is found by the key, however many there are.
    `select clock_timestamp() as now, greatest((select created_at from voucher_ledger order by id desc limit 1),
       (select created_at from vip_order order by id desc limit 1),
       (select created_at from push_event order by id desc limit 1)) as newest`,
  )
  return { now: new Date(row!.now), newest: row!.newest === null ? null : new Date(row!.newest) }
}

/** The card that was stored last. */
export async function sampleCard({ rows }: Queries): Promise<{ id: string; sealed: string } | null> {
  const [row] = await rows<{ id: string; sealed: string }>(
    'select id, number_sealed as sealed from bank_card where number_sealed is not null order by id desc limit 1',
  )
  return row ?? null
}

export async function countCards({ rows }: Queries): Promise<number> {
  const [row] = await rows<{ count: number }>(
    'select count(*) as count from bank_card where number_sealed is not null',
  )
  return row!.count
}

/** Whether a database has nothing of ours, so that a backup may be put into it. */
export async function isBlank({ rows }: Queries): Promise<boolean> {
  const found = await rows(`select 1 from information_schema.tables where table_schema = 'public' limit 1`)
  return found.length === 0
}
