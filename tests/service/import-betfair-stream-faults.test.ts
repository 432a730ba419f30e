// @module-tag rest
import { describe, expect, test } from 'vitest'
import { RPSCRAPE_FORMAT } from '../../server/ingest/gb/rpscrape-format.ts'
import { BETFAIR_STREAM_FORMAT } from '../../server/ingest/stream/betfair-stream-format.ts'
import { csv, importAs, rejectLines, storedRows, withDatabase } from '../support/import-files.ts'
import type { TestDatabase } from '../support/databases.ts'
import { nameOf, placeMarket, winMarket, type MarketFacts } from '../support/market-files.ts'
import { dividends, PRESENT, race } from '../support/rpscrape-files.ts'

const OPENS = '2024-06-14T18:55:00.000Z'
const HORSES = [0, 2, 3, 4, 5].map((index) => nameOf(index, {}))

/** The race number `no` of the meeting at Hamilton, with horses of its own. */
const raceNumbered = (no: number, facts: MarketFacts = {}) => ({
  id: `1.90000000${no}`,
  start: `2024-06-14T${18 + Math.floor((55 + 30 * (no - 1)) / 60)}:${String((55 + 30 * (no - 1)) % 60).padStart(2, '0')}:00.000Z`,
  opens: OPENS,
  firstId: 100 * no,
  mark: no === 1 ? '' : `No ${'ABCDEF'[no]}`,
  ...facts,
})

const ids = (place: TestDatabase): Promise<string[]> =>
  place.database
    .rows<{ id: string }>('select id from race order by id')
    .then((rows) => rows.map(({ id }) => id))

const tickCount = (place: TestDatabase): Promise<unknown> =>
  place.database.rows('select race_id, count(*)::int as ticks from odds_tick group by 1 order by 1')

const importStream = (place: TestDatabase, files: Record<string, string>) =>
  importAs(place, BETFAIR_STREAM_FORMAT, files)

const kindsOf = (rejects: readonly { kind: string; detail: string }[]): Set<string> =>
  new Set(rejects.map(({ kind, detail }) => `${kind} ${detail}`))

/** The race of `winMarket` as rpscrape has it, at a course and with these horses. */
const importResults = (place: TestDatabase, horses: readonly string[] = HORSES, course = 'Hamilton') =>
  importAs(place, RPSCRAPE_FORMAT, {
    'results.csv': csv(
      PRESENT,
      ...race(
        { date: '2024-06-14', course, off: '7:55', ran: horses.length },
        horses.map((horse) => ({ horse: `${horse}${horse.includes('(') ? '' : ' (IRE)'}` })),
      ),
    ),
  })

describe('markets of the stream that cannot be read', () => {
  test.each([
    ['without a name', ',"name":"Dusty Lane"', '', 'missing-field runner_name'],
    [
      'with a name of a hidden character',
      'Dusty Lane',
      'Dusty\u200B Lane',
      'invisible-characters runner_name',
    ],
  ])('a runner %s leaves out its race, and no race is stored without it', (_, from, to, reason) =>
    withDatabase(async (place) => {
      const files = {
        '1.900000001': winMarket(raceNumbered(1)).text().replaceAll(from, to),
        '1.900000002': winMarket(raceNumbered(2)).text(),
      }
      const report = await importStream(place, files)
      const [kind] = reason.split(' ')
      expect(kindsOf(report.rejects)).toEqual(new Set([reason, `race-incomplete GBHAM2024061401: ${kind}`]))
      expect(await ids(place)).toEqual(['GBHAM2024061402'])
    }),
  )

  test.each([
    ['zone', '"timezone":"Europe/London"', '"timezone":"Mars/Olympus"', 'unknown-zone'],
    ['time', /"marketTime":"[^"]*",/g, '', 'missing-field'],
    ['course', '"venue":"Hamilton",', '', 'missing-field'],
    ['name of plain characters', '"name":"1m Hcap"', '"name":"1m\u200B Hcap"', 'invisible-characters'],
    ['short name', '"name":"1m Hcap"', `"name":"${'x'.repeat(201)}"`, 'text-too-long'],
    ['country', '"countryCode":"GB"', String.raw`"countryCode":"G\u0000"`, 'unreadable-characters'],
  ])('a market without a %s moves no other race, and is rejected with its line', (_, from, to, kind) =>
    withDatabase(async (place) => {
      const report = await importStream(place, {
        '1.900000001': winMarket(raceNumbered(1)).text(),
        '1.900000002': winMarket(raceNumbered(2)).text().replaceAll(from, to),
        '1.900000003': winMarket(raceNumbered(3)).text(),
        // Of another country, another day and another course.
        '1.900000004': winMarket(
          raceNumbered(4, { country: 'IE', venue: 'Cork', timezone: 'Europe/Dublin', opens: undefined! }),
        ).text(),
        '1.900000005': winMarket(
          raceNumbered(5, { start: '2024-06-18T18:55:00.000Z', opens: '2024-06-18T18:55:00.000Z' }),
        ).text(),
      })
      const lines = rejectLines(report.rejects)
      expect(new Set(lines)).toContain(`1.900000002:9 ${kind}`)
      expect(lines.filter((line) => line.startsWith('1.900000003'))).toEqual(
        Array.from({ length: 6 }, () => '1.900000003:9 race-number-uncertain'),
      )
      expect(report.rejects.map(({ detail }) => detail)).toContain(
        'GBHAM 2024-06-14, 1.900000003: market 1.900000002, which cannot be read, may be of one more race',
      )
      const stored = await ids(place)
      expect(stored).toContain('GBHAM2024061801')
      expect(stored.filter((id) => id.startsWith('GBHAM20240614'))).toEqual([])
    }),
  )
})

