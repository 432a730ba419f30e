import { isAny, type Database, type Queries } from '../../db/database.ts'
import { readSetting, writeSetting } from '../../db/settings.ts'
import { bumpLearning } from './scoring-state-store.ts'

const MADE_ON = 'demonstration'
const DRIVEN = 'demonstration-race-day'

/** Whether the database holds the demonstration season and no imported data. */
export const holdsDemonstration = async (queries: Queries): Promise<boolean> =>
  (await readDemonstrationDay(queries)) !== null

/** The day up to which the demonstration was last generated, `yyyy-mm-dd`. */
export const readDemonstrationDay = (queries: Queries): Promise<string | null> =>
  readSetting(queries, MADE_ON)

export const markDemonstration = (queries: Queries, madeOn: string): Promise<void> =>
  writeSetting(queries, MADE_ON, madeOn)

/** Days whose races are driven by a simulated race day and must not be changed by anything else. */
export const readDrivenDays = async (queries: Queries): Promise<string[]> =>
  (await readSetting(queries, DRIVEN))?.split(',') ?? []

export async function markDrivenDays(queries: Queries, days: readonly string[]): Promise<void> {
  const all = new Set([...(await readDrivenDays(queries)), ...days])
  await writeSetting(queries, DRIVEN, [...all].join(','))
}

export const isEmpty = async (queries: Queries): Promise<boolean> =>
  !(await isAny(queries, 'select 1 from race limit 1'))

/** Deletes the demonstration customers with all their data, in the order that foreign keys require. */
async function removeDemoCustomers({ rows }: Queries): Promise<void> {
  const theirs = '(select id from customer where demonstration)'
  for (const [table, column] of [
    ['withdrawal', 'customer_id'],
    ['bank_card', 'customer_id'],
    ['instalment', 'provider_id'],
    ['instalment', 'customer_id'],
    ['vip_activation', 'customer_id'],
    ['vip_order', 'customer_id'],
    ['provider_application', 'customer_id'],
    ['share_log', 'customer_id'],
    ['share_log', 'recipient_id'],
    ['subscription', 'customer_id'],
    ['voucher_ledger', 'customer_id'],
    ['daily_voucher', 'customer_id'],
    ['voucher_wallet', 'customer_id'],
    ['stored_file', 'customer_id'],
    ['access_token', 'customer_id'],
    ['analytics_token', 'customer_id'],
    ['note', 'customer_id'],
    ['saved_view', 'customer_id'],
    ['frozen_rule', 'customer_id'],
    ['security_event', 'customer_id'],
  ]) {
    await rows(`delete from ${table} where ${column} in ${theirs}`)
  }
  await rows(`update customer set inviter_id = null where inviter_id in ${theirs}`)
  await rows(`update customer set provider_id = null where provider_id in ${theirs}`)
  await rows('delete from customer where demonstration')
}

/** Tables of the demonstration's races, in the order that foreign keys require. */
const RACING = [
  'settlement',
  'prediction',
  'win_chance',
  'prediction_lock',
  'broken_lock',
  'daily_hits',
  'daily_predictions',
  'model_version',
  'model_card',
  'feature_state',
  'odds_tick',
  'dividend',
  'runner',
  'race',
  'form_line',
  'horse',
  'jockey',
  'trainer',
  'stadium',
]

/** Removes the demonstration, including its accounts and links. Does nothing if there is no demonstration. */
export async function removeDemonstration(queries: Queries): Promise<void> {
  if (!(await holdsDemonstration(queries))) return
  for (const table of RACING) await queries.rows(`delete from ${table}`)
  await queries.rows('delete from one_time_link')
  await queries.rows('delete from push_event')
  await removeDemoCustomers(queries)
  const regions = await queries.rows<{ id: string }>('select id from region')
  for (const { id } of regions) await bumpLearning(queries, id, null)
  // Revisions keep counting up, so that dataset files of the demonstration are not mistaken for those of
  // later data.
  await queries.rows('update partition_revision set revision = revision + 1')
  await queries.rows(`delete from setting where name in ('demonstration', '${DRIVEN}')`)
}

/** Rows that PGlite deletes in some 100 ms. */
const PIECE_ROWS = 4000

/**
 * Like `removeDemonstration`, in transactions of about 100 ms, each with `mark`; the last one also removes what others
 * have written meanwhile. A demonstration that was removed in part is removed by the next call.
 */
export async function removeDemonstrationInPieces(
  database: Database,
  mark: (queries: Queries) => Promise<void>,
): Promise<void> {
  if (!(await holdsDemonstration(database))) return
  for (const table of RACING) {
    let gone = PIECE_ROWS
    while (gone === PIECE_ROWS) {
      gone = await database.transaction(async (queries) => {
        await mark(queries)
        return deleteSome(queries, table)
      })
    }
  }
  await database.transaction(async (queries) => {
    await removeDemonstration(queries)
    await mark(queries)
  })
}

async function deleteSome({ rows }: Queries, table: string): Promise<number> {
  const [row] = await rows<{ gone: number }>(
    `with gone as (
       delete from ${table} where ctid = any(array(select ctid from ${table} limit ${PIECE_ROWS})) returning 1)
     select count(*) as gone from gone`,
  )
  return row!.gone
}
