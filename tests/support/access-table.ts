import { alertRows } from './access-alerts.ts'
import { feedRows } from './access-feed.ts'
import { healthRows } from './access-health.ts'
import { frozenRows } from './access-frozen.ts'
import { savedViewRows } from './access-saved-views.ts'
import type { DatasetFile } from '../../contract/dataset.ts'
import { SEED_PASSWORD } from './seed-customer.ts'
import { randomUuid } from './api.ts'

/**
 * Expected status of every call by role. Every route of the service and every kind of dataset file has a row; a route
 * without one fails the test. `gating.test.ts` checks the content of the responses.
 */
export const ROLES = [
  'visitor',
  'member',
  'member, race subscribed',
  'VIP',
  'expired VIP',
  'provider',
  'other member',
  'revoked token',
] as const
export type Role = (typeof ROLES)[number]
export type Statuses = readonly [number, number, number, number, number, number, number, number]

/** The same for all roles; the token is ignored. */
const OPEN: Statuses = [200, 200, 200, 200, 200, 200, 200, 200]
/** All roles are allowed, but an invalid token is reported. */
const VIEWER: Statuses = [200, 200, 200, 200, 200, 200, 200, 401]
const CUSTOMER: Statuses = [401, 200, 200, 200, 200, 200, 200, 401]
const SUBSCRIBER: Statuses = [401, 403, 200, 200, 403, 403, 403, 401]
const VIP: Statuses = [401, 403, 403, 200, 403, 403, 403, 401]
/** Single predictions of the history: VIPs only, and an invalid token is reported. */
const ANALYSTS: Statuses = [403, 403, 403, 200, 403, 403, 403, 401]
const BAD_VIEWER: Statuses = [400, 400, 400, 400, 400, 400, 400, 401]
const PROVIDER: Statuses = [401, 403, 403, 403, 403, 200, 403, 401]
const always = (status: number): Statuses => [status, status, status, status, status, status, status, status]
const customers = (status: number): Statuses => [401, status, status, status, status, status, status, 401]

export interface Row {
  route: string
  /** Path with its query. */
  url?: string
  body?: object
  status: Statuses
}

const REGION_DAY = 'countryRegionId=100000&today=2026-11-21'
const nobody = {
  phone: '61234567',
  captcha: '123456',
  password: 'horse4course',
  confirmPassword: 'horse4course',
}

/** A password reset whose code was never sent. */
export const NEW_PASSWORD = { ...nobody, mobile: nobody.phone }

export interface Things {
  files: readonly DatasetFile[]
  /** A settled race that the subscriber opened, and another race. */
  raceId: string
  otherRaceId: string
  otherMemberId: string
}

const analytics = (by: string[]) => ({
  regionId: '100000',
  request: {
    aggregate: {
      model: 'predictions',
      by,
      measures: ['predictions', 'hits'],
      where: {
        and: [
          { dim: 'model', in: ['market-baseline'] },
          { dim: 'origin', in: ['backtest'] },
          { dim: 'bet_type', in: [1] },
        ],
      },
    },
  },
})