describe('place markets of the stream', () => {
  test('one that is not closed is rejected, and the race has no lines of places', () =>
    withDatabase(async (place) => {
      const open = placeMarket().text().trim().split('\n').slice(0, -1).join('\n')
      const report = await importStream(place, { '1.900000001': winMarket().text(), '1.9000000019': open })
      expect(rejectLines(report.rejects)).toEqual(Array.from({ length: 6 }, () => '1.9000000019:1 no-result'))
      expect(await dividends(place)).toEqual(['GBHAM2024061401 win 5 4150'])
    }))

  test('two that contradict each other are rejected, and of a part of them the bets on places are void', () =>
    withDatabase(async (place) => {
      const other = placeMarket({ id: '1.95' }, [0, 4]).text()
      const report = await importStream(place, {
        '1.900000001': winMarket().text(),
        '1.9000000019': placeMarket().text(),
        '1.959': other,
      })
      expect(new Set(rejectLines(report.rejects))).toEqual(
        new Set(['1.9000000019:3 two-rows-of-one-runner', '1.959:3 two-rows-of-one-runner']),
      )
      expect(report.rejects).toHaveLength(4)
      expect(report.noted.map(({ kind }) => kind)).toEqual(['place-results-missing'])
      expect(await dividends(place)).toEqual(['GBHAM2024061401 win 5 4150'])
    }))

  test('a horse that is removed from another race of the day keeps its place in its own', () =>
    withDatabase(async (place) => {
      // The removed runner of the second race is the winner of the first.
      const same = (text: string): string => text.replaceAll('"id":201', '"id":100')
      const second = raceNumbered(2)
      const report = await importStream(place, {
        '1.900000001': winMarket().text(),
        '1.9000000019': placeMarket().text(),
        '1.900000002': same(winMarket(second).text()),
        '1.9000000029': same(placeMarket(second).text()),
      })
      expect([report.rejects, report.noted]).toEqual([[], []])
      expect((await dividends(place)).filter((line) => line.includes('2401 place'))).toEqual([])
      expect((await dividends(place)).filter((line) => line.includes('place'))).toHaveLength(4)
    }))

  test('of three winners on two places, what a place paid is unknown', () =>
    withDatabase(async (place) => {
      const lines = winMarket().text().trim().split('\n')
      const last = lines
        .pop()!
        .replace('"status":"LOSER"', '"status":"WINNER"')
        .replace('"status":"LOSER"', '"status":"WINNER"')
      const report = await importStream(place, {
        '1.900000001': [...lines, last].join('\n'),
        '1.9000000019': placeMarket({}, [0, 2, 3]).text(),
      })
      expect(report.rejects).toEqual([])
      expect((await dividends(place)).filter((line) => line.includes('place')).toSorted()).toEqual([
        'GBHAM2024061401 place 1 unknown',
        'GBHAM2024061401 place 2 unknown',
        'GBHAM2024061401 place 5 unknown',
      ])
    }))
})

