// @module-tag rest
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { FurlongError } from '../../domain/errors.ts'
import { reportLines } from '../../server/drafts/report.ts'
import { HK_EN_FORMAT } from '../../server/ingest/hk/hk-en-format.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import type { TestDatabase } from '../support/databases.ts'
import {
  changesOf,
  csv,
  DIVIDEND_HEADER,
  HK_HEADER,
  hkRow,
  importAs,
  rejectLines,
  storedRows,
  withDatabase,
  writeFiles,
} from '../support/import-files.ts'

const RUNNERS =
  'date,racecourse,race_no,horse_no,placing,brand,hkjc_horse_id,horse_name,jockey,trainer,actual_weight_lb,declared_horse_weight_lb,draw,lbw_lengths,running_positions,finish_seconds,win_odds'
const RACES =
  'race_id,date,racecourse,race_no,race_index,race_class,distance_m,rating_band,surface,course,going,runners'
const DIVIDENDS = 'date,racecourse,race_no,line,pool,combination,dividend_hkd_per_10'
const PAGE_RUNNERS =
  'race_id,meeting_date,racecourse,race_no,horse_no,finish_position,finish_position_num,horse_name,horse_code,horse_id,jockey,jockey_id,trainer,trainer_id,actual_weight,declared_horse_weight,draw,lbw,lbw_lengths,running_positions,finish_time,finish_time_seconds,win_odds,incident'
const PAGE_RACES =
  'race_id,meeting_id,meeting_date,racecourse,race_no,season_race_no,race_class,class_line,distance_m,rating_band,going,course,race_name,prize_hkd,sectionals,source_url,abandoned'
const PAGE_DIVIDENDS =
  'race_id,meeting_date,racecourse,race_no,row_order,pool,winning_combination,dividend_hkd,dividend_text'

const DAY = '2019-03-06'
const RACE = 'HKSHT2019030601'

interface Runner {
  day?: string
  raceNo?: number
  place?: string
  brand?: string
  horse?: string
  jockey?: string
  trainer?: string
  draw?: string
  lengths?: string
  odds?: string
  seconds?: number
}

/** Horse `no` of the race of `hkRow`, in the layout of tables. */
function runner(no: number, field: Runner = {}): string {
  const { day = DAY, raceNo = 1, place = String(no), brand = `Z90${no}`, horse = `TRIAL HORSE ${no}` } = field
  const { jockey = 'A Rider', trainer = 'A Trainer', draw = String(no) } = field
  const { lengths = no === 1 ? '0' : '1', odds = String(2 + no), seconds = 60 + 10 * raceNo + no } = field
  return `${day},ST,${raceNo},${no},${place},${brand},HK_2018_Z90${no},${horse},${jockey},${trainer},120,1100,${draw},${lengths},1-1,${seconds},${odds}`
}
const five = [1, 2, 3, 4, 5]
const field = (of: (no: number) => Runner = () => ({})): string[] => five.map((no) => runner(no, of(no)))
const raceRow = `2019-03-06-ST-1,${DAY},ST,1,1,4,1200,60-40,AWT,ALL WEATHER TRACK,GOOD,5`
const line = (pool: string, combination: string, amount: string, at = `${DAY},ST,1`): string =>
  `${at},1,${pool},${combination},${amount}`

const LINES = [
  line('WIN', '1', '30'),
  line('PLACE', '1', '14.5'),
  line('PLACE', '2', '20.5'),
  line('PLACE', '3', '62'),
  line('QUINELLA', '1-2', '113.5'),
  line('QUINELLA PLACE', '1-2', '43.5'),
  line('QUINELLA PLACE', '1-3', '97'),
  line('QUINELLA PLACE', '2-3', '268'),
  line('TIERCE', '1-2-3', '"1,234.00"'),
]

const ENGLISH = {
  'runners.csv': csv(RUNNERS, ...field()),
  'races.csv': csv(RACES, raceRow),
  'dividends.csv': csv(DIVIDENDS, ...LINES),
}

