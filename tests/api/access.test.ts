import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as account from '../../contract/api/account.ts'
import * as racing from '../../contract/api/racing.ts'
import { Manifest, type DatasetFile } from '../../contract/dataset.ts'
import { buildApp } from '../../server/app.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { makeDemoLinks, ensureDemoAccounts } from '../../server/ingest/demo/accounts.ts'
import { makeProvider } from '../../server/store/promotion-store.ts'
import { revokeToken } from '../../server/store/token-store.ts'
import { tokenHash } from '../../server/services/keys.ts'
import { newSmallSeason, randomUuid, TestServer } from '../support/api.ts'
import { newTokenOf, seedCustomer, type Seeded } from '../support/customers.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { ENDPOINTS, nameOf } from '../support/endpoints.ts'

/**
 * Who may call what. Every route of the service has its row here, and every kind of dataset file; a route without one
 * fails the test. What an answer holds for whom is the matter of `gating.test.ts`.
 */
const ROLES = [
  'visitor',
  'member',
  'member, race subscribed',
  'VIP',
  'expired VIP',
  'provider',
  'other member',
  'revoked token',
] as const
type Role = (typeof ROLES)[number]
type Statuses = readonly [number, number, number, number, number, number, number, number]

/** The same for everybody; the token is not looked at. */
const OPEN: Statuses = [200, 200, 200, 200, 200, 200, 200, 200]
/** Everybody, but a token that is no longer good is told. */
const VIEWER: Statuses = [200, 200, 200, 200, 200, 200, 200, 401]
const CUSTOMER: Statuses = [401, 200, 200, 200, 200, 200, 200, 401]
const SUBSCRIBER: Statuses = [401, 403, 200, 200, 403, 403, 403, 401]
const VIP: Statuses = [401, 403, 403, 200, 403, 403, 403, 401]
const PROVIDER: Statuses = [401, 403, 403, 403, 403, 200, 403, 401]
const always = (status: number): Statuses => [status, status, status, status, status, status, status, status]
/** A customer’s call on what is not his: nothing is there. */
const customers = (status: number): Statuses => [401, status, status, status, status, status, status, 401]

interface Row {
  route: string
  /** With its query. */
  url?: string
  body?: object
  status: Statuses
}

let server: TestServer
let files: DatasetFile[]
let raceId: string
let people: Record<Exclude<Role, 'visitor'>, Seeded>
const now = DEMO_DAY

beforeAll(async () => {
  const place = await newSmallSeason('pglite')
  await buildDataset(place.database, place.dataFolder, DEMO_DAY)
  server = await TestServer.start(place, { time: () => now })
  files = Manifest.parse(await (await fetch(new URL('dataset/manifest.json', server.base))).json()).files
  const [race] = await place.database.rows<{ id: string }>(
    `select id from race where status = 'final' and race_date < '2026-11-10' order by id limit 1`,
  )
  raceId = race!.id
  const person = () => seedCustomer(place.database, { at: now })
  people = {
    member: await person(),
    'member, race subscribed': await person(),
    VIP: await person(),
    'expired VIP': await person(),
    provider: await person(),
    'other member': await person(),
    'revoked token': await person(),
  }
  await makeProvider(place.database, people.provider.id, now)
  await server.ask(racing.raceSubscribe, {
    token: people['member, race subscribed'].token,
    query: { raceId },
  })
  await server.buy(people.VIP.token)
  const before = await TestServer.start(place, { time: () => new Date(now.getTime() - 40 * 86_400_000) })
  await before.buy(people['expired VIP'].token)
  await before.close()
})
afterAll(async () => {
  await server.close()
  await server.place.close()
})

/** A token of its own for each call, for some calls end the one that they come with. */
async function tokenOf(role: Role): Promise<string | undefined> {
  if (role === 'visitor') return undefined
  const token = await newTokenOf(server.database, people[role].id, now)
  if (role === 'revoked token') await revokeToken(server.database, tokenHash(token), now)
  return token
}

const REGION_DAY = 'countryRegionId=100000&today=2026-11-21'
const nobody = {
  phone: '61234567',
  captcha: '123456',
  password: 'horse4course',
  confirmPassword: 'horse4course',
}

