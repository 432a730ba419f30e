// @module-tag rest
import { describe, expect, test } from 'vitest'
import { UNITED_STATES } from '../../domain/region.ts'
import { explainFiles } from '../../server/ingest/explain.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { BRIS_FORMAT } from '../../server/ingest/us/bris-format.ts'
import { US_FORMAT } from '../../server/ingest/us/us-format.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { HEADLINE } from '../../server/model/headline.ts'
import { listMeetingResults } from '../../server/store/racing/prediction-store.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import {
  brisExotic,
  brisFiles,
  brisMutuel,
  brisRace,
  brisRunner,
  brisScratched,
  brisWinner,
} from '../support/bris-files.ts'
import type { TestDatabase } from '../support/databases.ts'
import {
  changesOf,
  importAs,
  rejectLines,
  storedRows,
  withDatabase,
  writeFiles,
} from '../support/import-files.ts'

const RACE = 'USBEL2018092901'

const runners = ({ database }: TestDatabase, raceId = RACE): Promise<Record<string, unknown>[]> =>
  database.rows(
    `select horse.name_en as horse, horse_no, entry_no, draw, runner.status, place, place_code, dead_heat, margin,
       running_position, win_odds, finish_time_ms
     from runner join horse on horse.id = horse_id where race_id = $1 order by horse.name_en`,
    [raceId],
  )

const lines = ({ database }: TestDatabase): Promise<string[]> =>
  database
    .rows<{ shown: string }>(
      `select race_id || ' ' || pool || ' ' || combination || ' ' || dividend_cents as shown from dividend
       order by race_id, gameplay_class, combination`,
    )
    .then((rows) => rows.map(({ shown }) => shown))

/** Seven horses, of which 1 and 1A are an entry, which wins; two share the second place of the others, and one falls. */
const DAY = {
  1: [
    brisRace({ 37: 6, 55: 'Invented S.', 13: 'G2' }),
    brisRace({ 3: 2, 37: 3, 9: 'T', 38: 'YL', 50: '00140' }),
  ],
  2: [
    brisScratched(7),
    brisRunner(1, '1A', { 5: 'Caf\u00E9 Noir (FR)', 6: 'FR', 31: 2.6 }),
    brisRunner(2, '13', { 73: 0.25 }),
    brisRunner(3, '4', { 60: 2, 61: 2, 73: 0.25, 80: 'DH' }),
    brisRunner(4, '1', { 31: 2.6, 73: 4.6 }),
    brisRunner(5, '2', { 31: 17.9 }),
    brisRunner(6, '10', { 60: 6, 61: 6, 73: 99.99 }),
    brisRunner(8, '3', { 3: 2, 60: 1, 61: 1, 73: 0 }),
    brisRunner(9, '2A', { 3: 2, 60: 2, 61: 2, 73: 0.05 }),
    brisRunner(10, '5', { 3: 2, 60: 3, 61: 3, 73: 2 }),
    brisScratched(11, { 3: 2 }),
  ],
  3: [
    brisMutuel('1A', [7.2, 3.3, 2.6]),
    brisMutuel('13', ['', 5, 3.2]),
    brisMutuel('4', ['', 2.7, 2.4]),
    brisMutuel('3', [9, 4.4], { 3: 2 }),
    brisMutuel('2A', ['', 5], { 3: 2 }),
    brisMutuel('5', [], { 3: 2 }),
  ],
  4: [
    brisExotic('Exacta', [1, 16.8], '1-13'),
    brisExotic('Exacta', [1, 8.4], '1-4'),
    brisExotic('Quinella', [2, 20.4], '1-13/4'),
    brisExotic('Trifecta', [0.5, 17.12], '1-13-4'),
    brisExotic('Superfecta', [0.1, 6.87], '1-13-4-2'),
    brisExotic('Superfecta', [0.1, 2.5], '1-4-13-ALL'),
    brisExotic('Daily Double', [1, 26], '1-3', { 3: 2 }),
    brisExotic('Exacta', [1, 14.3], '3-2', { 3: 2 }),
    brisExotic('Pick Three', [0.5, 75.25], '4-6-11', { 3: 2, 8: 3 }),
    brisExotic('Jockey Challenge', [2, 5.6], 'PLACE 10', { 3: 2 }),
    brisExotic('Trifecta', [0.5, 0], '3-2-5', { 3: 2 }),
  ],
  5: [brisWinner(1, { 5: 'Caf\u00E9 Noir (FR)' }), brisWinner(8, { 3: 2 })],
  6: ['"BEL","20180929",1,"D","Nobody reads this text."'],
}

