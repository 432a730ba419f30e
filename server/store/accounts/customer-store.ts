import type { NotNull } from 'kysely'
import type { Queries } from '../../db/database.ts'
import { firstRow, instant, run, statement } from '../../db/statement.ts'

/**
 * A customer as request handlers need it. Deleted accounts, whose columns are `null`, are never read through
 * this.
 */
export interface Customer {
  id: string
  account: string
  phone: string
  nickname: string
  realName: string | null
  gender: number
  headFile: string | null
  customerType: number
  vipStart: string | null
  vipEnd: string | null
  providerSince: string | null
}

const COLUMNS = [
  'id',
  'account',
  'phone',
  'nickname',
  'realName',
  'gender',
  'headFile',
  'customerType',
  'vipStart',
  'vipEnd',
  'providerSince',
] as const

const customers = statement
  .selectFrom('customer')
  .select(COLUMNS)
  .where('deletedAt', 'is', null)
  .$narrowType<{ account: NotNull; phone: NotNull; nickname: NotNull }>()

const customerOf = (id: string) =>
  statement.updateTable('customer').where('id', '=', id).where('deletedAt', 'is', null)

export const readCustomer = (queries: Queries, id: string): Promise<Customer | null> =>
  firstRow(queries, customers.where('id', '=', id))

/**
 * Like `readCustomer`, but locks the row until the transaction ends, so that decisions based on it stay
 * valid. Rows that only reference the customer can still be written without waiting, which avoids deadlocks.
 */
export const lockCustomer = (queries: Queries, id: string): Promise<Customer | null> =>
  firstRow(queries, customers.where('id', '=', id).forNoKeyUpdate())

export interface SignInRow {
  id: string
  passwordHash: string | null
}

/** Finds a customer by account name or by phone; both are unique. */
export const findForSignIn = (
  queries: Queries,
  account: string,
  phone: string | null,
): Promise<SignInRow | null> =>
  firstRow(
    queries,
    statement
      .selectFrom('customer')
      .select(['id', 'passwordHash'])
      .where(({ eb, or }) =>
        or([eb('account', '=', account), ...(phone === null ? [] : [eb('phone', '=', phone)])]),
      )
      .where('deletedAt', 'is', null)
      .orderBy(({ eb }) => eb('account', '=', account), 'desc')
      .limit(1),
  )

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Finds a customer by account name, phone or id. */
export const findByAccount = (queries: Queries, account: string): Promise<Customer | null> =>
  firstRow(
    queries,
    customers.where(({ eb, or }) =>
      or([
        eb('account', '=', account),
        eb('phone', '=', account),
        ...(UUID.test(account) ? [eb('id', '=', account)] : []),
      ]),
    ),
  )

export interface NewCustomer {
  id: string
  account: string
  phone: string
  passwordHash: string | null
  nickname: string
  gender: number
  inviterId: string | null
  providerId: string | null
  demonstration: boolean
}

/** Inserts a customer. Returns `false` if the account or the phone already exists. */
export async function insertCustomer(queries: Queries, row: NewCustomer, now: Date): Promise<boolean> {
  const written = await firstRow(
    queries,
    statement
      .insertInto('customer')
      .values({
        id: row.id,
        account: row.account,
        phone: row.phone,
        passwordHash: row.passwordHash,
        nickname: row.nickname,
        gender: row.gender,
        inviterId: row.inviterId,
        providerId: row.providerId,
        demonstration: row.demonstration,
        createdAt: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  )
  return written !== null
}

/** The phone number of an account; `null` if the account was deleted. */
export async function readPhone(queries: Queries, id: string): Promise<string | null> {
  const row = await firstRow(queries, statement.selectFrom('customer').select('phone').where('id', '=', id))
  return row?.phone ?? null
}

export async function readPasswordHash(queries: Queries, id: string): Promise<string | null> {
  const row = await firstRow(
    queries,
    statement
      .selectFrom('customer')
      .select('passwordHash')
      .where('id', '=', id)
      .where('deletedAt', 'is', null),
  )
  return row?.passwordHash ?? null
}

export const writePasswordHash = (queries: Queries, id: string, hash: string): Promise<void> =>
  run(queries, customerOf(id).set({ passwordHash: hash }))

/** Changes what is given; an empty real name removes it. */
export const updateProfile = (
  queries: Queries,
  id: string,
  change: { nickname?: string | undefined; realName?: string | undefined; gender?: number | undefined },
): Promise<void> =>
  run(
    queries,
    customerOf(id).set(({ ref }) => ({
      nickname: change.nickname ?? ref('nickname'),
      gender: change.gender ?? ref('gender'),
      realName: change.realName === undefined ? ref('realName') : change.realName || null,
    })),
  )

export async function writeHeadFile(queries: Queries, id: string, fileId: string): Promise<void> {
  await run(
    queries,
    statement
      .deleteFrom('storedFile')
      .where('id', '=', ({ selectFrom }) => selectFrom('customer').select('headFile').where('id', '=', id))
      .where('customerId', '=', id),
  )
  await run(queries, customerOf(id).set({ headFile: fileId }))
}

export const writeVip = (
  queries: Queries,
  id: string,
  { customerType, start, end }: { customerType: number; start: Date | null; end: Date | null },
): Promise<void> =>
  run(
    queries,
    statement
      .updateTable('customer')
      .set({ customerType, vipStart: start, vipEnd: end })
      .where('id', '=', id),
  )

/** Tables whose rows go with their customer. */
const PERSONAL = [
  'storedFile',
  'securityEvent',
  'oneTimeLink',
  'analyticsToken',
  'note',
  'savedView',
  'frozenRule',
] as const

/** Deletes a customer's personal data from all tables; orders and ledger rows keep only the key. */
export async function eraseCustomer(queries: Queries, id: string, now: Date): Promise<void> {
  await run(
    queries,
    statement
      .deleteFrom('verificationCode')
      .where('phone', '=', ({ selectFrom }) => selectFrom('customer').select('phone').where('id', '=', id)),
  )
  await run(
    queries,
    statement
      .updateTable('customer')
      .set({
        account: null,
        phone: null,
        passwordHash: null,
        nickname: null,
        realName: null,
        gender: 0,
        headFile: null,
        deletedAt: now,
      })
      .where('id', '=', id),
  )
  await run(
    queries,
    statement
      .updateTable('bankCard')
      .set(({ fn }) => ({
        name: null,
        bank: null,
        numberSealed: null,
        lastFour: null,
        numberHash: null,
        removedAt: fn.coalesce('removedAt', instant(now)),
      }))
      .where('customerId', '=', id),
  )
  await run(
    queries,
    statement
      .updateTable('providerApplication')
      .set({ account: null, nickname: null, name: null, phone: null })
      .where('customerId', '=', id),
  )
  for (const table of PERSONAL) await run(queries, statement.deleteFrom(table).where('customerId', '=', id))
  await run(
    queries,
    statement.updateTable('visit').set({ customerId: null, clientId: '' }).where('customerId', '=', id),
  )
  await run(
    queries,
    statement
      .updateTable('accessToken')
      .set({ revokedAt: now })
      .where('customerId', '=', id)
      .where('revokedAt', 'is', null),
  )
}
