import { first, firstValue, isAny, type Queries } from '../../db/database.ts'
import { timeOfId } from '../../db/id.ts'

/** The database's time, and the newest time found in a row or encoded in its id. */
export async function clockOf({ rows }: Queries): Promise<{ now: Date; newest: Date | null }> {
  const [clock] = await rows<{ now: string }>('select clock_timestamp() as now')
  const times: number[] = []
  for (const table of ['voucher_ledger', 'vip_order', 'push_event']) {
    // Ordered by primary key, because there may be millions of rows.
    const [row] = await rows<{ id: string; createdAt: string }>(
      `select id::text, created_at from ${table} order by ${table}.id desc limit 1`,
    )
    if (row) times.push(timeOfId(row.id).getTime(), new Date(row.createdAt).getTime())
  }
  return { now: new Date(clock!.now), newest: times.length === 0 ? null : new Date(Math.max(...times)) }
}

/** The most recently stored bank card. */
export const sampleCard = (queries: Queries): Promise<{ id: string; sealed: string } | null> =>
  first(
    queries,
    'select id, number_sealed as sealed from bank_card where number_sealed is not null order by id desc limit 1',
  )

export const countCards = async (queries: Queries): Promise<number> =>
  (await firstValue<number>(queries, 'select count(*) from bank_card where number_sealed is not null'))!

/** Whether a database has no tables, so that a backup may be restored into it. */
export const isBlank = async (queries: Queries): Promise<boolean> =>
  !(await isAny(queries, `select 1 from information_schema.tables where table_schema = 'public' limit 1`))
