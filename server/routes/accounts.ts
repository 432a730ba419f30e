import * as calls from '../../contract/api/account.ts'
import { endOtherSessions, querySessions } from '../../contract/api/session.ts'
import { FurlongError } from '../../domain/errors.ts'
import { businessDay, isVipAt } from '../../domain/membership.ts'
import { centsText } from '../../domain/money.ts'
import * as accounts from '../services/accounts.ts'
import { sendVerificationCode } from '../services/codes.ts'
import { loadConfig, numberOf } from '../store/operation/config.ts'
import { attempt } from '../services/limits.ts'
import { fileUrl } from '../services/pictures.ts'
import type { Service } from '../services/service.ts'
import type { Viewer } from '../services/viewer.ts'
import { readCustomer, updateProfile } from '../store/accounts/customer-store.ts'
import { readEverything } from '../store/accounts/export-store.ts'
import { readTotals } from '../store/accounts/promotion-store.ts'
import { listCards } from '../store/accounts/payout-store.ts'
import { listSecurityEvents } from '../store/accounts/security-store.ts'
import { listSessions } from '../store/accounts/token-store.ts'
import { listLedger, listShareLog, readBalances } from '../store/accounts/voucher-store.ts'
import { flagOf, found, pick, type Answer } from './answer.ts'
import { tokenOf, type Context } from './context.ts'
import { ownAccountOnly, pageOf } from './paging.ts'

const SHOWN_EVENTS = 20

export function accountRoutes(answer: Answer, context: Context): void {
  signInRoutes(answer, context)
  sessionRoutes(answer, context)
  profileRoutes(answer, context)
}

/** Registration, and the ways to sign in and out. */
function signInRoutes(answer: Answer, context: Context): void {
  const { service } = context
  const { database } = service

  answer(calls.sendCode, async ({ body, origin, language }) => {
    const { mobile: phone, purpose } = body
    const { code, seconds } = await sendVerificationCode(service, { phone, purpose, language }, origin)
    return {
      seconds,
      ...(context.settings.mode === 'development' && service.sms.name === 'console' ? { code } : {}),
    }
  })

  // Only by the id in a link: looking up accounts or phones would reveal who has one here.
  answer(calls.queryInviter, async ({ query }) => {
    const { nickname } = found(await readCustomer(database, query.id))
    return { nickname }
  })

  answer(calls.register, ({ body, origin }) => accounts.registerCustomer(service, body, origin))

  for (const call of [calls.mLogin, calls.uniAppLogin]) {
    answer(call, ({ body, origin }) => accounts.signInByPassword(service, body, origin))
  }

  answer(calls.phoneLogin, ({ body, origin }) =>
    accounts.signInByPhone(service, { phone: body.mobile, code: body.captcha }, origin),
  )

  answer(calls.linkSignIn, ({ body, origin }) => accounts.signInByLink(service, body.code, origin))

  answer(calls.logout, async ({ request, origin }) => {
    const token = tokenOf(request)
    if (token) await accounts.signOut(service, token, origin)
  })

  answer(calls.changePassword, ({ body, viewer, origin, language }) =>
    accounts.changeOwnPassword(service, viewer, body, origin, language),
  )

  answer(calls.forgotPassword, ({ body, origin, language }) => {
    const { mobile: phone, captcha: code, password } = body
    return accounts.resetPassword(service, { phone, code, password }, origin, language)
  })
}

/** Who is signed in, and on which devices. */
function sessionRoutes(answer: Answer, context: Context): void {
  const { service } = context
  const { database, now } = service

  answer(querySessions, async ({ viewer }) => {
    const sessions = await listSessions(database, viewer.id, now())
    return {
      sessions: sessions.map(({ hash, ...session }) => ({ ...session, current: hash === viewer.tokenHash })),
      events: await listSecurityEvents(database, viewer.id, SHOWN_EVENTS),
    }
  })

  answer(endOtherSessions, async ({ viewer, origin }) => ({
    ended: await accounts.endOtherSessions(service, viewer, origin),
  }))

  answer(calls.querySession, async ({ viewer }) => ({
    ...pick(viewer, 'id', 'account', 'nickname'),
    ...membershipOf(viewer),
  }))

  answer(calls.checkVip, async ({ viewer }) => membershipOf(viewer))
}

const membershipOf = ({ isVip, vipEnd }: Pick<Viewer, 'isVip' | 'vipEnd'>) => ({
  isVip: flagOf(isVip),
  vipEndTime: vipEnd,
})

/** A customer's profile, data and vouchers. */
function profileRoutes(answer: Answer, context: Context): void {
  const { service } = context
  const { database, now } = service

  answer(calls.userInfo, ({ query, viewer }) => {
    ownAccountOnly(viewer, query.id)
    return accountInfo(service, viewer.id)
  })

  answer(calls.editProfile, async ({ body, viewer }) => {
    await updateProfile(database, viewer.id, body)
    return accountInfo(service, viewer.id)
  })

  answer(calls.deleteAccount, ({ body, viewer }) => accounts.deleteOwnAccount(service, viewer, body.password))

  answer(calls.exportData, async ({ viewer }) => {
    await attempt(service, { 'export account': viewer.id })
    return {
      exportedAt: { time: now().toISOString() },
      ...((await readEverything(database, viewer.id)) as Record<string, Record<string, unknown>[]>),
    }
  })

  answer(calls.shareLogPage, ({ query, viewer }) =>
    pageOf(query, ({ limit, offset }) => listShareLog(database, viewer.id, limit, offset)),
  )

  answer(calls.voucherPage, ({ query, viewer }) =>
    pageOf(query, ({ limit, offset }) => listLedger(database, viewer.id, limit, offset)),
  )
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
  const { headFile, providerSince, vipStart, vipEnd, ...shown } = customer
  return {
    ...shown,
    headUrl: headFile === null ? null : fileUrl(headFile),
    currency: 'HKD',
    income: centsText(totals.settledCents),
    settlementAccount: card?.lastFour ?? null,
    everyDayFreeNum: left.daily,
    subscribeFreeNum: left.noExpiry,
    isPromotionServiceProvider: flagOf(providerSince !== null),
    vipStartTime: vipStart,
    ...membershipOf({ isVip: isVipAt(now(), vipEnd), vipEnd }),
  }
}
