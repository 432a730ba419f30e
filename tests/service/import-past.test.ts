// @module-tag rest
import { describe, expect, test } from 'vitest'
import { HONG_KONG } from '../../domain/region.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { US_FORMAT } from '../../server/ingest/us/us-format.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { readFormOnly } from '../../server/store/racing/history-store.ts'
import { listForm } from '../../server/store/racing/race-store.ts'
import { csv, HK_HEADER, hkRace, importAs, withDatabase } from '../support/import-files.ts'

describe('the past does not move', () => {
  const FORM_HEADER =
    'horse_no,race_index,place,date,racecourse,track,course,distance_m,going,race_class,draw,rating,trainer,jockey,lbw,win_odds,actual_wt_lbs,running_position,finish_time,declared_wt_lbs,gear'
  const run = (brand: string, date: string, time = '1.10.30'): string =>
    `${brand},303,02,${date},沙田,,,1200,好,4,1,50,試練馬師,試騎師,1,3.1,123,4 3 1,${time},1100,B1`
  const PROFILE_HEADER = 'horse_no,name,status,毛色___性別,進口類別,父系,母系,外祖父'

  test('runs of a horse are read before its profile arrives, and the same afterwards', () =>
    withDatabase(async (place) => {
      await importAs(place, HK_FORMAT, {
        'results-2019.csv': csv(HK_HEADER, ...hkRace()),
        'form.csv': csv(FORM_HEADER, run('Z901', '02/01/2015'), run('Z777', '02/01/2015')),
      })
      const before = await readFormOnly(place.database, HONG_KONG.id, '2010-01-01', '2030-01-01')
      expect(before.flatMap(({ starters }) => starters.map(({ horseId }) => horseId))).toEqual([
        'HK-Z777',
        'HK-Z901',
      ])
      await importAs(place, HK_FORMAT, {
        'horses.csv': csv(PROFILE_HEADER, 'Z777,遲來 (Z777),active,棗 / 閹,自購馬,S,D,G'),
      })
      expect(await readFormOnly(place.database, HONG_KONG.id, '2010-01-01', '2030-01-01')).toEqual(before)
    }))

  test('of two lines on a day, that of the race counts, also where only the form tells its distance', () =>
    withDatabase(async (place) => {
      const group = hkRace().map((row) => row.replace('第四班,1200,', ',,'))
      const lines = [1, 2, 3, 4, 5].map((no) => run(`Z90${no}`, '06/03/2019'))
      // Withdrawn from a race of another distance on the same day, without gear.
      const withdrawn = run('Z903', '06/03/2019').replace(',303,02,', ',304,WX,').replace(',1200,', ',1400,')
      const files = {
        'results-2019.csv': csv(HK_HEADER, ...group),
        'form.csv': csv(FORM_HEADER, withdrawn.replace(/B1$/, '--'), ...lines),
      }
      await importAs(place, HK_FORMAT, files)
      const stored = () =>
        place.database.rows(
          'select horse_no, gear, rating, distance_m from runner join race on id = race_id order by 1',
        )
      const before = await stored()
      expect(before).toEqual(
        [1, 2, 3, 4, 5].map((horseNo) => ({ horseNo, gear: 'B1', rating: 50, distanceM: 1200 })),
      )
      await importAs(place, HK_FORMAT, files)
      expect(await stored()).toEqual(before)
    }))

  test('a brand that is given again keeps the runs of the horse that bore it then', () =>
    withDatabase(async (place) => {
      const second = hkRace({ date: '2024-03-06' }).map((row) =>
        row.replaceAll('試馬', '新馬').replaceAll(':1', ':2'),
      )
      await importAs(place, HK_FORMAT, {
        'results-2019.csv': csv(HK_HEADER, ...hkRace(), ...second),
        'form.csv': csv(FORM_HEADER, run('Z901', '02/01/2015'), run('Z901', '02/05/2024')),
      })
      const runs = await readFormOnly(place.database, HONG_KONG.id, '2010-01-01', '2030-01-01')
      expect(runs.map(({ date, starters }) => [date, starters[0]!.horseId])).toEqual([
        ['2015-01-02', 'HK-Z901'],
        ['2024-05-02', 'HK-Z901-2'],
      ])
      // Neither horse's page shows the other's runs.
      const daysOf = async (horseId: string): Promise<string[]> =>
        (await listForm(place.database, horseId, 'en', 50)).map(({ date }) => date)
      expect(await daysOf('HK-Z901')).toEqual(['2019-03-06', '2015-01-02'])
      expect(await daysOf('HK-Z901-2')).toEqual(['2024-05-02', '2024-03-06'])
    }))
})

describe('coupled entries of North American charts', () => {
  const HEADER =
    'race_id,Name,Odds,FinishPosition,$2WinPay,$2PlacePay,$2ShowPay,ExactaPay,QuinellaPay,FieldSize,track,RaceNum,Date,DistYrds,surface,TrackCondition,ClassDescriptor,Purse,Weight,PP,BettersToteProb,BettersToteProbRk,BettersToteProbDiff'
  const row = (name: string, odds: string, place: number, pays: string, post: number): string =>
    `0,${name},${odds},${place},${pays},41.8,0,6,BEL,1,5/30/16,1320,D,FT,S,50000,117,${post},0.7,1,-0.1`

  test('one price, one bet, settled by any of its horses', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, US_FORMAT, {
        'FormattedResults.csv': csv(
          HEADER,
          row('INK', '29.5', 5, '0,0,0', 1),
          row('PEN', '1.55', 3, '0,0,2.3', 2),
          row('ROCK', '5.6', 4, '13.2,5.3,2.5', 3),
          row('PAPER', '1.95', 2, '0,3.5,2.3', 4),
          row('STAR', '5.6', 1, '13.2,5.3,2.5', 7),
          // The same odds, and no dividend that its place does not explain: two separate horses.
          row('BLOT', '29.5', 6, '0,0,0', 8),
        ),
      })
      expect(report.rejects).toEqual([])
      expect(
        await place.database.rows(
          'select horse_no, entry_no from runner where entry_no is not null order by 1',
        ),
      ).toEqual([
        { horseNo: 3, entryNo: 3 },
        { horseNo: 7, entryNo: 3 },
      ])
      await scoreStaleRaces(place.database)
      const settled = await place.database.rows<{ key: string; outcome: string; profit: number | null }>(
        `select gameplay_class || ' ' || combination as key, outcome, profit_cents as profit
         from prediction join settlement using (race_id, model_id, gameplay_class, rank)`,
      )
      const of = (key: string): unknown => settled.find((line) => line.key === key)
      expect(of('1 3')).toMatchObject({ outcome: 'hit', profit: 5600 })
      expect(of('1 7')).toBeUndefined()
      expect(of('2 3')).toMatchObject({ outcome: 'hit', profit: 1650 })
      expect(of('5 3-4')).toMatchObject({ outcome: 'hit', profit: 19_900 })
      const [sum] = await place.database.rows<{ sum: number; horses: number }>(
        'select sum(probability) as sum, count(*) as horses from win_chance',
      )
      expect(sum!.horses).toBe(5)
      expect(sum!.sum).toBeCloseTo(1, 5)
      expect(await place.database.rows('select amended from race')).toEqual([{ amended: false }])
    }))
})
