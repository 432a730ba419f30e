import { FurlongError } from '../../../domain/errors.ts'
import type { Parameter, Queries } from '../../db/database.ts'
import type { ImportedFiles } from './import-log.ts'
import type { Attempt } from './job-store.ts'

const PREFIX = 'import-in-pieces'
const NAME = `'${PREFIX} ' || md5($1::jsonb::text)`

const ownerOf = ({ paths }: ImportedFiles): string => JSON.stringify({ paths })

/**
 * Begins to write in pieces: from now on what has been written must not be scored. Throws `query-cancelled` if the job
 * that does it was cancelled or taken over; `null`: it has none.
 */
export async function beginPieces(
  queries: Queries,
  files: ImportedFiles,
  attempt: Attempt | null,
): Promise<void> {
  if (attempt !== null) {
    const mine = await queries.rows(
      `select 1 from job where id = $1::uuid and attempts = $2 and state = 'running'`,
      [attempt.id, attempt.attempts],
    )
    if (mine.length === 0) throw new FurlongError('query-cancelled')
  }
  await markPiece(queries, files)
}

/** Notes that a piece was written. */
export async function markPiece({ rows }: Queries, files: ImportedFiles): Promise<void> {
  await rows(
    `insert into setting (name, value)
     values (${NAME}, ($1::jsonb || jsonb_build_object('at', clock_timestamp()))::text)
     on conflict (name) do update set value = excluded.value`,
    [ownerOf(files)],
  )
}

export async function endPieces({ rows }: Queries, files: ImportedFiles): Promise<void> {
  await rows(`delete from setting where name = ${NAME}`, [ownerOf(files)])
}

/**
 * SQL condition: an import is half written and goes on. It is forgotten a minute after its last piece if no job continues
 * it, and after ten minutes if its job only waits, such as for a machine that has the files.
 */
export const HALF_WRITTEN = `exists (
  select from setting cross join lateral (select value::jsonb as import) as marker
    cross join lateral (select clock_timestamp() - (import->>'at')::timestamptz as age) as last
  where name like '${PREFIX} %' and (age < interval '1 minute' or exists (
    select from job where kind = 'import' and payload->'paths' = import->'paths'
      and (state = 'running' or state = 'waiting' and age < interval '10 minutes'))))`

/** Whether an import, or this one, is half written and goes on. */
export async function isHalfWritten({ rows }: Queries, files?: ImportedFiles): Promise<boolean> {
  const parameters: Parameter[] = files === undefined ? [] : [ownerOf(files)]
  const ofFiles = files === undefined ? '' : ` and exists (select from setting where name = ${NAME})`
  const [row] = await rows<{ half: boolean }>(`select ${HALF_WRITTEN}${ofFiles} as half`, parameters)
  return row!.half
}
