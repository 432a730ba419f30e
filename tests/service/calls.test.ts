import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as account from '../../contract/api/account.ts'
import type { Endpoint } from '../../contract/api/endpoint.ts'
import * as horse from '../../contract/api/horse.ts'
import * as site from '../../contract/api/site.ts'
import * as session from '../../contract/api/session.ts'
import * as trade from '../../contract/api/trade.ts'
import { decideProvider } from '../../server/services/promotion.ts'
import { insertAd } from '../../server/store/operation/site-store.ts'
import {
  newAddress,
  newPhone,
  newSmallSeason,
  PASSWORD,
  randomUuid,
  TestServer,
  type CallOptions,
} from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { endpointsOf, nameOf } from '../support/endpoints.ts'
import { describeOnBoth } from '../support/databases.ts'

const MINUTE = 60_000

/**
 * Every call about accounts, trade and the site, made over HTTP on both databases; each response is checked against its
 * schema.
 */
describeOnBoth('the other calls on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let laterMs = 0
  const called = new Set<string>()
  beforeAll(async () => {
    server = await TestServer.start(await newSmallSeason(kind), {
      time: () => new Date(DEMO_DAY.getTime() + laterMs),
    })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const ask = <Call extends Endpoint>(call: Call, options: CallOptions = {}) => {
    called.add(nameOf(call))
    return server.ask(call, options)
  }
  const page = { pageNo: 1, pageSize: 10 }

  test('horses are found by a name of any language or by their brand number', async () => {
    const query = { ...page, countryRegionId: '100000' }
    const find = (text: string) =>
      server.ask(horse.queryRaceHorse, { query: { ...query, text }, language: 'en' })
    const [named] = await server.database.rows<{ id: string; hant: string; brand: string }>(
      `select id, name_hant as hant, brand from horse where region_id = $1 and name_hant is not null order by id limit 1`,
      [query.countryRegionId],
    )
    for (const text of [named!.hant, named!.brand.toLowerCase()])
      expect((await find(text)).records.map(({ id }) => id)).toContain(named!.id)
    // `%` is matched literally.
    expect((await find('%')).total).toBe(0)
  })

  test('site: banners, settings, dictionaries, visits, location, update', async () => {
    await insertAd(server.database, { position: 'mobile_client_home', url: '/a.webp', link: null, sort: 2 })
    await insertAd(server.database, { position: 'mobile_client_home', url: '/b.webp', link: '#/x', sort: 1 })
    await ask(site.engineError, { body: { code: 'out-of-memory', version: '1.32.0' } })
    const ads = await ask(site.adlist, { query: { position: 'mobile_client_home' } })
    expect(ads.map(({ url }) => url)).toEqual(['/b.webp', '/a.webp'])
    expect(await ask(site.config, { query: { code: 'shareReward' } })).toEqual({
      code: 'shareReward',
      codeValue: '20',
    })
    expect(await ask(site.config, { query: { code: 'secret' } })).toBeNull()
    expect((await ask(site.configAll)).length).toBeGreaterThan(4)
    expect(
      await ask(site.getDictItems, { params: { dictCode: 'gender' }, language: 'zh-Hant' }),
    ).toContainEqual({
      value: '0',
      label: '保密',
    })
    for (const dictCode of ['gameplay_class', 'prediction_type', 'order_state', 'region'])
      expect((await ask(site.getDictItems, { params: { dictCode } })).length).toBeGreaterThan(1)
    expect((await server.call(site.getDictItems, { params: { dictCode: 'constructor' } })).status).toBe(404)

    const { token, userInfo } = await server.register()
    const visit = { clientId: 'device', page: 'WinLossRecord', channel: 'h5', accountId: randomUuid() }
    await ask(site.visitLog, { body: visit })
    await ask(site.visitLog, { body: visit, token })
    const visits = await server.database.rows<{ id: string | null }>(
      'select customer_id as id from visit order by visit.id',
    )
    expect(visits.map(({ id }) => id)).toEqual([null, userInfo.id])

    expect(await ask(site.location, { address: '1.36.0.1' })).toEqual({ country: 'HK', language: 'zh-Hant' })
    expect(await ask(site.location, { address: '114.114.114.114' })).toEqual({
      country: 'CN',
      language: 'zh-Hans',
    })
    expect(await ask(site.location, {})).toEqual({ country: null, language: 'en' })
    const fromTaiwan = { headers: { 'cf-ipcountry': 'TW' }, address: '8.8.8.8' }
    expect(await ask(site.location, fromTaiwan)).toEqual({ country: 'TW', language: 'zh-Hant' })
    const update = await ask(site.appUpdate, { query: { appid: 'x', version: '99.0.0' } })
    expect(update).toMatchObject({ update: 'full', url: `${server.base}/` })
  })

  test('accounts, orders and promotion from end to end', async () => {
    const { token: providerToken, userInfo: provider } = await server.register()
    await ask(trade.apply, {
      token: providerToken,
      body: { account: provider.username, nickname: 'P', name: 'Chan', phone: newPhone() },
    })
    const application = await ask(trade.applyStatus, { token: providerToken })
    await decideProvider(server.context.service, application!.id, 'approved')

    const phone = newPhone()
    const address = newAddress()
    called.add(nameOf(account.sendCode)).add(nameOf(account.register))
    expect(await ask(account.queryInviter, { query: { id: provider.id } })).toEqual({ nickname: 'Reader' })
    const { token } = await server.register({ phone, inviter: provider.id })
    expect((await ask(trade.queryVipList, { query: { category: 1 } })).length).toBe(4)
    expect(await ask(trade.getVipDiscount)).toBeLessThan(1)
    const order = await ask(trade.createOrder, { token, body: { planId: '2' } })
    await server.decide(order.payUrl, 'approve')
    expect((await ask(trade.queryOrder, { token, query: { id: order.orderId } })).state).toBe('accountPaid')
    expect((await ask(trade.orderPage, { token, query: page })).total).toBe(1)
    const open = await ask(trade.createOrder, { token, body: { planId: '1' } })
    await ask(trade.cancelOrder, { token, body: { id: open.orderId } })
    expect(await ask(trade.queryOrderMainStatus, { token })).toMatchObject({ accountPaid: 1, closed: 1 })
    expect((await ask(trade.vipActivationLog, { token, query: page })).total).toBe(1)
    expect(await ask(account.checkVip, { token })).toMatchObject({ isVip: 1 })
    expect(await ask(account.querySession, { token })).toMatchObject({ isVip: 1 })

    expect((await ask(trade.queryMyCustomerTotal, { token: providerToken })).orders).toBe(1)
    expect((await ask(trade.customerPage, { token: providerToken, query: page })).total).toBe(1)
    expect((await ask(trade.settlementPage, { token: providerToken, query: page })).total).toBe(3)
    const card = await ask(trade.addBankCard, {
      token: providerToken,
      body: { name: 'Chan', bank: 'A Bank', cardNumber: '4242424242424242', password: PASSWORD },
    })
    expect(await ask(trade.listBankCards, { token: providerToken })).toEqual([card])
    laterMs += 40 * 24 * 60 * MINUTE
    const login = { username: provider.username, password: PASSWORD }
    const { token: again } = await ask(account.mLogin, { body: login, address })
    await ask(trade.withdraw, {
      token: again,
      body: { cardId: card.id, amount: '20', requestId: randomUuid(), password: PASSWORD },
    })
    expect((await ask(trade.withdrawalPage, { token: again, query: page })).total).toBe(1)
    await ask(trade.removeBankCard, { token: again, query: { id: card.id } })
    expect((await ask(account.shareLogPage, { token: again, query: page })).total).toBe(1)
    expect((await ask(account.voucherPage, { token: again, query: page })).total).toBe(2)

    const signedIn = await ask(account.uniAppLogin, {
      query: { login: 'customer' },
      body: { username: phone, password: PASSWORD },
      address,
    })
    const mine = { token: signedIn.token }
    expect((await ask(account.userInfo, { ...mine, query: { id: signedIn.userInfo.id } })).phone).toBe(
      `+852${phone}`,
    )
    expect((await ask(session.querySessions, mine)).sessions.length).toBeGreaterThan(0)
    await ask(session.endOtherSessions, mine)
    await ask(account.editProfile, { ...mine, body: { nickname: 'New' } })
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    for (const upload of [account.uploadAvatar, account.uploadFile]) {
      const body = new FormData()
      body.set('file', new Blob([new Uint8Array(picture)]), 'x.png')
      await ask(upload, { ...mine, body })
    }
    await ask(account.changePassword, {
      ...mine,
      body: { oldPassword: PASSWORD, password: 'another1word', confirmPassword: 'another1word' },
    })
    laterMs += 2 * MINUTE
    const reset = await server.codeFor(phone, 'reset')
    const fresh = { password: PASSWORD, confirmPassword: PASSWORD }
    await ask(account.forgotPassword, { body: { mobile: phone, captcha: reset, ...fresh }, address })
    laterMs += 2 * MINUTE
    const captcha = await server.codeFor(phone, 'login')
    const byPhone = await ask(account.phoneLogin, { body: { mobile: phone, captcha }, address })
    expect(Object.keys(await ask(account.exportData, { token: byPhone.token }))).toContain('subscriptions')
    await ask(account.deleteAccount, { token: byPhone.token, body: { password: PASSWORD } })
    await ask(account.logout, { token: byPhone.token })
  })

  test('no other call of the contract was left out', () => {
    // A one-time link needs the operator: `access.test.ts` signs in with one.
    const left = ['account', 'session', 'site', 'trade']
      .flatMap(endpointsOf)
      .map(nameOf)
      .filter((name) => !called.has(name))
    expect(left).toEqual([nameOf(account.linkSignIn)])
  })
})
