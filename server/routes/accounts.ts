import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/api/account.ts'
import { endOtherSessions, querySessions } from '../../contract/api/session.ts'
import { FurlongError } from '../../domain/errors.ts'
import { businessDay, isVipAt } from '../../domain/membership.ts'
import { centsText } from '../../domain/money.ts'
import {
  changeOwnPassword,
  deleteOwnAccount,
  endOtherSessions as endOthers,
  registerCustomer,
  resetPassword,
  signInByLink,
  signInByPassword,
  signInByPhone,
} from '../services/accounts.ts'
import { PAUSE_SECONDS, sendVerificationCode } from '../services/codes.ts'
import { loadConfig, numberOf } from '../store/operation/config.ts'
import { tokenHash } from '../db/keys.ts'
import { attempt } from '../services/limits.ts'
import { fileUrl } from '../services/pictures.ts'
import type { Service } from '../services/service.ts'
import { readCustomer, updateProfile } from '../store/accounts/customer-store.ts'
import { readEverything } from '../store/accounts/export-store.ts'
import { readTotals } from '../store/accounts/promotion-store.ts'
import { listCards } from '../store/accounts/payout-store.ts'
import { listSecurityEvents } from '../store/accounts/security-store.ts'
import { listSessions, revokeToken } from '../store/accounts/token-store.ts'
import { listLedger, listShareLog, readBalances } from '../store/accounts/voucher-store.ts'
import { answerCall } from './answer.ts'
import { tokenOf, type Context } from './context.ts'
import { ownAccountOnly, pageOf, windowOf } from './paging.ts'

const SHOWN_EVENTS = 20

export function accountRoutes(app: FastifyInstance, context: Context): void {
  signInRoutes(app, context)
  sessionRoutes(app, context)
  profileRoutes(app, context)
}

/** Registration, and the ways to sign in and out. */
function signInRoutes(app: FastifyInstance, context: Context): void {
  const { service } = context
  const { database, now } = service

  answerCall(app, context, calls.sendCode, async ({ body, address, language }) => {
    const { mobile: phone, purpose } = body
    const code = await sendVerificationCode(service, { phone, purpose, address, language })
    return {
      seconds: PAUSE_SECONDS,
      ...(context.mode === 'development' && service.sms.name === 'console' ? { code } : {}),
    }
  })

  // Only by the id in a link: looking up accounts or phones would reveal who has one here.
  answerCall(app, context, calls.queryInviter, async ({ query }) => {
    const inviter = await readCustomer(database, query.id)
    if (inviter === null) throw new FurlongError('not-found')
    return { nickname: inviter.nickname }
  })

  answerCall(app, context, calls.register, ({ body, address }) => registerCustomer(service, body, address))

  for (const call of [calls.mLogin, calls.uniAppLogin]) {
    answerCall(app, context, call, ({ body, address }) => signInByPassword(service, { ...body, address }))
  }

  answerCall(app, context, calls.phoneLogin, ({ body, address }) =>
    signInByPhone(service, { phone: body.mobile, code: body.captcha, address }),
  )

  answerCall(app, context, calls.linkSignIn, ({ body, address }) => signInByLink(service, body.code, address))

  answerCall(app, context, calls.logout, async ({ request }) => {
    const token = tokenOf(request)
    if (token) await revokeToken(database, tokenHash(token), now())
    return null
  })

  answerCall(app, context, calls.changePassword, async ({ body, viewer, language }) => {
    await changeOwnPassword(service, viewer, body, language)
    return null
  })

  answerCall(app, context, calls.forgotPassword, async ({ body, address, language }) => {
    const { mobile: phone, captcha: code, password } = body
    await resetPassword(service, { phone, code, password, address }, language)
    return null
  })
}

/** Who is signed in, and on which devices. */
function sessionRoutes(app: FastifyInstance, context: Context): void {
  const { service } = context
  const { database, now } = service

  answerCall(app, context, querySessions, async ({ viewer }) => {
    const sessions = await listSessions(database, viewer.id, now())
    return {
      sessions: sessions.map(({ hash, ...session }) => ({ ...session, current: hash === viewer.tokenHash })),
      events: await listSecurityEvents(database, viewer.id, SHOWN_EVENTS),
    }
  })

  answerCall(app, context, endOtherSessions, async ({ viewer }) => ({
    ended: await endOthers(service, viewer),
  }))

  answerCall(app, context, calls.querySession, async ({ viewer }) => ({
    id: viewer.id,
    account: viewer.account,
    nickname: viewer.nickname,
    isVip: viewer.isVip ? (1 as const) : (0 as const),
    vipEndTime: viewer.vipEnd,
  }))

  answerCall(app, context, calls.checkVip, async ({ viewer }) => ({
    isVip: viewer.isVip ? (1 as const) : (0 as const),
    vipEndTime: viewer.vipEnd,
  }))
}

/** A customer's profile, data and vouchers. */
function profileRoutes(app: FastifyInstance, context: Context): void {
  const { service } = context
  const { database, now } = service

  answerCall(app, context, calls.userInfo, ({ query, viewer }) => {
    ownAccountOnly(viewer, query.id)
    return accountInfo(service, viewer.id)
  })

  answerCall(app, context, calls.editProfile, async ({ body, viewer }) => {
    await updateProfile(database, viewer.id, body)
    return accountInfo(service, viewer.id)
  })

  answerCall(app, context, calls.deleteAccount, async ({ body, viewer }) => {
    await deleteOwnAccount(service, viewer, body.password)
    return null
  })

  answerCall(app, context, calls.exportData, async ({ viewer }) => {
    await attempt(database, service.keys, now(), { 'export account': viewer.id })
    return {
      exportedAt: { time: now().toISOString() },
      ...((await readEverything(database, viewer.id)) as Record<string, Record<string, unknown>[]>),
    }
  })

  answerCall(app, context, calls.shareLogPage, async ({ query, viewer }) => {
    const { limit, offset } = windowOf(query)
    return pageOf(query, await listShareLog(database, viewer.id, limit, offset))
  })

  answerCall(app, context, calls.voucherPage, async ({ query, viewer }) => {
    const { limit, offset } = windowOf(query)
    return pageOf(query, await listLedger(database, viewer.id, limit, offset))
  })
}

async function accountInfo({ database, now }: Service, id: string): Promise<calls.AccountInfo> {
  const customer = await readCustomer(database, id)
  if (customer === null) throw new FurlongError('session-ended')
  const quota = numberOf(await loadConfig(database), 'everyDayFreeNum')
  const today = businessDay(now())
  const [left, totals, [card]] = await Promise.all([
    readBalances(database, id, today, quota),
    readTotals(database, id, today),
    listCards(database, id),
  ])
  return {
    id,
    account: customer.account,
    nickname: customer.nickname,
    realName: customer.realName,
    phone: customer.phone,
    gender: customer.gender,
    headUrl: customer.headFile === null ? null : fileUrl(customer.headFile),
    currency: 'HKD',
    income: centsText(totals.settledCents),
    settlementAccount: card?.lastFour ?? null,
    everyDayFreeNum: left.daily,
    subscribeFreeNum: left.noExpiry,
    isPromotionServiceProvider: customer.providerSince === null ? 0 : 1,
    customerType: customer.customerType,
    isVip: isVipAt(now(), customer.vipEnd) ? 1 : 0,
    vipStartTime: customer.vipStart,
    vipEndTime: customer.vipEnd,
  }
}
