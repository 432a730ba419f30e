import type { Queries } from './database.ts'

const NAME = 'import-in-pieces'

/** Notes that an import is being written in pieces: what it has written so far must not be scored yet. */
export async function markInPieces({ rows }: Queries): Promise<void> {
  await rows(
    `insert into setting (name, value) values ('${NAME}', clock_timestamp()::text)
     on conflict (name) do update set value = excluded.value`,
  )
}

export async function unmarkInPieces({ rows }: Queries): Promise<void> {
  await rows(`delete from setting where name = '${NAME}'`)
}

/**
 * SQL condition: an import is half written and will go on. One that was given up, without a job that continues it, is
 * forgotten after a minute.
 */
export const HALF_WRITTEN = `exists (
  select from setting where name = '${NAME}' and (value::timestamptz > clock_timestamp() - interval '1 minute'
    or exists (select from job where kind = 'import' and state in ('waiting', 'running'))))`

/** Whether an import is half written and will go on. */
export async function isHalfWritten({ rows }: Queries): Promise<boolean> {
  const [row] = await rows<{ half: boolean }>(`select ${HALF_WRITTEN} as half`)
  return row!.half
}
