// @module-tag rest
import { describe, expect, test } from 'vitest'
import { connectDatabase } from '../../server/db/database-client.ts'
import { serveDatabase } from '../../server/db/database-socket.ts'
import { isEmbedded } from '../../server/db/database.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { explainFiles } from '../../server/ingest/explain.ts'
import { KAGGLE_HK_FORMAT } from '../../server/ingest/hk/kaggle-hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { newDatabase } from '../support/databases.ts'
import {
  changesOf,
  csv,
  HK_HEADER,
  hkRace,
  hkRow,
  importAs,
  rejectLines,
  storedRows,
  storedRunners,
  withDatabase,
  writeFiles,
} from '../support/import-files.ts'

const HORSES =
  'finishing_position,horse_number,horse_name,horse_id,jockey,trainer,actual_weight,declared_horse_weight,draw,length_behind_winner,running_position_1,running_position_2,running_position_3,running_position_4,finish_time,win_odds,running_position_5,running_position_6,race_id'
const RACES =
  'src,race_date,race_course,race_number,race_id,race_class,race_distance,track_condition,race_name,track,sectional_time,incident_report'

interface Runner {
  place?: string
  margin?: string
  brand?: string
  no?: string
  jockey?: string
  odds?: string
  raceId?: string
}

/** Horse `no` of the invented race of `hkRow`; one that did not start has `NA` and `---`. */
function horse(no: number, of: Runner = {}): string {
  const { place = String(no), margin = no === 1 ? '-' : '1', brand = `Z90${no}`, jockey = 'A Rider' } = of
  const { odds = String(2 + no), raceId = '2018-431', no: number = String(no) } = of
  const ran = !place.startsWith('W') && place !== 'NA'
  const card = `${place},${number},TRIAL HORSE ${no},${brand},${ran ? jockey : '---'},A Trainer,120,1100`
  const run = ran
    ? `${no},${margin},1,1,NA,NA,1.${10 + no}.00,${odds},NA,NA`
    : 'NA,---,NA,NA,NA,NA,---,NA,NA,NA'
  return `${card},${run},${raceId}`
}

const race = (date = '2019-03-06', no = 1, id = '2018-431'): string =>
  `20190306-${no}.html,${date},Sha Tin,${no},${id},Class 4,1200,GOOD,TRIAL HANDICAP,ALL WEATHER TRACK,23.41 22.50,`

const MARGINS = ['-', '5-3/4', '1-1/2', '1/2', '3/4', 'SH', 'NOSE', 'N', '13-1/2', '2']
/** The same as Excel of the United States saves them. */
const SAVED = ['-', '38110', '37257', '42737', '42798', 'SH', 'NOSE', 'N', '13-1/2', '2']
const field = (margins: readonly string[]): string[] =>
  margins.map((margin, index) => horse(index + 1, { margin, brand: `Z9${10 + index}` }))

const INTACT = {
  'race-result-horse.csv': csv(HORSES, ...field(MARGINS)),
  'race-result-race.csv': csv(RACES, race()),
}
/** Its rows are sorted otherwise, so that the winner is not the first of its race. */
const EXCEL = {
  'race-result-horse.csv': csv(HORSES, ...field(SAVED).toReversed()),
  'race-result-race.csv': csv(`${RACES},`, `${race('3/6/19')},#NAME?`),
}

