// @module-tag rest
import { describe, expect, test } from 'vitest'
import { BETFAIR_ANZ_FORMAT } from '../../server/ingest/au/betfair-anz-format.ts'
import { AUTO } from '../../server/ingest/formats.ts'
import { BETFAIR_SP_FORMAT } from '../../server/ingest/gb/betfair-sp-format.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import {
  changesOf,
  csv,
  importAs,
  rejectLines,
  storedRows,
  withDatabase,
  writeFiles,
} from '../support/import-files.ts'
import { dividends } from '../support/rpscrape-files.ts'

const HEADER =
  'EVENT_ID,MENU_HINT,EVENT_NAME,EVENT_DT,SELECTION_ID,SELECTION_NAME,WIN_LOSE,BSP,PPWAP,MORNINGWAP,PPMAX,PPMIN,IPMAX,IPMIN,MORNINGTRADEDVOL,PPTRADEDVOL,IPTRADEDVOL'
const UNREAD = ',,,,,,,,,'

interface Market {
  menu?: string
  name?: string
  at?: string
}

/** Rows of an invented market; horses as `id,name,mark,price`. */
const market = (event: number, horses: readonly string[], of: Market = {}): string[] => {
  const { menu = 'AUS / Flem (AUS) 1st Nov', name = 'R6 1600m CL1', at = '01-11-2025 05:30' } = of
  return horses.map((horse) => `${event},${menu},${name},${at},${horse}${UNREAD}`)
}

/** Saddle number 3 is scratched, 4 removed; two horses have one name, and one had no price. */
const WIN = [
  '61,1. Alpha,0,4.2',
  '62,2. Alpha,1,3.15',
  '64,4. Gamma,0,0',
  '65,5. Delta,0,12.5',
  '66,6. Epsilon,0,1001',
  '67,7. Zeta,0,21',
]
const PLACED = [
  '61,1. Alpha,1,1.62',
  '62,2. Alpha,1,1.44',
  '64,4. Gamma,0,0',
  '65,5. Delta,0,3.9',
  '66,6. Epsilon,0,1001',
  '67,7. Zeta,0,5.1',
]
const place = { name: 'To Be Placed' }
const FILES = {
  'dwbfpricesauswin02112025.csv': csv(
    HEADER,
    ...market(1, WIN),
    ...market(3, ['81,1. Trotter,1,2.5'], { name: 'R2 2150m Trot M' }),
    ...market(4, ['82,1. Sulky,1,2.5'], { name: 'R3 1609m Pace S' }),
    ...market(5, ['83,1. Kiwi,1,2.5'], { menu: 'NZL / Ellerslie (NZL) 1st Nov', name: 'R1 1200m Mdn' }),
  ),
  'dwbfpricesausplace02112025.csv': csv(HEADER, ...market(2, PLACED, place)),
}
const RACE = 'AUFLE2025110106'

