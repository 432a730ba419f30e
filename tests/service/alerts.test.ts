import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ALERT_KINDS, type AlertKind } from '../../contract/alert-kinds.ts'
import { deleteAccount, exportData } from '../../contract/api/account.ts'
import * as calls from '../../contract/api/alert.ts'
import * as feed from '../../contract/api/feed.ts'
import { follow } from '../../contract/api/follow.ts'
import { saveView } from '../../contract/api/view.ts'
import { LANGUAGES } from '../../domain/languages.ts'
import { addDays } from '../../domain/region.ts'
import { deliverWaiting } from '../../server/alerts/alert-delivery.ts'
import { AlertGround } from '../../server/alerts/alert-ground.ts'
import { composeAlert } from '../../server/alerts/alert-text.ts'
import { noteTipAlerts } from '../../server/store/operation/alert-events.ts'
import type { AlertFacts, ViewFacts } from '../../server/store/operation/alert-store.ts'
import { TestServer } from '../support/api.ts'
import { newDatabase } from '../support/databases.ts'
import { cardOf, oddsOf, raceOf, resultOf, tomorrow } from '../support/feed-day.ts'
import { headerOf, startMailServer, startPushService, textOf } from '../support/alert-receivers.ts'
import { newOperatorToken } from '../support/operator-token.ts'
import { SEED_PASSWORD, seedCustomer, type Seeded } from '../support/seed-customer.ts'

const day = tomorrow(new Date())
let server: TestServer
let mail: Awaited<ReturnType<typeof startMailServer>>
let push: Awaited<ReturnType<typeof startPushService>>
let operator: string
let key = 0
let race = 0
/** Push answers with this status from now on. */
let pushStatus = 201

beforeAll(async () => {
  mail = await startMailServer({ refuse: (to) => (to.startsWith('refused') ? 550 : null) })
  push = await startPushService(() => pushStatus)
  server = await TestServer.start(await newDatabase('postgresql'), {
    settings: {
      FURLONG_SMTP_URL: mail.url,
      FURLONG_MAIL_FROM: 'Furlong <alerts@furlong.example>',
      FURLONG_PUSH_SERVICES: push.origin,
      FURLONG_SITE_URL: 'https://furlong.example',
    },
  })
  operator = await newOperatorToken(server.database)
})
afterAll(async () => {
  await server.close()
  await mail.close()
  await push.close()
  await server.place.close()
})
beforeEach(() => {
  mail.mails.length = 0
  push.pushes.length = 0
  pushStatus = 201
  race += 1
})

const post = (call: (typeof feed)[`feed${'Cards' | 'Odds' | 'Withdrawals' | 'Results'}`], races: object[]) =>
  server.ask(call, {
    headers: { authorization: `Bearer ${operator}`, 'idempotency-key': `alerts-${(key += 1)}` },
    body: { races },
  })
const deliver = (at = new Date()) => deliverWaiting(server.database, server.context.settings.alerts, () => at)
const horseOf = (horseNo: number): string => `HK-T${race}${String(horseNo).padStart(2, '0')}`
const list = ({ token }: Seeded, language = 'en') => server.ask(calls.queryAlerts, { token, language })
const titlesOf = async (reader: Seeded): Promise<string[]> =>
  (await list(reader)).alerts.map(({ title }) => title)
const outboxOf = ({ id }: Seeded) =>
  server.database.rows<{ channel: string; state: string; kind: string; error: string | null }>(
    'select channel, state, kind, error from alert where customer_id = $1::uuid order by channel, kind',
    [id],
  )

/** The card of the test's race; the race exists before anybody can follow it. */
const card = (changes: object = {}) => ({ ...cardOf(day, race), ...changes })
const withRunner = (horseNo: number, change: object) =>
  card({
    runners: cardOf(day, race).runners.map((runner) =>
      runner.horseNo === horseNo ? { ...runner, ...change } : runner,
    ),
  })
const withoutDraws = () =>
  card({ runners: cardOf(day, race).runners.map((runner) => ({ ...runner, draw: null })) })

/** A customer who follows horses of the test's race. */
async function followerOf(...horses: number[]): Promise<Seeded> {
  const reader = await seedCustomer(server.database)
  for (const horseNo of horses)
    await server.ask(follow, { token: reader.token, body: { kind: 'horse', target: horseOf(horseNo) } })
  return reader
}