function rows(): Row[] {
  const fileRows = (['reference', 'racing', 'recent', 'record'] as const).map((kind): Row => {
    const file = files.find((each) => each.kind === kind)!
    const url = `/dataset/${file.sha256}.duckdb`
    return { route: 'GET /dataset/:file', url, status: kind === 'record' ? VIP : OPEN }
  })
  return [
    { route: 'GET /healthz', status: OPEN },
    { route: 'GET /readyz', status: OPEN },
    { route: 'GET /metrics', status: OPEN },
    { route: 'GET /dataset/manifest.json', status: OPEN },
    ...fileRows,
    // Racing
    { route: 'GET /sys/api/queryCountryRegion', status: OPEN },
    {
      route: 'GET /sys/api/queryStadiumByCountryRegionId',
      url: '/sys/api/queryStadiumByCountryRegionId?countryRegionId=100000',
      status: OPEN,
    },
    { route: 'GET /race/api/queryRace', url: `/race/api/queryRace?${REGION_DAY}`, status: OPEN },
    { route: 'GET /race/api/queryRacePage', url: `/race/api/queryRacePage?${REGION_DAY}`, status: OPEN },
    {
      route: 'GET /race/api/queryRacePageDesc',
      url: `/race/api/queryRacePageDesc?${REGION_DAY}`,
      status: OPEN,
    },
    { route: 'GET /race/api/queryRaceHorse', status: OPEN },
    {
      route: 'GET /race/api/queryHorseInfo',
      url: '/race/api/queryHorseInfo?id=HK-Z999',
      status: always(404),
    },
    {
      route: 'GET /race/api/queryPredictionsTotal',
      url: '/race/api/queryPredictionsTotal?today=2026-11-21',
      status: OPEN,
    },
    {
      route: 'GET /race/api/queryAccuracyInDays',
      url: '/race/api/queryAccuracyInDays?days=-7',
      status: OPEN,
    },
    {
      route: 'GET /race/api/queryLastRacePredictionAccuracy',
      url: '/race/api/queryLastRacePredictionAccuracy?today=2026-11-21',
      status: VIEWER,
    },
    {
      route: 'GET /race/api/queryRacePredictionAccuracy',
      url: `/race/api/queryRacePredictionAccuracy?${REGION_DAY}`,
      status: VIEWER,
    },
    { route: 'GET /race/api/queryRaceTips', url: `/race/api/queryRaceTips?${REGION_DAY}`, status: VIEWER },
    { route: 'GET /race/api/queryRaceInfo', url: `/race/api/queryRaceInfo?raceId=${raceId}`, status: VIEWER },
    {
      route: 'GET /race/api/queryRaceCompetitor',
      url: `/race/api/queryRaceCompetitor?raceId=${raceId}`,
      status: VIEWER,
    },
    {
      route: 'GET /race/api/queryRaceSubscribe',
      url: `/race/api/queryRaceSubscribe?${REGION_DAY}`,
      status: CUSTOMER,
    },
    {
      route: 'GET /race/api/queryRacePredictionCache',
      url: `/race/api/queryRacePredictionCache?raceId=${raceId}&gameplayClass=3`,
      status: SUBSCRIBER,
    },
    {
      route: 'GET /race/api/queryOddsTrack',
      url: `/race/api/queryOddsTrack?rprId=${raceId}-1-1`,
      status: SUBSCRIBER,
    },
    {
      // Another's account beside one's own token.
      route: 'GET /race/api/raceSubscribe',
      url: `/race/api/raceSubscribe?raceId=${raceId}&account=somebody`,
      status: customers(403),
    },
    {
      route: 'GET /sys/api/subscribeCheck',
      url: `/sys/api/subscribeCheck?goodsId=${raceId}`,
      status: CUSTOMER,
    },
    // Accounts
    { route: 'POST /sys/sms', body: { mobile: '1', purpose: 'login' }, status: always(400) },
    {
      route: 'POST /sys/register',
      body: { ...nobody, nickname: 'x', gender: 0, agreement: true },
      status: OPEN,
    },
    { route: 'POST /sys/mLogin', body: { username: 'nobody', password: 'x' }, status: always(429) },
    {
      route: 'POST /sys/uniAppLogin',
      url: '/sys/uniAppLogin?login=customer',
      body: { username: 'nobody', password: 'x' },
      status: always(429),
    },
    { route: 'POST /sys/phoneLogin', body: { mobile: '61234567', captcha: '123456' }, status: OPEN },
    { route: 'POST /sys/api/linkSignIn', body: { code: 'x'.repeat(43) }, status: always(403) },
    { route: 'POST /sys/logout', status: OPEN },
    {
      route: 'POST /sys/changePassword',
      body: { oldPassword: 'wrong1word', password: 'horse4course', confirmPassword: 'horse4course' },
      status: CUSTOMER,
    },
    { route: 'POST /sys/forgotPassword', body: { ...nobody, mobile: nobody.phone }, status: OPEN },
    { route: 'GET /sys/api/session', status: CUSTOMER },
    { route: 'GET /sys/api/customer/checkVip', status: CUSTOMER },
    { route: 'GET /sys/api/customer/userInfo', status: CUSTOMER },
    {
      route: 'GET /sys/api/customer/userInfo',
      url: `/sys/api/customer/userInfo?id=${people['other member'].id}`,
      status: [401, 403, 403, 403, 403, 403, 200, 401],
    },
    { route: 'POST /sys/api/customer/edit', body: {}, status: CUSTOMER },
    { route: 'POST /sys/api/customer/delete', body: { password: 'wrong1word' }, status: CUSTOMER },
    { route: 'GET /sys/api/customer/export', status: CUSTOMER },
    { route: 'GET /sys/api/customer/shareLogPage', status: CUSTOMER },
    { route: 'GET /sys/api/customer/voucherPage', status: CUSTOMER },
    {
      route: 'POST /sys/api/uploadAvatar',
      url: `/sys/api/uploadAvatar?userid=${randomUuid()}`,
      body: {},
      status: customers(403),
    },
    { route: 'POST /sys/common/upload', body: {}, status: customers(415) },
    { route: 'GET /sys/common/static/*', url: '/sys/common/static/x.webp', status: always(404) },
    // Trade
    { route: 'GET /trade/api/queryVipList', status: OPEN },
    { route: 'GET /trade/api/getVipDiscount', status: OPEN },
    { route: 'POST /trade/api/createOrder', body: { planId: '1' }, status: CUSTOMER },
    { route: 'GET /trade/api/orderPage', status: CUSTOMER },
    { route: 'GET /trade/api/order', url: `/trade/api/order?id=${randomUuid()}`, status: customers(404) },
    { route: 'POST /trade/api/cancelOrder', body: { id: randomUuid() }, status: customers(404) },
    { route: 'GET /sys/api/customer/queryOrderMainStatus', status: CUSTOMER },
    { route: 'GET /trade/api/vipActivationLog', status: CUSTOMER },
    { route: 'GET /trade/sandbox/:reference', url: `/trade/sandbox/${'x'.repeat(32)}`, status: always(404) },
    { route: 'POST /trade/sandbox/:reference', url: `/trade/sandbox/${'x'.repeat(32)}`, status: always(404) },
    // Promotion
    {
      route: 'POST /sys/api/customer/apply',
      body: { account: 'a', nickname: 'b', name: 'c', phone: '61234567' },
      status: CUSTOMER,
    },
    { route: 'GET /sys/api/customer/applyStatus', status: CUSTOMER },
    { route: 'GET /sys/api/customer/bankCard', status: CUSTOMER },
    { route: 'POST /sys/api/customer/bankCard', body: {}, status: customers(400) },
    {
      route: 'DELETE /sys/api/customer/bankCard',
      url: `/sys/api/customer/bankCard?id=${randomUuid()}`,
      status: customers(404),
    },
    { route: 'GET /sys/api/customer/queryMyCustomerTotal', status: CUSTOMER },
    { route: 'GET /trade/api/customerPage', status: PROVIDER },
    { route: 'GET /trade/api/settlementPage', status: PROVIDER },
    { route: 'GET /trade/api/withdrawalPage', status: PROVIDER },
    {
      // The provider has no such card, the others are none.
      route: 'POST /trade/api/withdrawal',
      body: { cardId: randomUuid(), amount: '1', requestId: randomUuid() },
      status: [401, 403, 403, 403, 403, 404, 403, 401],
    },
    // Site
    { route: 'GET /sys/api/adlist', url: '/sys/api/adlist?position=mobile_client_home', status: OPEN },
    { route: 'GET /sys/api/config', url: '/sys/api/config?code=showContactUs', status: OPEN },
    { route: 'GET /sys/api/configAll', status: OPEN },
    { route: 'GET /sys/dict/getDictItems/:dictCode', url: '/sys/dict/getDictItems/gender', status: OPEN },
    {
      route: 'POST /sys/api/customer/visitLog',
      body: { clientId: 'a', page: 'b', channel: 'h5' },
      status: VIEWER,
    },
    { route: 'GET /sys/api/location', status: OPEN },
    { route: 'GET /sys/api/appUpdate', url: '/sys/api/appUpdate?appid=a&version=1.0.0', status: OPEN },
    // The socket without an upgrade; with one: `socket.test.ts`.
    {
      route: 'GET /:channel(^[a-z0-9]{1,16}$)/:user(^[A-Za-z0-9-]{1,64}_app$)',
      url: '/h5/device_app',
      status: always(404),
    },
  ]
}