/** Seven are declared, so that three are placed; 7 is withdrawn, and 6 does not finish. */
const chineseRace = (raceNo = 1, jockey = '潘試'): string[] =>
  [
    ...five.map((no) => hkRow(no, { raceNo, jockey })),
    hkRow(6, { raceNo, place: 'PU', jockey }),
    hkRow(7, { raceNo, place: 'WV-A', odds: '---', jockey }),
  ].map((row) => row.replace('(1:10.00)', '(1:11.00)').replaceAll(/1:1(\d)\.00/g, `1:${raceNo}$1.00`))
const chineseLine = (pool: string, combination: string, amount: string): string =>
  `${DAY},沙田,1,${pool},"${combination}",${amount}`
const CHINESE = {
  'results.csv': csv(HK_HEADER, ...chineseRace()),
  'dividends.csv': csv(
    DIVIDEND_HEADER,
    chineseLine('獨贏', '1', '30'),
    chineseLine('位置', '1', '14.5'),
    chineseLine('連贏', '1,2', '113.5'),
    chineseLine('位置Q', '1,2', '未能勝出'),
    chineseLine('三重彩', '1,2,3', '999'),
  ),
}

const dividends = (place: TestDatabase): Promise<string[]> =>
  place.database
    .rows<{ shown: string }>(
      `select pool || ' ' || combination || ' ' || coalesce(dividend_cents::text, status) as shown
       from dividend order by gameplay_class, combination`,
    )
    .then((rows) => rows.map(({ shown }) => shown))

test('results in English are imported alone, and a second time without a change', () =>
  withDatabase(async (place) => {
    const report = await importAs(place, HK_EN_FORMAT, ENGLISH)
    expect([report.rejects, report.unknown, report.differing]).toEqual([[], [], []])
    // Without horses that did not finish, three places are more than five horses have.
    expect(rejectLines(report.noted)).toEqual(['dividends.csv:5 dividend-contradicts-places'])
    const [race] = await place.database.rows(
      `select race.id, race_class, track, course, distance_m, going, rating_range, winning_time_ms, status, stadium.name_hant
       from race join stadium on stadium.id = stadium_id`,
    )
    expect(race).toEqual({
      id: RACE,
      raceClass: 'C4',
      track: 'awt',
      course: null,
      distanceM: 1200,
      going: 'good',
      ratingRange: '60-40',
      winningTimeMs: 71_000,
      status: 'final',
      nameHant: '沙田',
    })
    const [second] = await place.database.rows(
      `select horse.id, horse.name_en as horse, jockey.id as jockey_id, jockey.name_en as jockey, trainer.name_en as trainer,
         margin, running_position, finish_time_ms, win_odds, draw from runner join horse on horse.id = horse_id
       join jockey on jockey.id = jockey_id join trainer on trainer.id = trainer_id where horse_no = 2`,
    )
    expect(second).toEqual({
      id: 'HK-Z902',
      horse: 'Trial Horse 2',
      jockeyId: 'HK-A Rider',
      jockey: 'A Rider',
      trainer: 'A Trainer',
      margin: '1',
      runningPosition: '1 1',
      finishTimeMs: 72_000,
      winOdds: 4,
      draw: 2,
    })
    expect(await dividends(place)).toEqual([
      'win 1 3000',
      'place 1 1450',
      'place 2 2050',
      'place 3 6200',
      'quinella 1-2 11350',
      'quinella_place 1-2 4350',
      'quinella_place 1-3 9700',
      'quinella_place 2-3 26800',
      'tierce 1-2-3 123400',
    ])
    const before = await storedRows(place)
    const again = await importAs(place, HK_EN_FORMAT, ENGLISH)
    expect(changesOf(again)).toBe(0)
    expect(await storedRows(place)).toEqual(before)
  }))

