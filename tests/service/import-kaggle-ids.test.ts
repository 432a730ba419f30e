// @module-tag rest
import { describe, expect, test } from 'vitest'
import { reportLines } from '../../server/drafts/report.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { KAGGLE_HK_IDS_FORMAT } from '../../server/ingest/hk/kaggle-hk-ids-format.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import type { TestDatabase } from '../support/databases.ts'
import {
  changesOf,
  csv,
  HK_HEADER,
  hkRace,
  importAs,
  rejectLines,
  storedRows,
  storedRunners,
  withDatabase,
  writeFiles,
} from '../support/import-files.ts'

const ID_RACES =
  'race_id,date,venue,race_no,config,surface,distance,going,horse_ratings,prize,race_class,sec_time1,sec_time2,sec_time3,sec_time4,sec_time5,sec_time6,sec_time7,time1,time2,time3,time4,time5,time6,time7,place_combination1,place_combination2,place_combination3,place_combination4,place_dividend1,place_dividend2,place_dividend3,place_dividend4,win_combination1,win_dividend1,win_combination2,win_dividend2'
const RUNS =
  'race_id,horse_no,horse_id,result,won,lengths_behind,horse_age,horse_country,horse_type,horse_rating,horse_gear,declared_weight,actual_weight,draw,position_sec1,position_sec2,position_sec3,position_sec4,position_sec5,position_sec6,behind_sec1,behind_sec2,behind_sec3,behind_sec4,behind_sec5,behind_sec6,time1,time2,time3,time4,time5,time6,finish_time,win_odds,place_odds,trainer_id,jockey_id'

interface IdRace {
  id?: number
  no?: number
  date?: string
  surface?: string
  ratings?: string
  raceClass?: string
  /** Horses and dividends of the place pool, and of the win pool. */
  paid?: string
}

const PAID = '1,2,3,,14.5,20.5,62,,1,30,,'
const idRace = (of: IdRace = {}): string => {
  const { id = 7, no = 1, date = '1999-03-07', surface = '0' } = of
  const { ratings = '60-40', raceClass = '4', paid = PAID } = of
  return `${id},${date},ST,${no},C+3,${surface},1200,GOOD TO FIRM,${ratings},625000,${raceClass},24.1,22.6,23.4,,,,,24.1,46.7,70.1,,,,,${paid}`
}

/** Run of horse `3900 + no`; its sections add up to its time, 70.1 s and a tenth for each place. */
function run(no: number, { raceId = 7, place = no }: { raceId?: number; place?: number } = {}): string {
  const behind = place === 1 ? '0.0' : String((place - 1) * 1.25)
  const third = (23.4 + (place - 1) / 10).toFixed(1)
  const time = (70.1 + (place - 1) / 10).toFixed(1)
  return `${raceId},${no},${3900 + no},${place},${place === 1 ? '1.0' : '0.0'},${behind},3,AUS,Gelding,6${no},${no === 1 ? '--' : 'B/TT'},1056.0,133,${no},${no},2,${place},,,,0,1.25,${behind},,,,24.1,22.6,${third},,,,${time},${no + 2}.5,,118,${no}`
}
const runs = (raceId = 7, places?: readonly number[]): string[] =>
  [1, 2, 3, 4, 5, 6, 7].map((no) => run(no, { raceId, place: places?.[no - 1] ?? no }))

const dividends = (place: TestDatabase): Promise<string[]> =>
  place.database
    .rows<{ shown: string }>(
      `select race_id || ' ' || pool || ' ' || combination || ' ' || dividend_cents as shown
       from dividend order by race_id, gameplay_class, dividend_cents`,
    )
    .then((rows) => rows.map(({ shown }) => shown))

