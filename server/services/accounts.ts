import { isCustomerId } from '../../domain/customer-id.ts'
import { FurlongError } from '../../domain/errors.ts'
import { businessDay } from '../../domain/membership.ts'
import { normalisePhone } from '../../domain/phone.ts'
import type { register, SignedIn } from '../../contract/api/account.ts'
import type { BodyOf } from '../../contract/api/endpoint.ts'
import type { Language } from '../../domain/languages.ts'
import type { Queries } from '../db/database.ts'
import * as customers from '../store/accounts/customer-store.ts'
import type { Customer } from '../store/accounts/customer-store.ts'
import { revokeAnalyticsTokens } from '../store/accounts/analytics-token-store.ts'
import { forgetDevices, noteDevice } from '../store/accounts/device-store.ts'
import { newId } from '../db/id.ts'
import { closeOrdersOf } from '../store/accounts/order-store.ts'
import { refuseWaiting } from '../store/accounts/payout-store.ts'
import {
  insertToken,
  ownerOfToken,
  revokeToken,
  revokeTokens,
  takeLink,
} from '../store/accounts/token-store.ts'
import * as vouchers from '../store/accounts/voucher-store.ts'
import { useCode } from './codes.ts'
import { loadConfig, numberOf } from '../store/operation/config.ts'
import { fileUrl } from './pictures.ts'
import { randomToken, tokenHash } from '../db/keys.ts'
import { attempt, counting, forgive, knownCustomer, type Origin } from './limits.ts'
import { checkPassword, hashPassword, requireUncommon } from './passwords.ts'
import { noteSecurity, requirePassword } from './proof.ts'
import { closePage } from './payments.ts'
import type { Service } from './service.ts'
import type { Viewer } from './viewer.ts'

/**
 * Registers a customer with the initial vouchers, links them to their inviter, and rewards the inviter, in
 * one transaction. Throws `wrong-code`, `phone-taken`, `bad-parameters` naming the inviter, `too-many`.
 */
export async function registerCustomer(
  service: Service,
  form: BodyOf<typeof register>,
  origin: Origin,
): Promise<SignedIn> {
  const { database, keys, now } = service
  const { inviter: named, phone, captcha, nickname, gender, password } = form
  await requireUncommon(password)
  await attempt(service, { 'register address': origin.address })
  const code = { phone, purpose: 'register', code: captcha } as const
  // The code is checked before the rest; an unknown inviter, or a queue that is full, does not use it up.
  await useCode(service, code, origin, { spend: false })
  const inviter = named ? await findInviter(database, named) : null
  const passwordHash = await hashPassword(password, { address: origin.address })
  await useCode(service, code, origin)
  const id = newId()
  const token = randomToken()
  const config = await loadConfig(database)
  const written = await database.transaction(async (queries) => {
    const fresh = await customers.insertCustomer(
      queries,
      {
        id,
        account: localForm(phone),
        phone,
        passwordHash,
        nickname,
        gender,
        inviterId: inviter?.id ?? null,
        // A provider's customers are those who registered through the provider's link after the approval.
        providerId: inviter !== null && inviter.providerSince !== null ? inviter.id : null,
        demonstration: false,
      },
      now(),
    )
    if (!fresh) return false
    const person = keys.hash('person', phone)
    const before = await vouchers.meetPerson(queries, person)
    await vouchers.openWallet(queries, id, before === null ? numberOf(config, 'registerFreeNum') : 0, now())
    const today = businessDay(now())
    if (before?.day === today) await vouchers.continueDay(queries, id, today, before.dailyLeft, now())
    if (inviter !== null && before === null && (await vouchers.isNewPerson(queries, person))) {
      await rewardSharer(queries, inviter.id, id, numberOf(config, 'shareReward'), now())
    }
    await insertToken(queries, tokenHash(token), id, now())
    if (origin.device !== null) await noteDevice(queries, id, origin.device, now())
    return true
  })
  if (!written) throw new FurlongError('phone-taken')
  return signedIn(token, (await customers.readCustomer(database, id))!)
}

/** Gives a sharer the vouchers for somebody who registered through the sharer's link, with a row of the share history. */
export async function rewardSharer(
  queries: Queries,
  customerId: string,
  recipientId: string,
  amount: number,
  now: Date,
): Promise<void> {
  if (amount === 0) return
  const change = { customerId, reason: 'share', amount, reference: recipientId } as const
  const before = await vouchers.addVouchers(queries, change, now)
  await vouchers.insertShareLog(queries, { customerId, recipientId, amount, before }, now)
}

