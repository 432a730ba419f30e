import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BETFAIR_STREAM_FORMAT } from '../../server/ingest/stream/betfair-stream-format.ts'
import { BETFAIR_SP_FORMAT } from '../../server/ingest/gb/betfair-sp-format.ts'
import { RPSCRAPE_FORMAT } from '../../server/ingest/gb/rpscrape-format.ts'
import { explainFiles } from '../../server/ingest/explain.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { newFolder, type TestDatabase } from '../support/databases.ts'
import {
  changesOf,
  csv,
  importAs,
  rejectLines,
  storedRows,
  storedRunners,
  withDatabase,
  writeFiles,
} from '../support/import-files.ts'
import { WIN_MARKET_BZ2 } from '../support/market-bz2.ts'
import { MarketFile, nameOf, placeMarket, winMarket } from '../support/market-files.ts'
import { dividends, PRESENT, race } from '../support/rpscrape-files.ts'

const OPENS = '2024-06-14T18:55:00.000Z'
/** The second race of the meeting at Hamilton; in June, British clocks are an hour before these times. */
const SECOND = {
  id: '1.900000002',
  start: '2024-06-14T19:25:00.000Z',
  opens: OPENS,
  firstId: 200,
  mark: 'Two',
}
const RANDWICK = {
  id: '1.900000003',
  country: 'AU',
  venue: 'Randwick',
  timezone: 'Australia/Sydney',
  name: 'R7 1100m Hcap',
  // Seven minutes past midnight of the next day in London is nine in Sydney.
  start: '2024-06-13T23:07:00.000Z',
  opens: '2024-06-13T20:00:00.000Z',
  firstId: 300,
  mark: 'Oz',
}

const ticks = (place: TestDatabase): Promise<string[]> =>
  place.database
    .rows<{ shown: string }>(
      `select race_id || ' ' || horse_no || ' ' || to_char(seen_at at time zone 'UTC', 'HH24:MI') || ' ' || odds as shown
       from odds_tick order by race_id, horse_no, seen_at`,
    )
    .then((rows) => rows.map(({ shown }) => shown))

/** Whether the numbers of each race are ours. */
const areByName = async ({ database }: TestDatabase): Promise<boolean[]> =>
  (await database.rows<{ numbersByName: boolean }>('select numbers_by_name from race order by id')).map(
    ({ numbersByName }) => numbersByName,
  )

interface Message {
  pt: number
  mc: {
    marketDefinition?: { inPlay: boolean; status: string; runners: { id: number; status: string }[] }
    rc?: { id: number; ltp: number }[]
  }[]
}

/** How many odds a win market has: counted over its lines, from the first to that at which it is in play. */
function oddsIn(text: string): number {
  const messages = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Message)
  const off = messages.findIndex(({ mc }) => mc[0]!.marketDefinition?.inPlay === true)
  const removals = (message: Message): number =>
    message.mc[0]!.marketDefinition?.runners.filter(({ status }) => status === 'REMOVED').length ?? 0
  const removed = new Set(
    messages
      .at(-1)!
      .mc[0]!.marketDefinition!.runners.flatMap(({ id, status }) => (status === 'REMOVED' ? [id] : [])),
  )
  const firstRemoval = messages.findIndex((message) => removals(message) > 0)
  return messages
    .slice(0, off)
    .filter((_, index) => index !== firstRemoval)
    .flatMap(({ mc }) => mc[0]!.rc ?? [])
    .filter(({ id }) => !removed.has(id)).length
}