const addBrowser = async ({ token }: Seeded) => {
  const browser = push.newBrowser()
  await server.ask(calls.addPushDevice, { token, body: { endpoint: browser.endpoint, keys: browser.keys } })
  return browser
}

/** Agrees to e-mail, and opens the link of the confirmation. */
async function addAddress({ token }: Seeded, address: string): Promise<void> {
  await server.ask(calls.addAlertEmail, { token, body: { address, agreed: true } })
  await server.context.settled()
  const sent = mail.mails.find(({ to }) => to === address)!
  const link = new URL(/https?:\S+\/sys\/alerts\/confirm\?\S+/.exec(textOf(sent))![0])
  const page = `${server.base}${link.pathname}${link.search}`
  expect(await (await fetch(page)).text()).toContain('<form method="post">')
  const done = await fetch(page, { method: 'POST' })
  expect(await done.text()).toContain('Alerts now come to this address')
  mail.mails.length = 0
}

/** Of the race, somewhere in the message. */
const link = (): string => `#/pages/race/HorseRace?id=${raceOf(day, race)}`

describe('a horse that is followed', () => {
  test('is declared by the feed: its follower gets a notification and a message, each once', async () => {
    await post(feed.feedCards, [withoutDraws()])
    const reader = await followerOf(3)
    const browser = await addBrowser(reader)
    await addAddress(reader, `reader${race}@example.com`)
    await post(feed.feedCards, [card()])
    await post(feed.feedCards, [card({ weather: 'fine' })])
    expect(await titlesOf(reader)).toEqual([`Trial Horse ${race} 3 runs from draw 3, ridden by Jockey 3`])
    await deliver()
    await deliver()
    expect(push.pushes).toHaveLength(1)
    const [{ endpoint, payload, headers }] = push.pushes as [(typeof push.pushes)[number]]
    expect(endpoint).toBe(browser.endpoint)
    expect(payload.title).toBe(`Trial Horse ${race} 3 runs from draw 3, ridden by Jockey 3`)
    expect(`#${payload.path}`).toContain(link())
    expect(headers['authorization']).toMatch(/^vapid t=\S+, k=/)
    expect(mail.mails).toHaveLength(1)
    expect(textOf(mail.mails[0]!)).toContain(`https://furlong.example/${link()}`)
    expect(await outboxOf(reader)).toEqual(
      ['email', 'push', 'site'].map((channel) => ({
        channel,
        state: 'delivered',
        kind: 'declared',
        error: null,
      })),
    )
  })

  test('is entered, wears gear for the first time, is withdrawn: told of once each, in its own words', async () => {
    await post(feed.feedCards, [card({ runners: cardOf(day, race).runners.slice(0, 2) })])
    await server.database.rows(
      `insert into horse (id, key, region_id, brand) select $1, max(key) + 1, '100000', $2 from horse`,
      [horseOf(5), horseOf(5).slice(3)],
    )
    const reader = await followerOf(5)
    await post(feed.feedCards, [withRunner(5, { draw: null, jockey: null })])
    await post(feed.feedCards, [withRunner(5, { draw: null, jockey: null, gear: 'B1/TT' })])
    await post(feed.feedWithdrawals, [{ raceId: raceOf(day, race), horses: [5] }])
    const horse = `Trial Horse ${race} 5`
    expect(await titlesOf(reader)).toEqual([
      `${horse} is withdrawn`,
      `${horse} wears for the first time: Blinkers`,
      `${horse} is entered`,
    ])
  })

  test('moves in price by the chosen percentage, or passes the chosen price: one alert for each step', async () => {
    await post(feed.feedCards, [card()])
    const reader = await followerOf(3)
    const choice = await server.ask(calls.queryAlertSettings, { token: reader.token })
    const { pushKey: _, devices: __, emailOffered: ___, email: ____, ...own } = choice
    await server.ask(calls.saveAlertSettings, {
      token: reader.token,
      body: { ...own, pricePercent: 50, priceBelow: 4 },
    })
    const at = (odds: number, minute: number) => ({
      ...oddsOf(day, race, 0, new Date(Date.now() - 60_000 * (60 - minute))),
      odds: [{ horseNo: 3, odds }],
    })
    const raw = await titlesOf(reader)
    await post(feed.feedOdds, [at(10, 1)])
    await post(feed.feedOdds, [at(7, 2)])
    expect(await titlesOf(reader)).toEqual(raw)
    await post(feed.feedOdds, [at(6, 3)])
    await post(feed.feedOdds, [at(5.9, 4)])
    expect(await titlesOf(reader)).toHaveLength(raw.length + 1)
    await post(feed.feedOdds, [at(3.9, 5)])
    await post(feed.feedOdds, [at(10, 6)])
    await post(feed.feedOdds, [at(3.9, 7)])
    const prices = (await outboxOf(reader)).filter(({ kind }) => kind === 'price')
    // Minus one step of 50%, then minus two, and below 4.
    expect(prices).toHaveLength(3)
  })

  test('finishes, and its race has a result: told after the race, of the amended result again', async () => {
    const past = new Date(Date.now() - 60_000)
    await post(feed.feedCards, [card()])
    const reader = await followerOf(2)
    await server.ask(follow, {
      token: reader.token,
      body: { kind: 'race', target: raceOf(day, race) },
    })
    await server.database.rows('update race set starts_at = $2 where id = $1', [raceOf(day, race), past])
    await post(feed.feedResults, [resultOf(day, race)])
    await post(feed.feedResults, [resultOf(day, race)])
    expect((await titlesOf(reader)).toSorted()).toEqual([
      `Result of race ${race}: 1–2–3`,
      `Trial Horse ${race} 2 finished 2nd`,
    ])
  })
})

