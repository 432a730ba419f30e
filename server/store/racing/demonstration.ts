import { addDays } from '../../../domain/region.ts'
import { isAny, type Database, type Queries } from '../../db/database.ts'
import { readSetting, writeSetting } from '../../db/settings.ts'
import { bumpLearning } from './scoring-state-store.ts'

const MADE_ON = 'demonstration'
const DRIVEN = 'demonstration-race-day'
const SIMULATOR = 'demonstration-simulator'

/** Whether the database holds the demonstration season and no imported data. */
export const holdsDemonstration = async (queries: Queries): Promise<boolean> =>
  (await readDemonstrationDay(queries)) !== null

/** The day up to which the demonstration was last generated, `yyyy-mm-dd`. */
export const readDemonstrationDay = (queries: Queries): Promise<string | null> =>
  readSetting(queries, MADE_ON)

export const markDemonstration = (queries: Queries, madeOn: string): Promise<void> =>
  writeSetting(queries, MADE_ON, madeOn)

/** A day of a region whose races are run through the feed and must not be changed by anything else. */
export interface DrivenDay {
  regionId: string
  date: string
}

/** The demonstration reaches back ten months: older days are not written any more. */
const DRIVEN_STORED_DAYS = 330

const entryOf = ({ regionId, date }: DrivenDay): string => `${regionId} ${date}`

/** Tells of a day whether its races are run through the feed. */
export async function readDrivenDays(queries: Queries): Promise<(day: DrivenDay) => boolean> {
  const entries = new Set((await readSetting(queries, DRIVEN))?.split(',') ?? [])
  // Earlier editions stored the date alone, for every region.
  return (day) => entries.has(entryOf(day)) || entries.has(day.date)
}

export async function markDrivenDays(queries: Queries, days: readonly DrivenDay[]): Promise<void> {
  const before = (await readSetting(queries, DRIVEN))?.split(',') ?? []
  const all = [...new Set([...before, ...days.map(entryOf)])]
  const newest = days.reduce((last, { date }) => (date > last ? date : last), '')
  const oldest = newest === '' ? '' : addDays(newest, -DRIVEN_STORED_DAYS)
  await writeSetting(queries, DRIVEN, all.filter((entry) => entry.slice(-10) >= oldest).join(','))
}

/** Arbitrary key that no other advisory lock uses. */
const SIMULATION_LOCK = 7_312_036

/** Whether this transaction alone simulates races, until it ends; it does not wait for another one. */
export async function holdsSimulation({ rows }: Queries): Promise<boolean> {
  const [row] = await rows<{ held: boolean }>(`select pg_try_advisory_xact_lock(${SIMULATION_LOCK}) as held`)
  return row!.held
}

/**
 * Lets `name` alone simulate races until a time, or releases that with `null`; a dead process is forgotten then. Returns
 * false if another name has claimed it. Waits for a transaction that simulates.
 */
export async function claimSimulation(
  queries: Queries,
  name: string,
  now: Date,
  until: Date | null,
): Promise<boolean> {
  await queries.rows(`select pg_advisory_xact_lock(${SIMULATION_LOCK})`)
  const claim = await readClaim(queries)
  if (claim !== null && claim.name !== name && claim.until > now.toISOString()) return false
  if (until === null) await queries.rows('delete from setting where name = $1', [SIMULATOR])
  else await writeSetting(queries, SIMULATOR, JSON.stringify({ name, until: until.toISOString() }))
  return true
}

/** Whether a process has claimed to simulate races alone. */
export async function isSimulationClaimed(queries: Queries, now: Date): Promise<boolean> {
  const claim = await readClaim(queries)
  return claim !== null && claim.until > now.toISOString()
}

async function readClaim(queries: Queries): Promise<{ name: string; until: string } | null> {
  const claim = await readSetting(queries, SIMULATOR)
  return claim === null ? null : (JSON.parse(claim) as { name: string; until: string })
}

/** A stored race of the demonstration, as far as running it needs it. */
export interface DemoRace {
  id: string
  date: string
  stadiumId: string
  raceNo: number
  status: 'scheduled' | 'final' | 'abandoned'
  /** Post time, ISO 8601. */
  startsAt: string | null
  /** When its odds were last seen, ISO 8601. */
  boardAt: string | null
  hasDividends: boolean
  isLocked: boolean
  /** Saddle numbers of its withdrawn horses. */
  withdrawn: number[]
}

/** Days after which a result no longer waits for its dividends. */
const WAITING_DAYS = 7

/** A region's races of a day, and the earlier ones that wait for their result or dividends, in order. */
export const readOpenRaces = ({ rows }: Queries, { regionId, date }: DrivenDay): Promise<DemoRace[]> =>
  rows(
    `select id, race_date as date, stadium_id, race_no, status, starts_at,
       (select max(seen_at) from odds_tick where race_id = race.id) as board_at,
       exists (select from dividend where race_id = race.id) as has_dividends,
       exists (select from prediction_lock where race_id = race.id) as is_locked,
       (select coalesce(jsonb_agg(horse_no order by horse_no), '[]') from runner
         where race_id = race.id and status = 'withdrawn' and horse_no is not null) as withdrawn
     from race where region_id = $1 and race_date <= $2::date and (race_date = $2::date or status = 'scheduled'
       or status = 'final' and race_date > $2::date - ${WAITING_DAYS}
         and not exists (select from dividend where race_id = race.id))
     order by race_date, starts_at nulls last, race_no`,
    [regionId, date],
  )

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
    ['runner_mark', 'customer_id'],
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

/** Tables of the demonstration's races and of who follows them, in the order that foreign keys require. */
const RACING = [
  'follow',
  'settlement',
  'prediction',
  'win_chance',
  'prediction_lock',
  'broken_lock',
  'daily_hits',
  'daily_predictions',
  'model_version',
  'model_promotion',
  'model_card',
  'feature_state',
  'odds_tick',
  'section',
  'race_section',
  'dividend',
  'runner',
  'race',
  'form_line',
  'horse_alias',
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
  await queries.rows('delete from alert')
  await queries.rows('delete from alert_event')
  await removeDemoCustomers(queries)
  const regions = await queries.rows<{ id: string }>('select id from region')
  for (const { id } of regions) await bumpLearning(queries, id, null)
  // Revisions keep counting up, so that dataset files of the demonstration are not mistaken for those of
  // later data.
  await queries.rows('update partition_revision set revision = revision + 1')
  await queries.rows(`delete from setting where name in ('demonstration', '${DRIVEN}', '${SIMULATOR}')`)
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