test('every route and role answers as the table says', async () => {
  // Five wrong passwords before, so that the sign-ins below are all in the same state.
  for (let tries = 0; tries < 5; tries += 1)
    await server.call(account.mLogin, { body: { username: 'nobody', password: 'x' } })
  const wrong: string[] = []
  for (const { route, url, body, status } of rows()) {
    const [method = 'GET', path = ''] = route.split(' ')
    for (const [index, role] of ROLES.entries()) {
      const token = await tokenOf(role)
      const response = await server.fetch(
        { method: method as 'GET', path: url ?? path },
        { token, ...(body ? { body } : {}) },
      )
      await response.arrayBuffer()
      if (response.status !== status[index])
        wrong.push(`${route} as ${role}: ${response.status}, not ${status[index]}`)
    }
  }
  expect(wrong).toEqual([])
})

describe('the table is whole', () => {
  const listed = (): string[] => [...new Set(rows().map(({ route }) => route))].toSorted()

  test('no route is without a row, no row without a route, and every call of the contract is a route', () => {
    expect([...server.routes].toSorted()).toEqual(listed())
    for (const endpoint of ENDPOINTS) expect(server.routes.has(nameOf(endpoint)), nameOf(endpoint)).toBe(true)
  })

  test('the check sees a route that was added without a row', async () => {
    const routes = new Set<string>()
    const other = await buildApp(server.context, {
      logLevel: 'silent',
      onRoute: (route) => {
        if (!/^(HEAD|OPTIONS) /.test(route)) routes.add(route)
      },
    })
    expect([...routes].toSorted()).toEqual(listed())
    other.get('/sys/api/forgotten', async () => 'open')
    await other.ready()
    expect([...routes].toSorted()).not.toEqual(listed())
    await other.close()
  })
})

