import { FurlongError } from '../../../domain/errors.ts'
import { allValues, first, firstValue, isAny, type Queries } from '../../db/database.ts'

/** The logged tables, each before those that refer to it, with the columns of its key and their types. */
const LOGGED = {
  stadium: { id: 'text' },
  horse: { id: 'text' },
  horse_alias: { region_id: 'text', brand: 'text' },
  jockey: { id: 'text' },
  trainer: { id: 'text' },
  race: { id: 'text' },
  runner: { race_id: 'text', horse_id: 'text' },
  dividend: { race_id: 'text', pool: 'text', combination: 'text' },
  odds_tick: { race_id: 'text', horse_no: 'smallint', seen_at: 'timestamptz' },
  form_line: { region_id: 'text', brand: 'text', race_date: 'date', race_index: 'integer' },
  section: { race_id: 'text', horse_no: 'smallint', section_no: 'smallint' },
  race_section: { race_id: 'text', section_no: 'smallint' },
} as const
export type LoggedTable = keyof typeof LOGGED

const TABLES = Object.keys(LOGGED) as LoggedTable[]

const keyOf = (table: LoggedTable): [column: string, type: string][] => Object.entries(LOGGED[table])

/** SQL: row `t` of a table has the key of `u`. */
const sameKey = (table: LoggedTable): string =>
  keyOf(table)
    .map(([column, type], index) => `t.${column} = (u.key->>${index})::${type}`)
    .join(' and ')

/** SQL: `u` was inserted by the import. */
const INSERTED = 'u.before is null and u.after is not null'

/** SQL: the first column of the keys of the rows that the import inserted. */
const inserted = (table: LoggedTable): string =>
  `(select u.key->>0 from undone_row u where u.table_name = '${table}' and ${INSERTED})`

/**
 * Collects what an import changed in the temporary table `undone_row`, which the transaction drops at its end: one row for
 * each row of a racing table, before the first and after the last of its changes.
 */
export async function collectChanges({ rows }: Queries, run: number): Promise<void> {
  // The log has instants in UTC.
  await rows(`set local time zone 'UTC'`)
  await rows(
    `create temporary table undone_row (table_name text, key jsonb, before jsonb, after jsonb, was_changed_between boolean)
     on commit drop`,
  )
  for (const table of TABLES) {
    const key = keyOf(table).map(([column]) => `cells->'${column}'`)
    await rows(
      `insert into undone_row
       with side as (
         select number, false as is_after, cells::jsonb
         from import_change cross join json_array_elements(before) as cells where run = $1 and table_name = $2::text
         union all
         select number, true, cells::jsonb
         from import_change cross join json_array_elements(after) as cells where run = $1 and table_name = $2::text
       ), change as (
         select jsonb_build_array(${key.join(', ')}) as key, number,
           (array_agg(cells) filter (where not is_after))[1] as before,
           (array_agg(cells) filter (where is_after))[1] as after
         from side group by 1, 2
       ), linked as (
         select *, row_number() over earlier > 1 and lag(after) over earlier is distinct from before as has_gap
         from change window earlier as (partition by key order by number)
       )
       select $2::text, key, (array_agg(before order by number))[1], (array_agg(after order by number desc))[1], bool_or(has_gap)
       from linked group by key`,
      [run, table],
    )
  }
  await rows('create index on undone_row (table_name)')
  await rows('analyze undone_row')
}

/** Number of predictions of the races that the undo would delete. */
export const countPredictions = async (queries: Queries): Promise<number> =>
  (await firstValue<number>(
    queries,
    `select count(*)::int from prediction where race_id in ${inserted('race')}`,
  ))!

/** A number of rows, and one of them. */
interface Found {
  rows: number
  example: string
}

/** The tables of which rows go with their race. */
const OF_RACE = ['runner', 'dividend', 'odds_tick', 'section'] as const

/**
 * Rows that are no longer as the import left them, or that others have added to a race that would be deleted; `null` if there
 * are none.
 */
