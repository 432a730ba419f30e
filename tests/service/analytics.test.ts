// @module-tag rest
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { tableFromIPC } from 'apache-arrow'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allOf, type Filter } from '../../analytics/filter.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import { checkRequest } from '../../analytics/request.ts'
import { FIELDS } from '../../analytics/rows.ts'
import { RUNNERS } from '../../analytics/runners.ts'
import { ANALYTICS_PATH, ANSWER_HEADER, ARROW_TYPE } from '../../contract/api/analytics.ts'
import type { ModelId } from '../../contract/model-ids.ts'
import * as account from '../../contract/api/account.ts'
import * as calls from '../../contract/api/analytics.ts'
import { raceSubscribe } from '../../contract/api/subscription.ts'
import { NativeEngine } from '../support/native.ts'
import { addDays } from '../../domain/region.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { curlText } from '../../src/workspace/list/query-text.ts'
import { SEED_PASSWORD, seedCustomer } from '../support/seed-customer.ts'
import { TestServer } from '../support/api.ts'
import { describeOnBoth } from '../support/databases.ts'
import { DEMO_DAY, newDemonstration } from '../support/demo-data.ts'
import { times } from '../support/soak.ts'

const REGION = '100000'
const QUERY = { method: 'POST', path: ANALYTICS_PATH } as const
/** The seven days to Hong Kong's last race day, a Wednesday, are public. */
const FREE_FROM = addDays('2026-11-18', -6)

const SUBJECT: Filter[] = [
  { dim: 'model', in: ['market-baseline'] },
  { dim: 'origin', in: ['backtest'] },
]
const of = (...filters: Filter[]): Filter => allOf(...SUBJECT, ...filters)!
const totals = (by: string[], where: Filter = of()) => ({
  aggregate: { model: 'predictions', by, measures: ['predictions', 'hits', 'profit'], where },
})
const list = (where: Filter = of(), columns = ['race_id', 'day', 'combination', 'outcome']) => ({
  rows: { model: 'predictions', columns, where, sort: [], offset: 0, limit: 500 },
})