test('stored races are completed: missing lines, unknown amounts and English names, nothing else', () =>
  withDatabase(async (place) => {
    await importAs(place, HK_FORMAT, CHINESE)
    const names = async () =>
      place.database.rows(
        `select horse.id, horse.name_en, horse.name_hant, jockey_id, jockey.name_en as jockey, trainer.name_en as trainer, runner.status
         from runner join horse on horse.id = horse_id join jockey on jockey.id = jockey_id
         join trainer on trainer.id = trainer_id order by horse_no`,
      )
    const report = await importAs(place, HK_EN_FORMAT, ENGLISH)
    expect(report.rejects).toEqual([])
    expect(report.differing.map(({ file, line: at, detail }) => `${file}:${at} ${detail}`)).toEqual([
      `dividends.csv:10 ${RACE} tierce dividend: 1-2-3 1234.00, stored 999.00`,
    ])
    expect(reportLines(report).join('\n')).toContain('not what is stored, which was kept: 1 ×')
    expect(await dividends(place)).toEqual([
      'win 1 3000',
      'place 1 1450',
      'place 2 2050',
      'place 3 6200',
      'quinella 1-2 11350',
      'quinella_place 1-2 4350',
      'quinella_place 1-3 9700',
      'quinella_place 2-3 26800',
      'tierce 1-2-3 99900',
    ])
    const runners = await names()
    expect(runners).toHaveLength(7)
    expect(runners[0]).toEqual({
      id: 'HK-Z901',
      nameEn: 'Trial Horse 1',
      nameHant: '試馬1',
      jockeyId: 'HK-潘試',
      jockey: 'A Rider',
      trainer: 'A Trainer',
      status: 'finished',
    })
    // Those that the English file lacks remain as they are.
    expect(runners.slice(5)).toMatchObject([
      { id: 'HK-Z906', nameEn: null, status: 'unfinished' },
      { id: 'HK-Z907', nameEn: null, status: 'withdrawn' },
    ])
    const counts = await place.database.rows(
      `select (select count(*)::int from race) as races, (select count(*)::int from horse) as horses,
         (select count(*)::int from jockey) as jockeys, (select count(*)::int from trainer) as trainers`,
    )
    expect(counts).toEqual([{ races: 1, horses: 7, jockeys: 1, trainers: 1 }])
    const before = await storedRows(place)
    expect(changesOf(await importAs(place, HK_EN_FORMAT, ENGLISH))).toBe(0)
    expect(await storedRows(place)).toEqual(before)
  }))

test('who is who is known in every file before any is written', () =>
  withDatabase(async (place) => {
    await importAs(place, HK_FORMAT, {
      'results.csv': csv(HK_HEADER, ...chineseRace(1, '潘試'), ...chineseRace(2, '莫試')),
    })
    const riders = (no: number): Runner => ({ raceNo: no, jockey: no === 2 ? 'Second Rider' : 'A Rider' })
    const report = await importAs(place, HK_EN_FORMAT, {
      // A race of an earlier day that is not stored comes first.
      'a-runners.csv': csv(
        RUNNERS,
        ...field((no) => ({ ...riders(2), day: '2019-02-06', seconds: 90 + no })),
      ),
      'b-runners.csv': csv(RUNNERS, ...field(() => riders(1)), ...field(() => riders(2))),
    })
    expect([report.rejects, report.differing]).toEqual([[], []])
    expect(await place.database.rows('select id, name_en, name_hant from jockey order by id')).toEqual([
      { id: 'HK-潘試', nameEn: 'A Rider', nameHant: '潘試' },
      { id: 'HK-莫試', nameEn: 'Second Rider', nameHant: '莫試' },
    ])
    expect(
      await place.database.rows(`select distinct jockey_id from runner where race_id = 'HKSHT2019020602'`),
    ).toEqual([{ jockeyId: 'HK-莫試' }])
  }))