export function accessRows({ files, raceId, otherRaceId, otherMemberId }: Things): Row[] {
  // Every existing file: public files for all roles, files with the history for VIPs.
  const fileRows = files.map(({ entitlement, sha256 }): Row => {
    const url = `/dataset/${sha256}.duckdb`
    return { route: 'GET /dataset/:file', url, status: entitlement === 'member' ? VIP : OPEN }
  })
  const docs = (
    [
      ['/docs', 200],
      ['/docs/json', 200],
      ['/docs/yaml', 200],
      ['/docs/static/index.html', 302],
      ['/docs/static/swagger-initializer.js', 200],
      ['/docs/static/*', 404],
    ] as const
  ).map(([path, status]): Row => ({ route: `GET ${path}`, status: always(status) }))
  return [
    ...feedRows(always(401)),
    ...healthRows(OPEN),
    { route: 'GET /dataset/manifest.json', status: OPEN },
    ...fileRows,
    ...docs,
    { route: 'GET /', status: OPEN },
    { route: 'GET /*', url: '/index.html', status: OPEN },
    { route: 'POST /trade/webhook/stripe', body: {}, status: always(400) },
    // Analytics: daily totals for all roles, rows of the history for VIPs, own rows for customers.
    { route: 'POST /analytics/query', body: analytics(['season']), status: VIEWER },
    { route: 'POST /analytics/query', body: analytics(['going']), status: ANALYSTS },
    { route: 'POST /analytics/query', body: analytics(['jockey']), status: ANALYSTS },
    { route: 'POST /analytics/query', body: { ...analytics(['going']), scope: 'own' }, status: CUSTOMER },
    { route: 'POST /analytics/query', body: { ...analytics(['going']), scope: 'coming' }, status: CUSTOMER },
    { route: 'POST /analytics/query', body: { regionId: '100000', request: {} }, status: BAD_VIEWER },
    { route: 'GET /sys/api/customer/analyticsTokens', status: CUSTOMER },
    { route: 'POST /sys/api/customer/analyticsTokens', body: { name: 'notebook' }, status: CUSTOMER },
    {
      route: 'DELETE /sys/api/customer/analyticsTokens',
      url: '/sys/api/customer/analyticsTokens?id=00000000-0000-7000-8000-000000000000',
      status: CUSTOMER,
    },
    ...savedViewRows(CUSTOMER, customers(404)),
    ...alertRows(CUSTOMER, customers, OPEN),
    { route: 'POST /sys/api/customer/messages', body: { content: 'A question' }, status: CUSTOMER },
    ...frozenRows(VIP, CUSTOMER),
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
    {
      route: 'GET /race/api/queryNumberedByName',
      url: `/race/api/queryNumberedByName?${REGION_DAY}`,
      status: OPEN,
    },
    { route: 'GET /race/api/queryDaySilks', url: `/race/api/queryDaySilks?${REGION_DAY}`, status: OPEN },
    { route: 'GET /race/api/queryRaceHorse', status: OPEN },
    {
      route: 'GET /race/api/queryHorseInfo',
      url: '/race/api/queryHorseInfo?id=HK-Z999',
      status: always(404),
    },
    {
      route: 'GET /race/api/queryHeadToHead',
      url: '/race/api/queryHeadToHead?horseId=HK-Z998&otherId=HK-Z999',
      status: always(404),
    },
    {
      route: 'GET /race/api/queryRaceSections',
      url: `/race/api/queryRaceSections?raceId=${raceId}`,
      status: OPEN,
    },
    {
      route: 'GET /race/api/queryPaceMap',
      url: `/race/api/queryPaceMap?raceId=${raceId}`,
      status: OPEN,
    },
    {
      route: 'GET /race/api/queryHorsePace',
      url: '/race/api/queryHorsePace?id=HK-Z999',
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
      route: 'GET /race/api/queryMeetingResults',
      url: `/race/api/queryMeetingResults?${REGION_DAY}`,
      status: VIEWER,
    },
    {
      route: 'GET /race/api/queryRacePredictionAccuracy',
      url: `/race/api/queryRacePredictionAccuracy?${REGION_DAY}`,
      status: VIEWER,
    },
    { route: 'GET /race/api/queryRaceTips', url: `/race/api/queryRaceTips?${REGION_DAY}`, status: VIEWER },
    {
      route: 'GET /race/api/queryRaceTips',
      url: '/race/api/queryRaceTips?countryRegionId=100000&today=2026-11-01',
      status: VIEWER,
    },
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
      route: 'GET /race/api/queryRaceReport',
      url: `/race/api/queryRaceReport?raceId=${raceId}`,
      status: SUBSCRIBER,
    },
    {
      route: 'POST /race/api/queryTrial',
      body: { raceId, going: 'soft', changes: [{ horseNumber: 1, withdrawn: true }] },
      status: SUBSCRIBER,
    },
    {
      route: 'GET /race/api/queryLockedForecasts',
      url: `/race/api/queryLockedForecasts?raceId=${raceId}`,
      status: SUBSCRIBER,
    },
    {
      route: 'GET /race/api/queryModelCard',
      url: '/race/api/queryModelCard?countryRegionId=100000',
      status: VIP,
    },
    {
      route: 'GET /race/api/queryProof',
      url: '/race/api/queryProof?countryRegionId=100000',
      status: OPEN,
    },
    {
      route: 'GET /race/api/queryRaceLocks',
      url: `/race/api/queryRaceLocks?raceId=${raceId}`,
      status: OPEN,
    },
    {
      route: 'GET /race/api/queryLocksOfDay',
      url: '/race/api/queryLocksOfDay?countryRegionId=100000&day=2026-11-22',
      status: OPEN,
    },
    {
      route: 'GET /race/api/queryLockChain',
      url: '/race/api/queryLockChain?countryRegionId=100000',
      status: OPEN,
    },
    {
      route: 'GET /race/api/queryAccuracyDetail',
      url: '/race/api/queryAccuracyDetail?countryRegionId=100000',
      status: OPEN,
    },
    {
      route: 'GET /race/api/queryOddsTrack',
      url: `/race/api/queryOddsTrack?rprId=${raceId}-1-1`,
      status: SUBSCRIBER,
    },
    {
      route: 'GET /race/api/queryRaceMarket',
      url: `/race/api/queryRaceMarket?raceId=${raceId}`,
      status: SUBSCRIBER,
    },
    {
      route: 'GET /race/api/queryDayMarket',
      url: '/race/api/queryDayMarket?countryRegionId=100000&today=2026-11-22',
      status: CUSTOMER,
    },
    {
      route: 'GET /race/api/raceSubscribe',
      url: `/race/api/raceSubscribe?raceId=${otherRaceId}`,
      status: CUSTOMER,
    },
    {
      // Another customer's account with one's own token.
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
    { route: 'POST /sys/phoneLogin', body: { mobile: '61234567', captcha: '123456' }, status: always(200) },
    { route: 'POST /sys/api/linkSignIn', body: { code: 'x'.repeat(43) }, status: always(403) },
    { route: 'POST /sys/logout', status: OPEN },
    {
      route: 'POST /sys/changePassword',
      body: { oldPassword: 'wrong1word', password: 'horse4course', confirmPassword: 'horse4course' },
      status: CUSTOMER,
    },
    { route: 'POST /sys/forgotPassword', body: NEW_PASSWORD, status: always(200) },
    { route: 'GET /sys/api/session', status: CUSTOMER },
    { route: 'GET /sys/api/customer/checkVip', status: CUSTOMER },
    { route: 'GET /sys/api/customer/userInfo', status: CUSTOMER },
    {
      route: 'GET /sys/api/customer/userInfo',
      url: `/sys/api/customer/userInfo?id=${otherMemberId}`,
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
      route: 'POST /sys/api/customer/bankCard',
      body: { name: 'Chan', bank: 'A Bank', cardNumber: '4242424242424242', password: SEED_PASSWORD },
      status: CUSTOMER,
    },
    { route: 'GET /sys/api/customer/sessions', status: CUSTOMER },
    { route: 'POST /sys/api/customer/endOtherSessions', status: CUSTOMER },
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
      // The provider has no such card; the other roles are not providers.
      route: 'POST /trade/api/withdrawal',
      body: { cardId: randomUuid(), amount: '1', requestId: randomUuid(), password: SEED_PASSWORD },
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
    // The socket route without an upgrade; `socket.test.ts` covers upgrades.
    {
      route: 'GET /:channel(^[a-z0-9]{1,16}$)/:user(^[A-Za-z0-9-]{1,64}_app$)',
      url: '/h5/device_app',
      status: always(404),
    },
  ]
}
