// @module-tag rest
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as calls from '../../contract/api/feed.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { TestServer } from '../support/api.ts'
import { furlong } from '../support/command.ts'
import { newDatabase, newFolder } from '../support/databases.ts'
import { afterMeeting, cardOf, dividendsOf, oddsOf, raceOf, resultOf, tomorrow } from '../support/feed-day.ts'
import { newOperatorToken } from '../support/operator-token.ts'

type Call =
  | typeof calls.feedCards
  | typeof calls.feedOdds
  | typeof calls.feedResults
  | typeof calls.feedDividends

describe('results and dividends that cannot be true', () => {
  let server: TestServer
  let token: string
  let lastKey = 0
  const day = tomorrow(new Date())
  const afterwards = () => afterMeeting(day)
  beforeAll(async () => {
    server = await TestServer.start(await newDatabase('postgresql'))
    token = await newOperatorToken(server.database)
    await post(calls.feedCards, ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((raceNo) => cardOf(day, raceNo)))
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })
  const post = async (call: Call, ...races: unknown[]) => {
    lastKey += 1
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': `${lastKey}` }
    return server.ask(call, { headers, body: { races } })
  }
  /** Sends races after the meeting; says what becomes of each that is left out. */
  const outcomeOf = async (call: Call, ...races: unknown[]): Promise<string[]> => {
    server.time = afterwards
    const { rejected } = await post(call, ...races)
    server.time = () => new Date()
    return rejected.map(({ reason, held }) => (held ? `${reason}, held` : reason))
  }
  const stateOf = async (raceNo: number): Promise<string> => {
    const [race] = await server.database.rows<{ status: string; lines: number; places: number }>(
      `select status, (select count(*) from dividend where race_id = race.id) as lines,
         (select count(place) from runner where race_id = race.id) as places from race where id = $1`,
      [raceOf(day, raceNo)],
    )
    return `${race!.status}, ${race!.places} places, ${race!.lines} dividends`
  }
  const heldRaces = async (): Promise<string[]> =>
    (JSON.parse((await command('races', 'held', '--json')).out) as { raceId: string; kind: string }[]).map(
      ({ raceId, kind }) => `${raceId} ${kind}`,
    )
  const command = (...args: string[]) =>
    furlong({ FURLONG_DATA: server.place.dataFolder, DATABASE_URL: server.place.databaseUrl! }, ...args)

  /** A result with these places, in the order of the saddle numbers; `null`: pulled up. */
  const placed = (raceNo: number, ...places: (number | null)[]) => {
    const result = resultOf(day, raceNo)
    return {
      ...result,
      runners: result.runners.map((runner, index) => {
        const place = index in places ? places[index]! : index + 1
        return { ...runner, place, code: place === null ? 'PU' : null }
      }),
    }
  }
  const paid = (raceNo: number, gameplayClass: number, combination: string, status = 'paid') => ({
    raceId: raceOf(day, raceNo),
    lines: [{ gameplayClass, combination, status, dividendCents: status === 'paid' ? 4000 : null }],
  })

  test.each([
    ['no winner', [2, 3, 4, 5, 6, 7, 8, null], 'no-winner'],
    ['all pulled up', [null, null, null, null, null, null, null, null], 'no-winner'],
    ['places beyond the field', [1, 2, 9, 99], 'place-beyond-field'],
    ['1, 1, 2, 3', [1, 1, 2, 3, 5, 6, 7, 8], 'places-overlap'],
    ['1, 2, 2, 2, 3', [1, 2, 2, 2, 3, 6, 7, 8], 'places-overlap'],
    ['everybody first', [1, 1, 1, 1, 1, 1, 1, 1], 'too-many-first, held'],
    ['four first', [1, 1, 1, 1, 5, 6, 7, 8], 'too-many-first, held'],
    ['nobody third', [1, 2, 4, 5, 6, 7, 8, null], 'place-missing, held'],
  ])('%s', async (_, places, expected) => {
    expect(await outcomeOf(calls.feedResults, placed(1, ...places))).toEqual([expected])
    expect(await stateOf(1)).toBe('scheduled, 0 places, 0 dividends')
  })

  test('a result, and dividends, of a race that is to come are held', async () => {
    const { rejected } = await post(calls.feedResults, resultOf(day, 2))
    expect(rejected).toMatchObject([{ reason: 'before-the-start', held: true }])
    expect((await post(calls.feedDividends, dividendsOf(day, 2, 1))).rejected).toMatchObject([
      { reason: 'before-the-start', held: true },
    ])
    expect(await stateOf(2)).toBe('scheduled, 0 places, 0 dividends')
    // The card and the odds are still taken.
    expect((await post(calls.feedOdds, oddsOf(day, 2))).rejected).toEqual([])
    expect(await heldRaces()).toContain(`${raceOf(day, 2)} results`)
    // What is true afterwards takes the place of what is held.
    expect(await outcomeOf(calls.feedResults, resultOf(day, 2))).toEqual([])
    expect(await heldRaces()).not.toContain(`${raceOf(day, 2)} results`)
    expect((await command('races', 'dismiss', raceOf(day, 2))).code).toBe(0)
    expect(await heldRaces()).not.toContain(`${raceOf(day, 2)} dividends`)
  })

  test('a card starts on its own day, which is not long over', async () => {
    const reasons = async (card: object): Promise<string[]> =>
      (await post(calls.feedCards, card)).rejected.map(({ reason }) => reason)
    expect(await reasons({ ...cardOf(day, 20), startsAt: '2030-01-01T05:00:00Z' })).toEqual([
      'start-on-another-day',
    ])
    expect(await reasons(cardOf('2019-03-06', 1))).toEqual(['day-is-over'])
    // A meeting may end after midnight.
    const night = new Date(Date.parse(`${day}T16:30:00Z`)).toISOString()
    expect(await reasons({ ...cardOf(day, 21), startsAt: night })).toEqual([])
  })

  test('dividends are of horses that ran, and of combinations that win', async () => {
    expect(await outcomeOf(calls.feedResults, resultOf(day, 3))).toEqual([])
    expect(await outcomeOf(calls.feedDividends, paid(3, 1, '99'))).toEqual(['no-such-runner'])
    expect(await outcomeOf(calls.feedDividends, paid(3, 4, '1-9'))).toEqual(['no-such-runner'])
    expect(await outcomeOf(calls.feedDividends, paid(3, 3, '1-1'))).toEqual(['bad-combination'])
    expect(await outcomeOf(calls.feedDividends, paid(3, 3, '0x1-2'))).toEqual(['bad-combination'])
    expect(await outcomeOf(calls.feedDividends, paid(3, 1, '5'))).toEqual([
      'dividend-contradicts-places, held',
    ])
    expect(await outcomeOf(calls.feedDividends, paid(3, 7, '1-3-2'))).toEqual([
      'dividend-contradicts-places, held',
    ])
    expect(await stateOf(3)).toBe('final, 8 places, 0 dividends')
    expect(await outcomeOf(calls.feedDividends, paid(3, 7, '1-2-3'))).toEqual([])
    await server.database.rows(`update runner set status = 'withdrawn' where race_id = $1 and horse_no = 8`, [
      raceOf(day, 4),
    ])
    await outcomeOf(calls.feedResults, resultOf(day, 4, [8]))
    expect(await outcomeOf(calls.feedDividends, paid(4, 2, '8'))).toEqual(['withdrawn-runner'])
    expect(await outcomeOf(calls.feedDividends, paid(4, 2, '8', 'refund'))).toEqual([])
  })

  test('dividends that came before the result contradict it as well', async () => {
    expect(await outcomeOf(calls.feedDividends, dividendsOf(day, 5, 2))).toEqual([])
    expect(await outcomeOf(calls.feedResults, resultOf(day, 5))).toEqual([
      'dividend-contradicts-places, held',
    ])
    expect(await outcomeOf(calls.feedResults, placed(5, 2, 1))).toEqual([])
    // The stewards decide otherwise after the pools have paid: that is an amendment, and no contradiction.
    expect(await outcomeOf(calls.feedResults, resultOf(day, 5))).toEqual([])
  })

  test('the operator confirms what is true: it is taken and settled', async () => {
    const raceId = raceOf(day, 6)
    await post(calls.feedOdds, oddsOf(day, 6))
    await scoreStaleRaces(server.database)
    expect(await outcomeOf(calls.feedResults, placed(6, 1, 1, 1, 1, 5))).toEqual(['too-many-first, held'])
    expect(await outcomeOf(calls.feedDividends, paid(6, 1, '4'))).toEqual([])
    const listed = await command('races', 'held')
    expect(listed.out).toContain(`${raceId} results`)
    expect(listed.out).toContain('too-many-first: ')
    expect((await command('doctor')).out).toMatch(new RegExp(`BAD  held results: of .*${raceId}`))
    // The command's own clock is before the race.
    expect(await command('races', 'confirm', raceId)).toMatchObject({
      code: 0,
      out: `${raceId}: results confirmed\n`,
    })
    expect(await stateOf(6)).toBe('final, 8 places, 1 dividends')
    expect(
      await server.database.rows(`select 1 from settlement where race_id = $1 and outcome = 'hit' limit 1`, [
        raceId,
      ]),
    ).toHaveLength(1)
    expect((await command('races', 'confirm', raceId)).code).toBe(1)
    expect((await command('races', 'confirm', 'R1')).err).toContain('not a race id')
  })

  test('a race that was closed by mistake is opened again: card and odds are taken, nothing is settled', async () => {
    const raceId = raceOf(day, 7)
    await post(calls.feedOdds, oddsOf(day, 7))
    await scoreStaleRaces(server.database)
    const locks = () =>
      server.database.rows('select number, sha256 from prediction_lock where race_id = $1 order by number', [
        raceId,
      ])
    const locked = await locks()
    await outcomeOf(calls.feedResults, resultOf(day, 7))
    await outcomeOf(calls.feedDividends, dividendsOf(day, 7, 1))
    await scoreStaleRaces(server.database)
    expect((await post(calls.feedCards, cardOf(day, 7))).rejected).toMatchObject([{ reason: 'race-is-over' }])
    expect(await command('races', 'reopen', raceId)).toMatchObject({
      code: 0,
      out: `${raceId}: final, now scheduled\n`,
    })
    expect(await stateOf(7)).toBe('scheduled, 0 places, 0 dividends')
    expect(await server.database.rows('select 1 from settlement where race_id = $1', [raceId])).toEqual([])
    expect(await locks()).toEqual(locked)
    expect((await post(calls.feedCards, cardOf(day, 7))).rejected).toEqual([])
    expect((await post(calls.feedOdds, oddsOf(day, 7, 2))).rejected).toEqual([])
    expect((await command('races', 'reopen', raceId)).code).toBe(1)
    expect((await command('races', 'reopen', raceOf(day, 99))).err).toContain('We don’t have that race')
    expect(await outcomeOf(calls.feedResults, placed(7, 2, 1))).toEqual([])
  })

  test('an older result after the race was called off is refused; what a batch removes is listed', async () => {
    const raceId = raceOf(day, 8)
    await outcomeOf(calls.feedResults, resultOf(day, 8))
    await outcomeOf(calls.feedDividends, dividendsOf(day, 8, 1))
    const called = await post(calls.feedResults, { raceId, status: 'abandoned' })
    expect(called.removed).toEqual([{ raceId, detail: `${raceId}: final, now abandoned` }])
    const refunds = await post(calls.feedDividends, {
      raceId,
      lines: [1, 2].map((gameplayClass) => ({ gameplayClass, combination: '', status: 'refund' })),
    })
    expect(refunds.removed.map(({ detail }) => detail.split(':')[0])).toEqual([
      `${raceId} win`,
      `${raceId} place`,
    ])
    expect(await outcomeOf(calls.feedResults, resultOf(day, 8))).toEqual(['race-was-abandoned'])
    expect(await outcomeOf(calls.feedDividends, dividendsOf(day, 8, 1))).toEqual(['race-was-abandoned'])
    expect(await stateOf(8)).toBe('abandoned, 0 places, 2 dividends')
    expect((await command('races', 'reopen', raceId, '--json')).code).toBe(0)
    expect(await outcomeOf(calls.feedResults, resultOf(day, 8))).toEqual([])
  })

  test('instants: any form of ISO 8601 with Z or an offset; other forms are shown with the right one', async () => {
    const at = new Date(Date.now() - 3_600_000)
    const zoned = new Date(at.getTime() + 8 * 3_600_000).toISOString()
    const text = at.toISOString()
    const call = (seenAt: unknown, language = 'en') => {
      lastKey += 1
      return server.call(calls.feedOdds, {
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': `${lastKey}` },
        body: { races: [{ ...oddsOf(day, 9), seenAt }] },
        language,
      })
    }
    for (const form of [
      text,
      `${text.slice(0, 19)}Z`,
      `${text.slice(0, 16)}Z`,
      `${text.slice(0, 19)}+00:00`,
      `${text.slice(0, 19)}.123456+00:00`,
      `${zoned.slice(0, 19)}+08:00`,
      `${zoned.slice(0, 16)}+0800`,
      `${text.slice(0, 19)}-00:00`,
    ])
      expect(await call(form), form).toMatchObject({ status: 200 })
    const stored = await server.database.rows<{ at: string }>(
      `select distinct date_trunc('minute', seen_at) as at from odds_tick where race_id = $1`,
      [raceOf(day, 9)],
    )
    expect(stored).toEqual([{ at: `${text.slice(0, 16)}:00.000Z` }])
    for (const form of [text.slice(0, 19), `${at.getTime()}`, '2026-02-30T05:00:00Z', '25/11/2026 05:00', ''])
      expect(await call(form), form).toMatchObject({
        status: 400,
        refusal: {
          result: {
            fields: [
              {
                field: 'races.0.seenAt',
                message: `“${form}” is no instant with a time zone. Write it like 2026-11-25T05:00:00Z or 2026-11-25T13:00:00+08:00.`,
              },
            ],
          },
        },
      })
    expect(await call(at.getTime())).toMatchObject({ status: 400 })
    const chinese = await call('yesterday', 'zh-Hant')
    expect(JSON.stringify(chinese)).toContain('「yesterday」並非帶時區的時間')
  })

  test('a batch in the folder takes the same instants, and its report names the form', async () => {
    const folder = newFolder()
    const put = (name: string, seenAt: string): void =>
      writeFileSync(
        join(folder, name),
        JSON.stringify({ kind: 'odds', races: [{ ...oddsOf(day, 9), seenAt }] }),
      )
    put('1.json', '2026-11-01T13:00+08:00')
    put('2.json', '2026-11-01T13:00')
    writeFileSync(join(folder, '3.jsonl'), '{}\n{}\n')
    const { out } = await command('feed', 'watch', folder, '--once')
    expect(out).toContain('taken: 1.json')
    expect(out).toContain(
      '2.json cannot be read: races.0.seenAt: “2026-11-01T13:00” is no instant with a time zone.',
    )
    expect(out).toContain('left alone, because it is no .json and no .csv file: 3.jsonl')
  })
})
