// @module-tag rest
import { describe, expect, test } from 'vitest'
import { NETKEIBA_FORMAT } from '../../server/ingest/jp/netkeiba-format.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
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

const RESULTS =
  'race_id,race_number,race_name,surface,distance_m,weather,going,start_time,race_date,racecourse,finish_pos,waku,umaban,horse_id,horse_name,sex_age,kinryo,jockey_id,jockey_name,time,margin,passing_order,last_3f,odds_final,popularity,weight,trainer_id,trainer_name,owner_id,owner_name,prize'
const PAYOUTS = 'race_id,bet_type,rank,combination,payout,popularity'
const PANDAS =
  ',着順,枠番,馬番,馬名,性齢,斤量,騎手,タイム,着差,単勝,人気,馬体重,調教師,course_len,weather,race_type,ground_state,date,class,horse_id,jockey_id,通過,上り'

const ID = '202605029911'
const RACE = 'JPTOK2026053111'

interface Runner {
  id?: string
  name?: string
  surface?: string
  place?: string
  kinryo?: string
  time?: string
  margin?: string
  odds?: string
  weight?: string
  prize?: string
}

/** Runner `no` of an invented race at Tokyo; without other cells it has the place of its number. */
function runner(no: number, of: Runner = {}): string {
  const { id = ID, name = '試験ステークス(OP)', surface = '芝', place = String(no), kinryo = '57' } = of
  const {
    time = `1:3${no}.0`,
    margin = no === 1 ? '' : '2',
    odds = `${no}.5`,
    weight = '480(+2)',
    prize = '',
  } = of
  return `${id},${Number(id.slice(-2))},${name},${surface},1600,晴,良,15:45,2026-05-31,東京,${place},1,${no},202310990${no},テストバ${no},牡3,${kinryo},0${no},試験騎手${no},${time},${margin},${no}-${no},34.0,${odds},${no},${weight},09,[東]試験調教師,1,試験,${prize}`
}
const eight = (of: Runner = {}): string[] => [1, 2, 3, 4, 5, 6, 7, 8].map((no) => runner(no, of))
const payout = (pool: string, combination: string, yen: string, id = ID): string =>
  `${id},${pool},1,${combination},"${yen}",1`

const runners = ({ database }: TestDatabase, raceId = RACE): Promise<Record<string, unknown>[]> =>
  database.rows(
    `select horse_no, status, place, place_code, dead_heat, margin, finish_time_ms, win_odds, actual_weight_lb,
       declared_weight_lb, running_position from runner where race_id = $1 order by 1`,
    [raceId],
  )

const lines = (place: TestDatabase): Promise<string[]> =>
  place.database
    .rows<{ shown: string }>(
      `select pool || ' ' || combination || ' ' || dividend_cents as shown from dividend
       order by gameplay_class, dividend_cents`,
    )
    .then((rows) => rows.map(({ shown }) => shown))

const FIELD = [
  runner(1, { prize: '560.0' }),
  runner(2, { margin: 'クビ', time: '1:31.1', prize: '220.0' }),
  runner(3, { margin: '1.3/4', kinryo: '57.5', weight: '計不' }),
  runner(4, { place: '3', margin: '同着' }),
  runner(5, { place: '5', margin: '大' }),
  runner(6, { place: '中', time: '', margin: '' }),
  runner(7, { place: '取', time: '', margin: '', odds: '---', weight: '---' }),
  runner(8, { place: '除', time: '', margin: '', odds: '---' }),
]
const POOLS = [
  payout('単勝', '1', '150'),
  payout('複勝', '1', '100'),
  payout('複勝', '2', '210'),
  payout('複勝', '3', '130'),
  payout('複勝', '4', '180'),
  payout('枠連', '1 - 1', '400'),
  payout('馬連', '1 - 2', '1,230'),
  payout('ワイド', '1 - 2', '340'),
  payout('馬単', '1 → 2', '2230'),
  payout('3連複', '3 - 2 - 1', '3,330'),
  payout('３連単', '1 → 2 → 3', '98,760円'),
]

