// @module-tag rest
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allOf, type Filter } from '../../analytics/filter.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import { checkRequest } from '../../analytics/request.ts'
import { NativeEngine, type Row } from '../support/native.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { ANALYTICS_PATH, ARROW_TYPE } from '../../contract/api/analytics.ts'
import { TestServer } from '../support/api.ts'
import type { TestDatabase } from '../support/databases.ts'
import { DEMO_DAY, newDemonstration } from '../support/demo-data.ts'

/** The limits of the process that answers analytics queries, on the real server with real files. */
const HONG_KONG = '100000'
const AUSTRALIA = '100036'

const of = (...filters: Filter[]): Filter =>
  allOf({ dim: 'model', in: ['market-baseline'] }, { dim: 'origin', in: ['backtest'] }, ...filters)!
const totals = (by: string[], measures = ['predictions', 'hits', 'profit'], limit = 1000) => ({
  aggregate: { model: 'predictions', by, measures, where: of(), limit },
})
/** Many figures of each horse on each day, again for each of many distances. */
const panels = (count: number, measures: string[], intervals: boolean) => ({
  linked: {
    model: 'predictions',
    measures,
    panels: Array.from({ length: count }, (_, index) => ({
      by: ['horse', 'day'],
      where: of({ dim: 'distance', from: index }),
    })),
    intervals,
  },
})
/** Takes a second or more, and more memory than a small set of files. */
const HEAVY = panels(48, ['races', 'meetings', 'log_loss', 'brier', 'ae', 'r2'], true)

interface Answer {
  status: number
  message: string
  result: { error?: string; rows?: Row[] }
}

let place: TestDatabase
let server: TestServer
let vip: string

beforeAll(async () => {
  place = await newDemonstration('pglite')
  ;({ token: vip } = await seedCustomer(place.database, { at: DEMO_DAY }))
})
afterEach(async () => {
  await server.close()
  // Whatever was written to the disk ends with its server.
  expect(spilled()).toEqual([])
})
afterAll(() => place.close())

async function start(settings: NodeJS.ProcessEnv): Promise<void> {
  server = await TestServer.start(place, { time: () => DEMO_DAY, settings })
  await server.buy(vip)
}

async function ask(request: unknown, regionId = HONG_KONG, language = 'en'): Promise<Answer> {
  const response = await server.fetch(
    { method: 'POST', path: ANALYTICS_PATH },
    { token: vip, body: { regionId, request }, language },
  )
  return { ...((await response.json()) as Answer), status: response.status }
}

/** What the processes have written to the disk. */
const spilled = (): string[] =>
  readdirSync(join(place.dataFolder, 'analytics'), { recursive: true, encoding: 'utf8' })

/** The rows without any limit. */
async function rowsOf(request: unknown, regionId = HONG_KONG): Promise<Row[]> {
  const engine = await NativeEngine.open(place.dataFolder, regionId, ['market-baseline'])
  return engine.rows(planRequest(checkRequest(request), { scope: 'all' }).sql)
}

describe('time', () => {
  test('a query over the time limit is stopped and says so; the next query is answered', async () => {
    await start({ FURLONG_ANALYTICS_SECONDS: '0.3' })
    const light = totals(['going'])
    const [late, next] = await Promise.all([ask(HEAVY), ask(light)])
    expect(late).toMatchObject({
      status: 503,
      message: 'The server stopped this query after 0.3 seconds. Choose a shorter period.',
      result: { error: 'server-timeout' },
    })
    expect(next.status).toBe(200)
    expect(next.result.rows).toEqual(await rowsOf(light))
    expect((await ask(HEAVY, HONG_KONG, 'zh-Hant')).message).toBe(
      '伺服器在 0.3 秒後停止了此查詢。請選擇較短時段。',
    )
    expect((await ask(totals(['track']))).status).toBe(200)
  })
})

describe('rows', () => {
  test('an answer of as many rows as allowed is whole, one of more rows is refused', async () => {
    await start({ FURLONG_ANALYTICS_ROWS: '40' })
    const whole = totals(['day'], ['hits'], 40)
    const answer = await ask(whole)
    expect(answer.result.rows).toHaveLength(40)
    expect(answer.result.rows).toEqual(await rowsOf(whole))
    const oneTooMany = totals(['day'], ['hits'], 41)
    expect(await ask(oneTooMany)).toMatchObject({
      status: 413,
      message: 'The answer has more than 40 rows. Choose a shorter period or fewer groups.',
      result: { error: 'too-many-rows' },
    })
    // No format has a part of the rows.
    for (const accept of [ARROW_TYPE, 'text/csv']) {
      const refused = await server.fetch(
        { method: 'POST', path: ANALYTICS_PATH },
        { token: vip, body: { regionId: HONG_KONG, request: oneTooMany }, headers: { accept } },
      )
      expect(refused.status).toBe(413)
      expect(await refused.json()).toMatchObject({ success: false, result: { error: 'too-many-rows' } })
    }
    expect((await ask(totals(['season']))).status).toBe(200)
  })

  test('without a setting, 20,000 rows are the limit', async () => {
    await start({})
    const below = panels(4, ['hits'], false)
    const expected = await rowsOf(below)
    expect(expected.length).toBeGreaterThan(15_000)
    expect(expected.length).toBeLessThan(20_000)
    expect((await ask(below)).result.rows).toEqual(expected)
    expect(await ask(panels(6, ['hits'], false))).toMatchObject({
      status: 413,
      message: 'The answer has more than 20,000 rows. Choose a shorter period or fewer groups.',
    })
  })
})

describe('memory', () => {
  test('a query over the memory limit is refused and says so; the next query is answered', async () => {
    await start({ FURLONG_ANALYTICS_MEMORY_MIB: '48' })
    expect(await ask(HEAVY)).toMatchObject({
      status: 503,
      message: 'The server has too little memory for this query. Choose a shorter period.',
      result: { error: 'server-memory' },
    })
    const light = totals(['going'])
    expect((await ask(light)).result.rows).toEqual(await rowsOf(light))
  })

  test('files that do not fit are refused, and smaller ones are answered', async () => {
    await start({ FURLONG_ANALYTICS_MEMORY_MIB: '24' })
    for (const by of ['going', 'track'])
      expect(await ask(totals([by]))).toMatchObject({ status: 503, result: { error: 'server-memory' } })
    const daily = totals(['season'])
    expect((await ask(daily)).result.rows).toEqual(await rowsOf(daily))
    // Nothing is left of the sets that could not be opened.
    expect(spilled().filter((path) => path.endsWith('.tmp'))).toEqual([])
  })

  test('sets of files that exceed the memory do not disturb each other', async () => {
    await start({ FURLONG_ANALYTICS_MEMORY_MIB: '40' })
    const measures = ['predictions', 'profit', 'profit_best', 'expected', 'log_loss', 'brier', 'chance_hits']
    for (const by of ['going', 'outcome', 'horse', 'probability', 'trainer', 'rank', 'day', 'draw']) {
      for (const region of [HONG_KONG, AUSTRALIA]) {
        const request = totals([by], measures)
        expect((await ask(request, region)).result.rows, `${by} ${region}`).toEqual(
          await rowsOf(request, region),
        )
      }
    }
    const folders = new Set(
      spilled().flatMap((path) => (path.endsWith('.tmp') ? [path.split('/').slice(0, 2).join('/')] : [])),
    )
    expect(folders.size).toBe(2)
  })
})
