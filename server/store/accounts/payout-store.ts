import type { Queries } from '../../db/database.ts'

export interface CardRow {
  id: string
  name: string
  bank: string
  lastFour: string
  createTime: string
}

const CARD = `id, name, bank, last_four as "lastFour", created_at as "createTime"`

export async function listCards({ rows }: Queries, customerId: string): Promise<CardRow[]> {
  return rows(
    `select ${CARD} from bank_card where customer_id = $1::uuid and removed_at is null order by id`,
    [customerId],
  )
}

export async function readCard({ rows }: Queries, customerId: string, id: string): Promise<CardRow | null> {
  const [row] = await rows<CardRow>(
    `select ${CARD} from bank_card where customer_id = $1::uuid and id = $2::uuid and removed_at is null`,
    [customerId, id],
  )
  return row ?? null
}

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
export async function insertCard({ rows }: Queries, card: NewCard, now: Date): Promise<CardRow | null> {
  const [row] = await rows<CardRow>(
    `insert into bank_card (id, customer_id, name, bank, number_sealed, last_four, number_hash, created_at)
     values ($1::uuid, $2::uuid, $3, $4, $5, $6, $7, $8)
     on conflict (customer_id, number_hash) where removed_at is null do nothing returning ${CARD}`,
    [
      card.id,
      card.customerId,
      card.name,
      card.bank,
      card.sealed,
      card.lastFour,
      card.hash,
      now.toISOString(),
    ],
  )
  return row ?? null
}

export async function removeCard(
  { rows }: Queries,
  customerId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const removed = await rows(
    `update bank_card set removed_at = $3 where customer_id = $1::uuid and id = $2::uuid and removed_at is null
     returning id`,
    [customerId, id, now.toISOString()],
  )
  return removed.length === 1
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

const WITHDRAWAL = `w.id, w.customer_id as "customerId", w.card_id as "cardId", coalesce(b.name, '') as name, coalesce(b.bank, '') as bank,
  coalesce(b.last_four, '') as "lastFour", w.cents, w.state, w.created_at as "createTime", w.decided_at as "decideTime"`

export async function readWithdrawal({ rows }: Queries, id: string): Promise<WithdrawalRow | null> {
  const [row] = await rows<WithdrawalRow>(
    `select ${WITHDRAWAL} from withdrawal w join bank_card b on b.id = w.card_id where w.id = $1::uuid`,
    [id],
  )
  return row ?? null
}

export async function insertWithdrawal(
  { rows }: Queries,
  withdrawal: { id: string; customerId: string; cardId: string; cents: number },
  now: Date,
): Promise<void> {
  await rows(
    `insert into withdrawal (id, customer_id, card_id, cents, state, created_at)
     values ($1::uuid, $2::uuid, $3::uuid, $4, 'waiting', $5)`,
    [withdrawal.id, withdrawal.customerId, withdrawal.cardId, withdrawal.cents, now.toISOString()],
  )
}

export async function listWithdrawals(
  { rows }: Queries,
  filter: { customerId: string | null; state: string | null; limit: number; offset: number },
): Promise<{ records: WithdrawalRow[]; total: number }> {
  const where = '($1::uuid is null or w.customer_id = $1::uuid) and ($2::text is null or w.state = $2)'
  const records = await rows<WithdrawalRow>(
    `select ${WITHDRAWAL} from withdrawal w join bank_card b on b.id = w.card_id
     where ${where} order by w.created_at desc, w.id desc limit $3 offset $4`,
    [filter.customerId, filter.state, filter.limit, filter.offset],
  )
  const [count] = await rows<{ total: number }>(`select count(*) as total from withdrawal w where ${where}`, [
    filter.customerId,
    filter.state,
  ])
  return { records, total: count!.total }
}

/** Decides a waiting withdrawal. Returns whether it was waiting. */
export async function decideWithdrawal(
  { rows }: Queries,
  id: string,
  state: 'paid' | 'refused',
  now: Date,
): Promise<boolean> {
  const decided = await rows(
    `update withdrawal set state = $2, decided_at = $3 where id = $1::uuid and state = 'waiting' returning id`,
    [id, state, now.toISOString()],
  )
  return decided.length === 1
}

/** The sealed card number of a waiting withdrawal. */
export async function readSealedNumber(
  { rows }: Queries,
  withdrawalId: string,
): Promise<{ cardId: string; numberSealed: string } | null> {
  const [row] = await rows<{ cardId: string; numberSealed: string | null }>(
    `select b.id as "cardId", b.number_sealed as "numberSealed" from withdrawal w join bank_card b on b.id = w.card_id
     where w.id = $1::uuid and w.state = 'waiting'`,
    [withdrawalId],
  )
  return row && row.numberSealed !== null ? { cardId: row.cardId, numberSealed: row.numberSealed } : null
}

/** Refuses a customer's waiting withdrawals. */
export async function refuseWaiting({ rows }: Queries, customerId: string, now: Date): Promise<void> {
  await rows(
    `update withdrawal set state = 'refused', decided_at = $2 where customer_id = $1::uuid and state = 'waiting'`,
    [customerId, now.toISOString()],
  )
}