/**
 * The customer named by an invitation, by the id in a share link or by account name. An unknown account name
 * is silently ignored, because an error would reveal which phones have an account; an unknown id reveals
 * nothing. Throws `bad-parameters`.
 */
async function findInviter(database: Queries, given: string): Promise<Customer | null> {
  const inviter = await customers.findByAccount(database, given)
  if (inviter === null && isCustomerId(given))
    throw new FurlongError('bad-parameters', { reason: 'inviter', field: 'inviter', rule: 'field.inviter' })
  return inviter
}

/** The account name for a phone number: its usual local form. */
const localForm = (phone: string): string => phone.replace(/^\+86(?=1\d{10}$)|^\+852(?=[4-9]\d{7}$)/, '')

/**
 * Signs in by account or phone and password. An unknown account and a wrong password give the same response
 * after the same amount of work. On a device on which the customer has signed in before, only its own failures
 * count. Throws `wrong-credentials`, `too-many`.
 */
export async function signInByPassword(
  service: Service,
  { username, password }: Record<'username' | 'password', string>,
  origin: Origin,
): Promise<SignedIn> {
  const { database } = service
  const phone = normalisePhone(username)
  const known = await knownCustomer(service, origin, { account: username, phone })
  const counted = await attempt(
    service,
    known === null
      ? { 'sign-in account': phone ?? username, 'sign-in address': origin.address }
      : { 'sign-in device': `${known} ${origin.device}` },
  )
  const found = await customers.findForSignIn(database, username, phone)
  const hasher = known === null ? { address: origin.address } : { customerId: known }
  const isRight = await counting(counted, () => checkPassword(found?.passwordHash ?? null, password, hasher))
  if (!isRight) {
    if (found === null) service.logSecurity('sign-in-failed', null)
    // In the background: the response for an existing account must not take longer than for an unknown one.
    else service.runInBackground('security', () => noteSecurity(service, found.id, 'sign-in-failed'))
    throw new FurlongError('wrong-credentials')
  }
  await counted.succeeded()
  return openSession(service, found!.id, origin, found!.passwordHash)
}

/** Signs in by phone and code. A phone without an account gives the same response as a wrong code. */
export async function signInByPhone(
  service: Service,
  { phone, code }: Record<'phone' | 'code', string>,
  origin: Origin,
): Promise<SignedIn> {
  const { database } = service
  // Not counted against the account: wrong passwords by strangers must not block a right code.
  const known = await knownCustomer(service, origin, { account: null, phone })
  const counted = await attempt(service, known === null ? { 'sign-in address': origin.address } : {})
  await useCode(service, { phone, purpose: 'login', code }, origin)
  const found = await customers.findForSignIn(database, phone, phone)
  if (found === null) throw new FurlongError('wrong-code')
  await counted.succeeded()
  return openSession(service, found.id, origin)
}

/** Signs in by a one-time link's code. Throws `link-used` if used, expired or unknown, `too-many`. */
export async function signInByLink(service: Service, code: string, origin: Origin): Promise<SignedIn> {
  const { database, now } = service
  const counted = await attempt(service, { 'link address': origin.address })
  const id = await takeLink(database, tokenHash(code), now())
  if (id === null || (await customers.readCustomer(database, id)) === null)
    throw new FurlongError('link-used')
  await counted.succeeded()
  return openSession(service, id, origin)
}

/** Creates a token; after a sign-in by password, only if that is still the current password. The device is then known. */
async function openSession(
  { database, now }: Service,
  customerId: string,
  { device }: Origin,
  comparedHash: string | null = null,
): Promise<SignedIn> {
  const token = randomToken()
  const customer = await database.transaction(async (queries) => {
    const locked = await customers.lockCustomer(queries, customerId)
    const stale =
      comparedHash !== null && (await customers.readPasswordHash(queries, customerId)) !== comparedHash
    // The account was deleted, or its password changed, since the comparison.
    if (locked === null || stale) throw new FurlongError('wrong-credentials')
    await insertToken(queries, tokenHash(token), customerId, now())
    if (device !== null) await noteDevice(queries, customerId, device, now())
    return locked
  })
  return signedIn(token, customer)
}

