import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import * as account from '../../contract/api/account.ts'
import * as calls from '../../contract/api/feed.ts'
import { queryHorseInfo } from '../../contract/api/horse.ts'
import * as racing from '../../contract/api/racing.ts'
import { ServerMessage } from '../../contract/api/socket.ts'
import { makeOperatorToken } from '../../server/services/viewer.ts'
import { readManifest } from '../../server/dataset/dataset-index.ts'
import { listBatches, revokeOperatorToken } from '../../server/store/operation/feed-store.ts'
import { learningStamp } from '../../server/store/racing/scoring-state-store.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { newTokenOf } from '../support/customers.ts'
import { TestServer } from '../support/api.ts'
import { describeOnBoth, newDatabase } from '../support/databases.ts'
import { newOperatorToken } from '../support/operator-token.ts'
import { startWorker } from '../support/worker.ts'
import {
  afterMeeting,
  cardOf,
  dividendsOf,
  NUMBERS,
  oddsOf,
  raceOf,
  resultOf,
  tomorrow,
} from '../support/feed-day.ts'

type Call =
  | typeof calls.feedCards
  | typeof calls.feedOdds
  | typeof calls.feedResults
  | typeof calls.feedDividends
  | typeof calls.feedWithdrawals

let lastKey = 0
const newKey = (): string => {
  lastKey += 1
  return `batch-${lastKey}`
}