describe('kaggle-hk: results of 2014 to 2017', () => {
  test('both files are joined by the race id, alone and a second time without a change', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, KAGGLE_HK_FORMAT, INTACT)
      expect([report.rejects, report.unknown, report.differing]).toEqual([[], [], []])
      const [stored] = await place.database.rows(
        'select id, name_en, race_class, track, course, distance_m, going, winning_time_ms, status from race',
      )
      expect(stored).toEqual({
        id: 'HKSHT2019030601',
        nameEn: 'Trial Handicap',
        raceClass: 'C4',
        track: 'awt',
        course: null,
        distanceM: 1200,
        going: 'good',
        winningTimeMs: 71_000,
        status: 'final',
      })
      const all = await storedRunners(place)
      expect(all.map(({ margin }) => margin)).toEqual([
        null,
        '5-3/4',
        '1-1/2',
        '1/2',
        '3/4',
        'SH',
        'N',
        'NK',
        '13-1/2',
        '2',
      ])
      expect(all[1]).toMatchObject({
        horseId: 'HK-Z911',
        jockeyId: 'HK-A Rider',
        winOdds: 4,
        finishTimeMs: 72_000,
        runningPosition: '1 1',
      })
      const before = await storedRows(place)
      expect(changesOf(await importAs(place, KAGGLE_HK_FORMAT, INTACT))).toBe(0)
      expect(await storedRows(place)).toEqual(before)
    }))

  test('what Excel made of days and margins is read back', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, KAGGLE_HK_FORMAT, EXCEL)
      expect([report.rejects, report.unknown]).toEqual([[], []])
      const before = await storedRows(place)
      const intact = await importAs(place, KAGGLE_HK_FORMAT, INTACT)
      expect([changesOf(intact), intact.differing]).toEqual([0, []])
      expect(await storedRows(place)).toEqual(before)
    }))

  test('a margin that Excel has lost is unknown and counted, never 38110 lengths', () =>
    withDatabase(async (place) => {
      const margins = ['-', '#NAME?', '0.5', '38051', '1500', '+1/2', 'NA']
      const report = await importAs(place, KAGGLE_HK_FORMAT, {
        ...INTACT,
        'race-result-horse.csv': csv(HORSES, ...field(margins)),
      })
      expect((await storedRunners(place)).map(({ margin }) => margin)).toEqual([
        null,
        null,
        '1/2',
        null,
        null,
        '+1/2',
        null,
      ])
      expect(report.unknown.map(({ line, kind, detail }) => `${line} ${kind} ${detail}`)).toEqual([
        '3 spreadsheet-error length_behind_winner: #NAME?',
        '5 not-a-margin length_behind_winner: 38051',
        '6 not-a-margin length_behind_winner: 1500',
      ])
    }))

  test('dead heats, horses that did not finish or start, and those without a saddle number', () =>
    withDatabase(async (place) => {
      const rows = [
        horse(1, { place: '1 DH' }),
        horse(2, { place: '1 DH', margin: '-' }),
        horse(3),
        horse(4, { place: '4 DH' }),
        horse(5, { place: '4 DH' }),
        ...['DNF', 'PU', 'DISQ'].map((code, index) => horse(6 + index, { place: code, margin: '---' })),
        horse(9, { place: 'WV', no: 'NA' }),
        horse(10, { place: 'NA', no: 'NA', brand: 'Z910' }),
        horse(11, { place: 'WV-A', brand: 'Z911' }),
      ]
      const report = await importAs(place, KAGGLE_HK_FORMAT, {
        ...INTACT,
        'race-result-horse.csv': csv(HORSES, ...rows),
      })
      expect([report.rejects, report.unknown, report.nonStarters]).toEqual([[], [], 3])
      const shown = (await storedRunners(place)).map(({ horseNo, status, place: at, placeCode, deadHeat }) =>
        [horseNo, status, at, placeCode, deadHeat].map(String).join(' '),
      )
      expect(shown.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))).toEqual([
        '1 finished 1 null true',
        '2 finished 1 null true',
        '3 finished 3 null false',
        '4 finished 4 null true',
        '5 finished 4 null true',
        '6 unfinished null DNF false',
        '7 unfinished null PU false',
        '8 unfinished null DISQ false',
        '11 withdrawn null WV-A false',
        'null withdrawn null WV false',
        'null withdrawn null null false',
      ])
    }))

  test('of two copies side by side the first is stored, and the other is compared with it', () =>
    withDatabase(async (place) => {
      const changed = field(MARGINS).with(2, horse(3, { margin: '9', brand: 'Z912', odds: '8' }))
      const report = await importAs(place, KAGGLE_HK_FORMAT, {
        'horse.excel.csv': EXCEL['race-result-horse.csv'],
        'horse.intact.csv': csv(HORSES, ...changed),
        'race.excel.csv': EXCEL['race-result-race.csv'],
        'race.intact.csv': INTACT['race-result-race.csv'],
      })
      expect(report.rejects).toEqual([])
      expect(report.differing.map(({ file, line, detail }) => `${file}:${line} ${detail}`)).toEqual([
        'horse.intact.csv:4 HKSHT2019030601 3 win-odds: 8, stored 5',
        'horse.intact.csv:4 HKSHT2019030601 3 margin: 9, stored 1-1/2',
      ])
      expect(report.racesWithDuplicates).toBe(1)
      expect(report.tables['race']).toMatchObject({ inserted: 1 })
      expect(report.tables['runner']).toMatchObject({ inserted: 10, updated: 0 })
      expect(await storedRunners(place)).toHaveLength(10)
    }))

  test('both copies through a server that has the embedded database open', async () => {
    const place = await newDatabase('pglite')
    if (!isEmbedded(place.database)) throw new Error('not embedded')
    const server = await serveDatabase(place.database, place.dataFolder)
    const command = (await connectDatabase(place.dataFolder))!
    try {
      const folder = writeFiles({
        'horse.excel.csv': EXCEL['race-result-horse.csv'],
        'horse.intact.csv': INTACT['race-result-horse.csv'],
        'race.excel.csv': EXCEL['race-result-race.csv'],
        'race.intact.csv': INTACT['race-result-race.csv'],
      })
      const report = await importFiles(command, {
        format: KAGGLE_HK_FORMAT,
        paths: [folder],
        replaceDemonstration: false,
      })
      expect([report.rejects, report.unknown, report.differing]).toEqual([[], [], []])
      expect(report.tables['runner']).toMatchObject({ inserted: 10, updated: 0 })
      expect(await storedRunners(place)).toHaveLength(10)
    } finally {
      await command.close()
      await server.close()
      await place.close()
    }
  })

  test('rows without their race, and one id of two races, are rejected with the reason', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, KAGGLE_HK_FORMAT, {
        'horse.csv': csv(
          HORSES,
          ...hkRace().map((_, index) => horse(index + 1)),
          horse(1, { raceId: '2018-999' }),
          ...[1, 2, 3].map((no) => horse(no, { raceId: '2018-432' })),
        ),
        'race-a.csv': csv(RACES, race(), race('2019-03-06', 2, '2018-432')),
        'race-b.csv': csv(RACES, race('2019-03-10', 2, '2018-432'), race('2019-03-10', 3, '2018-433')),
      })
      expect(rejectLines(report.rejects)).toEqual([
        'horse.csv:7 no-joined-row',
        'horse.csv:8 two-races-of-one-id',
        'horse.csv:9 two-races-of-one-id',
        'horse.csv:10 two-races-of-one-id',
        'race-a.csv:3 no-such-race',
        'race-b.csv:2 no-such-race',
        'race-b.csv:3 no-such-race',
      ])
      expect(await place.database.rows('select id from race')).toEqual([{ id: 'HKSHT2019030601' }])
    }))

  test('a row that cannot be read leaves out its race, whose id is in the other file', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, KAGGLE_HK_FORMAT, {
        'horse.csv': csv(
          HORSES,
          horse(1),
          horse(2, { place: 'second' }),
          ...[1, 2, 3, 4].map((no) => horse(no, { raceId: '2018-432', odds: String(3 + no) })),
        ),
        'race.csv': csv(RACES, race(), race('2019-03-06', 2, '2018-432')),
      })
      expect(rejectLines(report.rejects)).toEqual([
        'horse.csv:3 unknown-place-code',
        'horse.csv:3 race-incomplete',
        'race.csv:2 unknown-place-code',
      ])
      expect(await place.database.rows('select id from race')).toEqual([{ id: 'HKSHT2019030602' }])
    }))

  test.each(['race-result-horse.csv', 'race-result-race.csv'] as const)(
    '%s alone is refused with what it lacks',
    (name) =>
      withDatabase(async (place) => {
        const refused = importAs(place, KAGGLE_HK_FORMAT, { [name]: INTACT[name] })
        await expect(refused).rejects.toMatchObject({
          code: 'file-needed',
          details: { file: name, needed: name.includes('horse') ? 'races' : 'horse results' },
        })
        expect(await place.database.rows('select id from race')).toEqual([])
      }),
  )

  test('days that only the other order can read refuse the file, whose other days would be misread', () =>
    withDatabase(async (place) => {
      const refused = importAs(place, KAGGLE_HK_FORMAT, {
        'horse.csv': csv(HORSES, horse(1), horse(1, { raceId: '2018-432' })),
        'race.csv': csv(RACES, race('3/6/19'), race('14/6/19', 2, '2018-432')),
      })
      await expect(refused).rejects.toMatchObject({
        code: 'file-unreadable',
        details: { file: 'race.csv', reason: expect.stringContaining('line 3, race_date: 14/6/19') },
      })
      expect(await place.database.rows('select id from race')).toEqual([])
    }))

  test('a name that a spreadsheet has lost, and blanks of pandas, are unknown', () =>
    withDatabase(async (place) => {
      const lost = horse(2, { jockey: 'NaN' }).replace('TRIAL HORSE 2', '#NAME?')
      const report = await importAs(place, KAGGLE_HK_FORMAT, {
        'horse.csv': csv(HORSES, horse(1), lost, horse(3)),
        'race.csv': csv(RACES, race()),
      })
      expect(report.rejects).toEqual([])
      const [, second] = await place.database.rows(
        `select horse.name_en, jockey_id from runner join horse on horse.id = horse_id order by horse_no`,
      )
      expect(second).toEqual({ nameEn: null, jockeyId: null })
    }))

  test('odds that stopped at 99 are completed by a source that has them', () =>
    withDatabase(async (place) => {
      const files = (odds: string) => ({
        'horse.csv': csv(HORSES, horse(1), horse(2), horse(3, { odds })),
        'race.csv': csv(RACES, race()),
      })
      await importAs(place, KAGGLE_HK_FORMAT, files('99'))
      const report = await importAs(place, KAGGLE_HK_FORMAT, files('142'))
      expect(report.differing).toEqual([])
      expect((await storedRunners(place)).map(({ winOdds }) => winOdds)).toEqual([3, 4, 142])
    }))

  test('a copy of a race that cannot be read does not spoil the other', () =>
    withDatabase(async (place) => {
      const report = await importAs(place, KAGGLE_HK_FORMAT, {
        'horse.csv': csv(HORSES, horse(1), horse(2), horse(1, { raceId: '2018-432' })),
        'race-a.csv': csv(RACES, race('yesterday'), race('2019-03-06', 2, '2018-432')),
        'race-b.csv': csv(RACES, race()),
      })
      expect(rejectLines(report.rejects)).toEqual(['race-a.csv:2 not-a-day'])
      expect(await place.database.rows('select id from race order by id')).toEqual([
        { id: 'HKSHT2019030601' },
        { id: 'HKSHT2019030602' },
      ])
    }))

  test('over Chinese results of the same day no race and nobody is stored twice', () =>
    withDatabase(async (place) => {
      const chinese = [...hkRace({ odds: '5' }), hkRow(6, { odds: '142' })].map((row) =>
        row.replace('(1:10.00)', '(1:11.00)'),
      )
      await importAs(place, HK_FORMAT, { 'results.csv': csv(HK_HEADER, ...chinese) })
      const report = await importAs(place, KAGGLE_HK_FORMAT, {
        'horse.csv': csv(
          HORSES,
          ...[1, 2, 3, 4, 5].map((no) => horse(no, { odds: no === 4 ? '7' : '5' })),
          horse(6, { odds: '99' }),
        ),
        'race.csv': csv(RACES, race()),
      })
      expect(report.rejects).toEqual([])
      // 99 stood for whatever is longer.
      expect(report.differing.map(({ detail }) => detail)).toEqual([
        'HKSHT2019030601 4 win-odds: 7, stored 5',
      ])
      expect(
        await place.database.rows(
          `select (select count(*)::int from race) as races, (select count(*)::int from horse) as horses,
             (select count(*)::int from jockey) as jockeys, (select count(*)::int from trainer) as trainers`,
        ),
      ).toEqual([{ races: 1, horses: 6, jockeys: 1, trainers: 1 }])
      expect(
        await place.database.rows(
          `select horse.name_en, horse.name_hant, jockey.name_en as jockey, race.name_en as race, win_odds
           from runner join horse on horse.id = horse_id join jockey on jockey.id = jockey_id join race on race.id = race_id
           where horse_no = 6`,
        ),
      ).toEqual([
        {
          nameEn: 'Trial Horse 6',
          nameHant: '試馬6',
          jockey: 'A Rider',
          race: 'Trial Handicap',
          winOdds: 142,
        },
      ])
    }))
})

test('what is explained of the files is what an import reads', async () => {
  const { format, files, lines } = await explainFiles([writeFiles(EXCEL)], 'auto', null)
  expect([format, lines]).toEqual([
    'kaggle-hk',
    ['never in such files: post times, ratings, gear, sectional times, dividends beyond win and place'],
  ])
  const read = files.flatMap(({ columns }) =>
    columns.filter(({ isRead }) => isRead).map(({ column }) => column),
  )
  expect(read).toContain('length_behind_winner')
  expect(read).not.toContain('sectional_time')
})

test('both copies are recognised by their columns', async () => {
  expect((await formatNamed('auto', [writeFiles(INTACT)])).format.name).toBe('kaggle-hk')
  expect((await formatNamed('auto', [writeFiles(EXCEL)])).format.name).toBe('kaggle-hk')
})
