import { sql, type NotNull } from 'kysely'
import type { Queries } from '../../db/database.ts'
import { allRows, countRows, firstRow, run, statement } from '../../db/statement.ts'

export interface CardRow {
  id: string
  name: string
  bank: string
  lastFour: string
  createTime: string
}

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

export const listCards = (queries: Queries, customerId: string): Promise<CardRow[]> =>
  allRows(queries, cardsOf(customerId).orderBy('id'))

export const readCard = (queries: Queries, customerId: string, id: string): Promise<CardRow | null> =>
  firstRow(queries, cardsOf(customerId).where('id', '=', id))

export interface NewCard {
  id: string
  customerId: string
  name: string
  bank: string
  sealed: string
  lastFour: string
  hash: string
}

/** Stores a bank card; returns `null` if the customer already has this card. */
export const insertCard = (queries: Queries, card: NewCard, now: Date): Promise<CardRow | null> =>
  firstRow(
    queries,
    statement
      .insertInto('bankCard')
      .values({
        id: card.id,
        customerId: card.customerId,
        name: card.name,
        bank: card.bank,
        numberSealed: card.sealed,
        lastFour: card.lastFour,
        numberHash: card.hash,
        createdAt: now,
      })
      .onConflict((conflict) =>
        conflict.columns(['customerId', 'numberHash']).where('removedAt', 'is', null).doNothing(),
      )
      .returning(CARD)
      .$narrowType<WholeCard>(),
  )

/** Removes a customer's card. Returns whether the customer had it. */
export async function removeCard(
  queries: Queries,
  customerId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const removed = await firstRow(
    queries,
    statement
      .updateTable('bankCard')
      .set({ removedAt: now })
      .where('customerId', '=', customerId)
      .where('id', '=', id)
      .where('removedAt', 'is', null)
      .returning('id'),
  )
  return removed !== null
}

export interface WithdrawalRow {
  id: string
  customerId: string
  cardId: string
  name: string
  bank: string
  lastFour: string
  cents: number
  state: 'waiting' | 'paid' | 'refused'
  createTime: string
  decideTime: string | null
}

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

export const readWithdrawal = (queries: Queries, id: string): Promise<WithdrawalRow | null> =>
  firstRow(queries, withdrawals.where('withdrawal.id', '=', id))

export const insertWithdrawal = (
  queries: Queries,
  withdrawal: { id: string; customerId: string; cardId: string; cents: number },
  now: Date,
): Promise<void> => {
  const { id, customerId, cardId, cents } = withdrawal
  return run(
    queries,
    statement
      .insertInto('withdrawal')
      .values({ id, customerId, cardId, cents, state: 'waiting', createdAt: now }),
  )
}

/** A page of the withdrawals of a customer or of all, in a state or in any, newest first. */
export async function listWithdrawals(
  queries: Queries,
  filter: {
    customerId: string | null
    state: WithdrawalRow['state'] | null
    limit: number
    offset: number
  },
): Promise<{ records: WithdrawalRow[]; total: number }> {
  const { customerId, state, limit, offset } = filter
  const records = await allRows(
    queries,
    withdrawals
      .$if(customerId !== null, (all) => all.where('withdrawal.customerId', '=', customerId!))
      .$if(state !== null, (all) => all.where('withdrawal.state', '=', state!))
      .orderBy('withdrawal.createdAt', 'desc')
      .orderBy('withdrawal.id', 'desc')
      .limit(limit)
      .offset(offset),
  )
  const total = await countRows(
    queries,
    statement
      .selectFrom('withdrawal')
      .$if(customerId !== null, (all) => all.where('customerId', '=', customerId!))
      .$if(state !== null, (all) => all.where('state', '=', state!)),
  )
  return { records, total }
}

/** Decides a waiting withdrawal. Returns whether it was waiting. */
export async function decideWithdrawal(
  queries: Queries,
  id: string,
  state: 'paid' | 'refused',
  now: Date,
): Promise<boolean> {
  const decided = await firstRow(
    queries,
    statement
      .updateTable('withdrawal')
      .set({ state, decidedAt: now })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .returning('id'),
  )
  return decided !== null
}

/** The sealed card number of a waiting withdrawal. */
export const readSealedNumber = (
  queries: Queries,
  withdrawalId: string,
): Promise<{ cardId: string; numberSealed: string } | null> =>
  firstRow(
    queries,
    statement
      .selectFrom('withdrawal')
      .innerJoin('bankCard', 'bankCard.id', 'withdrawal.cardId')
      .select(['bankCard.id as cardId', 'bankCard.numberSealed'])
      .where('withdrawal.id', '=', withdrawalId)
      .where('withdrawal.state', '=', 'waiting')
      .where('bankCard.numberSealed', 'is not', null)
      .$narrowType<{ numberSealed: NotNull }>(),
  )

/** Refuses a customer's waiting withdrawals. */
export const refuseWaiting = (queries: Queries, customerId: string, now: Date): Promise<void> =>
  run(
    queries,
    statement
      .updateTable('withdrawal')
      .set({ state: 'refused', decidedAt: now })
      .where('customerId', '=', customerId)
      .where('state', '=', 'waiting'),
  )