describe('dataset files', () => {
  const publicFile = (): string => `/dataset/${files.find(({ kind }) => kind === 'racing')!.sha256}.duckdb`
  const get = (path: string, headers: Record<string, string> = {}) =>
    server.fetch({ method: 'GET', path }, { headers })

  test('are immutable, compressed where that helps, and may be fetched in part', async () => {
    const whole = await get(publicFile(), { 'accept-encoding': 'br' })
    expect(whole.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(whole.headers.get('content-encoding')).toBe('br')
    const part = await get(publicFile(), { range: 'bytes=8-11', 'accept-encoding': 'br' })
    expect(part.status).toBe(206)
    expect(await part.text()).toBe('DUCK')
  })
  test('entitled ones are private to caches, and say nothing when refused', async () => {
    const url = `/dataset/${files.find(({ kind }) => kind === 'record')!.sha256}.duckdb`
    const token = await tokenOf('VIP')
    const given = await server.fetch({ method: 'GET', path: url }, { token })
    expect(given.headers.get('cache-control')).toContain('private')
    const refused = await get(url)
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect((await refused.arrayBuffer()).byteLength).toBeLessThan(400)
    for (const twin of [`${url}.br`, `${url}?x=1.br`, url.replace('/dataset/', '/dataset/./')])
      expect((await server.app.inject(twin)).statusCode, twin).toBeGreaterThanOrEqual(400)
  })
  test.each([
    '/dataset/index.json',
    '/dataset/..%2fsecret',
    '/dataset/%2e%2e/secret',
    `/dataset/${'0'.repeat(64)}.duckdb`,
  ])('%s is not served', async (url) => {
    expect((await server.app.inject(url)).statusCode).toBe(404)
  })
  test('the manifest is asked for anew, and not sent twice', async () => {
    const first = await get('/dataset/manifest.json')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await get('/dataset/manifest.json', { 'if-none-match': first.headers.get('etag')! })
    expect(again.status).toBe(304)
  })
  test('what everybody may fetch holds seven days of predictions at most', () => {
    const open = files.filter(({ rows, entitlement }) => entitlement === 'public' && 'prediction' in rows)
    expect(open.length).toBeGreaterThan(0)
    for (const file of open) {
      expect(file.kind).toBe('recent')
      expect(file.from! >= '2026-11-15').toBe(true)
    }
  })
})

describe('refusals', () => {
  const post = (headers: Record<string, string>, payload: string) =>
    server.app.inject({ method: 'POST', url: account.linkSignIn.path, headers, payload })
  test.each([
    ['another type', 'application/xml', '<a/>', 415],
    ['broken JSON', 'application/json', '{"code":', 400],
    ['a field missing', 'application/json', '{}', 400],
    ['a body too large', 'application/json', `{"code":"${'x'.repeat(300_000)}"}`, 413],
  ])('%s is refused in the envelope, without a trace', async (_, type, payload, status) => {
    const answer = await post({ 'content-type': type }, payload)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ success: false, code: status })
    expect(answer.body).not.toMatch(/node_modules|at .*\.ts/)
  })
  test.each([
    ['en', 'cannot be used'],
    ['zh-Hant', '送出的資料'],
    ['zh-Hans', '送出的数据'],
  ])('bad input names each field, in %s', async (language, words) => {
    const reply = await server.call(racing.queryRace, {
      query: { countryRegionId: '1', today: 'soon' },
      language,
    })
    expect(reply.status).toBe(400)
    if (reply.ok) return
    expect(reply.refusal.message).toContain(words)
    expect(reply.refusal.result.fields!.map(({ field }) => field).toSorted()).toEqual([
      'countryRegionId',
      'today',
    ])
  })
})

