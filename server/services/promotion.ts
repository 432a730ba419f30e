import { centsText } from '../../domain/money.ts'
import { FurlongError } from '../../domain/errors.ts'
import { businessDay } from '../../domain/membership.ts'
import type { Queries } from '../db/database.ts'
import { lockCustomer } from '../store/accounts/customer-store.ts'
import { newId } from '../db/id.ts'
import * as promotion from '../store/accounts/promotion-store.ts'
import type { ApplicationRow, PromotionTotals } from '../store/accounts/promotion-store.ts'
import * as payouts from '../store/accounts/payout-store.ts'
import type { CardRow, WithdrawalRow } from '../store/accounts/payout-store.ts'
import { attempt } from './limits.ts'
import type { Service } from './service.ts'
import type { Viewer } from './viewer.ts'

/** Fees settled by today, minus paid and pending withdrawals (decisions section 7). */
export const withdrawableCents = (totals: PromotionTotals): number =>
  totals.settledCents - totals.withdrawnCents - totals.waitingCents

/** Applies to become a provider. Throws `already-provider`, `already-applied`, `session-ended`. */
export async function applyAsProvider(
  { database, now }: Service,
  viewer: Viewer,
  form: Record<'account' | 'nickname' | 'name' | 'phone', string>,
): Promise<ApplicationRow> {
  const written = await database.transaction(async (queries) => {
    const customer = await lockCustomer(queries, viewer.id)
    if (customer === null) throw new FurlongError('session-ended')
    if (customer.providerSince !== null) throw new FurlongError('already-provider')
    return promotion.insertApplication(queries, { customerId: viewer.id, ...form }, now())
  })
  if (written === null) throw new FurlongError('already-applied')
  return written
}

/** Applies the operator's decision. Throws `already-decided` if the application is not open. */
export async function decideProvider(
  { database, now }: Service,
  applicationId: string,
  status: 'approved' | 'refused',
): Promise<void> {
  await database.transaction(async (queries) => {
    const applicant = await promotion.applicantOf(queries, applicationId)
    // The customer is locked first, as everywhere, to avoid deadlocks.
    if (applicant !== null) await lockCustomer(queries, applicant)
    const customerId = await promotion.decideApplication(queries, applicationId, status, now())
    if (customerId === null) throw new FurlongError('already-decided')
    if (status === 'approved') await promotion.makeProvider(queries, customerId, now())
  })
}

/** Stores a bank card with its number encrypted. Throws `card-known`, `too-many`, `session-ended`. */
export async function storeCard(
  service: Service,
  customerId: string,
  { name, bank, cardNumber }: Record<'name' | 'bank' | 'cardNumber', string>,
): Promise<CardRow> {
  const { database, keys, now } = service
  await attempt(service, { 'card account': customerId })
  const id = newId()
  const stored = await database.transaction(async (queries) => {
    // Locks the customer, so that no personal data is written after the account is deleted.
    if ((await lockCustomer(queries, customerId)) === null) throw new FurlongError('session-ended')
    const numberSealed = keys.seal(`bank card ${id}`, cardNumber)
    const numberHash = keys.hash('bank card', cardNumber)
    const lastFour = cardNumber.slice(-4)
    const card = { id, customerId, name, bank, numberSealed, lastFour, numberHash }
    return payouts.insertCard(queries, card, now())
  })
  if (stored === null) throw new FurlongError('card-known')
  return stored
}

/**
 * Requests the withdrawal of settled fees. The provider's row is locked while the balance is computed, so
 * that concurrent requests cannot exceed it together. The same `requestId` is the same request, and another
 * amount or card under it is refused. Throws `session-ended`, `not-provider`, `not-allowed` for another
 * customer's request, `request-differs`, `not-found` for a card that is not theirs, `more-than-withdrawable`.
 * `isNew`: this call created the withdrawal, rather than repeating an earlier request.
 */
export async function askWithdrawal(
  { database, now }: Service,
  customerId: string,
  { requestId: id, cardId, cents }: { requestId: string; cardId: string; cents: number },
): Promise<{ withdrawal: WithdrawalRow; withdrawableCents: number; isNew: boolean }> {
  return database.transaction(async (queries) => {
    const customer = await lockCustomer(queries, customerId)
    if (customer === null) throw new FurlongError('session-ended')
    if (customer.providerSince === null) throw new FurlongError('not-provider')
    const before = await payouts.readWithdrawal(queries, id)
    if (before !== null && before.customerId !== customerId) throw new FurlongError('not-allowed')
    if (before !== null && (before.cents !== cents || before.cardId !== cardId))
      throw new FurlongError('request-differs')
    if (before === null) {
      if ((await payouts.readCard(queries, customerId, cardId)) === null) throw new FurlongError('not-found')
      const left = await withdrawableNow(queries, customerId, now())
      if (cents > left)
        throw new FurlongError('more-than-withdrawable', { withdrawable: centsText(Math.max(0, left)) })
      await payouts.insertWithdrawal(queries, { id, customerId, cardId, cents }, now())
    }
    return {
      withdrawal: (await payouts.readWithdrawal(queries, id))!,
      withdrawableCents: await withdrawableNow(queries, customerId, now()),
      isNew: before === null,
    }
  })
}

const withdrawableNow = async (queries: Queries, customerId: string, now: Date): Promise<number> =>
  withdrawableCents(await promotion.readTotals(queries, customerId, businessDay(now)))

/** Records that the operator paid or refused a withdrawal. Throws `already-decided`. */
export async function settleWithdrawal(
  { database, now }: Service,
  id: string,
  state: 'paid' | 'refused',
): Promise<void> {
  if (!(await payouts.decideWithdrawal(database, id, state, now()))) throw new FurlongError('already-decided')
}
