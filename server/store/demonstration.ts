import type { Queries } from './database.ts'

/** Whether the database holds the demonstration season, and nothing that anybody imported. */
export async function holdsDemonstration({ rows }: Queries): Promise<boolean> {
  return (await rows(`select 1 from setting where name = 'demonstration'`)).length > 0
}

/** The day that the demonstration was last brought to, `yyyy-mm-dd`. */
export async function readDemonstrationDay({ rows }: Queries): Promise<string | null> {
  const [row] = await rows<{ value: string }>(`select value from setting where name = 'demonstration'`)
  return row?.value ?? null
}

export async function markDemonstration({ rows }: Queries, madeOn: string): Promise<void> {
  await rows(
    `insert into setting (name, value) values ('demonstration', $1)
     on conflict (name) do update set value = excluded.value`,
    [madeOn],
  )
}

export async function isEmpty({ rows }: Queries): Promise<boolean> {
  return (await rows('select 1 from race limit 1')).length === 0
}

/** Takes the demonstration away, its links included; a database without one stays as it is. */
export async function removeDemonstration(queries: Queries): Promise<void> {
  if (!(await holdsDemonstration(queries))) return
  for (const table of [
    'settlement',
    'prediction',
    'odds_tick',
    'dividend',
    'runner',
    'race',
    'form_line',
    'horse',
    'jockey',
    'trainer',
    'stadium',
  ]) {
    await queries.rows(`delete from ${table}`)
  }
  await queries.rows('delete from one_time_link')
  // Revisions go on counting: files of the demonstration must not pass for files of what follows.
  await queries.rows('update partition_revision set revision = revision + 1')
  await queries.rows(`delete from setting where name = 'demonstration'`)
}
