// @module-tag rest
import { describe, expect, test } from 'vitest'
import { explainFiles } from '../../server/ingest/explain.ts'
import { BETFAIR_SP_FORMAT } from '../../server/ingest/gb/betfair-sp-format.ts'
import { RPSCRAPE_FORMAT } from '../../server/ingest/gb/rpscrape-format.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { BETFAIR_STREAM_FORMAT } from '../../server/ingest/stream/betfair-stream-format.ts'
import type { TestDatabase } from '../support/databases.ts'
import { changesOf, csv, importAs, rejectLines, withDatabase, writeFiles } from '../support/import-files.ts'
import { nameOf, winMarket } from '../support/market-files.ts'
import { dividends, PRESENT, race as scrapedRace, races } from '../support/rpscrape-files.ts'

const HEADER =
  'LOCAL_RACE_DATE,RACETIME,COUNTRY_ID,TRACK,EVENT_ID,WIN_MARKET_ID,PLACE_MARKET_ID,RACE_NAME,WIN_MARKET_NAME,RACE_NUMBER,SELECTION_ID,RUNNER_NAME,RATED_PRICE,WIN_BSP,WIN_RESULT,PLACE_BSP,PLACE_RESULT'

interface Race {
  no?: number
  country?: string
  track?: string
  at?: string
  rated?: string
  /** Of each horse: price and result to win, and to be placed. */
  horses?: readonly string[]
}

const LOST = '9.5,0.0,4.5,0.0'
/** Eight horses, the last name first; the first won, the first three were placed. */
const HORSES = ['3.5,1.0,1.5,1.0', '4.5,0.0,1.75,1.0', '5.5,0.0,1000.0,1.0', LOST, LOST, LOST, LOST, LOST]

const race = (of: Race = {}): string[] => {
  const { no = 3, country = '1.0', track = 'York', at = '2024-06-01 23:35:00', rated = '12.34' } = of
  const { horses = HORSES } = of
  return horses.map(
    (cells, index) =>
      `2024-06-01,${at},${country},${track},1,${500 + no},${600 + no}.0,Made-up Handicap (Class D),6f Hcap,${no},${7000 + index},Kettle ${9 - index},${rated},${cells}`,
  )
}

const RACE = 'GBYRK2024060103'

/** The race of `winMarket`, of which the second horse was removed; with its `count` first horses. */
const ofMarket = (count = 6): string[] =>
  Array.from({ length: count }, (_, index) => {
    const cells = index === 1 ? ',-1.0,,-1.0' : `${4.15 + index},${index === 0 ? '1.0' : '0.0'},,`
    return `2024-06-14,2024-06-15 04:55:00,1.0,Hamilton,1,2,3,Made-up Handicap,1m Hcap,1,${100 + index},${nameOf(index, {})},9,${cells}`
  })

const numbers = (place: TestDatabase): Promise<string[]> =>
  place.database
    .rows<{ shown: string }>(
      `select coalesce(horse_no, 0) || ' ' || name_en || ' ' ||
         (select count(*) from odds_tick o where o.race_id = r.race_id and o.horse_no = r.horse_no) as shown
       from runner r join horse on horse.id = horse_id order by 1`,
    )
    .then((rows) => rows.map(({ shown }) => shown))

