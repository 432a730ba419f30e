import { newVapidKeys, type VapidKeys } from '../gateways/web-push.ts'
import { firstValue, type Queries } from '../db/database.ts'

const NAME = 'vapid-keys'

/**
 * The keys with which this installation signs notifications, the same in every process: made once, and stored in the
 * database. Browsers that agreed to notifications know the public one, so it must not change.
 */
export async function vapidKeys(queries: Queries): Promise<VapidKeys> {
  const stored = await readKeys(queries)
  if (stored !== null) return stored
  await queries.rows('insert into setting (name, value) values ($1, $2) on conflict (name) do nothing', [
    NAME,
    JSON.stringify(newVapidKeys()),
  ])
  return (await readKeys(queries))!
}

async function readKeys(queries: Queries): Promise<VapidKeys | null> {
  const text = await firstValue<string>(queries, 'select value from setting where name = $1', [NAME])
  return text === null ? null : (JSON.parse(text) as VapidKeys)
}
