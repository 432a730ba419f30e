import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkSignIn, querySession } from '../../contract/api/session.ts'
import { queryCountryRegion, queryRace } from '../../contract/api/racing.ts'
import { Manifest, type DatasetFile } from '../../contract/dataset.ts'
import { buildApp } from '../../server/app.ts'
import { makeDemonstrationLink } from '../../server/services/one-time-link.ts'
import { makeToken } from '../../server/services/right.ts'
import { newDemonstration } from '../support/demo-data.ts'
import type { TestDatabase } from '../support/databases.ts'

/**
 * Who may call what. Every route of the service has its row here, and every kind of dataset file; a route without one
 * fails the test.
 */
const SECRET = randomBytes(32).toString('hex')
const HOUR = 3_600_000

type Role = 'visitor' | 'vip' | 'demonstration vip' | 'expired vip' | 'forged'
const ROLES: readonly Role[] = ['visitor', 'vip', 'demonstration vip', 'expired vip', 'forged']

interface Row {
  route: string
  url: string
  method?: 'GET' | 'POST'
  body?: object
  /** Status by role, in the order of `ROLES`. */
  status: readonly [number, number, number, number, number]
}

const PUBLIC = [200, 200, 200, 200, 200] as const
const VIP_ONLY = [401, 200, 200, 401, 401] as const

let place: TestDatabase
let app: FastifyInstance
let files: DatasetFile[]

beforeAll(async () => {
  place = await newDemonstration('pglite')
  app = await buildApp(
    { database: place.database, dataFolder: place.dataFolder, secret: SECRET, siteFolder: null },
    { log: false },
  )
  await app.ready()
  files = Manifest.parse((await app.inject('/dataset/manifest.json')).json()).files
})
afterAll(async () => {
  await app.close()
  await place.close()
})

function tokenOf(role: Role): string | undefined {
  const right = { role: 'vip', expiresAt: new Date(Date.now() + HOUR), demonstration: false } as const
  switch (role) {
    case 'visitor':
      return undefined
    case 'vip':
      return makeToken(SECRET, right)
    case 'demonstration vip':
      return makeToken(SECRET, { ...right, demonstration: true })
    case 'expired vip':
      return makeToken(SECRET, { ...right, expiresAt: new Date(Date.now() - HOUR) })
    case 'forged':
      return makeToken('x'.repeat(43), right)
  }
}

const call = (role: Role, { method = 'GET', url, body }: Pick<Row, 'method' | 'url' | 'body'>) => {
  const token = tokenOf(role)
  return app.inject({
    method,
    url,
    headers: token ? { 'x-access-token': token } : {},
    ...(body ? { payload: body } : {}),
  })
}

function rowsOf(): Row[] {
  const fileRows = (['reference', 'racing', 'recent', 'record'] as const).map((kind): Row => {
    const file = files.find((each) => each.kind === kind)!
    const status = kind === 'record' ? VIP_ONLY : PUBLIC
    return { route: 'GET /dataset/:file', url: `/dataset/${file.sha256}.duckdb`, status }
  })
  return [
    { route: 'GET /healthz', url: '/healthz', status: PUBLIC },
    { route: 'GET /readyz', url: '/readyz', status: PUBLIC },
    { route: `GET ${queryCountryRegion.path}`, url: queryCountryRegion.path, status: PUBLIC },
    {
      route: `GET ${queryRace.path}`,
      url: `${queryRace.path}?countryRegionId=100000&today=2026-11-21`,
      status: PUBLIC,
    },
    { route: `GET ${querySession.path}`, url: querySession.path, status: VIP_ONLY },
    {
      route: `POST ${linkSignIn.path}`,
      url: linkSignIn.path,
      method: 'POST',
      body: { code: 'x'.repeat(43) },
      status: [403, 403, 403, 403, 403],
    },
    { route: 'GET /dataset/manifest.json', url: '/dataset/manifest.json', status: PUBLIC },
    ...fileRows,
  ]
}

/** Routes that the service really has, `HEAD` twins aside. */
function routesOf(server: FastifyInstance): string[] {
  const printed = server.printRoutes({ commonPrefix: false })
  const routes: string[] = []
  const path: string[] = []
  for (const line of printed.split('\n')) {
    const match = /^([│ ]*)[├└]── (\S+)(?: \(([^)]*)\))?/.exec(line)
    if (!match) continue
    const depth = match[1]!.length / 4
    path.length = depth
    path.push(match[2]!)
    for (const method of (match[3] ?? '').split(', '))
      if (method && method !== 'HEAD') routes.push(`${method} ${path.join('')}`)
  }
  return routes.toSorted()
}

test('every route and role answers as the table says', async () => {
  for (const row of rowsOf()) {
    for (const [index, role] of ROLES.entries()) {
      const { statusCode } = await call(role, row)
      expect(statusCode, `${row.route} ${row.url} as ${role}`).toBe(row.status[index])
    }
  }
})

test('no route is without a row, and the check would see one that is', async () => {
  const known = [...new Set(rowsOf().map(({ route }) => route))].toSorted()
  expect(routesOf(app)).toEqual(known)
  const other = await buildApp(
    { database: place.database, dataFolder: place.dataFolder, secret: SECRET, siteFolder: null },
    { log: false },
  )
  other.get('/sys/api/forgotten', async () => 'open')
  await other.ready()
  expect(routesOf(other)).not.toEqual(known)
  await other.close()
})