describe('markets of races that another source has stored', () => {
  test('one that is not closed adds no odds', () =>
    withDatabase(async (place) => {
      await importResults(place)
      const before = await storedRows(place)
      const open = winMarket().text().trim().split('\n').slice(0, 3).join('\n')
      const report = await importStream(place, { '1.900000001': open })
      expect(new Set(report.rejects.map(({ kind }) => kind))).toEqual(new Set(['no-result']))
      expect([await storedRows(place), await tickCount(place)]).toEqual([before, []])
    }))

  test('one of a race that has other odds adds none to them, which is told', () =>
    withDatabase(async (place) => {
      await importResults(place)
      await place.database.rows(
        `insert into odds_tick (race_id, horse_no, seen_at, odds) values ('GBHAM2024061401', 1, '2024-06-14T12:00:00Z', 7)`,
      )
      const report = await importStream(place, { '1.900000001': winMarket().text() })
      expect(report.rejects).toEqual([])
      expect(report.differing.map(({ kind, line, detail }) => `${kind} ${line} ${detail}`)).toEqual([
        'odds-over-time 9 GBHAM2024061401: 20 odds over time are left out, because others are stored (1)',
      ])
      expect(await tickCount(place)).toEqual([{ raceId: 'GBHAM2024061401', ticks: 1 }])
    }))

  test('horses that differ in their country alone keep their own odds', () =>
    withDatabase(async (place) => {
      await importResults(place, [...HORSES.slice(0, 3), 'Old Harbour (IRE)', 'Old Harbour (FR)'])
      const ofTwo = winMarket()
        .text()
        .replaceAll('Old Harbour', 'Old Harbour (FR)')
        .replaceAll('Pale Ale', 'Old Harbour (IRE)')
      expect((await importStream(place, { '1.900000001': ofTwo })).unknown).toEqual([])
      const first = await place.database.rows<{ horse: string; odds: number }>(
        `select name_en as horse, odds from odds_tick join runner using (race_id, horse_no) join horse on horse.id = horse_id
         where name_en like 'Old%' and seen_at = '2024-06-14T13:55:00Z' order by 1`,
      )
      expect(first.map(({ horse, odds }) => `${horse} ${odds}`)).toEqual([
        'Old Harbour (FR) 8',
        'Old Harbour (IRE) 9',
      ])
    }))

  test('without its country, such a horse is none of them, and another country is another horse', () =>
    withDatabase(async (place) => {
      await importResults(place, [...HORSES.slice(0, 3), 'Old Harbour (IRE)', 'Old Harbour (FR)'])
      const report = await importStream(place, {
        '1.900000001': winMarket().text().replaceAll('Pale Ale', 'Cedar Mile (GER)'),
      })
      expect(report.unknown.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
        'no-such-runner GBHAM2024061401: Old Harbour',
        'no-such-runner GBHAM2024061401: Cedar Mile (GER)',
      ])
    }))

  test('one at Newmarket is found on either of its courses', () =>
    withDatabase(async (place) => {
      await importResults(place, HORSES, 'Newmarket (July)')
      const report = await importStream(place, {
        '1.900000001': winMarket({ venue: 'Newmarket' }).text(),
      })
      expect([report.rejects, report.unknown]).toEqual([[], []])
      expect(await ids(place)).toEqual(['GBNMJ2024061401'])
      expect(await tickCount(place)).toEqual([{ raceId: 'GBNMJ2024061401', ticks: 20 }])
    }))
})

test('a distance that no race has is unknown, and the race is stored', () =>
  withDatabase(async (place) => {
    const facts = { country: 'AU', venue: 'Randwick', timezone: 'Australia/Sydney', name: 'R7 99999m Hcap' }
    const report = await importStream(place, { '1.900000001': winMarket(facts).text() })
    expect(new Set(report.unknown.map(({ kind, detail }) => `${kind} ${detail}`))).toEqual(
      new Set(['out-of-range market_name: 99999 m (1 m to 10000 m)']),
    )
    expect(await place.database.rows('select distance_m from race')).toEqual([{ distanceM: null }])
  }))