describe('betfair-sp: months of the model', () => {
  test('horses of a stored race keep their numbers, under which odds are stored', () =>
    withDatabase(async (place) => {
      await importAs(place, BETFAIR_STREAM_FORMAT, { '1.900000001': winMarket().text() })
      const stored = await numbers(place)
      expect(stored).toEqual([
        '0 Brass Button 0',
        '1 Cedar Mile 4',
        '2 Dusty Lane 4',
        '3 Old Harbour 4',
        '4 Pale Ale 4',
        '5 Tin Kettle 4',
      ])
      const report = await importAs(place, BETFAIR_SP_FORMAT, { 'r.csv': csv(HEADER, ...ofMarket()) })
      expect([report.rejects, report.removed]).toEqual([[], []])
      expect(await numbers(place)).toEqual([...stored.slice(1), '6 Brass Button 0'])
      expect(await dividends(place)).toContain('GBHAM2024061401 win 5 4150')
    }))

  test('races have their numbers and times, horses are numbered by name, and the price of the model is not read', () =>
    withDatabase(async (place) => {
      const files = { 'UK_IE_Thoroughbred_Racing_Model_2024-06.csv': csv(HEADER, ...race()) }
      expect((await formatNamed('auto', [writeFiles(files)])).format).toBe(BETFAIR_SP_FORMAT)
      const report = await importAs(place, BETFAIR_SP_FORMAT, files)
      expect([report.rejects, report.unknown, report.noted, report.passedOver]).toEqual([[], [], [], {}])
      expect(await races(place)).toEqual([
        expect.objectContaining({
          id: RACE,
          nameEn: 'Made-up Handicap (Class D)',
          distanceM: 1207,
          // The clocks of Sydney are nine hours before those of Britain in summer.
          startsAt: '2024-06-01T13:35:00.000Z',
          places: 3,
        }),
      ])
      const runners = await place.database.rows(
        'select horse_no, place, win_odds from runner where horse_no > 5 order by 1',
      )
      expect(runners).toEqual([
        { horseNo: 6, place: null, winOdds: 5.5 },
        { horseNo: 7, place: null, winOdds: 4.5 },
        { horseNo: 8, place: 1, winOdds: 3.5 },
      ])
      expect((await dividends(place)).toSorted()).toEqual([
        `${RACE} place 6 unknown`,
        `${RACE} place 7 1750`,
        `${RACE} place 8 1500`,
        `${RACE} win 8 3500`,
      ])
      expect(await place.database.rows('select * from odds_tick')).toEqual([])
      // A prediction that is published again is the same race, and so is another price of the model.
      const again = { 'r.csv': csv(HEADER, ...race({ rated: '2.5' }), ...race({ rated: '99' })) }
      const second = await importAs(place, BETFAIR_SP_FORMAT, again)
      expect([second.rejects, second.duplicates, changesOf(second)]).toEqual([
        [],
        { 'months of the model': 8 },
        0,
      ])
      const explained = await explainFiles([writeFiles(files)], 'auto', null)
      const unread = explained.files[0]!.columns.filter(({ isRead }) => !isRead).map(({ column }) => column)
      expect(unread).toEqual(['EVENT_ID', 'WIN_MARKET_ID', 'PLACE_MARKET_ID', 'RATED_PRICE'])
    }))

  test('dead heats without marks, removed horses, races without a market and other countries', () =>
    withDatabase(async (place) => {
      const four = HORSES.map((cells, at) => (at === 3 ? '9.5,0.0,4.5,1.0' : cells))
      const two = ['3,1.0,1.5,1.0', '4,1.0,2,1.0', ',-1.0,,-1.0', LOST, LOST]
      const report = await importAs(place, BETFAIR_SP_FORMAT, {
        'r.csv': csv(
          HEADER,
          ...race({ horses: four }),
          ...race({ no: 4, country: '35.0', track: 'Naas', at: '2024-06-02 00:10:00', horses: two }),
          ...race({ no: 5, country: '', at: '', horses: [',,,', ',,,'] }),
          ...race({ no: 6, country: '13.0', track: 'Randwick' }),
        ),
      })
      expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
      expect(report.passedOver).toEqual({
        'rows of races that had no market': 2,
        'rows of races in country 13': 8,
      })
      expect(report.nonStarters).toBe(1)
      expect((await dividends(place)).toSorted()).toEqual([
        // Which two shared the third place is not known.
        `${RACE} place 5 unknown`,
        `${RACE} place 6 unknown`,
        `${RACE} place 7 unknown`,
        `${RACE} place 8 1500`,
        `${RACE} win 8 3500`,
        'IENAA2024060104 place 4 2000',
        'IENAA2024060104 place 5 1500',
        'IENAA2024060104 win 4 2000',
        'IENAA2024060104 win 5 1500',
      ])
    }))

  test.each(['2024-06-01 25:00:00', '2024-06-01 23:60:00', '2024-06-01 23:59:60', '2024-13-01 23:35:00'])(
    'the time %s does not exist, and is unknown',
    (at) =>
      withDatabase(async (place) => {
        const report = await importAs(place, BETFAIR_SP_FORMAT, { 'r.csv': csv(HEADER, ...race({ at })) })
        expect(new Set(rejectLines(report.unknown).map((told) => told.split(' ')[1]))).toEqual(
          new Set(['bad-time']),
        )
        expect(await races(place)).toMatchObject([{ id: RACE, startsAt: null }])
      }),
  )

  test('of three winners and two places, what anybody was paid for a place is unknown', () =>
    withDatabase(async (place) => {
      const horses = ['3,1.0,1.5,1.0', '4,1.0,2,1.0', '6,1.0,2.5,1.0', LOST, LOST]
      await importAs(place, BETFAIR_SP_FORMAT, { 'r.csv': csv(HEADER, ...race({ horses })) })
      expect((await dividends(place)).toSorted()).toEqual([
        `${RACE} place 3 unknown`,
        `${RACE} place 4 unknown`,
        `${RACE} place 5 unknown`,
        `${RACE} win 3 2000`,
        `${RACE} win 4 1333`,
        `${RACE} win 5 1000`,
      ])
    }))

  test('a winner is paid in full where Betfair paid a place that a short field does not have', () =>
    withDatabase(async (place) => {
      const horses = ['3,1.0,1.5,1.0', LOST, LOST]
      await importAs(place, BETFAIR_SP_FORMAT, { 'r.csv': csv(HEADER, ...race({ horses })) })
      expect(await races(place)).toMatchObject([{ places: 0 }])
      expect(await dividends(place)).toContain(`${RACE} place 3 1500`)
    }))

  test('a race that may be stored at the other course of Newmarket is refused', () =>
    withDatabase(async (place) => {
      const july = { course: 'Newmarket (July)', date: '2024-06-01', off: '2:00' }
      await importAs(place, RPSCRAPE_FORMAT, { 'results.csv': csv(PRESENT, ...scrapedRace(july)) })
      const report = await importAs(place, BETFAIR_SP_FORMAT, {
        'r.csv': csv(HEADER, ...race({ track: 'Newmarket' }), ...race({ no: 4, track: 'Ascot' })),
      })
      expect(report.rejects).toEqual([
        {
          kind: 'sister-course-has-races',
          file: 'r.csv',
          line: 2,
          detail: 'GBNMK2024060103: GBNMJ2024060101 is stored, and may be of the same meeting',
        },
      ])
      expect((await races(place)).map(({ id }) => id)).toEqual(['GBASC2024060104', 'GBNMJ2024060101'])
      // Nor the other way round.
      const later = {
        'r.csv': csv(HEADER, ...race({ no: 5, track: 'Newmarket' })).replaceAll('2024-06-01', '2024-06-02'),
      }
      expect((await importAs(place, BETFAIR_SP_FORMAT, later)).rejects).toEqual([])
      const again = { 'results.csv': csv(PRESENT, ...scrapedRace({ ...july, date: '2024-06-02' })) }
      const refused = await importAs(place, RPSCRAPE_FORMAT, again)
      expect(rejectLines(refused.rejects)).toEqual(['results.csv:2 sister-course-has-races'])
    }))

  test('what cannot be read leaves its race out, or is unknown, with a line and a reason', () =>
    withDatabase(async (place) => {
      const changed = (no: number, at: number, from: string, to: string): string[] =>
        race({ no }).map((row, index) => (index === at ? row.replace(from, to) : row))
      const report = await importAs(place, BETFAIR_SP_FORMAT, {
        'r.csv': csv(
          HEADER,
          ...changed(1, 0, '2024-06-01 23:35:00', '01/06/2024 23:35'),
          ...changed(2, 1, ',4.5,0.0,', ',4.5,,'),
          ...changed(3, 1, ',7001,', ',,'),
          ...race({ no: 4, track: 'Nowhere' }).slice(7),
          ...changed(5, 1, '1.75,1.0', '1.75,'),
          ...changed(6, 0, '3.5,1.0', '0.9,1.0'),
        ),
      })
      expect(rejectLines(report.rejects).toSorted()).toEqual([
        'r.csv:11 missing-field',
        'r.csv:11 race-incomplete',
        'r.csv:19 missing-field',
        'r.csv:19 race-incomplete',
        'r.csv:26 unknown-venue',
      ])
      expect(rejectLines(report.unknown)).toEqual(['r.csv:2 bad-time', 'r.csv:35 odds-out-of-range'])
      expect(report.unknown[0]!.detail).toBe(
        'RACETIME: 01/06/2024 23:35, of a race on 2024-06-01 (write it like 2024-06-01 23:35:00, Australia/Sydney)',
      )
      expect(rejectLines(report.noted)).toEqual(['r.csv:27 place-results-missing'])
      expect((await races(place)).map(({ id, startsAt }) => [id, startsAt])).toEqual([
        ['GBYRK2024060101', '2024-06-01T13:35:00.000Z'],
        ['GBYRK2024060105', '2024-06-01T13:35:00.000Z'],
        ['GBYRK2024060106', '2024-06-01T13:35:00.000Z'],
      ])
    }))
})