describe('netkeiba: results and payouts of the JRA', () => {
  test('a race with a dead heat, non-finishers and non-starters, and every pool for 100 yen', () =>
    withDatabase(async (place) => {
      const files = { 'results.csv': csv(RESULTS, ...FIELD), 'payouts.csv': csv(PAYOUTS, ...POOLS) }
      const { format } = await formatNamed('auto', [writeFiles(files)])
      expect(format).toBe(NETKEIBA_FORMAT)
      const report = await importAs(place, NETKEIBA_FORMAT, files)
      expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
      expect(report.passedOver).toEqual({ 'lines of 枠連 (bets on brackets)': 1 })
      expect(report.nonStarters).toBe(2)
      expect(
        await place.database.rows(
          `select id, region_id, starts_at::text, race_class, name_hant, track, distance_m, going, weather, prize_cents,
             winning_time_ms, declared_starters, places from race`,
        ),
      ).toEqual([
        {
          id: RACE,
          regionId: '100392',
          startsAt: expect.stringContaining('2026-05-31 06:45:00'),
          raceClass: 'オープン',
          nameHant: '試験ステークス(OP)',
          track: 'turf',
          distanceM: 1600,
          going: 'firm',
          weather: 'fine',
          // 7.8 million yen, in hundredths.
          prizeCents: 780_000_000,
          winningTimeMs: 91_000,
          declaredStarters: 8,
          places: 3,
        },
      ])
      const stored = await runners(place)
      expect(stored.map(({ status, place: at, placeCode }) => [status, at, placeCode])).toEqual([
        ['finished', 1, null],
        ['finished', 2, null],
        ['finished', 3, null],
        ['finished', 3, null],
        ['finished', 5, null],
        ['unfinished', null, 'DNF'],
        ['withdrawn', null, 'WX'],
        ['withdrawn', null, 'WX'],
      ])
      expect(stored.map(({ deadHeat }) => deadHeat).slice(0, 5)).toEqual([false, false, true, true, false])
      // A neck, and 1-3/4 behind it, and then more than ten lengths.
      expect(stored.map(({ margin }) => margin)).toEqual([null, 'NK', '2.05', '2.05', 'ML', null, null, null])
      expect(stored[2]).toMatchObject({
        actualWeightLb: 127,
        declaredWeightLb: null,
        winOdds: 3.5,
        finishTimeMs: 93_000,
        runningPosition: '3 3',
      })
      expect(stored[0]).toMatchObject({ actualWeightLb: 126, declaredWeightLb: 1058 })
      expect(await lines(place)).toEqual([
        'win 1 1500',
        'place 1 1000',
        'place 3 1300',
        'place 4 1800',
        'place 2 2100',
        'quinella 1-2 12300',
        'quinella_place 1-2 3400',
        'forecast 1-2 22300',
        'trio 1-2-3 33300',
        'tierce 1-2-3 987600',
      ])
      const [person] = await place.database.rows(
        `select horse.id, horse.name_en, horse.name_hant, jockey.name_hant as jockey, trainer.name_hant as trainer
         from runner join horse on horse.id = horse_id join jockey on jockey.id = jockey_id
         join trainer on trainer.id = trainer_id where horse_no = 1`,
      )
      expect(person).toEqual({
        id: 'JP-2023109901',
        nameEn: 'テストバ1',
        nameHant: 'テストバ1',
        jockey: '試験騎手1',
        trainer: '試験調教師',
      })
      const before = await storedRows(place)
      expect(changesOf(await importAs(place, NETKEIBA_FORMAT, files))).toBe(0)
      expect(await storedRows(place)).toEqual(before)
      // The race is priced and settled like any other.
      await scoreStaleRaces(place.database)
    }))

  test('a demoted horse has its place, and no margin behind it is known', () =>
    withDatabase(async (place) => {
      const field = [
        runner(1),
        runner(2, { place: '2' }),
        runner(3, { place: '3(降)', time: '1:30.0', margin: 'ハナ' }),
        runner(4, { margin: '1/2' }),
        runner(5, { place: '失', time: '', margin: '' }),
      ]
      const report = await importAs(place, NETKEIBA_FORMAT, { 'r.csv': csv(RESULTS, ...field) })
      expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
      const stored = await runners(place)
      expect(stored.map(({ place: at, placeCode, margin }) => [at, placeCode, margin])).toEqual([
        [1, null, null],
        [2, null, '2'],
        [3, null, null],
        [4, null, null],
        [null, 'DISQ', null],
      ])
    }))

  test('jumps, which have the surface of turf, dirt, a race without surface, and local racing', () =>
    withDatabase(async (place) => {
      const at = (raceNo: string, of: Runner): string[] =>
        eight({ ...of, id: `2026050299${raceNo}`, time: `1:4${raceNo.slice(1)}.0` })
      const report = await importAs(place, NETKEIBA_FORMAT, {
        'r.csv': csv(
          RESULTS,
          ...at('01', { name: '障害3歳以上未勝利' }),
          ...at('02', { name: '試験ジャンプS(JGIII)' }),
          ...at('03', { name: '3歳未勝利', surface: 'ダ' }),
          ...at('04', { name: '第9回試験S(GII)', surface: '' }),
          ...eight({ id: '202644053111' }),
        ),
      })
      expect([report.rejects, report.unknown]).toEqual([[], []])
      expect(report.passedOver).toEqual({ 'races of local racing': 8 })
      expect(
        await place.database.rows('select race_no, race_class, track, course, going from race order by 1'),
      ).toEqual([
        { raceNo: 1, raceClass: '障害未勝利', track: 'turf', course: 'chase', going: 'firm' },
        { raceNo: 2, raceClass: 'JG3', track: 'turf', course: 'chase', going: 'firm' },
        { raceNo: 3, raceClass: '未勝利', track: 'dirt', course: null, going: 'standard' },
        // 良 is another going on dirt.
        { raceNo: 4, raceClass: 'G2', track: null, course: null, going: null },
      ])
    }))

  test('figures that cannot be stored and cells that are no text are unknown, with their lines', () =>
    withDatabase(async (place) => {
      const field = [
        runner(1, { prize: '"2,200万"', kinryo: '99999' }),
        runner(2, { margin: '#NAME?', prize: '880' }),
        runner(3, { kinryo: '0', odds: '0.5' }),
        runner(4, { kinryo: '-57', odds: '1e300' }),
        ...[1, 2].map((no) => runner(no, { id: '202605029912', prize: no === 1 ? '#VALUE!' : '-5' })),
      ]
      const report = await importAs(place, NETKEIBA_FORMAT, { 'r.csv': csv(RESULTS, ...field) })
      expect([report.rejects, report.noted]).toEqual([[], []])
      expect(rejectLines(report.unknown)).toEqual([
        'r.csv:2 not-a-number',
        'r.csv:2 out-of-range',
        'r.csv:3 spreadsheet-error',
        'r.csv:4 out-of-range',
        'r.csv:4 odds-out-of-range',
        'r.csv:5 out-of-range',
        'r.csv:5 odds-out-of-range',
        'r.csv:6 spreadsheet-error',
        'r.csv:7 out-of-range',
      ])
      expect(report.unknown[0]!.detail).toContain('prize: 2,200万')
      expect(report.unknown[1]!.detail).toContain('kinryo: 99999')
      expect(await place.database.rows('select prize_cents from race')).toEqual([
        { prizeCents: null },
        { prizeCents: null },
      ])
      const stored = await runners(place)
      expect(stored.map(({ actualWeightLb, winOdds, margin }) => [actualWeightLb, winOdds, margin])).toEqual([
        [null, 1.5, null],
        [126, 2.5, null],
        [null, null, null],
        [null, null, null],
      ])
    }))

  test('what cannot be read is told with its line, and payouts need the results', () =>
    withDatabase(async (place) => {
      const folder = {
        'results.csv': csv(
          RESULTS,
          runner(1),
          runner(2, { margin: '二馬身', weight: '重い' }),
          runner(3, { odds: '0' }),
          ...eight({ id: '202605029912', place: 'x' }).slice(0, 1),
          runner(1, { id: '20260502', place: '1' }),
        ),
        'payouts.csv': csv(
          PAYOUTS,
          payout('単勝', '1', '百円'),
          payout('単勝', '1 - 2', '150'),
          payout('5重勝', '1', '150'),
          payout('複勝', '1', '110', '202605029901'),
          payout('単勝', '1', '150'),
        ),
      }
      const report = await importAs(place, NETKEIBA_FORMAT, folder)
      expect(rejectLines(report.rejects)).toEqual([
        'results.csv:5 unknown-place-code',
        'results.csv:6 bad-race-id',
        'payouts.csv:2 bad-dividend',
        'payouts.csv:3 bad-combination',
        'payouts.csv:4 unknown-pool',
        'payouts.csv:5 no-joined-row',
      ])
      expect(rejectLines(report.unknown)).toEqual([
        'results.csv:3 not-a-weight',
        'results.csv:4 odds-out-of-range',
      ])
      expect(rejectLines(report.noted)).toEqual(['results.csv:3 not-a-margin'])
      expect(await lines(place)).toEqual(['win 1 1500'])
      const alone = importAs(place, NETKEIBA_FORMAT, { 'payouts.csv': folder['payouts.csv'] })
      await expect(alone).rejects.toMatchObject({ code: 'file-needed' })
    }))
})

