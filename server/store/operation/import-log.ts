import { firstValue, type Queries } from '../../db/database.ts'
import type { WriteCount } from '../../db/bulk-upsert.ts'

/**
 * What identifies an import: repeated with the same files, it continues one that was interrupted. Which format they have, a
 * job may leave to be recognised.
 */
export interface ImportedFiles {
  paths: readonly string[]
}

/** An import as it is listed. */
export interface ImportRun extends ImportedFiles {
  number: number
  format: string
  startedAt: string
  /** `null`: it writes, or was interrupted. */
  endedAt: string | null
  undoneAt: string | null
  /** Rows by table, as its report says; `null` until its end. */
  counts: Record<string, WriteCount> | null
  /** Rows of racing tables that it changed; `null` until its end. */
  changedRows: number | null
  /** Whether the change log of its rows is still there. */
  isLogged: boolean
}

/** The number of imports, the newest ones, of which the change log is kept: it is as large as what they wrote. */
export const LOGGED_IMPORTS = 5

/** The transaction-local setting that the triggers of racing tables read. */
const NAMED = 'furlong.import_run'

const RUN = `number, format, paths, started_at, ended_at, undone_at, counts, changed_rows,
  exists (select from import_change where run = import_run.number) as is_logged`

/** Gives an import its number; one that continues the last import, which was interrupted, has that one's. */
export async function beginRun(
  queries: Queries,
  { format, paths }: Pick<ImportRun, 'format' | 'paths'>,
  now: Date,
): Promise<number> {
  const interrupted = await firstValue<number>(
    queries,
    `select number from import_run
     where number = (select max(number) from import_run) and ended_at is null and undone_at is null
       and format = $1 and paths = $2::text[]`,
    [format, paths],
  )
  if (interrupted !== null) return interrupted
  const number = await firstValue<number>(
    queries,
    `insert into import_run (number, format, paths, started_at)
     select coalesce(max(number), 0) + 1, $1, $2::text[], $3::timestamptz from import_run returning number`,
    [format, paths, now],
  )
  return number!
}

/** Logs what this transaction changes in racing tables from now on, as changes of an import. */
export async function logChangesOf({ rows }: Queries, number: number): Promise<void> {
  await rows(`select set_config('${NAMED}', $1, true)`, [String(number)])
}

/** Stores what an import has written, unless it was undone, and deletes the change logs of earlier ones. */
export async function endRun(
  { rows }: Queries,
  number: number,
  counts: Record<string, WriteCount>,
  now: Date,
): Promise<void> {
  await rows(
    `update import_run set ended_at = $3::timestamptz, counts = $2::jsonb,
       changed_rows = (select coalesce(sum(row_count), 0) from import_change where run = $1)
     where number = $1 and undone_at is null`,
    [number, JSON.stringify(counts), now],
  )
  await rows(
    `delete from import_change where run < (
       select min(run) from (select distinct run from import_change order by run desc limit ${LOGGED_IMPORTS}) as newest)`,
  )
}

/** The newest imports, the last one first. */
export const listRuns = ({ rows }: Queries, most: number): Promise<ImportRun[]> =>
  rows(`select ${RUN} from import_run order by number desc limit $1`, [most])

/** An import by its number; `null` if there is none. */
export async function findRun({ rows }: Queries, number: number): Promise<ImportRun | null> {
  const [run] = await rows<ImportRun>(`select ${RUN} from import_run where number = $1`, [number])
  return run ?? null
}

/** The last import that changed something and is not undone; `null` if there is none. */
export const lastRunWithChanges = (queries: Queries): Promise<number | null> =>
  firstValue(
    queries,
    `select max(number) from import_run
     where undone_at is null and exists (select from import_change where run = import_run.number)`,
  )

/** Number of changes that the log of an import has: of a row that was changed twice, two. */
export const countChanges = async (queries: Queries, number: number): Promise<number> =>
  (await firstValue<number>(
    queries,
    'select coalesce(sum(row_count), 0)::int from import_change where run = $1',
    [number],
  ))!

/** Marks an import as undone, and deletes its change log. */
export async function markUndone({ rows }: Queries, number: number, now: Date): Promise<void> {
  await rows('update import_run set undone_at = $2::timestamptz where number = $1', [number, now])
  await rows('delete from import_change where run = $1', [number])
}

/** Number of imports that were undone: it grows with each. */
export const countUndone = async (queries: Queries): Promise<number> =>
  (await firstValue<number>(queries, 'select count(*)::int from import_run where undone_at is not null'))!