test('a followed meeting: its first race is told of a quarter of an hour before the start, once', async () => {
  const meeting = addDays(day, 2)
  const soon = new Date(Date.now() + 10 * 60_000)
  await post(feed.feedCards, [cardOf(meeting, 1), cardOf(meeting, 2)])
  const reader = await seedCustomer(server.database)
  await server.database.rows('update race set starts_at = $2 where id = any($1::text[])', [
    [raceOf(meeting, 1)],
    soon,
  ])
  await server.database.rows(
    `update race set starts_at = $2::timestamptz + interval '4 minutes' where id = $1`,
    [raceOf(meeting, 2), soon],
  )
  const target = raceOf(meeting, 1).slice(0, -2)
  await server.ask(follow, { token: reader.token, body: { kind: 'meeting', target } })
  await deliver()
  await deliver()
  expect(await titlesOf(reader)).toEqual(['Race 1 starts within 15 minutes'])
})

test('texts are in three languages; the list follows the reader, messages the setting', async () => {
  await post(feed.feedCards, [withoutDraws()])
  const reader = await followerOf(4)
  await addAddress(reader, `reader${race}@example.com`)
  const {
    pushKey: _,
    devices: __,
    emailOffered: ___,
    email: ____,
    ...own
  } = await server.ask(calls.queryAlertSettings, { token: reader.token })
  await server.ask(calls.saveAlertSettings, { token: reader.token, body: { ...own, language: 'zh-Hant' } })
  await post(feed.feedCards, [card()])
  await deliver()
  const titles = await Promise.all(
    LANGUAGES.map(async (language) => (await list(reader, language)).alerts[0]!.title),
  )
  expect(new Set(titles).size).toBe(3)
  expect(textOf(mail.mails[0]!)).toContain('4 檔')
})