export async function changedSince(queries: Queries): Promise<Found | null> {
  for (const table of TABLES) {
    const found = await someRow(
      queries,
      `select $1::text || ' ' || u.key::text as name from undone_row u
       left join lateral (select to_jsonb(t) as cells from ${table} t where ${sameKey(table)}) as stored on true
       where u.table_name = $1::text and (was_changed_between or case when u.after is null then stored.cells is not null
         else stored.cells is null or not stored.cells @> u.after end)`,
      [table],
    )
    if (found !== null) return found
  }
  // Of runners that others wrote, nobody would know the horse.
  const called = await someRow(
    queries,
    `select 'runner ' || t.race_id as name from runner t join race on race.id = t.race_id
     join undone_row u on u.table_name = 'horse_alias' and ${INSERTED} and u.key->>0 = race.region_id and u.key->>1 = t.source_brand
     where not exists (
       select from undone_row v where v.table_name = 'runner' and v.key->>0 = t.race_id and v.key->>1 = t.horse_id)`,
  )
  if (called !== null) return called
  for (const table of OF_RACE) {
    const found = await someRow(
      queries,
      `select $1::text || ' ' || t.race_id as name from ${table} t
       where t.race_id in ${inserted('race')}
         and not exists (select from undone_row u where u.table_name = $1::text and ${sameKey(table)})`,
      [table],
    )
    if (found !== null) return found
  }
  return null
}

/** How many names a statement returns, and one of them; `null` if it returns none. */
async function someRow(
  queries: Queries,
  sql: string,
  parameters: readonly string[] = [],
): Promise<Found | null> {
  const found = await first<Found>(
    queries,
    `select count(distinct name)::int as rows, min(name) as example from (${sql}) as found`,
    parameters,
  )
  return found === null || found.rows === 0 ? null : found
}

/**
 * Locks the races and horses that the undo would delete, and looks for what customers, operators and locked predictions say
 * of them, or of a runner that a stored race would lose; `null` if there is nothing. Unlocking a race names it without a
 * foreign key, so that, if races would go, it waits until the transaction ends.
 */
export async function usedRows(queries: Queries): Promise<Found | null> {
  const { rows } = queries
  if (await isAny(queries, `select from ${inserted('race')} as gone limit 1`))
    await rows('lock table subscription in share row exclusive mode')
  // What is stored with a foreign key, and what is predicted, waits for these rows.
  for (const table of ['race', 'horse'] as const)
    await rows(`select from ${table} where id in ${inserted(table)} order by id for update`)
  await rows(`select from race where id in ${inserted('runner')} order by id for update`)
  const ofRaces = ['subscription', 'note', 'runner_mark', 'held_result', 'broken_lock']
  const ofRunners = ['frozen_check', 'prediction_lock']
  return someRow(
    queries,
    [
      ...ofRaces.map((table) => `select race_id as name from ${table} where race_id in ${inserted('race')}`),
      ...ofRunners.map(
        (table) =>
          `select race_id from ${table} where race_id in ${inserted('race')} or race_id in ${inserted('runner')}`,
      ),
      `select race_id from runner_mark where exists (
         select from undone_row u where u.table_name = 'runner' and ${INSERTED}
           and u.key->>0 = race_id and u.key->>1 = horse_id)`,
      `select horse_id from note where horse_id in ${inserted('horse')}`,
      `select horse_id from runner_mark where horse_id in ${inserted('horse')}`,
    ].join(' union all '),
  )
}

/** What an import changed, as far as it makes other data outdated. */
interface Outdated {
  /** Ids of the races with another race row, runner or dividend. */
  races: string[]
  sectionRaces: string[]
  oddsRaces: string[]
  /** Regions with a changed name. */
  regions: string[]
  /** First day of changed form lines by region id. */
  form: { regionId: string; day: string }[]
  /** The horses that it added. */
  horses: { id: string; brand: string }[]
}