describe('the demonstration’s links', () => {
  test('sign in once as their account, also for two who come at the same moment; they end after a day', async () => {
    await ensureDemoAccounts(server.context.service)
    const links = await makeDemoLinks(server.context.service)
    expect(links.map((link) => link.account)).toEqual(['VIP', 'member', 'provider'])
    const signIn = (code: string) => server.call(account.linkSignIn, { body: { code }, address: '10.9.9.9' })
    for (const { code } of links) {
      const replies = await Promise.all([signIn(code), signIn(code), signIn(code)])
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
      const given = replies.find(({ ok }) => ok)!
      if (!given.ok) return
      const info = await server.ask(account.userInfo, { token: given.result.token })
      if (info.account === 'demo-vip') expect(info.isVip).toBe(1)
      if (info.account === 'demo-provider') expect(Number(info.income)).toBeGreaterThan(50)
    }
    const yesterday = { ...server.context.service, now: () => new Date(now.getTime() - 25 * 3_600_000) }
    const [old] = await makeDemoLinks(yesterday)
    expect((await signIn(old!.code)).status).toBe(403)
    await ensureDemoAccounts(server.context.service)
    const [count] = await server.database.rows<{ count: number }>(
      'select count(*) as count from customer where demonstration',
    )
    expect(count!.count).toBe(8)
  })
})
