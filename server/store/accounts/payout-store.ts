import { sql, type InferResult, type Insertable, type NotNull } from 'kysely'
import type { Queries } from '../../db/database.ts'
import { allRows, anyRow, countRows, firstRow, run, statement } from '../../db/statement.ts'
import type { Tables } from '../../db/tables.ts'

const CARD = ['id', 'name', 'bank', 'lastFour', 'createdAt as createTime'] as const
/** Only a removed card of a deleted account lacks them. */
type WholeCard = { name: NotNull; bank: NotNull; lastFour: NotNull }

const cardsOf = (customerId: string) =>
  statement
    .selectFrom('bankCard')
    .select(CARD)
    .where('customerId', '=', customerId)
    .where('removedAt', 'is', null)
    .$narrowType<WholeCard>()
export type CardRow = InferResult<ReturnType<typeof cardsOf>>[number]

export const listCards = (queries: Queries, customerId: string): Promise<CardRow[]> =>
  cardsOf(customerId).orderBy('id').$call(allRows(queries))

export const readCard = (queries: Queries, customerId: string, id: string): Promise<CardRow | null> =>
  cardsOf(customerId).where('id', '=', id).$call(firstRow(queries))

/** Stores a bank card; returns `null` if the customer already has this card. */
export const insertCard = (
  queries: Queries,
  card: Omit<Insertable<Tables['bankCard']>, 'createdAt' | 'removedAt'>,
  now: Date,
): Promise<CardRow | null> =>
  statement
    .insertInto('bankCard')
    .values({ ...card, createdAt: now })
    .onConflict((conflict) =>
      conflict.columns(['customerId', 'numberHash']).where('removedAt', 'is', null).doNothing(),
    )
    .returning(CARD)
    .$narrowType<WholeCard>()
    .$call(firstRow(queries))

/** Removes a customer's card. Returns whether the customer had it. */
export const removeCard = (queries: Queries, customerId: string, id: string, now: Date): Promise<boolean> =>
  statement
    .updateTable('bankCard')
    .set({ removedAt: now })
    .where('customerId', '=', customerId)
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .returning('id')
    .$call(anyRow(queries))

/** Withdrawals with their cards, whose facts are empty once the account is deleted. */
const withdrawals = statement
  .selectFrom('withdrawal')
  .innerJoin('bankCard', 'bankCard.id', 'withdrawal.cardId')
  .select(({ fn }) => [
    'withdrawal.id',
    'withdrawal.customerId',
    'withdrawal.cardId',
    fn.coalesce('bankCard.name', sql.lit('')).as('name'),
    fn.coalesce('bankCard.bank', sql.lit('')).as('bank'),
    fn.coalesce('bankCard.lastFour', sql.lit('')).as('lastFour'),
    'withdrawal.cents',
    'withdrawal.state',
    'withdrawal.createdAt as createTime',
    'withdrawal.decidedAt as decideTime',
  ])
export type WithdrawalRow = InferResult<typeof withdrawals>[number]

export const readWithdrawal = (queries: Queries, id: string): Promise<WithdrawalRow | null> =>
  withdrawals.where('withdrawal.id', '=', id).$call(firstRow(queries))

export const insertWithdrawal = (
  queries: Queries,
  withdrawal: { id: string; customerId: string; cardId: string; cents: number },
  now: Date,
): Promise<void> => {
  const { id, customerId, cardId, cents } = withdrawal
  return statement
    .insertInto('withdrawal')
    .values({ id, customerId, cardId, cents, state: 'waiting', createdAt: now })
    .$call(run(queries))
}

/** A page of the withdrawals of a customer or of all, in a state or in any, newest first. */
export async function listWithdrawals(
  queries: Queries,
  filter: { customerId: string | null; state: WithdrawalRow['state'] | null; limit: number; offset: number },
): Promise<{ records: WithdrawalRow[]; total: number }> {
  const { customerId, state, limit, offset } = filter
  const found = withdrawals
    .$if(customerId !== null, (all) => all.where('withdrawal.customerId', '=', customerId!))
    .$if(state !== null, (all) => all.where('withdrawal.state', '=', state!))
  const page = found
    .orderBy('withdrawal.createdAt', 'desc')
    .orderBy('withdrawal.id', 'desc')
    .limit(limit)
    .offset(offset)
  return {
    records: await page.$call(allRows(queries)),
    total: await found.clearSelect().$call(countRows(queries)),
  }
}

/** Decides a waiting withdrawal. Returns whether it was waiting. */
export const decideWithdrawal = (
  queries: Queries,
  id: string,
  state: 'paid' | 'refused',
  now: Date,
): Promise<boolean> =>
  statement
    .updateTable('withdrawal')
    .set({ state, decidedAt: now })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning('id')
    .$call(anyRow(queries))

/** The sealed card number of a waiting withdrawal. */
export const readSealedNumber = (queries: Queries, withdrawalId: string) =>
  statement
    .selectFrom('withdrawal')
    .innerJoin('bankCard', 'bankCard.id', 'withdrawal.cardId')
    .select(['bankCard.id as cardId', 'bankCard.numberSealed'])
    .where('withdrawal.id', '=', withdrawalId)
    .where('withdrawal.state', '=', 'waiting')
    .where('bankCard.numberSealed', 'is not', null)
    .$narrowType<{ numberSealed: NotNull }>()
    .$call(firstRow(queries))

/** Refuses a customer's waiting withdrawals. */
export const refuseWaiting = (queries: Queries, customerId: string, now: Date): Promise<void> =>
  statement
    .updateTable('withdrawal')
    .set({ state: 'refused', decidedAt: now })
    .where('customerId', '=', customerId)
    .where('state', '=', 'waiting')
    .$call(run(queries))
