// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STRIPE_PATH } from '../../server/routes/payment.ts'
import { makeProvider } from '../../server/store/accounts/promotion-store.ts'
import { seedCustomer, type Seeded } from '../support/seed-customer.ts'
import { ledgerFaults, newTokenOf } from '../support/customers.ts'
import { FROZEN } from '../support/frozen-rules.ts'
import { noteOn } from '../support/access-notes.ts'
import { newAddress, newSmallSeason, randomUuid, TestServer } from '../support/api.ts'
import { describeOnBoth } from '../support/databases.ts'
import { SECRET_KEY, StripeStandIn, WEBHOOK_SECRET } from '../support/stripe-stand-in.ts'
import { raw, TEXTS, TRACE, VALUES, targetsOf, type Target } from '../support/hostile.ts'

/**
 * Sends hostile input to every endpoint of the OpenAPI file, one field at a time with the others valid: never a 500, no
 * internal details in a response, and all data unchanged afterwards. `attack-feed.test.ts` covers the calls of operator
 * tokens.
 */
describeOnBoth('under attack on %s', { usual: 'pglite', other: 'soak' }, (kind) => {
  let server: TestServer
  let person: Seeded
  let orderId: string
  let targets: Target[]
  let samples: Record<string, unknown>

  beforeAll(async () => {
    const place = await newSmallSeason(kind, new Date())
    server = await TestServer.start(place, {
      settings: {
        FURLONG_PAYMENT: 'sandbox',
        STRIPE_SECRET_KEY: SECRET_KEY,
        STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      },
    })
    person = await seedCustomer(place.database)
    await makeProvider(place.database, person.id, new Date())
    orderId = await server.buy(person.token)
    const [race] = await place.database.rows<{ id: string }>('select id from race order by id limit 1')
    const [horse, other] = await place.database.rows<{ id: string }>(
      'select id from horse order by id limit 2',
    )
    samples = {
      ...FROZEN,
      ...noteOn(horse!.id),
      kind: 'horse',
      target: horse!.id,
      rating: 70,
      odds: 4.5,
      shortlisted: true,
      account: person.account,
      accountId: person.id,
      agreement: true,
      amount: '1.00',
      appid: 'furlong',
      bank: 'A Bank',
      captcha: '123456',
      cardId: randomUuid(),
      cardNumber: '4242424242424242',
      category: '1',
      changes: [{ horseNumber: 1, jockeyId: 'HK-Somebody', gear: 'B1', draw: 1, weightLb: 120 }],
      channel: 'h5',
      clientId: 'device',
      code: 'showContactUs',
      confirmPassword: 'horse4course',
      countryRegionId: '100000',
      // Of the first page.
      cursor: '',
      day: '2026-11-21',
      days: '-7',
      dictCode: 'gender',
      endpoint: 'https://fcm.googleapis.com/fcm/send/browser',
      file: 'x',
      from: '2026-11-01',
      fromNumber: '1',
      gameplayClass: '3',
      gender: 0,
      address: 'period=year',
      agreed: true,
      up: true,
      followed: true,
      threshold: { measure: 'return', length: 100, unit: 'bets', side: 'below', value: -0.2 },
      digest: 'weekly',
      going: 'soft',
      goodsId: race!.id,
      id: horse!.id,
      imei: 'x',
      inviter: person.id,
      keys: { p256dh: `B${'x'.repeat(86)}`, auth: 'x'.repeat(22) },
      kinds: { site: [], push: [], email: [] },
      language: 'en',
      login: 'customer',
      mobile: '61234567',
      model: 'fundamental',
      name: 'Chan',
      nickname: 'Reader',
      answerTo: 'me@example.org',
      pictures: [],
      oldPassword: 'horse4course',
      otherId: other!.id,
      page: 'home',
      pageNo: '1',
      pageSize: '10',
      password: 'horse4course',
      phone: '61234567',
      planId: '1',
      priceBelow: 2,
      pricePercent: 10,
      position: 'mobile_client_home',
      purpose: 'login',
      quiet: null,
      raceId: race!.id,
      races: [],
      realName: 'Chan',
      requestId: randomUuid(),
      rprId: `${race!.id}-1-1`,
      state: 'closed',
      regionId: '100000',
      request: { aggregate: { model: 'predictions', by: [], measures: ['hits'] } },
      scope: 'own',
      to: '2026-12-01',
      today: '2026-11-21',
      userid: person.id,
      username: 'somebody',
      version: '1.0.0',
      reference: 'x'.repeat(32),
      channel_: 'h5',
      user: 'device_app',
      '*': 'x.webp',
    }
    targets = targetsOf(server.app)
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  async function faultsOf(response: Response): Promise<string[]> {
    const text = await response.text()
    const faults: string[] = []
    if (response.status >= 500) faults.push(`status ${response.status}`)
    if (response.status >= 400 && TRACE.test(text)) faults.push(`shows ${text.slice(0, 200)}`)
    if (response.headers.has('x-injected')) faults.push('header injected')
    return faults
  }

  const soundValue = (path: string, name: string): unknown => {
    if (name === 'code' && path.endsWith('sharedView')) return '0123456789'
    if (name === 'code' && path.endsWith('linkSignIn')) return 'x'.repeat(43)
    if (name === 'address' && path.endsWith('alertEmail')) return 'me@example.org'
    if (name === 'id' && !/queryHorse(?:Info|Pace)$/.test(path))
      return path.endsWith('userInfo') ? person.id : orderId
    expect(Object.hasOwn(samples, name), `no sound value for ${name}`).toBe(true)
    return samples[name]
  }

  /** Sends a target with one thing changed; returns the faults of the response. */
  async function send(
    target: Target,
    change: {
      query?: Record<string, string>
      param?: string
      body?: Record<string, unknown>
      raw?: string | Buffer
    },
    token: string | undefined,
    headers: Record<string, string> = {},
  ): Promise<string[]> {
    const sample = (name: string): unknown => soundValue(target.path, name)
    const filled = target.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
      encodeURIComponent((change.param ?? String(sample(name))).replaceAll(/\p{Surrogate}/gu, '%')),
    )
    const url = new URL(filled, server.base)
    for (const name of target.query) url.searchParams.set(name, change.query?.[name] ?? String(sample(name)))
    const fields = Object.fromEntries(target.body.map((name) => [name, sample(name)]))
    const payload = change.raw ?? JSON.stringify({ ...fields, ...change.body })
    const hasBody = target.method !== 'GET' && target.method !== 'DELETE'
    const response = await fetch(url, {
      method: target.method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': newAddress(),
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { 'x-access-token': token }),
        ...headers,
      },
      ...(hasBody ? { body: typeof payload === 'string' ? payload : new Uint8Array(payload) } : {}),
    })
    const faults = await faultsOf(response)
    return faults.map(
      (each) => `${target.method} ${url.pathname} ${JSON.stringify(change).slice(0, 120)}: ${each}`,
    )
  }

  const freshToken = () => newTokenOf(server.database, person.id, new Date())

  test('the file names every call', () => {
    expect(targets.length).toBeGreaterThan(60)
  })

  test('every field of every endpoint, with every hostile value, as visitor and as a provider who is VIP', async () => {
    const wrong: string[] = []
    let sent = 0
    for (const target of targets) {
      const token = await freshToken()
      const changes = [
        ...target.query.flatMap((name) => TEXTS.map((text) => ({ query: { [name]: text } }))),
        ...target.params.flatMap(() => TEXTS.map((param) => ({ param }))),
        ...target.body.flatMap((name) => VALUES.map((value) => ({ body: { [name]: value } }))),
      ]
      for (let from = 0; from < changes.length; from += 20) {
        const some = changes.slice(from, from + 20)
        const answers = await Promise.all(
          some.flatMap((change) => [send(target, change, token), send(target, change, undefined)]),
        )
        sent += answers.length
        wrong.push(...answers.flat())
      }
    }
    expect(wrong).toEqual([])
    expect(sent).toBeGreaterThan(3000)
  })

  test.each([
    ['changeSavedView', 'threshold', ['measure', 'length', 'unit', 'side', 'value']],
    ['alertSettings', 'kinds', ['site', 'push', 'email']],
    ['alertSettings', 'quiet', ['from', 'to']],
    ['pushDevices', 'keys', ['p256dh', 'auth']],
  ])('%s: every part of its field %s, with every hostile value', async (call, field, parts) => {
    const target = targets.find(({ method, path }) => method === 'POST' && path.endsWith(call))!
    const token = await freshToken()
    const sound = samples[field] ?? {}
    const wrong: string[] = []
    for (const part of parts)
      for (const value of [...VALUES, { __proto__: null }, [[]], 1e308, -0])
        wrong.push(...(await send(target, { body: { [field]: { ...sound, [part]: value } } }, token)))
    expect(wrong).toEqual([])
  })

  test('bodies that are huge, deep, broken, no UTF-8, or no JSON', async () => {
    const wrong: string[] = []
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
    const bodies: (string | Buffer)[] = [
      'x'.repeat(2_000_000),
      `{"phone":"${'1'.repeat(400_000)}"}`,
      deep,
      '['.repeat(100_000),
      '{"a":1',
      'null',
      '"text"',
      '[1,2]',
      '{"__proto__":{"isVip":1},"constructor":{"prototype":{"x":1}}}',
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.alloc(1000),
    ]
    for (const target of targets.filter(({ method }) => method === 'POST')) {
      const token = await freshToken()
      for (const body of bodies) wrong.push(...(await send(target, { raw: body }, token)))
      for (const type of [
        'text/plain',
        'application/xml',
        'multipart/form-data',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-7',
      ])
        wrong.push(...(await send(target, { raw: '--x\r\nnonsense' }, token, { 'content-type': type })))
    }
    expect(wrong).toEqual([])
  })

  test('uploads: forms with a hostile name, type, field, order or end', async () => {
    const boundary = 'xxBOUNDARYxx'
    const part = (head: string, content = 'GIF89a'): string =>
      `--${boundary}\r\n${head}\r\n\r\n${content}\r\n`
    const file = 'Content-Disposition: form-data; name="file"; filename="a.gif"'
    const end = `--${boundary}--\r\n`
    const forms = [
      part(file) + end,
      part(file),
      part(file) + part(file) + end,
      part(file.replace('a.gif', '../../a\u0000.gif')) + end,
      part(file.replace('a.gif', 'x'.repeat(9000))) + end,
      part(file.replace('"file"', '"__proto__"')) + end,
      part('Content-Disposition: form-data; name="constructor"', 'x') + end,
      part(`${file}\r\nContent-Type: \u0001`) + end,
      Array.from({ length: 50 }, (_, index) =>
        part(`Content-Disposition: form-data; name="f${index}"`, 'x'),
      ).join('') + end,
      part('X: y') + end,
      end,
      '',
    ]
    const wrong: string[] = []
    for (const target of targets.filter(({ path }) => /upload/i.test(path))) {
      const token = await freshToken()
      for (const form of forms) {
        const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
        wrong.push(...(await send(target, { raw: form }, token, headers)))
      }
    }
    expect(wrong).toEqual([])
  })

  test('a signed notice that makes no sense is refused, not a fault', async () => {
    const stripe = await StripeStandIn.start()
    const wrong: string[] = []
    const target: Target = { method: 'POST', path: STRIPE_PATH, query: [], params: [], body: [] }
    for (const object of [
      {},
      { id: 1 },
      { id: null, payment_status: 'paid' },
      { id: 'x', payment_status: 'paid', amount_total: 'all' },
      { id: "' or 1=1", refunded: true, payment_intent: { id: 'a\u0000b' } },
    ]) {
      for (const type of [
        'checkout.session.completed',
        'checkout.session.expired',
        'charge.refunded',
        'else',
      ]) {
        const { payload, signature } = stripe.sign({ id: `evt_${Math.random()}`, type, object })
        wrong.push(...(await send(target, { raw: payload }, undefined, { 'stripe-signature': signature })))
      }
    }
    stripe.close()
    expect(wrong).toEqual([])
  })

  test('headers: tokens, languages and tags of every kind', async () => {
    const wrong: string[] = []
    for (const target of targets) {
      for (const text of [
        "' or 1=1 --",
        'x'.repeat(8000),
        '%00',
        '{}',
        '*;q=0.5,zh-Hant-HK',
        'zh'.repeat(900),
      ]) {
        const headers = {
          'x-access-token': text,
          'accept-language': text,
          'if-none-match': text,
          range: text,
        }
        wrong.push(...(await send(target, {}, undefined, headers)))
      }
    }
    expect(wrong).toEqual([])
  })

  test.each([
    [
      'a path that climbs',
      'GET /sys/common/static/../../../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ],
    [
      'an encoded one',
      'GET /sys/common/static/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ],
    [
      'an address in full',
      'GET http://elsewhere.test/secret HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ],
    ['a bad escape', 'GET /dataset/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    [
      'two lengths',
      'POST /sys/mLogin HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a header that breaks its line',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Access-Token: a\r\n b\r\nConnection: close\r\n\r\n',
    ],
    ['a method of its own', 'BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['noise', '\x16\x03\x01\x02'],
    ['an enormous header', `GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`],
  ])('%s', async (_, bytes) => {
    const heard = await raw(Number(new URL(server.base).port), bytes)
    expect(heard).not.toMatch(/HTTP\/1\.1 5/)
    expect(heard).not.toMatch(/root:|node_modules/)
  })

  test('afterwards everything is there, and adds up', async () => {
    expect((await fetch(new URL('readyz', server.base))).status).toBe(200)
    const [count] = await server.database.rows<{ people: number; races: number; cents: number }>(
      `select (select count(*) from customer where deleted_at is null) as people, (select count(*) from race) as races,
         (select coalesce(sum(cents), 0) from withdrawal) as cents`,
    )
    expect(count!.people).toBe(1)
    expect(count!.races).toBeGreaterThan(50)
    expect(count!.cents).toBe(0)
    expect(await ledgerFaults(server.database)).toEqual([])
    expect(({} as { isVip?: number }).isVip).toBeUndefined()
  })
})