test('what contradicts a stored race is listed with both figures, and what is stored is kept', () =>
  withDatabase(async (place) => {
    await importAs(place, HK_FORMAT, {
      ...CHINESE,
      'results.csv': csv(HK_HEADER, ...chineseRace(1), ...chineseRace(2, '莫試')),
    })
    const before = await place.database.rows(
      'select race_id, horse_no, jockey_id, draw, place, win_odds from runner order by 1, 2',
    )
    const report = await importAs(place, HK_EN_FORMAT, {
      'runners.csv': csv(
        RUNNERS,
        runner(1, { draw: '9' }),
        runner(2, { odds: '7.5', brand: 'AZ902' }),
        runner(3, { jockey: 'Second Rider' }),
        runner(4, { place: '5' }),
        runner(5, { place: '4' }),
        runner(8, { place: '6', brand: 'Z908' }),
        ...field(() => ({ raceNo: 2, jockey: 'Second Rider' })),
      ),
      'races.csv': csv(RACES, raceRow.replace('1200', '1400').replace('GOOD,5', 'WET SLOW,5')),
      'dividends.csv': csv(DIVIDENDS, line('QUINELLA', '1-3', '50'), line('WIN', '1', '31')),
    })
    expect(report.rejects).toEqual([])
    expect(report.differing.map(({ line: at, detail }) => `${at} ${detail}`)).toEqual([
      `2 ${RACE} 1 draw: 9, stored 1`,
      `3 ${RACE} 2 brand: AZ902, stored Z902`,
      `3 ${RACE} 2 win-odds: 7.5, stored 4`,
      `4 ${RACE} 3 person: Second Rider, stored A Rider`,
      `5 ${RACE} 4 place: 5, stored 4`,
      `6 ${RACE} 5 place: 4, stored 5`,
      `7 ${RACE} 8 runner: Z908, stored nothing`,
      `2 ${RACE} distance-m: 1400, stored 1200`,
      `2 ${RACE} going: wet_slow, stored good`,
      `2 ${RACE} quinella dividend: 1-3 50.00, stored 1-2 113.50`,
      `3 ${RACE} win dividend: 1 31.00, stored 30.00`,
    ])
    expect(
      await place.database.rows(
        'select race_id, horse_no, jockey_id, draw, place, win_odds from runner order by 1, 2',
      ),
    ).toEqual(before)
  }))

test('another race under the number of a stored one is left out', () =>
  withDatabase(async (place) => {
    await importAs(place, HK_FORMAT, CHINESE)
    const before = await storedRows(place)
    const report = await importAs(place, HK_EN_FORMAT, {
      'runners.csv': csv(RUNNERS, ...field((no) => ({ brand: `Y90${no}` }))),
      'dividends.csv': csv(DIVIDENDS, LINES[2]!),
    })
    expect(rejectLines(report.rejects)).toEqual([
      'runners.csv:2 other-horses',
      'dividends.csv:2 other-horses',
    ])
    expect(await storedRows(place)).toEqual(before)
  }))

interface PageRunner {
  raceNo?: number
  place?: string
  horse?: string
  code?: string
  trainer?: string
  lbw?: string
  incident?: string
}

/** Horse `no` in the layout of the pages; `---` for what a horse that did not start does not have. */
function pageRunner(no: number, runnerOf: PageRunner = {}): string {
  const { raceNo = 1, place = String(no), horse = `TRIAL HORSE ${no}`, code = `Z90${no}` } = runnerOf
  const { trainer = 'A Trainer', lbw = no === 1 ? '---' : '1-1/2', incident = 'No report.' } = runnerOf
  const ran = !place.startsWith('WV')
  const run = ran ? `${no},${lbw},1.5,2 1 1,1:1${no}.00,7${no}.0,${2 + no}` : '---,---,,---,---,,---'
  return `${DAY}_ST_0${raceNo},${DAY},ST,${raceNo},${no},${place},,${horse},${code},HK_2018_${code},A Rider,AR,${trainer},,${ran ? 125 : '---'},${ran ? 1266 : '---'},${run},${incident}`
}
const pageLine = (
  order: number,
  pool: string,
  combination: string,
  amount: string,
  printed: string,
): string => `${DAY}_ST_01,${DAY},ST,1,${order},${pool},${combination},${amount},${printed}`