describe('kaggle-hk-ids: races of 1997 to 2005 with numbers for names', () => {
  test('runs, sections, all dividends and numbers in place of names, with a warning', () =>
    withDatabase(async (place) => {
      const files = { 'races.csv': csv(ID_RACES, idRace()), 'runs.csv': csv(RUNS, ...runs().toReversed()) }
      const report = await importAs(place, KAGGLE_HK_IDS_FORMAT, files)
      expect([report.rejects, report.unknown, report.noted, report.differing]).toEqual([[], [], [], []])
      expect(reportLines(report).join('\n')).toContain(
        'warning: the publisher of these files moved all days, so that no race was run on its day',
      )
      expect(
        await place.database.rows(
          `select id, race_class, track, course, going, rating_range, prize_cents, winning_time_ms, places from race`,
        ),
      ).toEqual([
        {
          id: 'HKSHT1999030701',
          raceClass: 'C4',
          track: 'turf',
          course: 'C+3',
          going: 'good_to_firm',
          ratingRange: '60-40',
          prizeCents: 62_500_000,
          winningTimeMs: 70_100,
          places: 3,
        },
      ])
      const [second] = await place.database.rows(
        `select horse.id, horse.name_en, horse.name_hant, horse.name_hans, jockey.name_en as jockey,
           jockey.name_hans as jockey_hans, trainer.name_hant as trainer, rating, gear, actual_weight_lb,
           declared_weight_lb, margin, running_position, finish_time_ms, win_odds
         from runner join horse on horse.id = horse_id join jockey on jockey.id = jockey_id
         join trainer on trainer.id = trainer_id where horse_no = 2`,
      )
      expect(second).toEqual({
        id: 'HK-3902',
        nameEn: 'Horse 3902',
        nameHant: '馬匹3902',
        nameHans: '马匹3902',
        jockey: 'Jockey 2',
        jockeyHans: '骑师2',
        trainer: '練馬師118',
        rating: 62,
        gear: 'B/TT',
        actualWeightLb: 133,
        declaredWeightLb: 1056,
        margin: '1-1/4',
        runningPosition: '2 2 2',
        finishTimeMs: 70_200,
        winOdds: 4.5,
      })
      expect(
        await place.database.rows(
          'select section_no, position, margin, time_ms from section where horse_no = 2 order by 1',
        ),
      ).toEqual([
        { sectionNo: 1, position: 2, margin: null, timeMs: 24_100 },
        { sectionNo: 2, position: 2, margin: '1-1/4', timeMs: 22_600 },
        { sectionNo: 3, position: 2, margin: '1-1/4', timeMs: 23_500 },
      ])
      const id = 'HKSHT1999030701'
      expect(await dividends(place)).toEqual([
        `${id} win 1 3000`,
        `${id} place 1 1450`,
        `${id} place 2 2050`,
        `${id} place 3 6200`,
      ])
      const before = await storedRows(place)
      expect(changesOf(await importAs(place, KAGGLE_HK_IDS_FORMAT, files))).toBe(0)
      expect(await storedRows(place)).toEqual(before)
    }))

  test('dead heats, a result that its dividends contradict, griffins, the all-weather track and other days', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, KAGGLE_HK_IDS_FORMAT, {
        'races-after-excel.csv': csv(
          ID_RACES.replaceAll(/,time(\d)/g, ',time$1race'),
          idRace({ date: '02/06/1997', paid: '1,2,3,,29,144.5,16.5,,1,51,2,236' }),
          idRace({ id: 50, no: 2, date: '02/06/1997', paid: '6,8,3,,44.5,32.5,13.5,,3,26,,' }),
          idRace({ id: 51, no: 3, date: '02/06/1997', ratings: 'G', raceClass: '6', surface: '1' }),
          idRace({ id: 52, no: 4, date: '02/06/1997', ratings: 'G', raceClass: '13', surface: '2' }),
        ),
        'runs.csv': csv(
          RUNS,
          ...runs(7, [1, 1, 3, 4, 5, 6, 7]),
          ...runs(50, [4, 5, 3, 6, 7, 1, 8]),
          run(8, { raceId: 50, place: 2 }),
          ...runs(51, [1, 2, 3, 4, 6, 5, 7]),
          ...runs(52, [1, 2, 3, 5, 4, 6, 7]),
        ),
      })
      expect(report.rejects).toEqual([])
      expect(rejectLines(report.noted)).toEqual(['races-after-excel.csv:3 dividend-contradicts-places'])
      expect(report.noted[0]!.detail).toContain('win 3 was paid, and does not win')
      expect(report.unknown.map(({ line, kind, detail }) => `${line} ${kind} ${detail}`)).toEqual([
        '5 unknown-course surface: 2',
        '5 unknown-class 13',
      ])
      expect((await dividends(place)).slice(0, 5)).toEqual([
        'HKSHT1997060201 win 1 5100',
        'HKSHT1997060201 win 2 23600',
        'HKSHT1997060201 place 3 1650',
        'HKSHT1997060201 place 1 2900',
        'HKSHT1997060201 place 2 14450',
      ])
      expect(
        await place.database.rows(
          'select id, race_class, track, course, rating_range from race order by id offset 2',
        ),
      ).toEqual([
        { id: 'HKSHT1997060203', raceClass: 'GRIFFIN', track: 'awt', course: null, ratingRange: null },
        { id: 'HKSHT1997060204', raceClass: null, track: null, course: null, ratingRange: null },
      ])
      const tied = (await storedRunners(place)).filter(({ deadHeat }) => deadHeat)
      expect(tied.map(({ horseId }) => horseId)).toEqual(['HK-3901', 'HK-3902'])
    }))

  test('a time of zero is unknown, and a margin between quarters is kept as it is written', () =>
    withDatabase(async (place) => {
      const [first, second, ...others] = runs()
      const timeless = first!.replace(',24.1,22.6,23.4,', ',0,0,0,').replace(',70.1,', ',0,')
      const close = second!.replaceAll(',1.25,', ',0.1,')
      const report = await importAs(place, KAGGLE_HK_IDS_FORMAT, {
        'races.csv': csv(ID_RACES, idRace()),
        'runs.csv': csv(RUNS, timeless, close, ...others),
      })
      expect(report.rejects).toEqual([])
      const [winner, runnerUp] = await storedRunners(place)
      expect([winner!.finishTimeMs, runnerUp!.margin]).toEqual([null, '0.1'])
      expect(await place.database.rows('select winning_time_ms from race')).toEqual([{ winningTimeMs: null }])
    }))

  test('another race that is stored under the number of a moved one is kept', () =>
    withDatabase(async (place) => {
      await importAs(place, HK_FORMAT, { 'results.csv': csv(HK_HEADER, ...hkRace()) })
      const before = await storedRows(place)
      const report = await importAs(place, KAGGLE_HK_IDS_FORMAT, {
        'races.csv': csv(ID_RACES, idRace({ date: '2019-03-06' })),
        'runs.csv': csv(RUNS, ...runs()),
      })
      expect(rejectLines(report.rejects)).toEqual(['runs.csv:2 other-horses', 'races.csv:2 other-horses'])
      expect(await storedRows(place)).toEqual(before)
    }))

  test('races without their runs are refused, and say which columns the missing file has', () =>
    withDatabase(async (place) => {
      const refused = importAs(place, KAGGLE_HK_IDS_FORMAT, { 'races.csv': csv(ID_RACES, idRace()) })
      await expect(refused).rejects.toMatchObject({
        code: 'file-needed',
        details: { file: 'races.csv', needed: 'runs', columns: expect.stringContaining('horse_id, result') },
      })
    }))
})

test('the set is recognised by its columns', async () => {
  const files = { 'races.csv': csv(ID_RACES, idRace()), 'runs.csv': csv(RUNS, ...runs()) }
  expect((await formatNamed('auto', [writeFiles(files)])).format.name).toBe('kaggle-hk-ids')
})