describeOnBoth('analytics over HTTP on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  const now = DEMO_DAY
  let member: string
  let vip: string

  beforeAll(async () => {
    const place = await newDemonstration(kind)
    await buildDataset(place.database, place.dataFolder, now)
    server = await TestServer.start(place, { time: () => now })
    member = (await newPerson()).token
    vip = (await newPerson()).token
    await server.buy(vip)
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const newPerson = () => seedCustomer(server.database, { at: now })

  async function ask(
    request: unknown,
    { token, headers = {}, scope }: { token?: string; headers?: Record<string, string>; scope?: 'own' } = {},
  ) {
    const response = await server.fetch(QUERY, {
      token,
      headers,
      body: { regionId: REGION, request, ...(scope ? { scope } : {}) },
    })
    const text = await response.text()
    const body = JSON.parse(text) as {
      result: { about: { source: string; fanOut: boolean }; rows: Record<string, unknown>[]; error?: string }
    }
    return { status: response.status, ...body.result }
  }

  test('a VIP’s answers are those of the engine on a device', async () => {
    const engine = await NativeEngine.open(server.place.dataFolder, REGION, ['market-baseline'])
    for (const request of [
      totals(['season']),
      totals(['going']),
      totals(['jockey'], of({ dim: 'bet_type', in: [3] })),
      list(),
    ]) {
      const { sql, source, fanOut } = planRequest(checkRequest(request), { scope: 'all' })
      const answer = await ask(request, { token: vip })
      expect(answer.about).toMatchObject({ source, fanOut, computed: 'remote' })
      expect(answer.rows).toEqual(await engine.rows(sql))
      expect(answer.rows.length).toBeGreaterThan(0)
    }
  })

  test('a question of several models, of which only totals are in memory, has the same figures', async () => {
    const models = ['market-baseline', 'fundamental'] satisfies ModelId[]
    const engine = await NativeEngine.open(server.place.dataFolder, REGION, models)
    const both: Filter[] = [{ dim: 'model', in: models }, SUBJECT[1]!]
    for (const request of [
      totals(['model', 'season'], allOf(...both)!),
      totals(['model', 'draw'], allOf(...both, { dim: 'bet_type', in: [1] })!),
      list(allOf(...both, { dim: 'rank', in: [1] })!, ['race_id', 'model', 'bet_type', 'combination']),
    ]) {
      const answer = await ask(request, { token: vip })
      expect(answer.rows).toEqual(await engine.rows(planRequest(checkRequest(request), { scope: 'all' }).sql))
      expect(answer.rows.length).toBeGreaterThan(0)
    }
  })

  test('rows are paged by a cursor, of one request and one state of the data, with the total of all pages', async () => {
    const paged = async (request: unknown, cursor: string, token = vip) => {
      const response = await server.fetch(QUERY, { token, body: { regionId: REGION, request, cursor } })
      const body = (await response.json()) as {
        result: {
          about: { total: number; cursor: string | null }
          rows: Record<string, unknown>[]
          error?: string
          reason?: string
        }
      }
      return { status: response.status, ...body.result }
    }
    const QUINELLAS = [
      { dim: 'bet_type', in: [3] },
      { dim: 'rank', in: [1, 2] },
    ]
    const pageOf = (limit: number, where = of(...QUINELLAS)) => ({
      rows: { ...list(where).rows, limit },
    })
    const all = await ask({ rows: { ...pageOf(1).rows, limit: 5000 } }, { token: vip })
    const found: unknown[] = []
    const sizes = new Set<number>()
    let pages = 0
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      // The size of a page may change.
      const page = await paged(pageOf(pages % 2 === 0 ? 300 : 170), cursor)
      found.push(...page.rows)
      sizes.add(page.about.total)
      cursor = page.about.cursor
    }
    expect(pages).toBeGreaterThan(2)
    expect(found).toEqual(all.rows)
    expect([...sizes]).toEqual([all.rows.length])
    // Through several horses of a combination a row is counted once.
    const riders = of({ dim: 'draw', in: [1, 2, 3] }, ...QUINELLAS)
    const ridden = await ask({ rows: { ...pageOf(1, riders).rows, limit: 5000 } }, { token: vip })
    expect((await paged(pageOf(10, riders), '')).about.total).toBe(ridden.rows.length)
    // No row is one page, and a visitor's pages are of the seven days.
    expect((await paged(pageOf(10, of({ dim: 'race_no', in: [99] })), '')).about).toMatchObject({
      total: 0,
      cursor: null,
    })
    const visitor = await server.fetch(QUERY, { body: { regionId: REGION, request: pageOf(10), cursor: '' } })
    const { result } = (await visitor.json()) as { result: { about: { total: number } } }
    expect(result.about.total).toBeLessThan(all.rows.length)
    // Other formats have both in the header.
    const csv = await server.fetch(QUERY, {
      token: vip,
      headers: { accept: 'text/csv' },
      body: { regionId: REGION, request: pageOf(10), cursor: '' },
    })
    expect(JSON.parse(csv.headers.get('x-furlong-answer')!)).toMatchObject({ total: all.rows.length })
    const { cursor } = (await paged(pageOf(10), '')).about
    const other = pageOf(10, of({ dim: 'bet_type', in: [4] }))
    const earlier = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(cursor!, 'base64url').toString()), asOf: '2001-01-01' }),
    ).toString('base64url')
    for (const [request, given] of [
      [other, cursor!],
      [pageOf(10), 'nonsense'],
      [pageOf(10), earlier],
      [totals(['season']), ''],
    ] as const)
      expect(await paged(request, given), given).toMatchObject({ status: 400, error: 'bad-parameters' })
  })

  test('daily totals are everybody’s, rows of seven days too, and nothing else', async () => {
    const all = await ask(totals(['season']), { token: vip })
    expect((await ask(totals(['season']))).rows).toEqual(all.rows)
    for (const request of [totals(['going']), totals([], of({ dim: 'rank', in: [1] }))])
      expect((await ask(request)).status).toBe(403)
    const seen = await ask(list())
    const own = await ask(list(of({ dim: 'day', from: FREE_FROM })), { token: vip })
    expect(seen.rows).toEqual(own.rows)
    expect(seen.rows.every((row) => String(row['day']) >= FREE_FROM)).toBe(true)
    expect(seen.rows.length).toBeGreaterThan(0)
  })

  test('the dividends of a slice’s races are given with the rows that a role may see, and no others', async () => {
    const one = { dim: 'model_rank', in: [1] } as const
    const request = (where: Filter) => ({
      rows: {
        model: 'runners',
        columns: ['race_id', 'day', 'dividends'],
        where,
        sort: [{ by: 'day', descending: true }],
        limit: 200,
      },
    })
    const whole = await ask(request(of(one)), { token: vip })
    expect(whole.rows.some((row) => String(row['day']) < FREE_FROM)).toBe(true)
    expect(String(whole.rows[0]!['dividends'])).toMatch(/^1,\d+,paid,\d+;/)
    for (const role of [{}, { token: member }, { token: member, scope: 'own' as const }]) {
      const seen = await ask(request(of(one)), role)
      expect(seen.rows.every((row) => String(row['day']) >= FREE_FROM)).toBe(true)
      expect(seen.rows.length).toBeGreaterThan(0)
      expect((await ask(request(of(one, { dim: 'day', to: addDays(FREE_FROM, -1) })), role)).rows).toEqual([])
    }
  })

  test('a member sees single predictions of opened races and of the last seven days alone', async () => {
    const days = await ask(totals(['day'], of({ dim: 'bet_type', in: [1] })), { token: member, scope: 'own' })
    expect(days.rows.length).toBeGreaterThan(0)
    expect(days.rows.every((row) => String(row['day']) >= FREE_FROM)).toBe(true)
    const [old] = await server.database.rows<{ id: string }>(
      `select id from race where region_id = $1 and status = 'final' and race_date < $2 order by race_date desc, id limit 1`,
      [REGION, FREE_FROM],
    )
    const before = await ask(list(of({ dim: 'day', to: addDays(FREE_FROM, -1) })), {
      token: member,
      scope: 'own',
    })
    expect(before.rows).toEqual([])
    await server.ask(raceSubscribe, { token: member, query: { raceId: old!.id } })
    const after = await ask(list(of({ dim: 'day', to: addDays(FREE_FROM, -1) })), {
      token: member,
      scope: 'own',
    })
    expect(new Set(after.rows.map((row) => row['race_id']))).toEqual(new Set([old!.id]))
    // A customer who opened no race still sees none of these rows.
    const other = (await newPerson()).token
    const others = await ask(list(of({ dim: 'day', to: addDays(FREE_FROM, -1) })), {
      token: other,
      scope: 'own',
    })
    expect(others.rows).toEqual([])
    expect((await ask(list(), { scope: 'own' })).status).toBe(401)
  })

  test('the answer is Arrow, JSON or CSV by Accept, with what it is about in a header', async () => {
    const body = { regionId: REGION, request: totals(['season']) }
    const arrow = await server.fetch(QUERY, { body, headers: { accept: ARROW_TYPE } })
    const table = tableFromIPC(new Uint8Array(await arrow.arrayBuffer()))
    const about = JSON.parse(arrow.headers.get(ANSWER_HEADER)!) as { columns: { name: string }[] }
    expect(about.columns.map(({ name }) => name)).toEqual(['season', 'predictions', 'hits', 'profit'])
    const csv = await server.fetch(QUERY, { body, headers: { accept: 'text/csv' } })
    expect(csv.headers.get('content-type')).toContain('text/csv')
    const lines = (await csv.text()).trimEnd().split('\r\n')
    expect(lines[0]).toBe('season,predictions,hits,profit')
    expect(lines).toHaveLength(table.numRows + 1)
    const { rows } = await ask(totals(['season']))
    expect(lines[1]!.split(',').map(Number)).toEqual(Object.values(rows[0]!))
    expect(table.get(0)!.toJSON()).toEqual(rows[0])
    const long = await server.fetch(QUERY, {
      body: { regionId: REGION, request: list() },
      headers: { accept: ARROW_TYPE },
    })
    expect(long.headers.get('content-encoding')).not.toBeNull()
    expect(tableFromIPC(new Uint8Array(await long.arrayBuffer())).numRows).toBeGreaterThan(0)
  })

  test('bad requests and unknown regions get a code, never a fault', async () => {
    expect((await ask({ 'drop table': 1 })).error).toBe('unknown-query')
    expect((await ask(totals(['sea']))).error).toBe('bad-parameters')
    const long = { and: Array.from({ length: 200 }, () => ({ dim: 'rank', from: 1 })) }
    const refused = await server.fetch(QUERY, {
      body: {
        regionId: REGION,
        request: { aggregate: { model: 'predictions', by: [], measures: ['hits'], where: of(long) } },
      },
    })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      message: 'This filter has more than 200 conditions. Leave some out.',
      result: { error: 'filter-too-long' },
    })
    for (const measure of ['losing_run', 'losing_run_best', 'drawdown', 'drawdown_worst', 'drawdown_best'])
      for (const measures of [[measure], ['hits', measure]])
        expect(
          (
            await ask({
              linked: { model: 'predictions', measures, panels: [{ by: [], where: of() }] },
            })
          ).error,
        ).toBe('bad-parameters')
    expect((await server.fetch(QUERY, { body: { regionId: '999999', request: totals([]) } })).status).toBe(
      404,
    )
    expect((await server.fetch(QUERY, { body: { regionId: REGION } })).status).toBe(400)
    expect(
      (await server.fetch(QUERY, { body: { regionId: REGION, request: totals([]), sql: 'x' } })).status,
    ).toBe(400)
  })

  test(
    'generated requests never get a fault, nor a row that the role may not see',
    { tags: ['longer'] },
    async () => {
      const dims = Object.keys(PREDICTIONS.dimensions)
      const scalar = fc.oneof(
        fc.integer(),
        fc.string(),
        fc.boolean(),
        fc.constantFrom('2026-11-01', 'turf', 'hit', 'market-baseline', 'backtest', 1, 2, 3),
      )
      const clause = fc.oneof(
        fc.record({ dim: fc.constantFrom(...dims), in: fc.array(scalar, { maxLength: 3 }) }),
        fc.record({ dim: fc.constantFrom(...dims), from: scalar, to: scalar }),
      )
      const good = fc.constantFrom<Filter>(
        { dim: 'bet_type', in: [1] },
        { dim: 'day', from: '2026-01-01' },
        { dim: 'prediction_type', in: [1, 2] },
        { not: { dim: 'track', in: ['turf'] } },
      )
      const where = fc.oneof(
        fc.array(good, { maxLength: 2 }).map((parts) => of(...parts)),
        fc.record({ and: fc.array(clause, { maxLength: 3 }) }),
        clause,
        fc.jsonValue(),
      )
      const model = fc.constantFrom('predictions', 'runners', 'races')
      const measures = fc.array(
        fc.constantFrom(...Object.keys(PREDICTIONS.measures), ...Object.keys(RUNNERS.measures)),
        { maxLength: 4 },
      )
      const by = fc.array(fc.constantFrom(...dims), { maxLength: 3 })
      const request = fc.oneof(
        fc.record({ aggregate: fc.record({ model, by, measures, where, intervals: fc.boolean() }) }),
        fc.record({
          linked: fc.record({
            model,
            measures,
            panels: fc.array(fc.record({ by, where }), { maxLength: 4 }),
          }),
        }),
        fc.record({
          rows: fc.record({
            model,
            columns: fc.array(
              fc.constantFrom(
                'day',
                'race_id',
                ...dims,
                ...Object.keys(FIELDS.predictions),
                ...Object.keys(FIELDS.runners),
              ),
              {
                minLength: 1,
                maxLength: 5,
              },
            ),
            where,
            sort: fc.constant([]),
            limit: fc.integer({ min: -1, max: 600 }),
          }),
        }),
        fc.record({
          named: fc.record({
            name: fc.constantFrom(
              'locks',
              'locked_lines',
              'live_races',
              'reasons',
              'odds_trend',
              'results',
              'x',
            ),
            from: fc.constantFrom('2026-11-01', '2026-02-31', "x'", 7),
            to: fc.constantFrom('2026-11-22', '2027-11-01', null),
            model: fc.constantFrom('market-baseline', 'blended', 'x'),
            raceId: fc.constantFrom('HKSHT2026112201', "x'"),
          }),
        }),
        fc.jsonValue(),
      )
      const statuses = new Set<number>()
      await fc.assert(
        fc.asyncProperty(request, fc.constantFrom('visitor', 'member', 'own'), async (generated, role) => {
          const token = role === 'visitor' ? undefined : member
          const response = await server.fetch(QUERY, {
            token,
            body: { regionId: REGION, request: generated, ...(role === 'own' ? { scope: 'own' } : {}) },
          })
          const text = await response.text()
          statuses.add(response.status)
          expect([200, 400, 403], `${JSON.stringify(generated)}: ${text.slice(0, 300)}`).toContain(
            response.status,
          )
          if (response.status !== 200) return
          const { rows } = (JSON.parse(text) as { result: { rows: Record<string, unknown>[] } }).result
          const opened = await server.database.rows<{ id: string }>(
            `select race_id as id from subscription s join customer c on c.id = s.customer_id`,
          )
          const isRows = typeof generated === 'object' && generated !== null && 'rows' in generated
          if (!isRows) return
          for (const row of rows) {
            const raceId = row['race_id']
            if (typeof row['day'] === 'string' && raceId === undefined && role !== 'own')
              expect(row['day'] >= FREE_FROM).toBe(true)
            if (typeof raceId !== 'string') continue
            const day = `${raceId.slice(5, 9)}-${raceId.slice(9, 11)}-${raceId.slice(11, 13)}`
            if (role !== 'own' || !opened.some(({ id }) => id === raceId)) expect(day >= FREE_FROM).toBe(true)
          }
        }),
        { numRuns: times(400, 20_000), verbose: 1 },
      )
      expect([...statuses].toSorted()).toEqual([200, 400, 403])
    },
  )

  test.skipIf(spawnSync('curl', ['--version']).status !== 0)(
    'the query that the record copies for a shell prints every row of all pages, below one heading',
    async () => {
      const { id, token } = await server.ask(calls.createAnalyticsToken, {
        token: vip,
        body: { name: 'shell' },
      })
      // A quotation mark of the shell in a value, which no race has.
      const where = of(
        { dim: 'bet_type', in: [3] },
        { dim: 'rank', in: [1, 2] },
        { not: { dim: 'class', in: ["4's"] } },
      )
      const { rows } = list(where, ['race_id', 'rank', 'combination', 'outcome'])
      const script = curlText(REGION, { ...rows, limit: 300 }, new URL(ANALYTICS_PATH, server.base).href)
      const { stdout } = await promisify(execFile)('sh', ['-c', script], {
        env: { ...process.env, FURLONG_TOKEN: token },
        maxBuffer: 2 ** 26,
      })
      const all = await ask({ rows: { ...rows, limit: 5000 } }, { token: vip })
      expect(all.rows.length).toBeGreaterThan(600)
      const lines = stdout.trimEnd().split(/\r?\n/)
      expect(lines[0]!.replace('\uFEFF', '')).toBe('race_id,rank,combination,outcome')
      expect(lines.slice(1).map((line) => line.split(',').slice(0, 2).join())).toEqual(
        all.rows.map((row) => `${String(row['race_id'])},${String(row['rank'])}`),
      )
      await server.ask(calls.revokeAnalyticsToken, { token: vip, query: { id } })
    },
  )

  test('personal access tokens have their owner’s rights on this call alone, and end when revoked', async () => {
    const { id, token } = await server.ask(calls.createAnalyticsToken, {
      token: vip,
      body: { name: ' notebook ' },
    })
    const [listed] = await server.ask(calls.queryAnalyticsTokens, { token: vip })
    expect(listed).toMatchObject({ id, name: 'notebook', lastUsedAt: null })
    const bearer = { authorization: `Bearer ${token}` }
    expect((await ask(totals(['going']), { headers: bearer })).status).toBe(200)
    expect((await server.ask(calls.queryAnalyticsTokens, { token: vip }))[0]!.lastUsedAt).not.toBeNull()
    // The database stores only the token's hash, and no other call accepts the token.
    const stored = await server.database.rows<{ tokenHash: string }>('select token_hash from analytics_token')
    expect(stored.some(({ tokenHash }) => tokenHash === token)).toBe(false)
    expect((await server.call(calls.queryAnalyticsTokens, { token })).status).toBe(401)
    // A customer cannot revoke another customer's token.
    expect(await server.ask(calls.revokeAnalyticsToken, { token: member, query: { id } })).toEqual({
      revoked: false,
    })
    expect(await server.ask(calls.revokeAnalyticsToken, { token: vip, query: { id } })).toEqual({
      revoked: true,
    })
    expect((await ask(totals(['going']), { headers: bearer })).status).toBe(401)
    expect((await ask(totals([]), { headers: { authorization: 'Basic eDp5' } })).status).toBe(401)
  })

  test('there are ten tokens at most, also for requests at once, and a rate for each', async () => {
    const owner = (await newPerson()).token
    const made = await Promise.all(
      Array.from({ length: 14 }, () =>
        server.call(calls.createAnalyticsToken, { token: owner, body: { name: 'n' } }),
      ),
    )
    expect(made.filter(({ ok }) => ok)).toHaveLength(10)
    const first = made.find((reply) => reply.ok)!
    const authorization = `Bearer ${first.ok ? first.result.token : ''}`
    const statuses = []
    for (let call = 0; call < 70; call += 1)
      statuses.push((await ask(totals([]), { headers: { authorization } })).status)
    expect(statuses).toEqual([...Array<number>(60).fill(200), ...Array<number>(10).fill(429)])
  })

  test('a new password ends the tokens that were made under the old one', async () => {
    const { token } = await newPerson()
    const made = await server.ask(calls.createAnalyticsToken, { token, body: { name: 'old' } })
    const password = 'anotherhorse7'
    await server.ask(account.changePassword, {
      token,
      body: { oldPassword: SEED_PASSWORD, password, confirmPassword: password },
    })
    const headers = { authorization: `Bearer ${made.token}` }
    expect((await ask(totals([]), { headers })).status).toBe(401)
    expect(await server.ask(calls.queryAnalyticsTokens, { token })).toEqual([])
  })

  test('a killed process is replaced, and equal questions at once are one', async () => {
    const byWeekday = totals(['weekday'], of({ dim: 'bet_type', in: [2] }))
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(byWeekday, { token: vip })))
    expect(new Set(answers.map(({ rows }) => JSON.stringify(rows))).size).toBe(1)
    server.context.analytics.close()
    const again = await ask(totals(['course']), { token: vip })
    expect(again.status).toBe(200)
    expect(again.rows.length).toBeGreaterThan(0)
  })
})