const signedIn = (token: string, customer: Customer): SignedIn => ({
  token,
  userInfo: {
    id: customer.id,
    username: customer.account,
    realname: customer.realName,
    avatar: customer.headFile === null ? null : fileUrl(customer.headFile),
  },
})

/** Signs out; the device remains known. */
export async function signOut({ database, now }: Service, token: string, { device }: Origin): Promise<void> {
  const owner = await ownerOfToken(database, tokenHash(token), now())
  if (owner !== null && device !== null) await noteDevice(database, owner.id, device, now())
  await revokeToken(database, tokenHash(token), now())
}

/** Changes the password and ends all other sign-ins. Throws `wrong-old-password`, `too-many`. */
export async function changeOwnPassword(
  service: Service,
  viewer: Viewer,
  passwords: { oldPassword: string; password: string },
  { device }: Origin,
  language: Language,
): Promise<void> {
  await requireUncommon(passwords.password)
  await requirePassword(service, viewer.id, passwords.oldPassword, 'wrong-old-password')
  const fresh = await hashPassword(passwords.password, { customerId: viewer.id })
  await replacePassword(service, viewer.id, fresh, { token: viewer.tokenHash, device })
  await noteSecurity(service, viewer.id, 'password-changed', language)
}

/** Writes a password, ends all sign-ins and forgets all devices except those kept, and ends all access of notebooks. */
async function replacePassword(
  { database, now }: Service,
  id: string,
  passwordHash: string,
  kept: { token: string | null; device: string | null },
): Promise<void> {
  await database.transaction(async (queries) => {
    await customers.lockCustomer(queries, id)
    await customers.writePasswordHash(queries, id, passwordHash)
    await revokeTokens(queries, id, kept.token, now())
    await forgetDevices(queries, id, kept.device)
    await revokeAnalyticsTokens(queries, id, now())
  })
}

/** Ends all sign-ins of a customer except the current one, and forgets the other devices. Returns their number. */
export async function endOtherSessions(
  service: Service,
  viewer: Viewer,
  { device }: Origin,
): Promise<number> {
  await forgetDevices(service.database, viewer.id, device)
  const ended = await revokeTokens(service.database, viewer.id, viewer.tokenHash, service.now())
  await noteSecurity(service, viewer.id, 'sessions-ended')
  return ended
}

/**
 * Sets a new password by code and ends all sign-ins. A phone without an account gives the same response as a
 * wrong code.
 */
export async function resetPassword(
  service: Service,
  form: Record<'phone' | 'code' | 'password', string>,
  origin: Origin,
  language: Language,
): Promise<void> {
  const { password, ...given } = form
  await requireUncommon(password)
  const code = { ...given, purpose: 'reset' } as const
  await useCode(service, code, origin, { spend: false })
  const found = await customers.findForSignIn(service.database, form.phone, form.phone)
  if (found === null) throw new FurlongError('wrong-code')
  const { device } = origin
  // A queue that is full does not use up the code.
  const fresh = await hashPassword(password, { customerId: found.id })
  await useCode(service, code, origin)
  await replacePassword(service, found.id, fresh, { token: null, device })
  // The code proves who the owner is: strangers who go on guessing do not lock this device out.
  if (device !== null) await noteDevice(service.database, found.id, device, service.now())
  // A customer who forgot the password may have been locked out by failed attempts before.
  await forgive(service, 'sign-in account', form.phone)
  await noteSecurity(service, found.id, 'password-reset', language)
}

/**
 * Erases an account's personal data and ends its sign-ins; open orders are closed, and a waiting withdrawal
 * is refused, because its bank card is erased. Throws `wrong-password`, `too-many`.
 */
export async function deleteOwnAccount(service: Service, viewer: Viewer, password: string): Promise<void> {
  await requirePassword(service, viewer.id, password, 'wrong-password')
  const { database, keys, now } = service
  const orders = await database.transaction(async (queries) => {
    const customer = await customers.lockCustomer(queries, viewer.id)
    if (customer === null) return []
    const closed = await closeOrdersOf(queries, viewer.id, now())
    await refuseWaiting(queries, viewer.id, now())
    const today = businessDay(now())
    const quota = numberOf(await loadConfig(queries), 'everyDayFreeNum')
    const { daily } = await vouchers.readBalances(queries, viewer.id, today, quota)
    await vouchers.rememberPerson(queries, keys.hash('person', customer.phone), today, daily)
    await customers.eraseCustomer(queries, viewer.id, now())
    return closed
  })
  for (const order of orders) closePage(service, order)
}
