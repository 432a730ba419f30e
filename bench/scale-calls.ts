import * as account from '../contract/api/account.ts'
import * as analytics from '../contract/api/analytics.ts'
import type { Endpoint } from '../contract/api/endpoint.ts'
import { ENDPOINTS, nameOf } from '../tests/support/endpoints.ts'
import * as frozen from '../contract/api/frozen.ts'
import * as horse from '../contract/api/horse.ts'
import * as model from '../contract/api/model.ts'
import * as note from '../contract/api/note.ts'
import * as racing from '../contract/api/racing.ts'
import * as report from '../contract/api/report.ts'
import * as session from '../contract/api/session.ts'
import * as site from '../contract/api/site.ts'
import * as subscription from '../contract/api/subscription.ts'
import * as trade from '../contract/api/trade.ts'
import * as view from '../contract/api/view.ts'
import { quantile } from './engine.ts'
import type { Seeded } from '../tests/support/seed-customer.ts'

/** Who calls: a new member, a member with thousands of opened races, a VIP, a provider with thousands of customers. */
export type Asker = 'visitor' | 'member' | 'busy' | 'vip' | 'provider'
export type Askers = Record<Exclude<Asker, 'visitor'>, Seeded>

export interface Things {
  askers: Askers
  /** Operator token for the feed. */
  operator: string
  /** Copied regions, each with a day on which it raced, a past and a coming race, and two horses. */
  places: readonly {
    regionId: string
    day: string
    past: string
    coming: string
    horseId: string
    otherId: string
  }[]
  today: string
  /** Races of the region that the feed knows. */
  home: { past: string; coming: string }
  /** A customer whose account is deleted at the end. */
  leaving: { token: string; phone: string }
  /** The server's output, from which verification codes are read. */
  printed(): string
}

export interface CallLine {
  call: string
  who: Asker
  times: number
  p50Ms: number
  maxMs: number
  /** Responses other than success, by status. */
  refused: Record<string, number>
}

interface Input {
  query?: Record<string, string | number>
  body?: object
  path?: string
  headers?: Record<string, string>
}

/** Number of times each list is requested, with another region, day or page each time. */
const ROUNDS = 12

/** Calls every endpoint of the contract and records how long each response took. */
export class CallBench {
  readonly things: Things
  private readonly base: string
  private readonly times = new Map<
    string,
    { call: string; who: Asker; list: number[]; refused: Record<string, number> }
  >()

  constructor(base: string, things: Things) {
    this.base = base
    this.things = things
  }

  /** The measurements, slowest first. */
  lines(): CallLine[] {
    return [...this.times.values()]
      .map(({ call, who, list, refused }) => ({
        call,
        who,
        times: list.length,
        p50Ms: Math.round(quantile(list, 0.5)),
        maxMs: Math.round(quantile(list, 1)),
        refused,
      }))
      .toSorted((a, b) => b.p50Ms - a.p50Ms)
  }

  /** Endpoints of the contract that were never called. */
  left(): string[] {
    const measured = new Set([...this.times.values()].map(({ call }) => call))
    return ENDPOINTS.map(nameOf).filter((name) => !measured.has(name))
  }

  async ask(who: Asker, call: Pick<Endpoint, 'method' | 'path'>, input: Input = {}): Promise<unknown> {
    const url = new URL((input.path ?? call.path).slice(1), this.base)
    for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.set(name, String(value))
    const token = who === 'visitor' ? null : this.things.askers[who].token
    const started = performance.now()
    const answer = await fetch(url, {
      method: call.method,
      headers: {
        ...(token === null ? {} : { 'x-access-token': token }),
        ...(input.body ? { 'content-type': 'application/json' } : {}),
        ...input.headers,
      },
      ...(input.body ? { body: JSON.stringify(input.body) } : {}),
    })
    const text = await answer.text()
    const name = nameOf(call)
    const key = `${name} ${who}`
    const line = this.times.get(key) ?? { call: name, who, list: [], refused: {} }
    this.times.set(key, line)
    line.list.push(performance.now() - started)
    if (answer.status !== 200) line.refused[answer.status] = (line.refused[answer.status] ?? 0) + 1
    return answer.status === 200 && text.startsWith('{')
      ? (JSON.parse(text) as { result?: unknown }).result
      : null
  }

