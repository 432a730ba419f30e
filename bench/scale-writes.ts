import { setTimeout as pause } from 'node:timers/promises'
import * as account from '../contract/api/account.ts'
import * as analytics from '../contract/api/analytics.ts'
import type { Endpoint } from '../contract/api/endpoint.ts'
import * as feed from '../contract/api/feed.ts'
import * as frozen from '../contract/api/frozen.ts'
import * as note from '../contract/api/note.ts'
import * as session from '../contract/api/session.ts'
import * as site from '../contract/api/site.ts'
import * as subscription from '../contract/api/subscription.ts'
import * as trade from '../contract/api/trade.ts'
import * as view from '../contract/api/view.ts'
import { FROZEN } from '../tests/support/frozen-rules.ts'
import type { CallBench } from './scale-calls.ts'
import { SEED_PASSWORD } from '../tests/support/seed-customer.ts'

/** Writes of members, providers and the operator, and the deletion of what they wrote. */
export async function askWrites(bench: CallBench): Promise<void> {
  const { places, operator, today, home } = bench.things
  for (const { coming, past, horseId, regionId } of places) {
    await bench.ask('member', site.visitLog, { body: { clientId: 'a', page: 'Home', channel: 'h5' } })
    await bench.ask('member', subscription.raceSubscribe, { query: { raceId: coming } })
    await bench.ask('busy', subscription.raceSubscribe, { query: { raceId: past } })
    const written = (await bench.ask('member', note.writeNote, {
      body: { countryRegionId: regionId, subject: 'horse', subjectId: horseId, content: 'A quick pace' },
    })) as { id: string } | null
    await bench.ask('member', note.changeNote, { body: { id: written?.id, content: 'A slow pace' } })
    await bench.ask('member', note.deleteNote, { query: { id: written?.id ?? '' } })
  }
  await views(bench)
  await money(bench)
  const { past, coming } = home
  const headers = (key: string): Record<string, string> => ({
    authorization: `Bearer ${operator}`,
    'idempotency-key': key,
  })
  const odds = [1, 2, 3].map((horseNo) => ({ horseNo, odds: 4.5 + horseNo }))
  const batches: [Endpoint, object][] = [
    [feed.feedOdds, { raceId: coming, seenAt: new Date().toISOString(), odds }],
    [feed.feedWithdrawals, { raceId: coming, horses: [4] }],
    [
      feed.feedDividends,
      {
        raceId: past,
        lines: [{ gameplayClass: 1, combination: '1', status: 'paid', dividendCents: 4100 }],
      },
    ],
    [feed.feedResults, { raceId: past, status: 'abandoned' }],
    [
      feed.feedCards,
      { raceId: coming, startsAt: `${today}T12:00:00Z`, runners: [{ horseNo: 1, brand: 'A001' }] },
    ],
  ]
  for (const [call, race] of batches)
    await bench.ask('visitor', call, { body: { races: [race] }, headers: headers(call.path) })
  await accounts(bench)
}

async function views(bench: CallBench): Promise<void> {
  const countryRegionId = '100000'
  await bench.ask('member', view.saveView, {
    body: { countryRegionId, name: 'New', address: 'period=year' },
  })
  const views = (await bench.ask('member', view.querySavedViews, { query: { countryRegionId } })) as {
    id: string
  }[]
  await bench.ask('member', view.changeSavedView, { body: { id: views[0]?.id, name: 'Newer' } })
  await bench.ask('member', view.deleteSavedView, { query: { id: views[0]?.id ?? '' } })
  await bench.ask('vip', frozen.freezeRules, { body: FROZEN })
  const rules = (await bench.ask('vip', frozen.queryFrozenRules, { query: { countryRegionId } })) as {
    id: string
  }[]
  const id = rules[0]?.id ?? bench.things.askers.vip.id
  await bench.ask('vip', frozen.queryFrozenBets, { query: { id } })
  await bench.ask('vip', frozen.endFrozenRules, { body: { id } })
  const token = (await bench.ask('vip', analytics.createAnalyticsToken, { body: { name: 'notebook' } })) as {
    id: string
  } | null
  await bench.ask('vip', analytics.queryAnalyticsTokens)
  await bench.ask('vip', analytics.revokeAnalyticsToken, { query: { id: token?.id ?? '' } })
}

async function money(bench: CallBench): Promise<void> {
  const order = (await bench.ask('member', trade.createOrder, { body: { planId: '1' } })) as {
    orderId: string
  } | null
  await bench.ask('member', trade.cancelOrder, { body: { id: order?.orderId } })
  await bench.ask('member', trade.apply, {
    body: { account: 'a', nickname: 'b', name: 'c', phone: '61234567' },
  })
  const card = (await bench.ask('provider', trade.addBankCard, {
    body: { name: 'Chan', bank: 'A Bank', cardNumber: '4242424242424242', password: SEED_PASSWORD },
  })) as { id: string } | null
  await bench.ask('provider', trade.withdraw, {
    body: { cardId: card?.id, amount: '1', requestId: crypto.randomUUID(), password: SEED_PASSWORD },
  })
  await bench.ask('provider', trade.removeBankCard, { query: { id: card?.id ?? '' } })
}

async function accounts(bench: CallBench): Promise<void> {
  const { askers, leaving, printed } = bench.things
  const login = { username: askers.member.account, password: SEED_PASSWORD }
  await bench.ask('visitor', account.mLogin, { body: login })
  await bench.ask('visitor', account.uniAppLogin, { query: { login: 'customer' }, body: login })
  const sent = async (mobile: string, purpose: string): Promise<string> => {
    const before = printed().length
    await bench.ask('visitor', account.sendCode, { body: { mobile, purpose } })
    await pause(500)
    return /\b(\d{6})\b/.exec(printed().slice(before))?.[1] ?? '000000'
  }
  const password = 'horse4course'
  const passwords = { password, confirmPassword: password }
  const fresh = '61230001'
  await bench.ask('visitor', account.register, {
    body: {
      phone: fresh,
      captcha: await sent(fresh, 'register'),
      nickname: 'N',
      gender: 0,
      agreement: true,
      ...passwords,
    },
  })
  await bench.ask('visitor', account.phoneLogin, {
    body: { mobile: leaving.phone, captcha: await sent(leaving.phone, 'login') },
  })
  const changed = { body: { mobile: '50000777', captcha: await sent('50000777', 'reset'), ...passwords } }
  await bench.ask('visitor', account.forgotPassword, changed)
  await bench.ask('visitor', account.linkSignIn, { body: { code: 'x'.repeat(43) } })
  await bench.ask('member', account.editProfile, { body: { nickname: 'Newer' } })
  await bench.ask('busy', account.exportData)
  const gone = { headers: { 'x-access-token': leaving.token } }
  await bench.ask('visitor', account.changePassword, {
    ...gone,
    body: { oldPassword: SEED_PASSWORD, ...passwords },
  })
  await bench.ask('visitor', session.endOtherSessions, gone)
  await bench.ask('visitor', account.deleteAccount, { ...gone, body: { password } })
  await bench.ask('visitor', account.logout, gone)
}