const PAGES = {
  'runners.csv': csv(
    PAGE_RUNNERS,
    pageRunner(1, { place: '1 DH', incident: '"Jumped.\nFound to be a ""roarer”."' }),
    pageRunner(2, { place: '1 DH', lbw: '---', trainer: '' }),
    pageRunner(3, { horse: 'TRIAL HORSE 3  (CZ903)', code: '', lbw: 'N' }),
    pageRunner(4, { lbw: 'SH' }),
    pageRunner(5, { lbw: 'NOSE' }),
    pageRunner(6, { place: 'PU', lbw: '---' }),
    pageRunner(7, { place: 'WV-A' }),
  ),
  'races.csv': csv(
    PAGE_RACES,
    `${DAY}_ST_01,${DAY}_ST,${DAY},ST,1,297,Group Three,Group Three - 1400M,1400,,GOOD TO FIRM,"TURF - ""C+3"" Course",THE TRIAL CUP (HANDICAP),1170000,23.45 | 22.50,https://example.org,false`,
    `${DAY}_ST_02,${DAY}_ST,${DAY},ST,2,298,Class 4,,1200,,GOOD,ALL WEATHER TRACK,LOST HANDICAP,1170000,,https://example.org,true`,
  ),
  'dividends.csv': csv(
    PAGE_DIVIDENDS,
    pageLine(1, 'WIN', '1', '15.0', '15.00'),
    pageLine(2, 'WIN', '2', '20.0', '20.00'),
    pageLine(3, 'PLACE', '1', '12.5', '12.50'),
    pageLine(4, 'QUINELLA', '"1,2"', '2289.0', '"2,289.00"'),
    pageLine(5, '2ND DOUBLE', '5/1', '80.5', '80.50'),
    pageLine(6, '2ND DOUBLE', '5/2', '60.5', '60.50'),
    pageLine(7, '2ND DOUBLE', '5/3', '12.0', '12.00'),
    pageLine(8, 'TRIPLE TRIO(Consolation)', '"1,2,3/1,2,4/Any Combination"', '7344.0', '"7,344.00"'),
    pageLine(9, 'JOCKEY CHALLENGE 1,3 [A Rider]', '', 'Details', '').replace(/,$/, ''),
    pageLine(10, 'QUARTET', '"1,2,3,4"', '', 'NOT WIN'),
    pageLine(11, 'PLACE', '2', '13.5', '31.50'),
    pageLine(12, 'QUINELLA PLCE', '"1,3"', '13.5', '13.50'),
    `${DAY}_ST_01,${DAY},ST,1,13,TRIO`,
  ),
  'meetings.csv': csv(
    'meeting_id,meeting_date,racecourse,venue_name,status,race_count,race_numbers',
    `${DAY}_ST,${DAY},ST,Sha Tin,complete,2,"1,2"`,
  ),
}

test('the pages’ own layout: dead heats, non-finishers, withdrawn horses, texts, names and prizes', () =>
  withDatabase(async (place) => {
    const report = await importAs(place, HK_EN_FORMAT, PAGES)
    expect(
      await place.database.rows(
        `select horse.id, horse_no, runner.status, place, place_code, dead_heat, margin, trainer_id
         from runner join horse on horse.id = horse_id order by horse_no`,
      ),
    ).toMatchObject([
      {
        id: 'HK-Z901',
        status: 'finished',
        place: 1,
        deadHeat: true,
        margin: null,
        trainerId: 'HK-A Trainer',
      },
      { id: 'HK-Z902', status: 'finished', place: 1, deadHeat: true, trainerId: null },
      { id: 'HK-CZ903', status: 'finished', place: 3, deadHeat: false, margin: 'NK' },
      { id: 'HK-Z904', margin: 'SH' },
      { id: 'HK-Z905', margin: 'N' },
      { id: 'HK-Z906', status: 'unfinished', place: null, placeCode: 'PU' },
      { id: 'HK-Z907', horseNo: 7, status: 'withdrawn', placeCode: 'WV-A' },
    ])
    expect(
      await place.database.rows(
        `select id, name_en, race_class, track, course, going, prize_cents, status, places from race order by id`,
      ),
    ).toEqual([
      {
        id: RACE,
        nameEn: 'The Trial Cup (Handicap)',
        raceClass: 'G3',
        track: 'turf',
        course: 'C+3',
        going: 'good_to_firm',
        prizeCents: 117_000_000,
        status: 'final',
        places: 3,
      },
      expect.objectContaining({ id: 'HKSHT2019030602', nameEn: 'Lost Handicap', status: 'abandoned' }),
    ])
    expect(await dividends(place)).toEqual([
      'win 1 1500',
      'win 2 2000',
      'place 1 1250',
      'quinella 1-2 228900',
      'quartet 1-2-3-4 unknown',
      'double 5/1 8050',
      'double 5/2 6050',
    ])
    expect(report.passedOver).toEqual({
      'consolations of doubles': 1,
      'dividends of TRIPLE TRIO': 1,
      'dividends of JOCKEY CHALLENGE': 1,
      meetings: 1,
    })
    expect(rejectLines(report.rejects).toSorted()).toEqual([
      'dividends.csv:12 two-amounts',
      'dividends.csv:13 unknown-pool',
      'dividends.csv:14 wrong-number-of-cells',
    ])
    expect(reportLines(report).join('\n')).toContain('passed over: 1 (meetings)')
    const before = await storedRows(place)
    expect(changesOf(await importAs(place, HK_EN_FORMAT, PAGES))).toBe(0)
    expect(await storedRows(place)).toEqual(before)
  }))

