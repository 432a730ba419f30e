import { FurlongError } from '../../domain/errors.ts'
import { businessDay, isVipAt } from '../../domain/membership.ts'
import { lockCustomer } from '../store/accounts/customer-store.ts'
import { hasRace, isPredicted } from '../store/racing/race-store.ts'
import {
  insertSubscription,
  readBalances,
  readSubscription,
  spendVoucher,
} from '../store/accounts/voucher-store.ts'
import { loadConfig, numberOf } from '../store/operation/config.ts'
import { attempt } from './limits.ts'
import type { Service } from './service.ts'

/**
 * Unlocks a race for a customer permanently, using a daily voucher first, then a no-expiry one, and none for
 * a VIP. An unlocked race costs nothing again. The customer is locked meanwhile, so that two calls cannot
 * spend the same voucher. Throws `no-such-race`, `session-ended`, `no-voucher`, `not-predicted` (with nothing written) for a
 * race without a prediction, and `too-many` for a VIP who unlocks more races than a person would.
 */
export async function subscribe(service: Service, customerId: string, raceId: string) {
  const { database, now } = service
  if (!(await hasRace(database, raceId))) throw new FurlongError('no-such-race')
  const quota = numberOf(await loadConfig(database), 'everyDayFreeNum')
  return database.transaction(async (queries) => {
    const at = now()
    const day = businessDay(at)
    const customer = await lockCustomer(queries, customerId)
    if (customer === null) throw new FurlongError('session-ended')
    let paidWith = await readSubscription(queries, customerId, raceId)
    if (paidWith === null) {
      const isVip = isVipAt(at, customer.vipEnd)
      if (!isVip && !(await isPredicted(queries, raceId))) throw new FurlongError('not-predicted')
      // A race unlocked as a VIP stays unlocked, so the rate is limited: otherwise all of history could be
      // unlocked at once.
      if (isVip) await attempt({ ...service, database: queries }, { 'vip open account': customerId })
      paidWith = isVip
        ? 'vip'
        : await spendVoucher(queries, { customerId, day, quota, reference: raceId }, at)
      if (paidWith === null) throw new FurlongError('no-voucher')
      await insertSubscription(queries, customerId, raceId, paidWith, at)
      // An import may have been undone since: it waits for what has been inserted here, or this for its end.
      if (!(await hasRace(queries, raceId))) throw new FurlongError('no-such-race')
    }
    const left = await readBalances(queries, customerId, day, quota)
    return { paidWith, everyDayFreeNum: left.daily, subscribeFreeNum: left.noExpiry }
  })
}
