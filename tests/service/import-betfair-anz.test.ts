// @module-tag rest
import { describe, expect, test } from 'vitest'
import { AUSTRALIA } from '../../domain/region.ts'
import { BETFAIR_ANZ_FORMAT } from '../../server/ingest/au/betfair-anz-format.ts'
import { RowError, type FileKind } from '../../server/ingest/reading/format.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { listSchedule } from '../../server/store/racing/schedule.ts'
import type { TestDatabase } from '../support/databases.ts'
import {
  changesOf,
  csv,
  importAs,
  rejectLines,
  storedRows,
  withDatabase,
  writeFiles,
} from '../support/import-files.ts'

const HEADER =
  'LOCAL_MEETING_DATE,SCHEDULED_RACE_TIME,ACTUAL_OFF_TIME,TRACK,STATE_CODE,RACE_NO,WIN_MARKET_ID,WIN_MARKET_NAME,PLACE_MARKET_ID,RACING_TYPE,DISTANCE,RACE_TYPE,SELECTION_ID,TAB_NUMBER,SELECTION_NAME,WIN_RESULT,WIN_BSP,PLACE_RESULT,PLACE_BSP,WIN_BSP_VOLUME,WIN_PREPLAY_MAX_PRICE_TAKEN,WIN_PREPLAY_MIN_PRICE_TAKEN,WIN_PREPLAY_LAST_PRICE_TAKEN,WIN_PREPLAY_WEIGHTED_AVERAGE_PRICE_TAKEN,WIN_PREPLAY_VOLUME,WIN_INPLAY_MAX_PRICE_TAKEN,WIN_INPLAY_MIN_PRICE_TAKEN,WIN_LAST_PRICE_TAKEN,WIN_INPLAY_WEIGHTED_AVERAGE_PRICE_TAKEN,WIN_INPLAY_VOLUME,PLACE_BSP_VOLUME,PLACE_MAX_PRICE_TAKEN,PLACE_MIN_PRICE_TAKEN,PLACE_LAST_PRICE_TAKEN,PLACE_WEIGHTED_AVERAGE_PRICE_TAKEN,PLACE_PREPLAY_VOLUME,BEST_AVAIL_BACK_AT_SCHEDULED_OFF,BEST_AVAIL_LAY_AT_SCHEDULED_OFF,BACK_MARKET_PERCENTAGE_AT_SCHEDULED_OFF,LAY_MARKET_PERCENTAGE_AT_SCHEDULED_OFF'

interface Runner {
  day?: string
  track?: string
  state?: string
  raceNo?: number
  kind?: string
  market?: number
  win?: string
  bsp?: string
  place?: string
  placeBsp?: string
  id?: string
  last?: string
}

/** Runner `no` of an invented race at Randwick, a loser without other cells. */
function runner(no: number, of: Runner = {}): string {
  const { day = '2026-06-06', track = 'Randwick', state = 'NSW', raceNo = 1, kind = 'CL1', market = 2 } = of
  const {
    win = 'LOSER',
    bsp = `${no}.5`,
    place = 'LOSER',
    placeBsp = '2.2',
    last = `${no}.4`,
    id = `9000${no}`,
  } = of
  return `${day},14:40:00.000,14:41:12.000,${track},${state},${raceNo},${raceNo},R${raceNo} 1200m ${kind},${market},Thoroughbred,1200,${kind},${id},${no},Paper Horse ${no},${win},${bsp},${place},${placeBsp},1,9,1,${last},2,3,9,1,9,2,3,1,9,1,2,2,3,2,2,1.01,0.97`
}

/** Eight runners without 3, which was scratched: 1 won, 2 and 5 were placed. */
const field = (of: Runner = {}): string[] => [
  runner(1, { win: 'WINNER', place: 'WINNER', bsp: '3.65', placeBsp: '1.39', ...of }),
  runner(2, { place: 'WINNER', placeBsp: '4.7', ...of }),
  runner(4, of),
  runner(5, { place: 'WINNER', placeBsp: '', ...of }),
  ...[6, 7, 8, 9].map((no) => runner(no, of)),
]

const RACE = 'AURND2026060601'