describe('answers keep their contract', () => {
  test('regions are in the reader’s language', async () => {
    const answer = await app.inject({
      url: queryCountryRegion.path,
      headers: { 'accept-language': 'zh-HK,zh;q=0.9' },
    })
    expect(queryCountryRegion.response.parse(answer.json()).result).toContainEqual({
      id: '100000',
      name: '香港',
    })
  })
  test('the schedule begins today', async () => {
    const answer = await app.inject(`${queryRace.path}?countryRegionId=100036&today=2026-11-21`)
    const races = queryRace.response.parse(answer.json()).result
    expect(races.length).toBeGreaterThan(3)
    expect(races.every(({ date, status }) => date >= '2026-11-21' && status === 'scheduled')).toBe(true)
  })
  test.each([
    ['en', 'countryRegionId'],
    ['zh-Hant', '送出的資料'],
    ['zh-Hans', '送出的数据'],
  ])('bad input names each field, in %s', async (language, words) => {
    const answer = await app.inject({
      url: `${queryRace.path}?countryRegionId=1&today=soon`,
      headers: { 'accept-language': language },
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ message: string }>().message).toContain(words)
    const { fields } = answer.json<{ result: { fields: { field: string }[] } }>().result
    expect(fields.map(({ field }) => field).toSorted()).toEqual(['countryRegionId', 'today'])
  })
  test.each([
    ['another type', 'application/xml', '<a/>', 415],
    ['broken JSON', 'application/json', '{"code":', 400],
    ['a field missing', 'application/json', '{}', 400],
    ['a body too large', 'application/json', `{"code":"${'x'.repeat(300_000)}"}`, 413],
  ])('%s is refused in the envelope, without a trace', async (_, type, payload, status) => {
    const answer = await app.inject({
      method: 'POST',
      url: linkSignIn.path,
      headers: { 'content-type': type },
      payload,
    })
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ success: false, code: status })
    expect(answer.body).not.toMatch(/node_modules|at .*\.ts/)
  })
})

describe('dataset files', () => {
  const publicFile = (): string => `/dataset/${files.find(({ kind }) => kind === 'racing')!.sha256}.duckdb`
  test('are immutable, compressed where that helps, and may be fetched in part', async () => {
    const whole = await app.inject({ url: publicFile(), headers: { 'accept-encoding': 'br' } })
    expect(whole.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(whole.headers['content-encoding']).toBe('br')
    const part = await app.inject({
      url: publicFile(),
      headers: { range: 'bytes=8-11', 'accept-encoding': 'br' },
    })
    expect(part.statusCode).toBe(206)
    expect(part.body).toBe('DUCK')
  })
  test('entitled ones are private to caches, and say nothing when refused', async () => {
    const url = `/dataset/${files.find(({ kind }) => kind === 'record')!.sha256}.duckdb`
    expect((await call('vip', { url })).headers['cache-control']).toContain('private')
    const refused = await call('visitor', { url })
    expect(refused.headers['cache-control']).toBe('no-store')
    expect(refused.rawPayload.length).toBeLessThan(400)
    for (const twin of [
      `${url}.br`,
      `${url}?x=1.br`,
      url.replace('/dataset/', '/dataset/./'),
      url.replace('/dataset/', '//dataset/'),
    ]) {
      expect((await app.inject(twin)).statusCode, twin).toBeGreaterThanOrEqual(400)
    }
  })
  test.each([
    '/dataset/index.json',
    '/dataset/..%2fsecret',
    '/dataset/%2e%2e/secret',
    `/dataset/${'0'.repeat(64)}.duckdb`,
  ])('%s is not served', async (url) => {
    expect((await call('vip', { url })).statusCode).toBe(404)
  })
  test('the manifest is asked for anew, and not sent twice', async () => {
    const first = await app.inject('/dataset/manifest.json')
    expect(first.headers['cache-control']).toBe('no-cache')
    const again = await app.inject({
      url: '/dataset/manifest.json',
      headers: { 'if-none-match': String(first.headers['etag']) },
    })
    expect(again.statusCode).toBe(304)
  })
  test('what everybody may fetch holds seven days of predictions at most', () => {
    for (const file of files.filter(
      ({ rows, entitlement }) => entitlement === 'public' && 'prediction' in rows,
    )) {
      expect(file.kind).toBe('recent')
      expect(file.from! >= '2026-11-15').toBe(true)
    }
  })
})

describe('a one-time link', () => {
  const signIn = (code: string) => app.inject({ method: 'POST', url: linkSignIn.path, payload: { code } })
  test('gives a right once, also to two who come at the same moment', async () => {
    const code = await makeDemonstrationLink(place.database)
    const answers = await Promise.all([signIn(code), signIn(code), signIn(code)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403, 403])
    const given = answers.find(({ statusCode }) => statusCode === 200)!
    const { token } = linkSignIn.response.parse(given.json()).result
    const session = await app.inject({ url: querySession.path, headers: { 'x-access-token': token } })
    expect(querySession.response.parse(session.json()).result.role).toBe('vip')
  })
  test('ends after a day', async () => {
    const code = await makeDemonstrationLink(place.database, new Date(Date.now() - 25 * HOUR))
    expect((await signIn(code)).statusCode).toBe(403)
  })
})

test('what the demonstration gave ends with the demonstration', async () => {
  const code = await makeDemonstrationLink(place.database)
  await place.database.rows(`delete from setting where name = 'demonstration'`)
  expect((await app.inject({ method: 'POST', url: linkSignIn.path, payload: { code } })).statusCode).toBe(403)
  expect((await call('demonstration vip', { url: querySession.path })).statusCode).toBe(401)
  expect((await call('vip', { url: querySession.path })).statusCode).toBe(200)
  await expect(makeDemonstrationLink(place.database)).rejects.toMatchObject({ code: 'not-demonstration' })
})