describe('charts of BRIS', () => {
  test('are recognised without a header, and every line is read', () =>
    withDatabase(async (place) => {
      const files = { ...brisFiles(DAY), 'import.log.1': 'no chart' }
      const { format, why } = await formatNamed('auto', [writeFiles(files)])
      expect(format).toBe(BRIS_FORMAT)
      expect(why).toContain('5 of 5 files have its columns')
      expect(why).toContain(
        String.raw`results: 1 file without a header named "\.2$", of 99 cells that begin with track, date, race, card`,
      )
      const report = await importAs(place, BRIS_FORMAT, files)
      expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
      expect(report.nonStarters).toBe(2)
      expect(report.passedOver).toEqual({
        'pays of show bets': 3,
        'horses that paid nothing': 1,
        'lines of Superfecta that any horse completes (ALL)': 1,
        'lines of Pick Three': 1,
        'lines of Jockey Challenge': 1,
        'lines of Trifecta that paid nothing': 1,
      })
      expect(
        await place.database.rows(
          `select id, region_id, name_en, starts_at::text, race_class, track, distance_m, going, weather, prize_cents,
             winning_time_ms, declared_starters, places from race order by id`,
        ),
      ).toEqual([
        {
          id: RACE,
          regionId: '100840',
          nameEn: 'Invented S.',
          startsAt: expect.stringContaining('2018-09-29 17:04:00'),
          raceClass: 'G2',
          track: 'dirt',
          distanceM: 1207,
          going: 'fast',
          weather: 'fine',
          prizeCents: 6_200_000,
          winningTimeMs: 70_330,
          declaredStarters: 6,
          places: 2,
        },
        // The conditions, which are cut in the middle of a word, are no name.
        expect.objectContaining({ nameEn: null, raceClass: 'MSW62000', track: 'turf', going: 'yielding' }),
      ])
      const before = await storedRows(place)
      expect(changesOf(await importAs(place, BRIS_FORMAT, files))).toBe(0)
      expect(await storedRows(place)).toEqual(before)
    }))

  test('horses have their numbers of the program, and an entry is one bet', () =>
    withDatabase(async (place) => {
      await importAs(place, BRIS_FORMAT, brisFiles(DAY))
      const stored = await runners(place)
      expect(stored.map(({ horse, horseNo, entryNo, draw }) => [horse, horseNo, entryNo, draw])).toEqual([
        ['Caf\u00E9 Noir (FR)', 31, 1, 2],
        ['Trial Horse 2', 13, null, 3],
        ['Trial Horse 3', 4, null, 4],
        ['Trial Horse 4', 1, 1, 5],
        ['Trial Horse 5', 2, null, 6],
        ['Trial Horse 6', 10, null, 7],
        ['Trial Horse 7', null, null, null],
      ])
      expect(
        stored.map(({ status, place: at, placeCode, deadHeat }) => [status, at, placeCode, deadHeat]),
      ).toEqual([
        ['finished', 1, null, false],
        ['finished', 2, null, true],
        ['finished', 2, null, true],
        ['finished', 4, null, false],
        ['finished', 5, null, false],
        ['unfinished', null, 'DNF', false],
        ['withdrawn', null, 'SCR', false],
      ])
      expect(stored.map(({ margin }) => margin)).toEqual([null, 'NK', 'NK', '4.6', '4', null, null])
      expect(stored.map(({ winOdds }) => winOdds)).toEqual([3.6, 4.5, 5.5, 3.6, 18.9, 8.5, null])
      expect(stored[0]).toMatchObject({ runningPosition: '3 2 2 2 1', finishTimeMs: 70_330 })
      // Of the entry of the second race one horse ran, and has its number.
      const second = await runners(place, 'USBEL2018092902')
      expect(second.find(({ horse }) => horse === 'Trial Horse 9')).toMatchObject({
        horseNo: 2,
        entryNo: null,
      })
      expect(await lines(place)).toEqual([
        `${RACE} win 1 3600`,
        `${RACE} place 1 1650`,
        `${RACE} place 13 2500`,
        `${RACE} place 4 1350`,
        `${RACE} quinella 1-13 10200`,
        `${RACE} quinella 1-4 10200`,
        `${RACE} forecast 1-13 16800`,
        `${RACE} forecast 1-4 8400`,
        `${RACE} tierce 1-13-4 34240`,
        `${RACE} quartet 1-13-4-2 68700`,
        'USBEL2018092902 win 3 4500',
        'USBEL2018092902 place 2 2500',
        'USBEL2018092902 place 3 2200',
        'USBEL2018092902 forecast 3-2 14300',
        'USBEL2018092902 double 1/3 26000',
      ])
      const [winner] = await place.database.rows(
        `select horse.id, sire, dam, dam_sire, jockey.name_en as jockey from runner join horse on horse.id = horse_id
         join jockey on jockey.id = jockey_id where race_id = $1 and horse_no = 31`,
        [RACE],
      )
      expect(winner).toMatchObject({
        id: expect.stringMatching(/^US-CAFENOIRFR/),
        sire: 'A Sire',
        dam: 'A Dam',
        damSire: 'Her Sire',
        jockey: 'Trial 1. Rider, Jr.',
      })
      expect((await scoreStaleRaces(place.database)).unsettled).toEqual([])
      const settled = await place.database.rows<{ key: string; profitCents: number | null }>(
        `select gameplay_class || ' ' || combination as key, profit_cents from prediction
         join settlement using (race_id, model_id, gameplay_class, rank) where race_id = $1`,
        [RACE],
      )
      expect(settled.find(({ key }) => key === '1 1')?.profitCents).toBe(2600)
      const seen = { from: null, customerId: null, limitedClass: null, limitedRaces: 0 }
      const meetings = { ...seen, regionId: UNITED_STATES.id, today: '2018-09-30' }
      const results = await listMeetingResults(place.database, HEADLINE, meetings, 'en')
      expect(results[0]).toMatchObject({ raceId: RACE, horseNumber: 1, outcome: 'hit', rank: 1 })
      expect(JSON.parse(results[0]!.winners)).toMatchObject([{ horseNumber: 31, dividendCents: 3600 }])
      // No bet is on the second horse of the entry alone.
      expect(settled.filter(({ key }) => /\b31\b/.test(key))).toEqual([])
    }))

  test('a race off the turf has the surface it was run on, a race over jumps its fences', () =>
    withDatabase(async (place) => {
      const three = (raceNo: number): string[] =>
        [1, 2, 3].map((no) => brisRunner(no, `${no}`, { 3: raceNo, 5: `H ${raceNo}${no}` }))
      const report = await importAs(
        place,
        BRIS_FORMAT,
        brisFiles({
          1: [
            brisRace({ 37: 3, 9: 'D', 58: 'O' }),
            brisRace({ 3: 2, 37: 3, 9: 'A', 38: 'FT', 5: 6.5, 6: 'F' }),
            brisRace({ 3: 3, 37: 3, 9: 't', 38: 'SF', 55: 'Invented Hurdle S.', 5: 3740, 44: 41.43 }),
            brisRace({ 3: 4, 37: 3, 13: '1C', 38: 'ZZ', 63: 'Foggy', 50: 'late' }),
          ],
          2: [1, 2, 3, 4].flatMap(three),
        }),
      )
      expect(report.rejects).toEqual([])
      // Told once, with the line of the race.
      expect(rejectLines(report.unknown)).toEqual([
        'BEL09292018.1:3 not-a-time',
        'BEL09292018.1:4 bad-time',
        'BEL09292018.1:4 unknown-going',
      ])
      expect(
        await place.database.rows(
          'select track, course, going, distance_m, race_class, weather, winning_time_ms from race order by race_no',
        ),
      ).toMatchObject([
        { track: 'dirt', course: null, going: 'fast' },
        { track: 'awt', going: 'awt_fast', distanceM: 1308 },
        { track: 'turf', course: 'hurdle', going: 'soft', distanceM: 3420, winningTimeMs: null },
        { raceClass: 'G1', going: null, weather: 'Foggy' },
      ])
    }))

  test('behind a winner that did not finish first, no margin is known', () =>
    withDatabase(async (place) => {
      const field = [
        brisRunner(1, '1', { 60: 1, 61: 2, 73: 0 }),
        brisRunner(2, '2', { 60: 2, 61: 1, 73: 0.5 }),
        brisRunner(3, '3', { 60: 3, 61: 3, 73: 3, 31: 0, 32: 'Y' }),
        brisRunner(4, '4', { 60: 4, 61: 4, 73: 5, 31: 0 }),
      ]
      const report = await importAs(place, BRIS_FORMAT, brisFiles({ 1: [brisRace({ 37: 4 })], 2: field }))
      expect([report.rejects, report.noted]).toEqual([[], []])
      // A horse without bets has no odds; of another one they are missing.
      expect(rejectLines(report.unknown)).toEqual(['BEL09292018.2:4 odds-out-of-range'])
      const stored = await runners(place)
      expect(stored.map(({ place: at, margin, winOdds }) => [at, margin, winOdds])).toEqual([
        [2, null, 3.5],
        [1, null, 4.5],
        [3, null, null],
        [4, null, null],
      ])
      // The time of the race is that of the horse that was disqualified.
      expect(stored.map(({ finishTimeMs }) => finishTimeMs)).toEqual([null, null, null, null])
    }))

  test('a race with more horses than started is left out, and one that two lines tell differently is told', () =>
    withDatabase(async (place) => {
      const three = (raceNo: number): string[] =>
        [1, 2, 3].map((no) => brisRunner(no, `${no}`, { 3: raceNo, 5: `H ${raceNo}${no}` }))
      const report = await importAs(
        place,
        BRIS_FORMAT,
        brisFiles({
          1: [
            brisRace({ 37: 2 }),
            brisRace({ 3: 2, 37: 3 }),
            brisRace({ 3: 2, 37: 3 }),
            brisRace({ 3: 2, 37: 3, 5: 1540, 38: 'GD' }),
          ],
          2: [...three(1), ...three(2)],
        }),
      )
      expect(report.rejects).toMatchObject([
        { kind: 'runners-too-many', line: 1, detail: `${RACE}: 3 of 2` },
        { kind: 'runners-too-many', file: 'BEL09292018.1', line: 1 },
      ])
      expect(report.noted).toEqual([
        {
          kind: 'race-facts-differ',
          file: 'BEL09292018.2',
          line: 4,
          detail: 'USBEL2018092902: distance: 1540, and 1320 before; going: GD, and FT before',
        },
      ])
      expect(await place.database.rows('select id, distance_m, going from race')).toEqual([
        { id: 'USBEL2018092902', distanceM: 1207, going: 'fast' },
      ])
    }))

  test('what cannot be read is told with its line, and its race is left out', () =>
    withDatabase(async (place) => {
      const four = (raceNo: number, cells = {}): string[] =>
        [1, 2, 3, 4].map((no) => brisRunner(no, `${no}`, { 3: raceNo, 5: `H ${raceNo}${no}`, ...cells }))
      const report = await importAs(
        place,
        BRIS_FORMAT,
        brisFiles({
          1: [...[1, 2, 3, 4, 5].map((raceNo) => brisRace({ 3: raceNo, 37: 4 })), brisRace({ 1: 'QQ' })],
          2: [
            ...four(1),
            ...four(2).slice(0, 3),
            brisRunner(1, '1Z', { 3: 3 }),
            ...four(3).slice(1),
            `${four(4)[0]!},""`,
            ...four(4).slice(1),
            brisRunner(1, '1', { 3: 9 }),
            brisRunner(1, '1', { 1: 'QQ' }),
          ],
          3: [
            brisMutuel('1', [5, 3], {}),
            brisMutuel('9', ['', 4]),
            brisMutuel('1', [5, 3], { 3: 2 }),
            brisMutuel('2', ['', '4.x']),
          ],
          4: [
            brisExotic('Exacta', [1, 8.4], '1-2-3'),
            brisExotic('Exacta', [1, 8.4], '1-1'),
            brisExotic('Exacta', [1, 8.4], 'A-1'),
            brisExotic('Daily Double', [1, 8.4], '1-2-3'),
            brisExotic('Exacta', [0, 8.4], '1-2'),
            brisExotic('Exacta', [1, 9.4], '1-2'),
          ],
        }),
      )
      expect(rejectLines(report.rejects)).toEqual([
        'BEL09292018.2:8 no-saddle-number',
        'BEL09292018.2:12 wrong-number-of-cells',
        'BEL09292018.2:16 no-joined-row',
        'BEL09292018.2:17 unknown-venue',
        'BEL09292018.2:8 race-incomplete',
        'BEL09292018.2:12 race-incomplete',
        'BEL09292018.2:5 runners-missing',
        'BEL09292018.1:2 runners-missing',
        'BEL09292018.1:3 no-saddle-number',
        'BEL09292018.1:4 wrong-number-of-cells',
        'BEL09292018.1:5 no-such-race',
        'BEL09292018.1:6 unknown-venue',
        'BEL09292018.3:3 runners-missing',
        'BEL09292018.3:4 bad-dividend',
        'BEL09292018.3:2 no-such-runner',
        'BEL09292018.4:1 bad-combination',
        'BEL09292018.4:2 bad-combination',
        'BEL09292018.4:3 no-saddle-number',
        'BEL09292018.4:4 bad-combination',
        'BEL09292018.4:5 bad-dividend',
      ])
      expect(await place.database.rows('select id from race')).toEqual([{ id: RACE }])
      expect(await lines(place)).toEqual([
        `${RACE} win 1 2500`,
        `${RACE} place 1 1500`,
        `${RACE} forecast 1-2 9400`,
      ])
    }))

  test('a day without other bets has an empty file of them, which is listed', () =>
    withDatabase(async (place) => {
      const files = { ...brisFiles(DAY), 'KDX09132018.4': '', 'KDX09132018.5': '\n' }
      const { why } = await formatNamed('auto', [writeFiles(files)])
      expect(why).toContain('5 of 7 files have its columns')
      const report = await importAs(place, BRIS_FORMAT, files)
      expect([report.rejects, report.filesWithoutRows]).toEqual([[], ['KDX09132018.4', 'KDX09132018.5']])
      expect(await place.database.rows('select id from race')).toHaveLength(2)
      const explained = await explainFiles([writeFiles(files)], 'auto', null)
      expect(explained.format).toBe('bris')
      // Any other file that is empty is a mistake, which is told without the folders that it is in.
      const empty = importAs(place, BRIS_FORMAT, { ...brisFiles(DAY), 'notes.csv': '' })
      await expect(empty).rejects.toMatchObject({
        code: 'file-unreadable',
        details: { file: 'notes.csv', reason: 'empty' },
      })
    }))

  test('races and results need each other, and another file is told what it lacks', () =>
    withDatabase(async (place) => {
      const { 2: results } = DAY
      const alone = importAs(place, BRIS_FORMAT, brisFiles({ 2: results }))
      await expect(alone).rejects.toMatchObject({ code: 'file-needed', details: { needed: 'races' } })
      const short = importAs(place, BRIS_FORMAT, brisFiles({ 1: ['"BEL","20180929",1,"D"'], 2: results }))
      await expect(short).rejects.toMatchObject({
        code: 'not-this-format',
        details: { file: 'BEL09292018.1', missing: expect.stringContaining('races: 99 cells, no header') },
      })
      const folder = writeFiles({ 'notes.1': 'no chart', 'x.zip': 'no chart' })
      await expect(formatNamed('auto', [folder])).rejects.toMatchObject({ code: 'no-csv-files' })
    }))

  test('over the charts without program numbers, the same horses get theirs; not the other way round', () =>
    withDatabase(async (place) => {
      const header =
        'Name,Odds,FinishPosition,$2WinPay,$2PlacePay,$2ShowPay,ExactaPay,QuinellaPay,track,RaceNum,Date,DistYrds,surface,TrackCondition,ClassDescriptor,Purse,Weight,PP'
      const row = (no: number, pays: string): string =>
        `TRIAL HORSE ${no},${no + 1.5},${no},${pays},0,0,BEL,1,9/29/18,1320,D,FT,S,62000,120,${no + 1}`
      const us = { 'us.csv': [header, row(1, '5,3,0'), row(2, '0,4,0'), row(3, '0,0,0')].join('\n') }
      const withoutPays = {
        1: [brisRace({ 37: 3 })],
        2: [...[1, 2, 3].map((no) => brisRunner(no, `${no}`)), brisScratched(4)],
      }
      const bris = brisFiles({
        ...withoutPays,
        3: [brisMutuel('1', [5, 3]), brisMutuel('2', ['', 4])],
      })
      expect((await importAs(place, US_FORMAT, us)).rejects).toEqual([])
      const before = await storedRows(place)
      // Also without the pays, which would be those of the horses that have the numbers now.
      for (const kinds of [bris, brisFiles(withoutPays)]) {
        const refused = await importAs(place, BRIS_FORMAT, kinds)
        expect(refused.rejects[0]).toMatchObject({
          kind: 'numbers-changed',
          detail: `${RACE}: TRIAL HORSE 1 2, now 1; TRIAL HORSE 2 3, now 2; TRIAL HORSE 3 4, now 3`,
        })
        expect(await storedRows(place)).toEqual(before)
      }
      const report = await importFiles(place.database, {
        format: BRIS_FORMAT,
        paths: [writeFiles(bris)],
        replaceDemonstration: false,
        allowRemovals: true,
      })
      expect(report.rejects).toEqual([])
      expect(report.removed.map(({ kind }) => kind)).toEqual(['numbers-changed'])
      expect(await lines(place)).toEqual([
        `${RACE} win 1 2500`,
        `${RACE} place 1 1500`,
        `${RACE} place 2 2000`,
      ])
      expect(report.tables).toMatchObject({ race: { updated: 1 }, horse: { inserted: 1 } })
      expect((await runners(place)).map(({ horse, horseNo, draw }) => [horse, horseNo, draw])).toEqual([
        ['Trial Horse 1', 1, 2],
        ['Trial Horse 2', 2, 3],
        ['Trial Horse 3', 3, 4],
        ['Trial Horse 4', null, null],
      ])
      expect((await importAs(place, US_FORMAT, us)).rejects.map(({ kind }) => kind)).toEqual(['runners-lost'])
    }))
})
