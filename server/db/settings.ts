import { firstValue, type Queries } from './database.ts'

/** What the program notes for itself under a name, as a text; `null` if nothing was noted. */
export const readSetting = (queries: Queries, name: string): Promise<string | null> =>
  firstValue(queries, 'select value from setting where name = $1', [name])

export async function writeSetting({ rows }: Queries, name: string, value: string): Promise<void> {
  await rows(
    `insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
    [name, value],
  )
}
