import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as account from '../../contract/api/account.ts'
import * as racing from '../../contract/api/racing.ts'
import { raceSubscribe } from '../../contract/api/subscription.ts'
import { Manifest, type DatasetFile } from '../../contract/dataset.ts'
import { addRoutes, newApp } from '../../server/serving/app.ts'
import { ANALYTICS_PATH } from '../../contract/api/analytics.ts'
import { raceIdDate } from '../../domain/race-id.ts'
import { regionOfStadium } from '../../domain/region.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { makeProvider } from '../../server/store/accounts/promotion-store.ts'
import { revokeToken } from '../../server/store/accounts/token-store.ts'
import { tokenHash } from '../../server/db/keys.ts'
import { bumpRevisions } from '../../server/db/revisions.ts'
import { accessRows, NEW_PASSWORD, ROLES, type Role } from '../support/access-table.ts'
import { collectRoutes, newSmallSeason, TestServer } from '../support/api.ts'
import { seedCustomer, type Seeded } from '../support/seed-customer.ts'
import { newTokenOf } from '../support/customers.ts'
import { describeOnBoth, newFolder } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { SECRET_KEY, WEBHOOK_SECRET } from '../support/stripe-stand-in.ts'
import { ENDPOINTS, nameOf } from '../support/endpoints.ts'