describeOnBoth('the feed on %s', { usual: 'postgresql', other: 'soak' }, (kind) => {
  let server: TestServer
  let token: string
  let stopWorker: () => Promise<void>
  const day = tomorrow(new Date())
  beforeAll(async () => {
    server = await TestServer.start(await newDatabase(kind))
    token = await newOperatorToken(server.database)
    stopWorker = startWorker(server.place)
  })
  afterAll(async () => {
    await stopWorker()
    await server.close()
    await server.place.close()
  })
  const headers = (key = newKey(), of = token) => ({ authorization: `Bearer ${of}`, 'idempotency-key': key })
  const post = async (call: Call, races: unknown[], key?: string) => {
    // Results come when the races have been run.
    if (call === calls.feedResults) server.time = () => afterMeeting(day)
    const report = await server.ask(call, { headers: headers(key), body: { races } })
    server.time = () => new Date()
    return report
  }
  const reasons = async (call: Call, ...races: unknown[]): Promise<string[]> =>
    (await post(call, races)).rejected.map(({ reason }) => reason)
  const predicted = (raceId: string) =>
    server.database.rows<{ horse: number; chance: number; odds: number | null }>(
      `select horse_no as horse, probability as chance from win_chance
       where race_id = $1 and model_id = 'market-baseline' order by horse_no`,
      [raceId],
    )

  test('a race day from card to settlement: each step is taken, predicted, locked and told', async () => {
    const raceId = raceOf(day, 1)
    const { id } = await seedCustomer(server.database)
    await server.database.rows(`update customer set vip_end = now() + interval '1 day' where id = $1::uuid`, [
      id,
    ])
    const heard: (ServerMessage & { heardAt: number })[] = []
    const socket = new WebSocket(
      new URL(
        `h5/${id}_app?token=${await newTokenOf(server.database, id, new Date())}`,
        server.base.replace(/^http/, 'ws'),
      ),
    )
    socket.on('message', (data: Buffer) =>
      heard.push({ ...ServerMessage.parse(JSON.parse(data.toString())), heardAt: Date.now() }),
    )
    await expect.poll(() => heard.some(({ type }) => type === 'hello')).toBe(true)
    const cards = await post(calls.feedCards, [cardOf(day, 1), cardOf(day, 2)])
    expect(cards).toMatchObject({ kind: 'cards', repeated: false, races: 2, rejected: [] })
    expect(cards.tables).toMatchObject({
      race: { inserted: 2 },
      runner: { inserted: 16 },
      horse: { inserted: 16 },
    })
    const shown = await server.ask(racing.queryRace, { query: { countryRegionId: '100000', today: day } })
    expect(JSON.stringify(shown)).toContain(raceOf(day, 2))

    // How soon, `npm run bench` measures.
    const tells = (type: ServerMessage['type'], since: number): Promise<void> =>
      expect.poll(() => heard.some((message) => message.type === type && message.heardAt >= since)).toBe(true)
    let posted = Date.now()
    await post(calls.feedOdds, [oddsOf(day, 1)])
    await tells('odds', posted)
    await tells('tip', posted)
    const before = await predicted(raceId)
    expect(before.map(({ horse }) => horse)).toEqual([...NUMBERS])
    expect(before.reduce((sum, { chance }) => sum + chance, 0)).toBeCloseTo(1, 6)
    const locks = () =>
      server.database.rows<{ n: number }>(
        `select count(*) as n from prediction_lock where race_id = $1 and model_id = 'market-baseline'`,
        [raceId],
      )
    expect(await locks()).toEqual([{ n: 1 }])

    await post(calls.feedOdds, [oddsOf(day, 1, 3)])
    await expect.poll(async () => (await locks())[0]!.n).toBe(2)
    expect(await predicted(raceId)).not.toEqual(before)

    await post(calls.feedWithdrawals, [{ raceId, horses: [8] }])
    await expect.poll(async () => (await predicted(raceId)).length).toBe(7)

    posted = Date.now()
    await post(calls.feedResults, [resultOf(day, 1, [8])])
    await tells('result', posted)
    await post(calls.feedDividends, [dividendsOf(day, 1, 1)])
    const profit = () =>
      server.database.rows<{ outcome: string; profit: number | null }>(
        `select outcome, profit_cents as profit from settlement join prediction using (race_id, model_id, gameplay_class, rank)
         where race_id = $1 and gameplay_class = 1 and combination = '1' and model_id = 'market-baseline'`,
        [raceId],
      )
    await expect.poll(profit).toEqual([{ outcome: 'hit', profit: 3000 }])
    await expect
      .poll(
        () => readManifest(server.place.dataFolder)?.files.filter(({ kind: of }) => of === 'racing').length,
      )
      .toBe(1)

    // The stewards change the first two: the settled race is settled again and marked.
    const amended = resultOf(day, 1, [8])
    amended.runners[0]!.place = 2
    amended.runners[1]!.place = 1
    await post(calls.feedResults, [amended])
    await post(calls.feedDividends, [dividendsOf(day, 1, 2)])
    await expect.poll(async () => (await profit())[0]?.outcome).toBe('miss')
    socket.close()
  })

  test('the same batch again changes nothing; the same key with another content is refused', async () => {
    const key = newKey()
    const first = await post(calls.feedOdds, [oddsOf(day, 2)], key)
    expect(first.tables).toEqual({ odds_tick: { inserted: 8, updated: 0, unchanged: 0 } })
    const body = { races: [oddsOf(day, 2, 1, new Date(Date.parse(first.receivedAt)))] }
    const other = await server.call(calls.feedOdds, { headers: headers(key), body })
    expect(other).toMatchObject({ ok: false, status: 409, error: 'batch-differs' })
    const many = newKey()
    const same = [oddsOf(day, 2, 2)]
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(calls.feedOdds, same, many)))
    expect(answers.map(({ repeated }) => repeated).toSorted()).toEqual([false, true, true, true, true])
    expect(new Set(answers.map(({ tables }) => JSON.stringify(tables))).size).toBe(1)
    // Keys are scoped to a token, so another token may use the same key.
    const theirs = await server.ask(calls.feedOdds, {
      headers: headers(key, await newOperatorToken(server.database)),
      body: { races: [oddsOf(day, 2, 4)] },
    })
    expect(theirs.repeated).toBe(false)
    const stored = await listBatches(server.database, 100)
    expect(stored.filter((batch) => batch.key === key)).toHaveLength(2)
  })

  test('batches at one moment, of every kind, leave one whole card', async () => {
    await Promise.all(
      Array.from({ length: 4 }, (_, index) => [
        post(calls.feedCards, [cardOf(day, 10 + index), cardOf(day, 20 + index)]),
        post(calls.feedOdds, [oddsOf(day, 2, index + 5)]),
      ]).flat(),
    )
    const [counted] = await server.database.rows<{ races: number; runners: number; keys: number }>(
      `select count(distinct race.id) as races, count(*) as runners, count(distinct horse.key) as keys
       from race join runner on race_id = race.id join horse on horse.id = horse_id where race_no >= 10`,
    )
    expect(counted).toEqual({ races: 8, runners: 64, keys: 64 })
  })

  test('what cannot be used is left out and told; the rest of the batch is taken', async () => {
    const coming = raceOf(day, 2)
    const over = raceOf(day, 1)
    const nowhere = raceOf(day, 99)
    const laterTime = new Date(Date.now() + 600_000)
    const double = { ...cardOf(day, 3), runners: [...cardOf(day, 3).runners, cardOf(day, 3).runners[0]] }
    expect(
      await reasons(calls.feedCards, { ...cardOf(day, 3), raceId: nowhere.replace('HKSHT', 'ZZSHT') }),
    ).toEqual(['unknown-venue'])
    expect(await reasons(calls.feedCards, double, cardOf(day, 1))).toEqual(['runner-twice', 'race-is-over'])
    expect(
      await reasons(
        calls.feedOdds,
        { ...oddsOf(day, 2), raceId: nowhere },
        oddsOf(day, 1),
        oddsOf(day, 2, 0, laterTime),
      ),
    ).toEqual(['no-such-race', 'race-is-over', 'odds-of-the-future'])
    expect(await reasons(calls.feedOdds, oddsOf(day, 2, 6), oddsOf(day, 2, 6))).toEqual(['race-twice'])
    expect(await reasons(calls.feedWithdrawals, { raceId: coming, horses: [77] })).toEqual(['no-such-runner'])
    // An unknown horse number rejects the whole race, including the numbers before it.
    const strange = oddsOf(day, 2, 6, new Date(Date.now() - 1000))
    const unknown = await post(calls.feedOdds, [
      { ...strange, odds: [...strange.odds, { horseNo: 77, odds: 5 }] },
    ])
    expect(unknown).toMatchObject({ tables: {}, rejected: [{ horseNo: 77, reason: 'no-such-runner' }] })
    await post(calls.feedWithdrawals, [{ raceId: coming, horses: [7] }])
    const board = await post(calls.feedOdds, [oddsOf(day, 2, 7)])
    expect(board.rejected).toMatchObject([{ horseNo: 7, reason: 'withdrawn-runner' }])
    expect(board.tables).toEqual({ odds_tick: { inserted: 7, updated: 0, unchanged: 0 } })
    expect(await reasons(calls.feedResults, resultOf(day, 2, [7, 8]), resultOf(day, 2))).toEqual([
      'no-result',
      'race-twice',
    ])
    expect(await reasons(calls.feedResults, resultOf(day, 2))).toEqual(['withdrawn-runner'])
    expect(
      await reasons(calls.feedDividends, {
        raceId: over,
        lines: [{ gameplayClass: 3, combination: '1', status: 'paid', dividendCents: 100 }],
      }),
    ).toEqual(['bad-combination'])
    const again = resultOf(day, 1, [8])
    const repeated = cardOf(day, 5)
    repeated.runners = cardOf(day, 1).runners
    await post(calls.feedCards, [repeated])
    expect(
      await reasons(calls.feedResults, {
        ...again,
        raceId: raceOf(day, 5),
        runners: [...again.runners, { horseNo: 8, place: null, code: 'PU' }],
      }),
    ).toEqual(['race-repeated'])
    // A withdrawn horse stays withdrawn when the card is sent again.
    await post(calls.feedCards, [cardOf(day, 2)])
    expect(
      await server.database.rows(
        `select horse_no as no from runner where race_id = $1 and status = 'withdrawn'`,
        [coming],
      ),
    ).toEqual([{ no: 7 }])
  })

  test('odds of one horse leave those of the others, and a board that is ahead is of now', async () => {
    const raceId = raceOf(day, 4)
    await post(calls.feedCards, [cardOf(day, 4)])
    await post(calls.feedOdds, [oddsOf(day, 4)])
    // A card with newer odds, then a tick of the first horse only.
    const card = cardOf(day, 4)
    await post(calls.feedCards, [
      { ...card, runners: card.runners.map((each) => ({ ...each, winOdds: 50 })) },
    ])
    const ahead = new Date(Date.now() + 3000).toISOString()
    await post(calls.feedOdds, [{ raceId, seenAt: ahead, odds: [{ horseNo: 1, odds: 7 }] }])
    const odds = await server.database.rows<{ odds: number }>(
      'select win_odds as odds from runner where race_id = $1 order by horse_no',
      [raceId],
    )
    expect(odds.map((row) => row.odds)).toEqual([7, ...NUMBERS.slice(1).map(() => 50)])
    expect(
      await server.database.rows('select 1 from odds_tick where race_id = $1 and seen_at > $2', [
        raceId,
        new Date().toISOString(),
      ]),
    ).toEqual([])
  })

  test('a card that gives a number to another horse takes the odds that stood under it', async () => {
    const [raceId, card] = [raceOf(day, 5), cardOf(day, 5)]
    await post(calls.feedCards, [card])
    await post(calls.feedOdds, [oddsOf(day, 5)])
    const ticks = () => server.database.rows('select 1 from odds_tick where race_id = $1', [raceId])
    const others = new Map([
      [1, 2],
      [2, 1],
    ])
    const swapped = card.runners.map((runner) => ({
      ...runner,
      horseNo: others.get(runner.horseNo) ?? runner.horseNo,
    }))
    expect((await post(calls.feedCards, [card])).removed).toEqual([])
    expect(await ticks()).toHaveLength(NUMBERS.length)
    expect((await post(calls.feedCards, [{ ...card, runners: swapped }])).removed).toEqual([
      { raceId, detail: `${raceId}: T501 1, now 2; T502 2, now 1` },
    ])
    expect(await ticks()).toEqual([])
  })

  test('an abandoned race is one, also after it had a result: models forget it, readers are told', async () => {
    await post(calls.feedCards, [cardOf(day, 6)])
    await post(calls.feedResults, [resultOf(day, 6)])
    const eventCount = async (): Promise<number> => {
      const [row] = await server.database.rows<{ n: number }>(
        `select count(*) as n from push_event where kind = 'result' and race_id = $1`,
        [raceOf(day, 6)],
      )
      return row!.n
    }
    await expect.poll(eventCount).toBe(1)
    const learnt = await learningStamp(server.database, '100000')
    await post(calls.feedResults, [{ raceId: raceOf(day, 6), status: 'abandoned' }])
    expect(await learningStamp(server.database, '100000')).not.toBe(learnt)
    await expect.poll(eventCount).toBe(2)
    expect(await server.database.rows('select status from race where id = $1', [raceOf(day, 6)])).toEqual([
      { status: 'abandoned' },
    ])
  })

  test('only an operator’s token with the scope may send', async () => {
    const body = { races: [oddsOf(day, 2)] }
    const status = async (given: Record<string, string>): Promise<number> =>
      (await server.fetch(calls.feedOdds, { headers: { 'idempotency-key': newKey(), ...given }, body }))
        .status
    const customer = await newTokenOf(server.database, (await seedCustomer(server.database)).id, new Date())
    expect(await status({})).toBe(401)
    expect(await status({ 'x-access-token': token })).toBe(401)
    expect(await status({ authorization: `Bearer ${customer}` })).toBe(401)
    expect(await status({ authorization: `Basic ${token}` })).toBe(401)
    expect(
      await status({ authorization: `Bearer ${await newOperatorToken(server.database, ['cards'])}` }),
    ).toBe(403)
    const { id, token: ended } = await makeOperatorToken(server.database, 'ended', ['odds'], new Date())
    expect(await revokeOperatorToken(server.database, id, new Date())).toBe(true)
    expect(await status({ authorization: `Bearer ${ended}` })).toBe(401)
    // An operator’s token is not accepted by customer calls.
    expect((await server.fetch(account.querySession, { token })).status).toBe(401)
  })

  test('a wrong type, a missing field, no key, too many bytes and too many batches are refused, and nothing is written', async () => {
    const ticks = () => server.database.rows('select count(*) as n from odds_tick')
    const before = await ticks()
    const refused = async (body: unknown, given: Record<string, string> = headers()) => {
      const response = await server.fetch(calls.feedOdds, { headers: given, body })
      return { status: response.status, text: await response.text() }
    }
    const good = oddsOf(day, 2)
    for (const [race, field] of [
      [{ ...good, seenAt: 'yesterday' }, 'seenAt'],
      [{ ...good, odds: [{ horseNo: 1, odds: '3.5' }] }, 'odds'],
      [{ ...good, odds: [{ horseNo: 1, odds: 0.5 }] }, 'odds'],
      [{ ...good, odds: [{ horseNo: 1 }] }, 'odds'],
      [{ ...good, raceId: 'R1' }, 'raceId'],
      [{ ...good, raceId: 'HKSHT2026133501' }, 'raceId'],
      [{ ...good, raceId: good.raceId.replace(/..$/, '00') }, 'raceId'],
      [{ ...good, seenAt: '0000-01-01T00:00:00Z' }, 'seenAt'],
      [{ ...good, extra: 1 }, 'extra'],
    ] as const) {
      const { status, text } = await refused({ races: [race] })
      expect(status, text).toBe(400)
      expect(text).toContain(field)
    }
    const { 'idempotency-key': _, ...keyless } = headers()
    expect((await refused({ races: [good] }, keyless)).text).toContain('Idempotency-Key')
    expect((await refused({ races: Array.from({ length: 201 }, () => good) })).status).toBe(400)
    expect((await refused({ races: [good], note: 'x'.repeat(2_100_000) })).status).toBe(413)
    const busy = await newOperatorToken(server.database)
    // The rate is counted by the server's clock, which stands still.
    const moment = new Date()
    server.time = () => moment
    const statuses = await Promise.all(
      Array.from(
        { length: 90 },
        async () =>
          (await refused({ races: [{ ...good, raceId: raceOf(day, 99) }] }, headers(newKey(), busy))).status,
      ),
    )
    server.time = () => new Date()
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(await ticks()).toEqual(before)
  })

  test('silks of a card are shown with its runners, and a later card without them keeps them', async () => {
    const [colours, unknown] = ['Red, white sash, yellow cap', 'Scarlet, gold tassel']
    const plain = cardOf(day, 30)
    const runners = plain.runners.map((runner, index) => ({
      ...runner,
      silks: [colours, unknown][index] ?? null,
    }))
    expect(await reasons(calls.feedCards, { ...plain, runners })).toEqual([])
    expect(await reasons(calls.feedCards, plain)).toEqual([])
    const shown = await server.ask(racing.queryRaceCompetitor, { query: { raceId: raceOf(day, 30) } })
    expect(shown.slice(0, 3).map(({ silks }) => silks)).toEqual([colours, unknown, null])
    const horse = await server.ask(queryHorseInfo, { query: { id: shown[0]!.horseId } })
    expect(horse.silks).toBe(colours)
  })
})