const lines = (place: TestDatabase): Promise<string[]> =>
  place.database
    .rows<{ shown: string }>(
      `select race_id || ' ' || pool || ' ' || combination || ' ' || coalesce(dividend_cents::text, status) as shown
       from dividend order by 1`,
    )
    .then((rows) => rows.map(({ shown }) => shown))

describe('betfair-anz: months of Australian races', () => {
  test('the schedule has the clocks of the racecourse: a race at 14:40 in Sydney is one at 12:40 in Perth', () =>
    withDatabase(async (place) => {
      const perth = { track: 'Belmont', state: 'WA', market: 3 }
      const won = { ...perth, win: 'WINNER', place: 'WINNER', id: '91' }
      const runners = [...field(), runner(1, won), runner(2, { ...perth, id: '92' })]
      await importAs(place, BETFAIR_ANZ_FORMAT, { 'ANZ_Thoroughbreds_2026_06.csv': csv(HEADER, ...runners) })
      const races = await listSchedule(place.database, AUSTRALIA.id, '2026-06-06', 'en')
      expect(races.map(({ id, time, competitionDate }) => [id, time, competitionDate])).toEqual([
        ['AUBEL2026060601', '12:40:00', '2026-06-06T04:40:00.000Z'],
        ['AURND2026060601', '14:40:00', '2026-06-06T04:40:00.000Z'],
      ])
    }))

  test('winners, placed horses in no order and starting prices, and no price is taken for one of before the off', () =>
    withDatabase(async (place) => {
      const files = { 'ANZ_Thoroughbreds_2026_06.csv': csv(HEADER, ...field()) }
      const { format } = await formatNamed('auto', [writeFiles(files)])
      expect(format).toBe(BETFAIR_ANZ_FORMAT)
      const report = await importAs(place, BETFAIR_ANZ_FORMAT, files)
      expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
      expect(report.warning).toContain('not in which order')
      expect(
        await place.database.rows(
          'select id, race_class, distance_m, starts_at, declared_starters, places, name_en from race',
        ),
      ).toEqual([
        {
          id: RACE,
          raceClass: 'C1',
          distanceM: 1200,
          startsAt: '2026-06-06T04:40:00.000Z',
          declaredStarters: 8,
          places: 3,
          nameEn: null,
        },
      ])
      const stored = await place.database.rows(
        'select horse_no, status, place, place_code, dead_heat, win_odds from runner order by 1',
      )
      expect(stored).toHaveLength(8)
      expect(stored.slice(0, 3)).toEqual([
        { horseNo: 1, status: 'finished', place: 1, placeCode: null, deadHeat: false, winOdds: 3.65 },
        { horseNo: 2, status: 'finished', place: null, placeCode: null, deadHeat: false, winOdds: 2.5 },
        { horseNo: 4, status: 'finished', place: null, placeCode: null, deadHeat: false, winOdds: 4.5 },
      ])
      expect(await lines(place)).toEqual([
        `${RACE} place 1 1390`,
        `${RACE} place 2 4700`,
        `${RACE} place 5 unknown`,
        `${RACE} win 1 3650`,
      ])
      // The last price is known at the off: as the only odds over time, it would stand for the opening ones.
      expect(await place.database.rows('select * from odds_tick')).toEqual([])
      const before = await storedRows(place)
      expect(changesOf(await importAs(place, BETFAIR_ANZ_FORMAT, files))).toBe(0)
      expect(await storedRows(place)).toEqual(before)
    }))

  test('only win and place bets are judged', () =>
    withDatabase(async (place) => {
      const files = { 'r.csv': csv(HEADER, ...field()) }
      await importAs(place, BETFAIR_ANZ_FORMAT, files)
      await scoreStaleRaces(place.database)
      const [race] = await place.database.rows('select scoring, amended from race')
      expect(race).toEqual({ scoring: 'done', amended: false })
      const judged = await place.database.rows<{ gameplayClass: number; outcome: string }>(
        `select distinct gameplay_class, outcome from prediction join settlement using (race_id, model_id, gameplay_class, rank)
         order by 1, 2`,
      )
      expect(judged.filter(({ gameplayClass }) => gameplayClass > 2).map(({ outcome }) => outcome)).toEqual(
        expect.arrayContaining(['void']),
      )
      expect(judged.filter(({ gameplayClass, outcome }) => gameplayClass > 2 && outcome !== 'void')).toEqual(
        [],
      )
      const places = await place.database.rows(
        `select combination, outcome, profit_cents from prediction join settlement using (race_id, model_id, gameplay_class, rank)
         where gameplay_class = 2 order by 1`,
      )
      expect(places).toEqual([
        { combination: '1', outcome: 'hit', profitCents: 390 },
        { combination: '2', outcome: 'hit', profitCents: 3700 },
        { combination: '4', outcome: 'miss', profitCents: -1000 },
        { combination: '5', outcome: 'hit', profitCents: null },
        ...['6', '7', '8', '9'].map((combination) => ({ combination, outcome: 'miss', profitCents: -1000 })),
      ])
    }))

  test('rows that stand once for each place market, two winners, no price, other zones and New Zealand', () =>
    withDatabase(async (place) => {
      const blank = { place: '', placeBsp: '' }
      const report = await importAs(place, BETFAIR_ANZ_FORMAT, {
        'r.csv': csv(
          HEADER,
          ...field({ market: 7 }).map((row) =>
            row.replace(/(WINNER|LOSER),([\d.]+),(WINNER|LOSER),[\d.]*/, '$1,$2,,'),
          ),
          ...field({ market: 8 }),
          runner(1, { raceNo: 2, win: 'WINNER', bsp: '2.2', ...blank }),
          runner(2, { raceNo: 2, win: 'WINNER', bsp: '1000', last: '', ...blank }),
          runner(3, { raceNo: 2, ...blank }),
          runner(1, { track: 'Belmont', state: 'WA', win: 'WINNER', ...blank }),
          runner(2, { track: 'Belmont', state: 'WA', ...blank }),
          runner(1, { track: 'Te Aroha', state: 'NZ', win: 'WINNER' }),
          runner(1, { day: '2026-01-06', kind: 'Grp1', win: 'WINNER', ...blank }),
          runner(2, { day: '2026-01-06', kind: 'Grp1', ...blank }),
        ),
      })
      expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
      expect(report.duplicates).toEqual({ results: 8 })
      expect(report.passedOver).toEqual({ 'runners of New Zealand, which is no region here': 1 })
      expect(await lines(place)).toEqual([
        'AUBEL2026060601 win 1 1500',
        'AURND2026010601 win 1 1500',
        `${RACE} place 1 1390`,
        `${RACE} place 2 4700`,
        `${RACE} place 5 unknown`,
        `${RACE} win 1 3650`,
        'AURND2026060602 win 1 1100',
        'AURND2026060602 win 2 unknown',
      ])
      expect(
        await place.database.rows('select id, race_class, starts_at, places from race order by id'),
      ).toEqual([
        { id: 'AUBEL2026060601', raceClass: 'C1', startsAt: '2026-06-06T04:40:00.000Z', places: 0 },
        // Summer time.
        { id: 'AURND2026010601', raceClass: 'G1', startsAt: '2026-01-06T03:40:00.000Z', places: 0 },
        { id: RACE, raceClass: 'C1', startsAt: '2026-06-06T04:40:00.000Z', places: 3 },
        { id: 'AURND2026060602', raceClass: 'C1', startsAt: '2026-06-06T04:40:00.000Z', places: 0 },
      ])
      expect(
        await place.database.rows(
          `select horse_no, dead_heat, win_odds from runner where race_id = 'AURND2026060602'`,
        ),
      ).toEqual(
        expect.arrayContaining([
          { horseNo: 1, deadHeat: true, winOdds: 2.2 },
          { horseNo: 2, deadHeat: true, winOdds: null },
        ]),
      )
    }))

  test('of four placed horses, those that share the third place are not known', () =>
    withDatabase(async (place) => {
      const four = field().map((row, at) =>
        at === 3 || at === 4 ? row.replace('LOSER,2.2', 'WINNER,2.2') : row,
      )
      await importAs(place, BETFAIR_ANZ_FORMAT, { 'r.csv': csv(HEADER, ...four) })
      expect(await lines(place)).toEqual([
        `${RACE} place 1 1390`,
        `${RACE} place 2 unknown`,
        `${RACE} place 5 unknown`,
        `${RACE} place 6 unknown`,
        `${RACE} win 1 3650`,
      ])
    }))

  test('what cannot be read leaves its race out', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, BETFAIR_ANZ_FORMAT, {
        'r.csv': csv(
          HEADER,
          ...field(),
          runner(1, { raceNo: 2, win: 'WINNER' }),
          runner(2, { raceNo: 2, win: 'REMOVED' }),
          runner(1, { track: 'Nowhere Downs' }),
          ...field({ raceNo: 3 }).map((row) => row.replace('WINNER', 'LOSER')),
          ...field({ raceNo: 4 }).map((row, at) => (at === 0 ? row.replace('1.39', '0.9') : row)),
          ...field({ raceNo: 5 }).map((row, at) => (at === 2 ? row.replace('LOSER,2.2', 'PLACED,2.2') : row)),
          runner(1, { raceNo: 6, win: 'WINNER', id: 'Paper Horse 1' }),
          runner(1, { raceNo: 7, win: 'WINNER', id: '' }),
        ),
      })
      expect(rejectLines(report.rejects).toSorted()).toEqual([
        'r.csv:11 race-incomplete',
        'r.csv:11 unknown-word',
        'r.csv:12 unknown-venue',
        'r.csv:13 no-winner',
        'r.csv:31 race-incomplete',
        'r.csv:31 unknown-word',
        'r.csv:37 not-a-number',
        'r.csv:38 missing-field',
      ])
      expect(rejectLines(report.unknown)).toEqual(['r.csv:21 odds-out-of-range'])
      expect(await place.database.rows('select id from race order by 1')).toEqual([
        { id: RACE },
        { id: 'AURND2026060604' },
      ])
      expect((await lines(place)).filter((line) => line.startsWith('AURND2026060604 place'))).toEqual([
        'AURND2026060604 place 1 unknown',
        'AURND2026060604 place 2 4700',
        'AURND2026060604 place 5 unknown',
      ])
    }))

  test('where some horses have no place result, bets on places are not judged', () =>
    withDatabase(async (place) => {
      const rows = field().map((row, at) => (at === 4 ? row.replace('LOSER,2.2', ',') : row))
      const report = await importAs(place, BETFAIR_ANZ_FORMAT, { 'r.csv': csv(HEADER, ...rows) })
      expect([report.rejects, report.unknown]).toEqual([[], []])
      expect(rejectLines(report.noted)).toEqual(['r.csv:6 place-results-missing'])
      expect(await lines(place)).toEqual([`${RACE} win 1 3650`])
      await scoreStaleRaces(place.database)
      const outcomes = await place.database.rows(
        'select distinct outcome from settlement where gameplay_class = 2',
      )
      expect(outcomes).toEqual([{ outcome: 'void' }])
    }))

  test('a race whose rows cannot be read together is left out with its dividends, and the others are stored', () =>
    withDatabase(async (place) => {
      const [kind] = BETFAIR_ANZ_FORMAT.kinds
      const complete: FileKind['complete'] = (race, rows, note) => {
        const completed = kind!.complete!(race, rows, note)
        if (race.raceNo === 1) throw new RowError('rows-differ', 'made up')
        const twice = (completed.dividends ?? []).map((line) => ({ ...line, dividendCents: 1 }))
        return race.raceNo === 2
          ? { ...completed, dividends: [...(completed.dividends ?? []), ...twice] }
          : completed
      }
      const format = { ...BETFAIR_ANZ_FORMAT, kinds: [{ ...kind!, complete }] }
      const rows = [1, 2, 3].flatMap((raceNo) => field({ raceNo }))
      const report = await importAs(place, format, { 'r.csv': csv(HEADER, ...rows) })
      expect(report.rejects.map(({ kind: problem, line, detail }) => `${line} ${problem} ${detail}`)).toEqual(
        [
          `2 rows-differ ${RACE}: made up`,
          '10 two-dividends-for-one-line AURND2026060602: AURND2026060602 win 1',
        ],
      )
      expect(await place.database.rows('select id from race')).toEqual([{ id: 'AURND2026060603' }])
      expect(new Set((await lines(place)).map((line) => line.split(' ')[0]))).toEqual(
        new Set(['AURND2026060603']),
      )
    }))
})
