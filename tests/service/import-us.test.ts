// @module-tag rest
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { horseId } from '../../contract/api/fields.ts'
import { importFiles } from '../../server/ingest/import.ts'
import type { ImportReport } from '../../server/drafts/report.ts'
import { US_FORMAT } from '../../server/ingest/us/us-format.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { newDatabase, newFolder, type TestDatabase } from '../support/databases.ts'

const HEADER =
  'race_id,Name,Odds,FinishPosition,$2WinPay,$2PlacePay,$2ShowPay,ExactaPay,QuinellaPay,FieldSize,track,RaceNum,Date,DistYrds,surface,TrackCondition,ClassDescriptor,Purse,Weight,PP,BettersToteProb,BettersToteProbRk,BettersToteProbDiff'
const line = (name: string, odds: string, place: number, pays: string, post: number, race = 1): string =>
  `0,${name},${odds},${place},${pays},20.8,16,5,BEL,${race},5/27/16,1320,T,FM,M,13000,117,${post},0.7,1,-0.1`

/** Invented rows in the layout of the charts, with a name that is valid only in latin-1 and one row without odds. */
const RESULTS = [
  HEADER,
  line('PAPER BOY', '2.5', 2, '0,3.4,3.2', 1),
  line('CAF\u00C9 NOIR', '2.2', 1, '6.4,4.4,3.6', 2),
  line('INK WELL', '7.9', 3, '0,0,2.8', 3),
  line('BLOTTER', '12', 4, '0,0,0', 4),
  line('ERASER', '0', 1, '0,0,0', 5, 2),
].join('\n')
const INFO = `race_id,track,race_number,distance,surface,date_time,race_description,available_bets
0,BEL,R1,6f,T,05-27-2016<br>13:15,FOR MAIDENS${' '.repeat(3000)}THREE YEARS OLD,$2 WIN
1,BEL,R9,6f,T,05-27-2016<br>17:15,NO SUCH RACE,$2 WIN`

describe('North American charts', () => {
  let place: TestDatabase
  let report: ImportReport
  beforeAll(async () => {
    place = await newDatabase('pglite')
    const folder = newFolder()
    writeFileSync(join(folder, 'FormattedResults.csv'), Buffer.from(RESULTS, 'latin1'))
    writeFileSync(join(folder, 'Race_info.csv'), INFO)
    report = await importFiles(place.database, {
      format: US_FORMAT,
      paths: [folder],
      replaceDemonstration: false,
    })
    await scoreStaleRaces(place.database)
  })
  afterAll(() => place.close())

  test('another region, its own places, decimal odds, metres, names in latin-1', async () => {
    expect(report.rejects.map(({ kind }) => kind)).toEqual(['no-such-race'])
    expect(report.unknown.map(({ kind }) => kind)).toEqual(['odds-out-of-range'])
    const [race] = await place.database.rows(
      'select region_id, id, season, track, going, distance_m, places, name_en from race order by id',
    )
    expect(race).toEqual({
      regionId: '100840',
      id: 'USBEL2016052701',
      season: 2016,
      track: 'turf',
      going: 'firm',
      distanceM: 1207,
      places: 2,
      nameEn: 'FOR MAIDENS THREE YEARS OLD',
    })
    const [winner] = await place.database.rows<{ id: string }>(
      `select horse.id, name_en, win_odds from runner join horse on horse.id = horse_id where place = 1`,
    )
    expect(winner).toMatchObject({ nameEn: 'CAF\u00C9 NOIR', winOdds: 3.2 })
    // A horse without a brand is known by its name, in letters that calls take as an id.
    expect(winner!.id).toMatch(/^US-CAFENOIR-h/)
    expect(horseId.safeParse(winner!.id).success).toBe(true)
  })

  test('pays for two dollars settle as dividends for ten', async () => {
    const settled = await place.database.rows<{ key: string; profitCents: number | null }>(
      `select gameplay_class || ' ' || combination as key, profit_cents from prediction join settlement using (race_id, model_id, gameplay_class, rank)`,
    )
    const profitOf = (key: string): number | null | undefined =>
      settled.find((row) => row.key === key)?.profitCents
    expect(profitOf('1 2')).toBe(2200)
    expect(profitOf('2 1')).toBe(700)
    expect(profitOf('5 2-1')).toBe(9400)
    expect(profitOf('3 1-2')).toBe(7000)
    // The charts have no trifectas.
    expect(profitOf('7 2-1-3')).toBeNull()
  })
})