/** The bytes of a text in Windows' Japanese encoding, which Node decodes but does not encode. */
function inWindowsJapanese(text: string): Buffer {
  const decoder = new TextDecoder('shift_jis')
  const codes = new Map<string, number[]>()
  for (let first = 0x81; first <= 0xfc; first += 1)
    for (let second = 0x40; second <= 0xfc; second += 1)
      codes.set(decoder.decode(Uint8Array.of(first, second)), [first, second])
  return Buffer.from(Array.from(text).flatMap((each) => codes.get(each) ?? [each.charCodeAt(0)]))
}

/** Runner `no` of an invented race in the header of the pages, as pandas saves it. */
const pandasRow = (
  no: number,
  { place = `${no}`, time = `0:2:0${no}.2`, margin = no === 1 ? '' : '1.1/4' } = {},
): string =>
  `201901019901,${place},1,${no},テストバ${no},牡3,5${no}.5,Ｍ．試験${no},${time},${margin},${no}.5,${no}.0,448(+14),[西] 試験調教師,2000,曇,芝,稍重,2019年07月27日,3歳未勝利,201610990${no},0110${no},${no}-${no}-${no}-${no},35.1`

describe('netkeiba: results with the header of its pages', () => {
  const content = csv(
    PANDAS,
    ...[1, 2, 3, 4, 5, 6].map((no) => pandasRow(no)),
    pandasRow(7, { place: '除', time: '' }),
  )

  test.each(['utf8', 'cp932'])('as pandas saves them, in %s', (encoding) =>
    withDatabase(async (place) => {
      const files = { 'r.csv': encoding === 'utf8' ? content : inWindowsJapanese(content) }
      const { format } = await formatNamed('auto', [writeFiles(files)])
      expect(format).toBe(NETKEIBA_FORMAT)
      const report = await importAs(place, NETKEIBA_FORMAT, files)
      expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
      expect(
        await place.database.rows(
          'select id, name_hant, race_class, track, distance_m, going, weather, winning_time_ms, places from race',
        ),
      ).toEqual([
        {
          id: 'JPSAP2019072701',
          nameHant: null,
          raceClass: '未勝利',
          track: 'turf',
          distanceM: 2000,
          going: 'good',
          weather: 'cloudy',
          winningTimeMs: 121_200,
          places: 2,
        },
      ])
      const stored = await runners(place, 'JPSAP2019072701')
      expect(stored.map(({ margin }) => margin)).toEqual([
        null,
        '1-1/4',
        '2-1/2',
        '3-3/4',
        '5',
        '6-1/4',
        null,
      ])
      expect(stored[1]).toMatchObject({
        actualWeightLb: 116,
        finishTimeMs: 122_200,
        runningPosition: '2 2 2 2',
      })
      expect(
        await place.database.rows('select distinct name_hant from jockey where id like $1', ['%1']),
      ).toEqual([{ nameHant: 'M.試験1' }])
      expect(changesOf(await importAs(place, NETKEIBA_FORMAT, files))).toBe(0)
    }),
  )

  test('a file in UTF-8 with a bad byte is one in UTF-8', () =>
    withDatabase(async (place) => {
      const bytes = Buffer.from(content)
      const at = bytes.indexOf('試験3')
      bytes[at] = 0xff
      const report = await importAs(place, NETKEIBA_FORMAT, { 'r.csv': bytes })
      expect([report.rejects, report.noted]).toEqual([[], []])
      expect(report.unknown.map(({ kind, line, detail }) => `${line} ${kind} ${detail}`)).toEqual([
        '4 unreadable-characters 騎手',
      ])
      expect(await place.database.rows('select name_hant from horse order by 1 limit 1')).toEqual([
        { nameHant: 'テストバ1' },
      ])
    }))

  test('races over jumps have no surface here', () =>
    withDatabase(async (place) => {
      const jump = content.replaceAll(',芝,', ',障害,').replaceAll('3歳未勝利', '3歳以上オープン')
      const report = await importAs(place, NETKEIBA_FORMAT, { 'r.csv': jump })
      expect([report.rejects, report.unknown]).toEqual([[], []])
      expect(await place.database.rows('select race_class, track, course, going from race')).toEqual([
        { raceClass: '障害オープン', track: null, course: 'chase', going: 'good' },
      ])
    }))

  test('without a column of the day, the message names it', () =>
    withDatabase(async (place) => {
      const files = { 'r.csv': content.replace(',date,', ',day,') }
      await expect(importAs(place, NETKEIBA_FORMAT, files)).rejects.toMatchObject({
        code: 'not-this-format',
        details: { missing: expect.stringContaining('Japanese results: date') },
      })
    }))
})