describe('betfair-stream: markets with odds over time', () => {
  test('a folder of markets: races, odds of before the off, results and starting prices', () =>
    withDatabase(async (place) => {
      const folder = newFolder()
      mkdirSync(join(folder, 'Jun', '14'), { recursive: true })
      const texts = [winMarket(SECOND).text(), winMarket(RANDWICK).text()]
      const files: Record<string, string | Buffer> = {
        '1.900000001.bz2': WIN_MARKET_BZ2,
        '1.900000002': texts[0]!,
        '1.9000000029': placeMarket(SECOND).text(),
        '1.900000003': texts[1]!,
        '1.900000004': winMarket({ ...SECOND, id: '1.900000004', country: 'ZA', venue: 'Vaal' }).text(),
        '1.900000005': winMarket({ ...SECOND, id: '1.900000005', sport: '4339' }).text(),
        '1.900000006': winMarket({ ...SECOND, id: '1.900000006', type: 'FORECAST' }).text(),
        '1.9000000079': placeMarket({ ...SECOND, venue: 'Ayr', id: '1.900000007' }).text(),
        '1.900000008': winMarket({ ...RANDWICK, id: '1.900000008', name: 'R3 1609m Pace M' }).text(),
      }
      for (const [name, content] of Object.entries(files))
        writeFileSync(join(folder, 'Jun', '14', name), content)
      const { format, why } = await formatNamed('auto', [folder])
      expect(format).toBe(BETFAIR_STREAM_FORMAT)
      expect(why).toContain('9 of 9 files')
      const run = () => importFiles(place.database, { format, paths: [folder], replaceDemonstration: false })
      const report = await run()
      expect([report.rejects, report.unknown, report.noted, report.differing]).toEqual([[], [], [], []])
      expect([report.files, report.rowsRead, report.nonStarters]).toEqual([9, 54, 3])
      // Only Australia prints numbers.
      expect(await areByName(place)).toEqual([false, true, true])
      const counted = oddsIn(winMarket().text()) + texts.reduce((sum, text) => sum + oddsIn(text), 0)
      expect(counted).toBe(3 * 5 * 4)
      expect(report.tables['odds_tick']).toEqual({ inserted: counted, updated: 0, unchanged: 0 })
      expect(report.passedOver).toEqual({
        'prices after the off': 30,
        'prices of removed runners': 9,
        'prices that are no trades, published with the removal of a runner': 15,
        'runners of place markets, which are read with the win market': 6,
        'runners of place markets, without a win market': 6,
        'runners of markets on races in ZA': 6,
        'runners of markets on other sports': 6,
        'runners of markets on harness races': 6,
        'runners of markets of type FORECAST': 6,
      })
      expect(
        await place.database.rows(
          `select id, starts_at, name_en, race_class, distance_m, declared_starters from race order by id`,
        ),
      ).toEqual([
        {
          id: 'AURND2024061407',
          startsAt: '2024-06-13T23:07:00.000Z',
          nameEn: null,
          raceClass: 'Hcap',
          distanceM: 1100,
          declaredStarters: 5,
        },
        {
          id: 'GBHAM2024061401',
          startsAt: OPENS,
          nameEn: '1m Hcap',
          raceClass: null,
          distanceM: 1609,
          declaredStarters: 5,
        },
        {
          id: 'GBHAM2024061402',
          startsAt: '2024-06-14T19:25:00.000Z',
          nameEn: '1m Hcap',
          raceClass: null,
          distanceM: 1609,
          declaredStarters: 5,
        },
      ])
      const runners = await place.database.rows(
        `select horse_no, name_en, runner.status, place, win_odds from runner join horse on horse.id = horse_id
         where race_id = 'GBHAM2024061402' order by horse_no nulls last`,
      )
      // Numbered by their names.
      expect(runners).toEqual([
        { horseNo: 1, nameEn: 'Cedar Mile Two', status: 'finished', place: null, winOdds: 6.15 },
        { horseNo: 2, nameEn: 'Dusty Lane Two', status: 'finished', place: null, winOdds: 7.15 },
        { horseNo: 3, nameEn: 'Old Harbour Two', status: 'finished', place: null, winOdds: 8.15 },
        { horseNo: 4, nameEn: 'Pale Ale Two', status: 'finished', place: null, winOdds: 9.15 },
        { horseNo: 5, nameEn: 'Tin Kettle Two', status: 'finished', place: 1, winOdds: 4.15 },
        { horseNo: null, nameEn: 'Brass Button Two', status: 'withdrawn', place: null, winOdds: null },
      ])
      expect(
        (await ticks(place)).filter((tick) => /^(?:GBHAM2024061402 5|AURND2024061407 1) /.test(tick)),
      ).toEqual([
        'AURND2024061407 1 18:07 4',
        'AURND2024061407 1 19:47 5',
        'AURND2024061407 1 22:17 4.5',
        'AURND2024061407 1 22:37 4',
        'GBHAM2024061402 5 14:25 4',
        'GBHAM2024061402 5 16:05 5',
        'GBHAM2024061402 5 18:35 4.5',
        'GBHAM2024061402 5 18:55 4',
      ])
      expect((await dividends(place)).toSorted()).toEqual([
        'AURND2024061407 win 1 4150',
        'GBHAM2024061401 win 5 4150',
        'GBHAM2024061402 place 1 1500',
        'GBHAM2024061402 place 5 1300',
        'GBHAM2024061402 win 5 4150',
      ])
      const before = [await storedRows(place), await ticks(place)]
      const again = await run()
      expect(changesOf(again)).toBe(0)
      expect([again.rejects, again.differing]).toEqual([[], []])
      expect([await storedRows(place), await ticks(place)]).toEqual(before)
    }))

  test('only win and place bets are judged', { tags: ['rest'] }, () =>
    withDatabase(async (place) => {
      const files = { '1.900000001': winMarket().text() }
      await importAs(place, BETFAIR_STREAM_FORMAT, files)
      const later = await importAs(place, BETFAIR_STREAM_FORMAT, {
        ...files,
        '1.9000000019': placeMarket().text(),
      })
      expect(later.tables['dividend']).toEqual({ inserted: 2, updated: 0, unchanged: 1 })
      await scoreStaleRaces(place.database)
      const judged = await place.database.rows<{ gameplayClass: number; outcome: string }>(
        `select distinct gameplay_class, outcome from prediction join settlement using (race_id, model_id, gameplay_class, rank)
         order by 1, 2`,
      )
      expect(judged.filter(({ gameplayClass }) => gameplayClass <= 2)).toEqual([
        { gameplayClass: 1, outcome: 'hit' },
        { gameplayClass: 1, outcome: 'miss' },
        { gameplayClass: 2, outcome: 'hit' },
        { gameplayClass: 2, outcome: 'miss' },
      ])
      expect(
        new Set(judged.flatMap(({ gameplayClass, outcome }) => (gameplayClass > 2 ? [outcome] : []))),
      ).toEqual(new Set(['void']))
    }),
  )

  test(
    'races of another source get the odds over time of their horses, found by name, and stay as they are',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        const of = { date: '2024-06-14', course: 'Hamilton', off: '7:55', ran: 5 }
        const horses = [5, 4, 3, 2, 0].map((index) => ({
          horse: `${nameOf(index, {}).replace('Old', "O'ld")} (IRE)`,
        }))
        await importAs(place, RPSCRAPE_FORMAT, {
          'results.csv': csv(PRESENT, ...race({ ...of, off: '7:00' }), ...race(of, horses)),
        })
        const before = await storedRows(place)
        const files = { '1.900000001': winMarket({ opens: '2024-06-14T18:00:00.000Z' }).text() }
        const report = await importAs(place, BETFAIR_STREAM_FORMAT, files)
        expect([report.rejects, report.unknown, report.differing]).toEqual([[], [], []])
        expect(report.tables['odds_tick']).toEqual({ inserted: 20, updated: 0, unchanged: 0 })
        expect(report.passedOver).toMatchObject({
          'runners of races of another source, to which their odds over time are added': 6,
        })
        expect(await storedRows(place)).toEqual(before)
        // Tin Kettle, which has 5 there.
        expect((await ticks(place)).filter((tick) => tick.startsWith('GBHAM2024061402 5'))).toEqual([
          'GBHAM2024061402 5 13:55 4',
          'GBHAM2024061402 5 15:35 5',
          'GBHAM2024061402 5 18:05 4.5',
          'GBHAM2024061402 5 18:25 4',
        ])
        expect(changesOf(await importAs(place, BETFAIR_STREAM_FORMAT, files))).toBe(0)
        const without = winMarket({ opens: '2024-06-14T18:00:00.000Z' })
          .text()
          .replaceAll('Pale Ale', 'Stranger')
        const other = await importAs(place, BETFAIR_STREAM_FORMAT, { '1.900000001': without })
        expect(other.unknown.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
          'no-such-runner GBHAM2024061402: Stranger',
        ])
        expect(changesOf(other)).toBe(0)
      }),
  )

  test('races of Betfair’s other files are completed under their numbers', { tags: ['rest'] }, () =>
    withDatabase(async (place) => {
      const header = 'EVENT_ID,MENU_HINT,EVENT_NAME,EVENT_DT,SELECTION_ID,SELECTION_NAME,WIN_LOSE,BSP'
      const sp = (id: number, name: string, bsp: string) =>
        `1,GB / Hamilton 14th Jun,1m Hcap,14-06-2024 19:55,${id},${name},${id === 100 ? 1 : 0},${bsp}`
      await importAs(place, BETFAIR_SP_FORMAT, {
        'prices.csv': csv(
          header,
          // Its numbers are not those that the market alone would have.
          sp(100, '5. Tin Kettle', '4.151234'),
          sp(102, '4. Cedar Mile', '6.15'),
          sp(103, '3. Dusty Lane', '7.15'),
          sp(104, '2. Old Harbour', '8.15'),
          sp(105, '1. Pale Ale', '9.5'),
        ),
      })
      const report = await importAs(place, BETFAIR_STREAM_FORMAT, {
        '1.900000001': winMarket({ opens: '2024-06-14T18:00:00.000Z' }).text(),
        '1.9000000019': placeMarket().text(),
      })
      expect([report.rejects, report.noted, report.unknown]).toEqual([[], [], []])
      // A price that was rounded is the same one, and what it paid is told.
      expect(report.differing.map(({ detail }) => detail)).toEqual([
        'GBHAM2024061401 1 win-odds: 9.15, stored 9.5',
        'GBHAM2024061401 win dividend: 5 41.50, stored 41.51',
      ])
      expect(report.passedOver).toMatchObject({ 'removed runners of races that are stored': 1 })
      expect((await dividends(place)).toSorted()).toEqual([
        'GBHAM2024061401 place 4 1500',
        'GBHAM2024061401 place 5 1300',
        'GBHAM2024061401 win 5 4151',
      ])
      // These are printed.
      expect(await areByName(place)).toEqual([false])
      expect((await ticks(place)).filter((tick) => tick.endsWith('18:25 4'))).toEqual([
        'GBHAM2024061401 5 18:25 4',
      ])
    }),
  )

  test(
    'British races whose number would be guessed are rejected, and the others are imported',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        // Of two races, the first is missing; of the other meeting, two start at one time.
        const twice = { venue: 'Ayr', opens: OPENS }
        const report = await importAs(place, BETFAIR_STREAM_FORMAT, {
          '1.900000002': winMarket(SECOND).text(),
          '1.900000003': winMarket(RANDWICK).text(),
          '1.900000004': winMarket({ ...twice, id: '1.900000004', firstId: 400, mark: 'A' }).text(),
          '1.900000005': winMarket({ ...twice, id: '1.900000005', firstId: 500, mark: 'B' }).text(),
        })
        expect(new Set(report.rejects.map(({ kind, detail }) => `${kind} ${detail}`))).toEqual(
          new Set([
            `race-number-uncertain GBHAM 2024-06-14, 1.900000002: no market of the first race, at ${OPENS}`,
            `race-number-uncertain GBAYR 2024-06-14, 1.900000004: two markets at ${OPENS}`,
            `race-number-uncertain GBAYR 2024-06-14, 1.900000005: two markets at ${OPENS}`,
          ]),
        )
        expect(await place.database.rows('select id from race')).toEqual([{ id: 'AURND2024061407' }])
        // With the first one, which then is stored without the second.
        await importAs(place, BETFAIR_STREAM_FORMAT, { '1.900000001': winMarket().text() })
        const later = await importAs(place, BETFAIR_STREAM_FORMAT, {
          '1.900000002': winMarket(SECOND).text(),
        })
        expect(new Set(later.rejects.map(({ kind }) => kind))).toEqual(new Set(['race-number-uncertain']))
        const both = { '1.900000001': winMarket().text(), '1.900000002': winMarket(SECOND).text() }
        const whole = await importAs(place, BETFAIR_STREAM_FORMAT, both)
        expect(whole.rejects).toEqual([])
        expect(
          (await place.database.rows<{ id: string }>('select id from race order by 1')).map(({ id }) => id),
        ).toEqual(['AURND2024061407', 'GBHAM2024061401', 'GBHAM2024061402'])
      }),
  )

  test(
    'a market without a result, a course or a name is left out with its line, and the others are imported',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        const open = winMarket(SECOND).text().trim().split('\n').slice(0, -1).join('\n')
        const report = await importAs(place, BETFAIR_STREAM_FORMAT, {
          '1.900000001': winMarket().text(),
          '1.900000002': open,
          '1.900000003': winMarket({ ...RANDWICK, venue: 'Nowhere Downs' }).text(),
          '1.900000004': winMarket({ ...RANDWICK, id: '1.900000004', timezone: 'Mars/Olympus' }).text(),
          '1.900000005': winMarket({ ...RANDWICK, id: '1.900000005', name: 'Hcap' }).text(),
          '1.900000006': winMarket({
            ...RANDWICK,
            id: '1.900000006',
            name: 'R2 1000m Mdn',
            venue: 'Rosehill',
          })
            .text()
            .replaceAll('2. Brass', 'Brass')
            .replaceAll('3. Cedar', 'Cedar'),
        })
        const lines = new Set(rejectLines(report.rejects))
        expect(lines).toEqual(
          new Set([
            '1.900000002:7 no-result',
            '1.900000003:9 unknown-venue',
            '1.900000004:9 unknown-zone',
            '1.900000005:9 bad-race-number',
            '1.900000006:9 no-saddle-number',
            '1.900000006:9 race-incomplete',
          ]),
        )
        expect(await place.database.rows('select distinct race_id from odds_tick')).toEqual([
          { raceId: 'GBHAM2024061401' },
        ])
        expect(await place.database.rows('select id from race')).toEqual([{ id: 'GBHAM2024061401' }])
      }),
  )

  test('its columns are explained, each row once', { tags: ['rest'] }, async () => {
    const folder = writeFiles({ '1.900000001.bz2': WIN_MARKET_BZ2 })
    const { files, lines } = await explainFiles([folder], 'auto', null)
    expect(files.map(({ kind, rows }) => `${kind} ${rows}`)).toEqual(['markets 6'])
    expect(lines).toContain('  passed over: 10 (prices after the off)')
  })

  test('a damaged file refuses the import, and nothing is written', () =>
    withDatabase(async (place) => {
      const files = {
        '1.900000001': winMarket().text(),
        '1.900000002.bz2': WIN_MARKET_BZ2.subarray(0, 900),
      }
      await expect(importAs(place, BETFAIR_STREAM_FORMAT, files)).rejects.toMatchObject({
        code: 'file-unreadable',
        details: { file: '1.900000002.bz2', reason: expect.stringContaining('end too early') },
      })
      expect(await storedRunners(place)).toEqual([])
    }))

  test(
    'two winners share the stake, and of three placed on two places only the winner is known',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        const text = winMarket().text().trim().split('\n')
        const last = text.pop()!.replace('"status":"LOSER"', '"status":"WINNER"')
        const files = {
          '1.900000001': [...text, last].join('\n'),
          '1.9000000019': placeMarket({}, [0, 2, 3]).text(),
          // Its prices cannot be odds, and are left out.
          '1.900000002': new MarketFile({ ...SECOND, venue: 'Ayr', opens: SECOND.start })
            .define(90, [
              { id: 1, name: 'One' },
              { id: 2, name: 'Two' },
            ])
            .prices(80, { 1: 0, 2: 1.01 })
            .define(
              0,
              [
                { id: 1, status: 'WINNER', bsp: 'NaN' },
                { id: 2, status: 'LOSER', bsp: 1000 },
              ],
              {
                status: 'CLOSED',
              },
            )
            .text(),
        }
        const report = await importAs(place, BETFAIR_STREAM_FORMAT, files)
        expect(report.rejects).toEqual([])
        expect(report.unknown.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
          'odds-out-of-range prices: 0 at 2024-06-14T18:05:00.000Z',
        ])
        expect((await dividends(place)).toSorted()).toEqual([
          'GBAYR2024061401 win 1 unknown',
          'GBHAM2024061401 place 1 1500',
          'GBHAM2024061401 place 2 unknown',
          'GBHAM2024061401 place 5 1300',
          'GBHAM2024061401 win 1 3075',
          'GBHAM2024061401 win 5 2075',
        ])
        expect(await ticks(place)).toContain('GBAYR2024061401 2 18:05 1.01')
      }),
  )
})