  /** Every read call, of lists and of single resources. */
  async reads(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) await this.readRound(round)
  }

  private async readRound(round: number): Promise<void> {
    const { places, today, askers } = this.things
    const { regionId: countryRegionId, day, past, coming, horseId, otherId } = places[round % places.length]!
    const paging = { pageNo: 1 + (round % 3) * 10, pageSize: 10 }
    const ofDay = { countryRegionId, today: round % 2 === 0 ? today : day }
    const everyone = ['visitor', 'member', 'busy', 'vip'] as const
    for (const who of everyone) {
      for (const call of [racing.queryRacePage, racing.queryRacePageDesc, racing.queryRacePredictionAccuracy])
        await this.ask(who, call, { query: { ...ofDay, ...paging } })
      await this.ask(who, racing.queryRace, { query: ofDay })
      await this.ask(who, racing.queryRaceTips, { query: ofDay })
      await this.ask(who, racing.queryLastRacePredictionAccuracy, { query: { today: ofDay.today } })
      for (const raceId of [past, coming]) {
        await this.ask(who, racing.queryRaceInfo, { query: { raceId } })
        await this.ask(who, racing.queryRaceCompetitor, { query: { raceId } })
      }
      await this.ask(who, horse.queryRaceHorse, {
        query: { ...paging, countryRegionId, text: ['Thunder', 'A0', '雷'][round % 3]! },
      })
      await this.ask(who, horse.queryHorseInfo, { query: { id: horseId } })
      await this.ask(who, horse.queryHeadToHead, { query: { horseId, otherId } })
      for (const by of ['season', 'going', 'jockey'])
        await this.ask(who, ANALYTICS, { body: question(by, round % 2 === 0 ? undefined : 'own') })
      await this.ask(who, ANALYTICS, { body: question('going', 'coming') })
    }
    await this.openReads(round)
    for (const who of ['busy', 'vip'] as const) {
      const raceId = who === 'vip' ? past : coming
      await this.ask(who, racing.queryRacePredictionCache, {
        query: { ...paging, pageNo: 1, raceId, gameplayClass: 1 },
      })
      await this.ask(who, racing.queryOddsTrack, { query: { rprId: `${raceId}-1-1` } })
      await this.ask(who, racing.queryRaceMarket, { query: { raceId } })
      await this.ask(who, report.queryRaceReport, { query: { raceId } })
      await this.ask(who, model.queryLockedForecasts, { query: { raceId } })
    }
    for (const who of ['member', 'busy', 'vip', 'provider'] as const) {
      for (const call of CUSTOMER_CALLS) await this.ask(who, call)
      for (const call of CUSTOMER_PAGES) await this.ask(who, call, { query: paging })
      await this.ask(who, racing.queryRaceSubscribe, { query: { ...ofDay, ...paging } })
      await this.ask(who, subscription.subscribeCheck, { query: { goodsId: past } })
      await this.ask(who, note.queryNotes, { query: { ...paging, countryRegionId: '100000', text: 'pace' } })
      await this.ask(who, note.queryNotes, {
        query: { ...paging, countryRegionId: '100000', horseId: 'HK-A001' },
      })
      await this.ask(who, view.querySavedViews, { query: { countryRegionId: '100000' } })
      await this.ask(who, frozen.queryFrozenRules, { query: { countryRegionId: '100000' } })
      await this.ask(who, trade.queryOrder, { query: { id: askers[who].id } })
    }
    for (const call of [trade.customerPage, trade.settlementPage, trade.withdrawalPage])
      await this.ask('provider', call, { query: paging })
  }

  /** Responses that are the same for all users. */
  private async openReads(round: number): Promise<void> {
    const { places, today } = this.things
    const { regionId: countryRegionId, day, past } = places[round % places.length]!
    for (const call of [
      racing.queryCountryRegion,
      site.configAll,
      site.location,
      trade.queryVipList,
      trade.getVipDiscount,
    ])
      await this.ask('visitor', call)
    await this.ask('visitor', racing.queryStadiumByCountryRegionId, { query: { countryRegionId } })
    await this.ask('visitor', racing.queryPredictionsTotal, { query: { today, countryRegionId } })
    await this.ask('visitor', racing.queryPredictionsTotal, { query: { today: day } })
    await this.ask('visitor', racing.queryAccuracyInDays, { query: { days: -7 - round, countryRegionId } })
    await this.ask('visitor', racing.queryAccuracyInDays, { query: { days: -7 - round } })
    await this.ask('visitor', model.queryAccuracyDetail, { query: { countryRegionId } })
    await this.ask('vip', model.queryModelCard, { query: { countryRegionId } })
    await this.ask('visitor', model.queryRaceLocks, { query: { raceId: past } })
    await this.ask('visitor', model.queryLocksOfDay, { query: { countryRegionId, day } })
    await this.ask('visitor', model.queryLockChain, {
      query: { countryRegionId, fromNumber: 1 + round * 500 },
    })
    await this.ask('visitor', account.queryInviter, { query: { id: this.things.askers.provider.id } })
    await this.ask('visitor', view.querySharedView, {
      query: { code: String(2 + 2 * round).padStart(10, '0') },
    })
    await this.ask('visitor', site.adlist, { query: { position: 'mobile_client_home' } })
    await this.ask('visitor', site.config, { query: { code: 'shareReward' } })
    await this.ask('visitor', site.getDictItems, { path: '/sys/dict/getDictItems/gender' })
    await this.ask('visitor', site.appUpdate, { query: { appid: 'a', version: '1.0.0' } })
  }
}

const ANALYTICS = { method: 'POST', path: analytics.ANALYTICS_PATH } as const

const question = (by: string, scope?: string) => ({
  regionId: '100000',
  ...(scope === undefined ? {} : { scope }),
  request: {
    aggregate: {
      model: 'predictions',
      by: [by],
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

const CUSTOMER_CALLS: readonly Endpoint[] = [
  account.querySession,
  account.checkVip,
  account.userInfo,
  session.querySessions,
  trade.queryOrderMainStatus,
  trade.applyStatus,
  trade.listBankCards,
  trade.queryMyCustomerTotal,
  analytics.queryAnalyticsTokens,
]

const CUSTOMER_PAGES: readonly Endpoint[] = [
  account.shareLogPage,
  account.voucherPage,
  trade.orderPage,
  trade.vipActivationLog,
]
