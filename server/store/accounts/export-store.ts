import { sql, type Compilable } from 'kysely'
import type { Queries } from '../../db/database.ts'
import { allRows, statement } from '../../db/statement.ts'

/** What a customer's export contains, by its name there: every table with the customer's rows, except secrets. */
const EXPORTED: Readonly<Record<string, (id: string) => Compilable<object>>> = {
  account: (id) =>
    statement
      .selectFrom('customer')
      .select(['account', 'phone', 'nickname', 'realName', 'gender', 'customerType', 'vipStart', 'vipEnd'])
      .select(['providerSince', 'inviterId', 'providerId', 'createdAt'])
      .where('id', '=', id),
  balances: (id) =>
    statement
      .selectFrom('voucherWallet')
      .select([sql<string | null>`null::date`.as('day'), 'balance'])
      .where('customerId', '=', id)
      .unionAll(statement.selectFrom('dailyVoucher').select(['day', 'balance']).where('customerId', '=', id))
      .orderBy('day'),
  pictures: (id) =>
    statement
      .selectFrom('storedFile')
      .select(['id', 'mediaType', 'createdAt'])
      .select(sql<string>`'/sys/common/static/' || id || '.webp'`.as('address'))
      .where('customerId', '=', id)
      .orderBy('id'),
  vouchers: (id) =>
    statement
      .selectFrom('voucherLedger')
      .select(['day', 'reason', 'amount', 'balanceBefore', 'balanceAfter', 'reference', 'createdAt'])
      .where('customerId', '=', id)
      .orderBy('id'),
  subscriptions: (id) =>
    statement
      .selectFrom('subscription')
      .select(['raceId', 'paidWith', 'createdAt'])
      .where('customerId', '=', id)
      .orderBy('createdAt')
      .orderBy('raceId'),
  orders: (id) =>
    statement
      .selectFrom('vipOrder')
      .select(['id', 'planId', 'months', 'originalCents', 'amountCents', 'state'])
      .select(['createdAt', 'paidAt', 'closedAt', 'refundedAt'])
      .where('customerId', '=', id)
      .orderBy('id'),
  activations: (id) =>
    statement
      .selectFrom('vipActivation')
      .select(['activatedAt', 'vipStart', 'vipEnd', 'months', 'cancelledAt'])
      .where('customerId', '=', id)
      .orderBy('id'),
  shares: (id) =>
    statement
      .selectFrom('shareLog')
      .select(['rewardAmount', 'beforeNum', 'afterNum', 'createdAt'])
      .where('customerId', '=', id)
      .orderBy('id'),
  applications: (id) =>
    statement
      .selectFrom('providerApplication')
      .select(['account', 'nickname', 'name', 'phone', 'status', 'createdAt', 'decidedAt'])
      .where('customerId', '=', id)
      .orderBy('id'),
  bankCards: (id) =>
    statement
      .selectFrom('bankCard')
      .select(['name', 'bank', 'lastFour', 'createdAt', 'removedAt'])
      .where('customerId', '=', id)
      .orderBy('id'),
  withdrawals: (id) =>
    statement
      .selectFrom('withdrawal')
      .select(['cents', 'state', 'createdAt', 'decidedAt'])
      .where('customerId', '=', id)
      .orderBy('id'),
  instalments: (id) =>
    statement
      .selectFrom('instalment')
      .select(['orderId', 'number', 'cents', 'settlesOn', 'cancelledAt'])
      .where('providerId', '=', id)
      .orderBy('orderId')
      .orderBy('number'),
  visits: (id) =>
    statement
      .selectFrom('visit')
      .select(['page', 'channel', 'at'])
      .where('customerId', '=', id)
      .orderBy('id'),
  securityEvents: (id) =>
    statement
      .selectFrom('securityEvent')
      .select(['kind', 'at'])
      .where('customerId', '=', id)
      .orderBy('at')
      .orderBy('id'),
  analyticsTokens: (id) =>
    statement
      .selectFrom('analyticsToken')
      .select(['name', 'createdAt', 'lastUsedAt', 'revokedAt'])
      .where('customerId', '=', id)
      .orderBy('createdAt'),
  savedViews: (id) =>
    statement
      .selectFrom('savedView')
      .select(['regionId', 'name', 'address', 'followed', 'createdAt', 'updatedAt'])
      .where('customerId', '=', id)
      .orderBy('regionId')
      .orderBy('position'),
  notes: (id) =>
    statement
      .selectFrom('note')
      .leftJoin('savedView', 'savedView.id', 'note.savedViewId')
      .select(['note.regionId', 'note.horseId', 'note.raceId', 'savedView.name as savedView'])
      .select(['note.content', 'note.createdAt', 'note.updatedAt'])
      .where('note.customerId', '=', id)
      .orderBy('note.createdAt')
      .orderBy('note.id'),
  frozenRules: (id) =>
    statement
      .selectFrom('frozenRule')
      .select(['regionId', 'name', 'address', 'universe', 'filter', 'rules', 'plan', 'frozenAt', 'endedAt'])
      .select(FROZEN_BETS.as('bets'))
      .where('customerId', '=', id)
      .orderBy('frozenAt'),
  signIns: (id) =>
    statement
      .selectFrom('accessToken')
      .select(['createdAt', 'lastUsedAt', 'revokedAt'])
      .where('customerId', '=', id)
      .orderBy('createdAt'),
}

/** The bets of a frozen rule as a JSON text. */
const FROZEN_BETS = sql<string>`(
  select coalesce(json_agg(json_build_object('raceId', race_id, 'gameplayClass', gameplay_class,
    'combination', combination, 'odds', odds) order by race_id, gameplay_class, combination), '[]')::text
  from frozen_bet where rule_id = frozen_rule.id)`

/** All stored data of a customer, by table, except secrets. */
export async function readEverything(queries: Queries, id: string): Promise<Record<string, object[]>> {
  const everything: Record<string, object[]> = {}
  for (const [name, select] of Object.entries(EXPORTED)) everything[name] = await allRows(queries, select(id))
  return everything
}