describeOnBoth('access on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let files: DatasetFile[]
  let raceId: string
  let otherRaceId: string
  let people: Record<Exclude<Role, 'visitor'>, Seeded>
  const now = DEMO_DAY

  beforeAll(async () => {
    const place = await newSmallSeason(kind)
    await buildDataset(place.database, place.dataFolder, DEMO_DAY)
    const siteFolder = newFolder()
    writeFileSync(join(siteFolder, 'index.html'), '<!doctype html><title>Furlong</title>')
    for (const name of ['build-manifest.json', 'build-manifest.json.br'])
      writeFileSync(join(siteFolder, name), '{}')
    // Everything optional is switched on, so that every route needs a row.
    server = await TestServer.start(place, {
      time: () => now,
      siteFolder,
      settings: {
        NODE_ENV: 'development',
        FURLONG_PAYMENT: 'sandbox',
        STRIPE_SECRET_KEY: SECRET_KEY,
        STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      },
    })
    files = Manifest.parse(await (await fetch(new URL('dataset/manifest.json', server.base))).json()).files
    const [race] = await place.database.rows<{ id: string }>(
      `select id from race where status = 'final' and race_date < '2026-11-10' order by id limit 1`,
    )
    raceId = race!.id
    const [other] = await place.database.rows<{ id: string }>('select id from race order by id desc limit 1')
    otherRaceId = other!.id
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
    await server.ask(raceSubscribe, {
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

  /** Returns a new token per call, because some calls revoke the token that they are made with. */
  async function tokenOf(role: Role): Promise<string | undefined> {
    if (role === 'visitor') return undefined
    const token = await newTokenOf(server.database, people[role].id, now)
    if (role === 'revoked token') await revokeToken(server.database, tokenHash(token), now)
    return token
  }

  const rows = () => accessRows({ files, raceId, otherRaceId, otherMemberId: people['other member'].id })

  test('every route and role answers as the table says', async () => {
    // Five failures first, so that the sign-ins below all start from the same state.
    for (let tries = 0; tries < 5; tries += 1) {
      await server.call(account.mLogin, { body: { username: 'nobody', password: 'x' } })
      await server.call(account.phoneLogin, { body: { mobile: '61234567', captcha: '123456' } })
      await server.call(account.forgotPassword, { body: NEW_PASSWORD })
    }
    const wrong: string[] = []
    for (const { route, url, body, status } of rows()) {
      const [method = 'GET', path = ''] = route.split(' ')
      // The roles at once: what one of them changes is its own.
      const answers = ROLES.map(async (role, index) => {
        const token = await tokenOf(role)
        const response = await server.fetch(
          { method: method as 'GET', path: url ?? path },
          { token, ...(body ? { body } : {}) },
        )
        await response.arrayBuffer()
        if (response.status !== status[index])
          wrong.push(`${route} as ${role}: ${response.status}, not ${status[index]}`)
      })
      await Promise.all(answers)
    }
    expect(wrong).toEqual([])
  })

  test('what belongs to a customer is never stored, and what depends on the viewer only with their token', async () => {
    const calls = new Map(ENDPOINTS.map((endpoint) => [nameOf(endpoint), endpoint]))
    const marked = { customer: new Set<string>(), viewer: new Set<string>() }
    for (const { route, url } of rows()) {
      const call = calls.get(route)
      if (call?.method !== 'GET' || (call.access !== 'customer' && call.access !== 'viewer')) continue
      for (const role of ['VIP', 'provider', 'member, race subscribed'] as const) {
        const token = await tokenOf(role)
        const response = await server.fetch({ method: 'GET', path: url ?? call.path }, { token })
        await response.arrayBuffer()
        const control = response.headers.get('cache-control')
        if (call.access === 'customer' || response.status !== 200) expect(control, route).toBe('no-store')
        else {
          expect(control, route).toBe('private, no-cache')
          expect(response.headers.get('vary'), route).toContain('x-access-token')
        }
        if (response.status === 200) marked[call.access].add(route)
      }
    }
    // Refusals are marked too, so each call must have succeeded for one of the roles; an unknown order or rule has none.
    const all = (access: string): string[] =>
      ENDPOINTS.filter((call) => call.method === 'GET' && call.access === access).map(nameOf)
    const refused = ['GET /race/api/queryFrozenBets', 'GET /trade/api/order']
    expect(all('customer').filter((name) => !marked.customer.has(name))).toEqual(refused)
    expect(all('viewer').filter((name) => !marked.viewer.has(name))).toEqual([])
  })

  describe('the table is whole', () => {
    const listed = (): string[] => [...new Set(rows().map(({ route }) => route))].toSorted()

    test('no route is without a row, no row without a route, and every call of the contract is a route', () => {
      expect([...server.routes].toSorted()).toEqual(listed())
      for (const endpoint of ENDPOINTS)
        expect(server.routes.has(nameOf(endpoint)), nameOf(endpoint)).toBe(true)
    })

    test('the check sees a route that was added without a row', async () => {
      const routes = new Set<string>()
      const other = newApp(server.context)
      collectRoutes(other, routes)
      await addRoutes(other, server.context)
      expect([...routes].toSorted()).toEqual(listed())
      other.get('/sys/api/forgotten', async () => 'open')
      await other.ready()
      expect([...routes].toSorted()).not.toEqual(listed())
      await other.close()
    })
  })

  test('the list of the source files that the build leaves is not served', async () => {
    for (const path of [
      '/build-manifest.json',
      '/build-manifest.json.br',
      '/.%2Fbuild-manifest.json',
      '/%2Fbuild-manifest.json',
    ])
      expect((await server.fetch({ method: 'GET', path })).status).toBe(404)
  })

  test('whether a race is predicted is the same for every role in every call and file, and nothing else of it is told', async () => {
    const { database, dataFolder } = server.place
    // Others than those above, whose answers may be kept.
    const found = ['final', 'scheduled'].map(async (status) => {
      const [race] = await database.rows<{ id: string }>(
        'select id from race where status = $1 and id <> all($2::text[]) order by race_date desc, id limit 1',
        [status, [raceId, otherRaceId]],
      )
      return race!.id
    })
    const without = await Promise.all(found)
    for (const table of ['settlement', 'prediction', 'win_chance'])
      await database.rows(`delete from ${table} where race_id = any($1::text[])`, [without])
    await bumpRevisions(database, without)
    await buildDataset(database, dataFolder, DEMO_DAY)
    const told: unknown[] = []
    for (const role of ROLES) {
      if (role === 'revoked token') continue
      const token = await tokenOf(role)
      for (const id of without) {
        const query = { countryRegionId: regionOfStadium(id)!.id, today: raceIdDate(id) }
        const races = (await server.ask(racing.queryRace, { query, token })).filter(
          ({ date }) => date === query.today,
        )
        const models = new Map<string, string>()
        for (const race of races) {
          const info = await server.ask(racing.queryRaceInfo, { query: { raceId: race.id }, token })
          models.set(race.id, info.models.map(({ model }) => model).join(' '))
        }
        expect(races.filter(({ predicted }) => !predicted).map((race) => race.id)).toEqual([id])
        expect([...models].filter(([, names]) => names === '')).toEqual([[id, '']])
        const named = { name: 'results', from: query.today, to: query.today }
        const response = await server.fetch(
          { method: 'POST', path: ANALYTICS_PATH },
          { token, body: { regionId: query.countryRegionId, request: { named } } },
        )
        const { result } = (await response.json()) as { result: { rows: Record<string, string>[] } }
        expect(result.rows.map((row) => row['predicted_by'])).toEqual(
          result.rows.map((row) => models.get(row['race_id']!)),
        )
        told.push({ id, races, models: [...models], rows: result.rows })
      }
    }
    expect(
      told.slice(without.length).every((each, at) => isDeepStrictEqual(each, told[at % without.length])),
    ).toBe(true)
  })
})
