import type { InferResult, Insertable, NotNull } from 'kysely'
import type { Queries } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { anyRow, firstRow, instant, oneValue, run, statement } from '../../db/statement.ts'
import { CODE_TABLES } from './code-store.ts'

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

/**
 * A customer as request handlers need it. Deleted accounts, whose columns are `null`, are never read through
 * this.
 */
export type Customer = InferResult<typeof customers>[number]

const customerOf = (id: string) =>
  statement.updateTable('customer').where('id', '=', id).where('deletedAt', 'is', null)

export const readCustomer = (queries: Queries, id: string): Promise<Customer | null> =>
  customers.where('id', '=', id).$call(firstRow(queries))

/**
 * Like `readCustomer`, but locks the row until the transaction ends, so that decisions based on it stay
 * valid. Rows that only reference the customer can still be written without waiting, which avoids deadlocks.
 */
export const lockCustomer = (queries: Queries, id: string): Promise<Customer | null> =>
  customers.where('id', '=', id).forNoKeyUpdate().$call(firstRow(queries))

/** Finds a customer by account name or by phone; both are unique. */
export const findForSignIn = (queries: Queries, account: string, phone: string | null) =>
  statement
    .selectFrom('customer')
    .select(['id', 'passwordHash'])
    .where(({ eb, or }) =>
      or([eb('account', '=', account), ...(phone === null ? [] : [eb('phone', '=', phone)])]),
    )
    .where('deletedAt', 'is', null)
    .orderBy(({ eb }) => eb('account', '=', account), 'desc')
    .limit(1)
    .$call(firstRow(queries))

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Finds a customer by account name, phone or id. */
export const findByAccount = (queries: Queries, account: string): Promise<Customer | null> =>
  customers
    .where(({ eb, or }) =>
      or([
        eb('account', '=', account),
        eb('phone', '=', account),
        ...(UUID.test(account) ? [eb('id', '=', account)] : []),
      ]),
    )
    .$call(firstRow(queries))

export type NewCustomer = Omit<Insertable<Tables['customer']>, 'createdAt'>

/** Inserts a customer. Returns `false` if the account or the phone already exists. */
export const insertCustomer = (queries: Queries, row: NewCustomer, now: Date): Promise<boolean> =>
  statement
    .insertInto('customer')
    .values({ ...row, createdAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .$call(anyRow(queries))

/** The phone number of an account; `null` if the account was deleted. */
export const readPhone = (queries: Queries, id: string): Promise<string | null> =>
  statement.selectFrom('customer').select('phone').where('id', '=', id).$call(oneValue(queries))

export const readPasswordHash = (queries: Queries, id: string): Promise<string | null> =>
  statement
    .selectFrom('customer')
    .select('passwordHash')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .$call(oneValue(queries))

export const writePasswordHash = (queries: Queries, id: string, hash: string): Promise<void> =>
  customerOf(id).set({ passwordHash: hash }).$call(run(queries))

/** Changes what is given; an empty real name removes it. */
export const updateProfile = (
  queries: Queries,
  id: string,
  change: { nickname?: string | undefined; realName?: string | undefined; gender?: number | undefined },
): Promise<void> =>
  customerOf(id)
    .set(({ ref }) => ({
      nickname: change.nickname ?? ref('nickname'),
      gender: change.gender ?? ref('gender'),
      realName: change.realName === undefined ? ref('realName') : change.realName || null,
    }))
    .$call(run(queries))

export async function writeHeadFile(queries: Queries, id: string, fileId: string): Promise<void> {
  await statement
    .deleteFrom('storedFile')
    .where('id', '=', ({ selectFrom }) => selectFrom('customer').select('headFile').where('id', '=', id))
    .where('customerId', '=', id)
    .$call(run(queries))
  await customerOf(id).set({ headFile: fileId }).$call(run(queries))
}

export const writeVip = (
  queries: Queries,
  id: string,
  vip: { customerType: number; vipStart: Date | null; vipEnd: Date | null },
): Promise<void> => statement.updateTable('customer').set(vip).where('id', '=', id).$call(run(queries))

/** Tables whose rows go with their customer. */
const PERSONAL = [
  'message',
  'storedFile',
  'securityEvent',
  'knownDevice',
  'oneTimeLink',
  'analyticsToken',
  'note',
  'follow',
  'runnerMark',
  'alert',
  'alertSetting',
  'alertEmail',
  'pushDevice',
  'savedView',
  'frozenRule',
] as const

/** Deletes a customer's personal data from all tables; orders and ledger rows keep only the key. */
export async function eraseCustomer(queries: Queries, id: string, now: Date): Promise<void> {
  for (const table of CODE_TABLES)
    await statement
      .deleteFrom(table)
      .where('phone', '=', ({ selectFrom }) => selectFrom('customer').select('phone').where('id', '=', id))
      .$call(run(queries))
  await statement
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
    .where('id', '=', id)
    .$call(run(queries))
  await statement
    .updateTable('bankCard')
    .set(({ fn }) => ({
      name: null,
      bank: null,
      numberSealed: null,
      lastFour: null,
      numberHash: null,
      removedAt: fn.coalesce('removedAt', instant(now)),
    }))
    .where('customerId', '=', id)
    .$call(run(queries))
  await statement
    .updateTable('providerApplication')
    .set({ account: null, nickname: null, name: null, phone: null })
    .where('customerId', '=', id)
    .$call(run(queries))
  for (const table of PERSONAL)
    await statement.deleteFrom(table).where('customerId', '=', id).$call(run(queries))
  await statement
    .updateTable('visit')
    .set({ customerId: null, clientId: '' })
    .where('customerId', '=', id)
    .$call(run(queries))
  await statement
    .updateTable('accessToken')
    .set({ revokedAt: now })
    .where('customerId', '=', id)
    .where('revokedAt', 'is', null)
    .$call(run(queries))
}
