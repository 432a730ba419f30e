import type { Queries } from '../../db/database.ts'
import { instant, oneValue, run, statement } from '../../db/statement.ts'

/** Devices beyond this number are forgotten, those first that were used longest ago. */
const MAX_DEVICES = 10

/**
 * The customer of an account name or phone who has signed in on a device before; `null` if there is none. The same work is
 * done whether or not there is such an account.
 */
export const customerOfDevice = (
  queries: Queries,
  deviceHash: string,
  { account, phone }: { account: string | null; phone: string | null },
): Promise<string | null> =>
  statement
    .selectFrom('knownDevice as d')
    .innerJoin('customer as c', 'c.id', 'd.customerId')
    .select('c.id')
    .where('d.deviceHash', '=', deviceHash)
    .where('c.deletedAt', 'is', null)
    .where(({ eb, or }) =>
      or([
        ...(account === null ? [] : [eb('c.account', '=', account)]),
        ...(phone === null ? [] : [eb('c.phone', '=', phone)]),
      ]),
    )
    .limit(1)
    .$call(oneValue(queries))

/** Notes that a customer has used a device. */
export async function noteDevice(
  queries: Queries,
  customerId: string,
  deviceHash: string,
  now: Date,
): Promise<void> {
  await statement
    .insertInto('knownDevice')
    .values({ customerId, deviceHash, lastUsedAt: now })
    .onConflict((conflict) => conflict.columns(['customerId', 'deviceHash']).doUpdateSet({ lastUsedAt: now }))
    .$call(run(queries))
  await statement
    .deleteFrom('knownDevice')
    .where('customerId', '=', customerId)
    .where('deviceHash', 'not in', ({ selectFrom }) =>
      selectFrom('knownDevice')
        .select('deviceHash')
        .where('customerId', '=', customerId)
        .orderBy('lastUsedAt', 'desc')
        .orderBy('deviceHash')
        .limit(MAX_DEVICES),
    )
    .$call(run(queries))
}

/** Forgets a customer's devices except one, or all. */
export const forgetDevices = (queries: Queries, customerId: string, spared: string | null): Promise<void> =>
  statement
    .deleteFrom('knownDevice')
    .where('customerId', '=', customerId)
    .$if(spared !== null, (devices) => devices.where('deviceHash', '<>', spared!))
    .$call(run(queries))

export const sweepDevices = (queries: Queries, before: Date): Promise<void> =>
  statement.deleteFrom('knownDevice').where('lastUsedAt', '<', instant(before)).$call(run(queries))