describe('betfair-sp: starting prices of Australia', () => {
  test('files are recognised by their columns and are of Australia, with the numbers of the racecard', () =>
    withDatabase(async (stored) => {
      const { format, why } = await formatNamed(AUTO, [writeFiles(FILES)])
      expect(format).toBe(BETFAIR_SP_FORMAT)
      expect(why).toContain('2 of 2 files')
      const report = await importAs(stored, BETFAIR_SP_FORMAT, FILES)
      expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
      expect(report.passedOver).toEqual({
        'rows of other markets than those of winners and placed horses of races': 2,
        'rows of races in NZL': 1,
      })
      expect(
        await stored.database.rows(
          'select id, region_id, race_no, name_en, distance_m, race_class, starts_at, numbers_by_name, status from race',
        ),
      ).toEqual([
        {
          id: RACE,
          regionId: '100036',
          raceNo: 6,
          nameEn: null,
          distanceM: 1600,
          raceClass: 'C1',
          // In the file, the time is of UTC: it was half past four in the afternoon.
          startsAt: '2025-11-01T05:30:00.000Z',
          numbersByName: false,
          status: 'final',
        },
      ])
      const runners = await stored.database.rows<Record<string, unknown>>(
        `select horse_no, brand, horse.name_en, horse.region_id, runner.status, place, win_odds
         from runner join horse on horse.id = horse_id order by 1`,
      )
      expect(
        runners.map(({ horseNo, nameEn, status, place: at, winOdds }) => [
          horseNo,
          nameEn,
          status,
          at,
          winOdds,
        ]),
      ).toEqual([
        [1, 'Alpha', 'finished', null, 4.2],
        [2, 'Alpha', 'finished', 1, 3.15],
        [4, 'Gamma', 'withdrawn', null, null],
        [5, 'Delta', 'finished', null, 12.5],
        [6, 'Epsilon', 'finished', null, null],
        [7, 'Zeta', 'finished', null, 21],
      ])
      expect(new Set(runners.map(({ regionId }) => regionId))).toEqual(new Set(['100036']))
      expect((await dividends(stored)).toSorted()).toEqual([
        `${RACE} place 1 1620`,
        `${RACE} place 2 1440`,
        `${RACE} win 2 3150`,
      ])
      const before = await storedRows(stored)
      expect(changesOf(await importAs(stored, BETFAIR_SP_FORMAT, FILES))).toBe(0)
      expect(await storedRows(stored)).toEqual(before)
    }))

  test('the day is that of the course, and what is wrong is told with its line', () =>
    withDatabase(async (stored) => {
      const menu = 'AUS / Northam (AUS) 1st Jan'
      const report = await importAs(stored, BETFAIR_SP_FORMAT, {
        'win.csv': csv(
          HEADER,
          // Half past nine in the evening in Perth, where Sydney has the next day.
          ...market(1, WIN, { menu, name: 'R7 1200m Mdn', at: '01-01-2026 13:30' }),
          // A quarter past eleven in the morning in Perth.
          ...market(2, WIN, { menu, name: 'R1 1000m Mdn', at: '01-01-2026 03:15' }),
          ...market(3, WIN, { menu, name: '1000m Mdn', at: '01-01-2026 03:45' }).slice(0, 1),
          ...market(4, ['91,Alpha,1,2.5'], { menu, name: 'R3 1000m Mdn', at: '01-01-2026 04:15' }),
          ...market(5, ['92,1. Beta,1,2.5'], { menu: 'AUS / Nowhere (AUS) 1st Jan', name: 'R1 1000m Mdn' }),
          ...market(6, ['93,1. Beta,1,2.5'], { menu, name: 'R4 1000m Mdn', at: '02-01-2026 04:15' }),
        ),
      })
      expect(rejectLines(report.rejects)).toEqual([
        'win.csv:14 bad-race-number',
        'win.csv:15 no-saddle-number',
        'win.csv:16 unknown-venue',
        'win.csv:17 day-contradicts-menu-hint',
      ])
      expect(await stored.database.rows('select id, starts_at from race order by id')).toEqual([
        { id: 'AUNOR2026010101', startsAt: '2026-01-01T03:15:00.000Z' },
        { id: 'AUNOR2026010107', startsAt: '2026-01-01T13:30:00.000Z' },
      ])
    }))

  test('over the same races of a month of the Automation Hub, one source stays', () =>
    withDatabase(async (stored) => {
      await importAs(stored, BETFAIR_SP_FORMAT, FILES)
      const before = await storedRows(stored)
      const header =
        'LOCAL_MEETING_DATE,SCHEDULED_RACE_TIME,TRACK,STATE_CODE,RACE_NO,RACE_TYPE,DISTANCE,SELECTION_ID,TAB_NUMBER,SELECTION_NAME,WIN_RESULT,WIN_BSP,PLACE_RESULT,PLACE_BSP'
      const rows = [1, 2, 5, 6, 7].map(
        (no) =>
          `2025-11-01,16:30,Flemington,VIC,6,CL1,1600,6${no},${no},Alpha,${no === 2 ? 'WINNER' : 'LOSER'},3.15,LOSER,2`,
      )
      const report = await importAs(stored, BETFAIR_ANZ_FORMAT, { 'ANZ.csv': csv(header, ...rows) })
      // Its removed horse is not in those files.
      expect(rejectLines(report.rejects)).toEqual(['ANZ.csv:2 runners-lost'])
      expect(await storedRows(stored)).toEqual(before)
    }))
})