describe('delivery', () => {
  test('one click ends the messages, with the request that mailboxes make', async () => {
    await post(feed.feedCards, [withoutDraws()])
    const reader = await followerOf(1)
    await addAddress(reader, `reader${race}@example.com`)
    await post(feed.feedCards, [card()])
    await deliver()
    const [message] = mail.mails
    expect(headerOf(message!, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    const link = new URL(/<(.+)>/.exec(headerOf(message!, 'List-Unsubscribe')!)![1]!)
    const address = `${server.base}${link.pathname}${link.search}`
    await fetch(address)
    const before = await server.ask(calls.queryAlertSettings, { token: reader.token })
    expect(before.email).toMatchObject({ confirmed: true })
    const clicked = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(clicked.status).toBe(200)
    expect((await server.ask(calls.queryAlertSettings, { token: reader.token })).email).toBeNull()
    mail.mails.length = 0
    await post(feed.feedWithdrawals, [{ raceId: raceOf(day, race), horses: [1] }])
    await deliver()
    expect(mail.mails).toEqual([])
  })

  test('nothing is sent to an address that its owner has not confirmed', async () => {
    await post(feed.feedCards, [withoutDraws()])
    const reader = await followerOf(1)
    await server.ask(calls.addAlertEmail, {
      token: reader.token,
      body: { address: `silent${race}@example.com`, agreed: true },
    })
    await server.context.settled()
    mail.mails.length = 0
    await post(feed.feedCards, [card()])
    await deliver()
    expect(mail.mails).toEqual([])
  })

  test('what fails is tried again with longer pauses, and given up; a browser that left is forgotten', async () => {
    await post(feed.feedCards, [withoutDraws()])
    const reader = await followerOf(1)
    await addBrowser(reader)
    await post(feed.feedCards, [card()])
    pushStatus = 503
    const start = Date.now()
    const states: string[] = []
    for (let seconds = 0; seconds < 700; seconds += 5) {
      await deliver(new Date(start + seconds * 1000))
      const row = (await outboxOf(reader)).find(({ channel }) => channel === 'push')
      states.push(row!.state)
    }
    expect(states[0]).toBe('waiting')
    expect(states.at(-1)).toBe('dead')
    const { attempts } = (
      await server.database.rows<{ attempts: number }>(
        `select attempts from alert where customer_id = $1::uuid and channel = 'push'`,
        [reader.id],
      )
    )[0]!
    expect(attempts).toBe(7)
    pushStatus = 410
    await post(feed.feedWithdrawals, [{ raceId: raceOf(day, race), horses: [1] }])
    await deliver()
    expect((await server.ask(calls.queryAlertSettings, { token: reader.token })).devices).toBe(0)
  })

  test('an address that the mail server refuses is not tried again', async () => {
    await post(feed.feedCards, [withoutDraws()])
    const reader = await followerOf(1)
    await addAddress(reader, `reader${race}@example.com`)
    await server.database.rows('update alert_email set address = $2 where customer_id = $1::uuid', [
      reader.id,
      `refused${race}@example.com`,
    ])
    await post(feed.feedCards, [card()])
    await deliver()
    expect((await outboxOf(reader)).find(({ channel }) => channel === 'email')).toMatchObject({
      state: 'dead',
      error: 'SMTP 550',
    })
  })

  test('quiet hours keep it until they end, in the time zone of the race', async () => {
    await post(feed.feedCards, [withoutDraws()])
    const reader = await followerOf(1)
    await addBrowser(reader)
    const {
      pushKey: _,
      devices: __,
      emailOffered: ___,
      email: ____,
      ...own
    } = await server.ask(calls.queryAlertSettings, { token: reader.token })
    // All day but a minute: it ends before the race of tomorrow, whenever the test runs.
    const minute = new Date(Math.ceil(Date.now() / 60_000 + 30) * 60_000)
    const local = (minute.getUTCHours() * 60 + minute.getUTCMinutes() + 8 * 60) % 1440
    await server.ask(calls.saveAlertSettings, {
      token: reader.token,
      body: { ...own, quiet: { from: (local + 1) % 1440, to: local } },
    })
    await post(feed.feedCards, [card()])
    await deliver()
    expect(push.pushes).toEqual([])
    await deliver(new Date(minute.getTime() + 5000))
    expect(push.pushes).toHaveLength(1)
  })

  test('no more than the daily limit leaves the site; the list there has all', async () => {
    const few = { ...server.context.settings.alerts, perDay: 1 }
    await post(feed.feedCards, [withoutDraws()])
    const reader = await followerOf(1, 2)
    await addBrowser(reader)
    await post(feed.feedCards, [card()])
    // Both are on their way at the same time.
    await deliverWaiting(server.database, few, () => new Date())
    expect(push.pushes).toHaveLength(1)
    await post(feed.feedWithdrawals, [{ raceId: raceOf(day, race), horses: [1] }])
    await deliverWaiting(server.database, few, () => new Date())
    const states = (await outboxOf(reader)).filter(({ channel }) => channel === 'push')
    expect(push.pushes).toHaveLength(1)
    expect(states.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
      'declared delivered',
      'declared limited',
      'withdrawn limited',
    ])
    expect((await list(reader)).alerts).toHaveLength(3)
  })

  test('every browser of a reader is told; all messages of a delivery have one signature of the push service', async () => {
    const reader = await seedCustomer(server.database)
    const browsers = [await addBrowser(reader), await addBrowser(reader), await addBrowser(reader)]
    await server.ask(calls.testAlert, { token: reader.token })
    await deliver()
    expect(push.pushes.map(({ endpoint }) => endpoint).toSorted()).toEqual(
      browsers.map(({ endpoint }) => endpoint).toSorted(),
    )
    const [authorization, ...others] = new Set(push.pushes.map(({ headers }) => headers['authorization']!))
    expect(others).toEqual([])
    const [, head, claims, signature, key] = /^vapid t=([^.]+)\.([^.]+)\.([^.]+), k=(\S+)$/.exec(
      authorization!,
    )!
    const bytes = (text = '') => Buffer.from(text, 'base64url')
    const curve = { name: 'ECDSA', namedCurve: 'P-256' }
    const verifier = await crypto.subtle.importKey('raw', bytes(key), curve, false, ['verify'])
    const hash = { name: 'ECDSA', hash: 'SHA-256' }
    const signed = Buffer.from(`${head}.${claims}`)
    expect(await crypto.subtle.verify(hash, verifier, bytes(signature), signed)).toBe(true)
    const { aud, exp } = JSON.parse(bytes(claims).toString()) as { aud: string; exp: number }
    expect(aud).toBe(push.origin)
    const hours = (exp - Date.now() / 1000) / 3600
    expect(hours).toBeGreaterThan(1)
    expect(hours).toBeLessThan(24)
  })

  test('a test reaches every channel, and the list is read', async () => {
    const reader = await seedCustomer(server.database)
    await addBrowser(reader)
    await addAddress(reader, `reader${race}@example.com`)
    await server.ask(calls.testAlert, { token: reader.token })
    await deliver()
    expect([push.pushes.length, mail.mails.length]).toEqual([1, 1])
    expect(await server.ask(calls.queryUnreadAlerts, { token: reader.token })).toEqual({ unread: 1 })
    await server.ask(calls.markAlertsRead, { token: reader.token })
    expect((await list(reader)).alerts).toMatchObject([{ read: true }])
    expect(await server.ask(calls.queryUnreadAlerts, { token: reader.token })).toEqual({ unread: 0 })
  })

  test.each([
    'http://169.254.169.254/latest',
    'https://127.0.0.1/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://user@fcm.googleapis.com/x',
  ])('a browser whose push service would be %s is refused', async (endpoint) => {
    const reader = await seedCustomer(server.database)
    const { keys } = push.newBrowser()
    const reply = await server.call(calls.addPushDevice, { token: reader.token, body: { endpoint, keys } })
    expect(reply).toMatchObject({ ok: false, status: 400 })
  })
})

test('addresses, browsers, settings and alerts are exported, and go with the account', async () => {
  await post(feed.feedCards, [withoutDraws()])
  const reader = await followerOf(1)
  await addBrowser(reader)
  await addAddress(reader, `reader${race}@example.com`)
  await post(feed.feedCards, [card()])
  const data = await server.ask(exportData, { token: reader.token })
  expect(data).toMatchObject({
    alertAddresses: [{ address: `reader${race}@example.com` }],
    pushDevices: [{ service: push.origin }],
    alertSettings: [{ language: 'en' }],
  })
  expect(data['alerts']).toHaveLength(3)
  await server.ask(deleteAccount, { token: reader.token, body: { password: SEED_PASSWORD } })
  for (const table of ['alert', 'alert_email', 'push_device', 'alert_setting'])
    expect(
      await server.database.rows(`select from ${table} where customer_id = $1::uuid`, [reader.id]),
    ).toEqual([])
})

/** A tip's number, its chance and the earlier price belong to a prediction; everything else is on every card. */
describe('no alert shows a locked number', () => {
  /** Of a view of the reader; the figures are of the whole history. */
  const viewFacts = (id: string, facts: Partial<ViewFacts>): AlertFacts => ({
    view: { id, whole: true, ...facts },
  })
  const FACTS: Readonly<Record<AlertKind, (viewId: string) => AlertFacts>> = {
    entered: () => ({ horseNo: 3 }),
    declared: () => ({ horseNo: 3, draw: 3, jockeyId: 'HK-Jockey 3' }),
    withdrawn: () => ({ horseNo: 3 }),
    gear: () => ({ horseNo: 3, gear: ['B'] }),
    price: () => ({ horseNo: 3, odds: 4.4, firstOdds: 87.5 }),
    tip: () => ({}),
    start: () => ({}),
    result: () => ({ horseNo: 3, place: '1' }),
    match: (id) => viewFacts(id, { matches: [{ raceId, raceNo: 5, count: 1, numbers: ['77'] }] }),
    threshold: (id) =>
      viewFacts(id, {
        passed: { measure: 'return', length: 100, unit: 'bets', side: 'below', value: -0.2, now: -0.3456 },
      }),
    digest: (id) =>
      viewFacts(id, {
        digest: {
          from: '2026-01-01',
          to: '2026-01-31',
          rows: 321,
          hits: 45,
          hitRate: 0.5432,
          profit: -6543,
          return: -0.3456,
          profitToDate: [],
        },
      }),
  }
  const ROLES = ['member', 'member who opened the race', 'VIP'] as const

  const PICK = `insert into prediction (race_id, model_id, gameplay_class, rank, combination, probability, selected, cautious,
    upset_guard) values ($1, 'market-baseline', 1, 1, $2, 0.123456, true, false, false)`
  const later = addDays(day, 1)
  /** The fifth race of its day: nothing of it is open to everybody. */
  const raceId = raceOf(later, 5)
  const pick = async (horseNo: number): Promise<void> => {
    await server.database.rows('delete from prediction where race_id = $1', [raceId])
    await server.database.rows(PICK, [raceId, String(horseNo)])
    await server.database.transaction((queries) => noteTipAlerts(queries, [raceId], new Date()))
  }

  beforeAll(async () => {
    await post(
      feed.feedCards,
      [1, 2, 3, 4, 5].map((raceNo) => cardOf(later, raceNo)),
    )
    await server.database.rows(`update race set headline_model = 'market-baseline' where id = $1`, [raceId])
  })

  test.each(ALERT_KINDS.flatMap((kind) => ROLES.map((role) => [kind, role] as const)))(
    '%s for a %s',
    async (kind, role) => {
      await pick(7)
      const reader = await seedCustomer(server.database)
      if (role === 'member who opened the race')
        await server.database.rows(
          `insert into subscription (customer_id, race_id, paid_with, created_at) values ($1::uuid, $2, 'daily', $3)`,
          [reader.id, raceId, new Date()],
        )
      const view = await server.ask(saveView, {
        token: reader.token,
        body: { countryRegionId: '100000', name: 'Secret view', address: '' },
      })
      const source = { kind, raceId, horseId: 'HK-T503', facts: FACTS[kind](view.id) }
      const composed = await composeAlert(
        await AlertGround.of(server.database, [{ ...source, customerId: reader.id }]),
        source,
        { customerId: reader.id, isVip: role === 'VIP', language: 'en' },
        new Date(),
      )
      const words = composed === null ? '' : `${composed.title} ${composed.body} ${composed.path}`
      const isOpen = role !== 'member'
      expect(words.includes('87.5')).toBe(kind === 'price' && isOpen)
      expect(words.includes('Trial Horse 5 7')).toBe(kind === 'tip' && isOpen)
      expect(words).not.toContain('0.12')
      expect(words).not.toContain('12.3')
      expect(words.includes('77')).toBe(kind === 'match' && isOpen)
      const isOfHistory = kind === 'threshold' || kind === 'digest'
      expect(words.includes('34.6%')).toBe(isOfHistory && role === 'VIP')
      const isLocked = isOfHistory ? role !== 'VIP' : (kind === 'tip' || kind === 'match') && !isOpen
      expect(composed === null).toBe(isLocked)
    },
  )

  test('the first pick is told of when it changes, not when it is first known; what is locked is withheld', async () => {
    await server.database.rows('delete from alert_event where race_id = $1', [raceId])
    const [member, vip] = [await seedCustomer(server.database), await seedCustomer(server.database)]
    const ends = new Date(Date.now() + 86_400_000)
    await server.database.rows('update customer set vip_end = $2 where id = $1::uuid', [vip.id, ends])
    for (const { token } of [member, vip])
      await server.ask(follow, { token, body: { kind: 'race', target: raceId } })
    for (const horseNo of [7, 7, 5, 6]) await pick(horseNo)
    const waiting = { channel: 'site', kind: 'tip', state: 'waiting' }
    expect(await outboxOf(member)).toMatchObject([waiting, waiting])
    await deliver()
    expect(await outboxOf(member)).toMatchObject([{ state: 'withheld' }, { state: 'withheld' }])
    expect(await list(member)).toEqual({ unread: 0, alerts: [] })
    expect(await titlesOf(vip)).toEqual(Array(2).fill('First pick of race 5 is now 6 Trial Horse 5 6'))
  })
})