test('Chinese results complete names of English ones by the same rule, and no person is there twice', () =>
  withDatabase(async (place) => {
    await importAs(place, HK_EN_FORMAT, ENGLISH)
    const report = await importAs(place, HK_FORMAT, { 'results.csv': CHINESE['results.csv'] })
    expect(report.rejects).toEqual([])
    expect(await place.database.rows('select id, name_en, name_hant from jockey')).toEqual([
      { id: 'HK-A Rider', nameEn: 'A Rider', nameHant: '潘試' },
    ])
    expect(
      await place.database.rows(`select id, name_en, name_hant from horse where id = 'HK-Z901'`),
    ).toEqual([{ id: 'HK-Z901', nameEn: 'Trial Horse 1', nameHant: '試馬1' }])
  }))

test('a format is recognised by its columns, and says why', async () => {
  const { format, why } = await formatNamed('auto', [writeFiles(ENGLISH)])
  expect(format.name).toBe('hk-en')
  expect(why).toContain('3 of 3 files have its columns')
  expect(why).toContain('results: 1 file with racecourse, date, race_no')
  expect((await formatNamed('auto', [writeFiles(PAGES)])).format.name).toBe('hk-en')
  expect((await formatNamed('auto', [writeFiles(CHINESE)])).format.name).toBe('hk')
  expect(await formatNamed('us', [])).toMatchObject({ format: { name: 'us' }, why: null })
  await expect(formatNamed('klingon', [])).rejects.toMatchObject({ code: 'bad-arguments' })
})

test('of files that fit no format, the nearest is named with the columns that are missing', async () => {
  const folder = writeFiles({ 'mine.csv': csv(RUNNERS.replace(',brand,', ',mark,'), runner(1)) })
  const refused = await formatNamed('auto', [folder]).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(FurlongError)
  expect(refused).toMatchObject({ code: 'no-format', details: { file: 'mine.csv' } })
  expect((refused as FurlongError).details['missing']).toMatch(/^hk-en, results: brand; /)
})

const REAL = fileURLToPath(new URL('../../../shared/data/hk-en', import.meta.url))

test.skipIf(!existsSync(REAL))(
  'a real season in English (skipped where ../shared/data/hk-en is missing)',
  () =>
    withDatabase(async (place) => {
      const paths = ['runners', 'races', 'dividends'].map((kind) => `${REAL}/${kind}-2016-17.csv`)
      const report = await importFiles(place.database, {
        format: HK_EN_FORMAT,
        paths,
        replaceDemonstration: false,
      })
      // The winner of one race was disqualified after its pools had paid on it, and is none of the runners.
      expect(new Set(report.rejects.map(({ kind, detail }) => `${kind} ${detail.slice(0, 15)}`))).toEqual(
        new Set(['no-such-runner HKHAV2017062103']),
      )
      expect([report.differing, report.unknown]).toEqual([[], []])
      expect(report.tables['race']!.inserted).toBeGreaterThan(700)
      expect(report.tables['runner']!.inserted).toBeGreaterThan(9000)
      const [ties] = await place.database.rows<{ wrong: number }>(
        `select count(*)::int as wrong from (select race_id, count(*) as winners, bool_or(dead_heat) as tied
         from runner where place = 1 group by 1) w where winners <> case when tied then 2 else 1 end`,
      )
      expect(ties!.wrong).toBe(0)
    }),
)