export async function readOutdated(queries: Queries): Promise<Outdated> {
  const changedIn = (id: string, ...tables: LoggedTable[]): Promise<string[]> =>
    allValues(
      queries,
      `select distinct ${id} from undone_row where table_name = any($1::text[]) and before is distinct from after`,
      [tables],
    )
  return {
    races: await changedIn('key->>0', 'race', 'runner', 'dividend'),
    sectionRaces: await changedIn('key->>0', 'section', 'race_section'),
    oddsRaces: await changedIn('key->>0', 'odds_tick'),
    regions: await changedIn(
      `coalesce(after, before)->>'region_id'`,
      'stadium',
      'horse',
      'jockey',
      'trainer',
    ),
    form: await queries.rows(
      `select key->>0 as region_id, min((key->>2)::date) as day from undone_row
       where table_name = 'form_line' and before is distinct from after group by 1`,
    ),
    horses: await queries.rows(
      `select key->>0 as id, after->>'brand' as brand from undone_row u where table_name = 'horse' and ${INSERTED}`,
    ),
  }
}

/** SQLSTATE of a row that others refer to. */
const REFERRED_TO = '23503'

/**
 * Writes what `collectChanges` has collected back: inserted rows are deleted, with what is derived from them, and the others
 * are as they were. Returns the number of these rows by table. Throws `import-not-undone` if other rows refer to one.
 */
export async function restoreRows(
  queries: Queries,
  number: number,
): Promise<Partial<Record<LoggedTable, number>>> {
  const restored: Partial<Record<LoggedTable, number>> = {}
  const add = (table: LoggedTable, rows: number): void => {
    if (rows > 0) restored[table] = (restored[table] ?? 0) + rows
  }
  // Settlements refer to predictions: one statement is faster than one for each of these.
  await queries.rows(`delete from settlement where race_id in ${inserted('race')}`)
  // A runner that stays may have a jockey that goes.
  for (const table of TABLES) add(table, await writeBack(queries, table))
  for (const table of TABLES.toReversed()) add(table, await deleteInserted(queries, table, number))
  return restored
}

async function deleteInserted({ rows }: Queries, table: LoggedTable, number: number): Promise<number> {
  try {
    const [row] = await rows<{ gone: number }>(
      `with gone as (
         delete from ${table} t using undone_row u where u.table_name = $1::text and ${INSERTED} and ${sameKey(table)} returning 1)
       select count(*)::int as gone from gone`,
      [table],
    )
    return row!.gone
  } catch (error) {
    if ((error as { code?: unknown }).code !== REFERRED_TO) throw error
    // `Key (id)=(HK-P101) is still referenced …`
    const [, id = ''] = /=\(([^)]*)\)/.exec((error as { detail?: string }).detail ?? '') ?? []
    throw new FurlongError(
      'import-not-undone',
      { number, reason: 'changed', rows: 1, example: `${table} ${id}`.trim() },
      { cause: error },
    )
  }
}

async function writeBack(queries: Queries, table: LoggedTable): Promise<number> {
  const differs = `u.table_name = $1::text and u.before is not null and u.before is distinct from u.after`
  // Columns that a later migration added are not in the log, and stay as they are.
  const columns = await allValues<string>(
    queries,
    `select jsonb_object_keys(before) from (select before from undone_row u where ${differs} limit 1) as one`,
    [table],
  )
  if (columns.length === 0) return 0
  const key = keyOf(table).map(([column]) => column)
  const others = columns.filter((column) => !key.includes(column))
  const row = await first<{ written: number }>(
    queries,
    `with written as (
       insert into ${table} (${columns.join(', ')})
       select ${columns.map((column) => `cells.${column}`).join(', ')}
       from undone_row u cross join lateral jsonb_populate_record(null::${table}, u.before) as cells where ${differs}
       on conflict (${key.join(', ')}) do update set ${others.map((column) => `${column} = excluded.${column}`).join(', ')}
       returning 1)
     select count(*)::int as written from written`,
    [table],
  )
  return row!.written
}
