import { describe, expect, test } from 'vitest'
import { reportLines } from '../../server/drafts/report.ts'
import { explainFiles } from '../../server/ingest/explain.ts'
import { BETFAIR_SP_FORMAT } from '../../server/ingest/gb/betfair-sp-format.ts'
import { RPSCRAPE_FORMAT } from '../../server/ingest/gb/rpscrape-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { undoImport } from '../../server/ingest/undo-import.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { listRuns } from '../../server/store/operation/import-log.ts'
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
import { dividends, PRESENT, race as scrapedRace, races } from '../support/rpscrape-files.ts'

const HEADER =
  'EVENT_ID,MENU_HINT,EVENT_NAME,EVENT_DT,SELECTION_ID,SELECTION_NAME,WIN_LOSE,BSP,PPWAP,MORNINGWAP,PPMAX,PPMIN,IPMAX,IPMIN,MORNINGTRADEDVOL,PPTRADEDVOL,IPTRADEDVOL'

/** Horses of an invented race; not in the order of their names. */
const NAMES = [
  'Zinc Pail',
  'Copper Pan',
  'Iron Pot',
  'Brass Jug',
  'Tin Cup',
  'Lead Urn',
  'Steel Mug',
  'Gold Vat',
]

interface Race {
  off?: string
  day?: string
  menu?: string
  name?: string
  /** Of each horse, its mark and price; as many horses as there are. */
  horses?: readonly string[]
}

/** Horse 1 of `NAMES` won. */
const WIN = ['1,3.5', '0,4.5', '0,5.5', '0,1000', '0,7.5', '0,8.5', '0,9.5', '0,10.5']
/** The first three were placed. */
const PLACE = ['1,1.5', '1,1.75', '1,1001', '0,4', '0,5', '0,6', '0,7', '0,8']

/** The rows of a market, in the order of `NAMES`. */
function market(event: number, of: Race, horses: readonly string[]): string[] {
  const { off = '14:00', day = '01-06-2024', menu = 'GB / York 1st Jun', name = '6f Hcap' } = of
  return horses.map(
    (cells, at) =>
      `${event},${menu},${name},${day} ${off},${7000 + at},${NAMES[at]},${cells},2.5,2.75,9,2,1000,1.01,10,20,30`,
  )
}

const win = (of: Race = {}): string[] => market(501, of, of.horses ?? WIN)
const placed = (of: Race = {}): string[] =>
  market(502, { ...of, name: of.name ?? 'TO BE PLACED' }, of.horses ?? PLACE)

const RACE = 'GBYRK2024060101'

/** Whether the numbers of each race are ours. */
const areByName = async ({ database }: TestDatabase): Promise<boolean[]> =>
  (await database.rows<{ numbersByName: boolean }>('select numbers_by_name from race order by id')).map(
    ({ numbersByName }) => numbersByName,
  )

/** The rows with saddle numbers before the names, from 11. */
const printed = (rows: string[]): string[] =>
  rows.map((row, at) => row.replace(NAMES[at]!, `${11 + at}. ${NAMES[at]}`))

const runners = (place: TestDatabase): Promise<Record<string, unknown>[]> =>
  place.database.rows(
    `select race_id, horse_no, brand, horse.name_en, runner.status, place, dead_heat, win_odds
     from runner join horse on horse.id = horse_id order by 1, 2`,
  )

describe('betfair-sp: starting prices of Great Britain and Ireland', () => {
  test('win and place files are joined, horses without saddle numbers are numbered by name, and the report says so', () =>
    withDatabase(async (place) => {
      const files = {
        'dwbfpricesukplace01062024.csv': csv(HEADER, ...placed()),
        'dwbfpricesukwin01062024.csv': csv(HEADER, ...win()),
      }
      const { format, why } = await formatNamed('auto', [writeFiles(files)])
      expect(format).toBe(BETFAIR_SP_FORMAT)
      expect(why).toContain('2 of 2 files')
      const report = await importAs(place, BETFAIR_SP_FORMAT, files)
      expect([report.rejects, report.unknown, report.noted, report.passedOver]).toEqual([[], [], [], {}])
      expect(reportLines(report).join('\n')).toContain('numbers are not those of the racecard')
      expect(await races(place)).toEqual([
        expect.objectContaining({
          id: RACE,
          regionId: '100826',
          nameEn: '6f Hcap',
          distanceM: 1207,
          // British summer time.
          startsAt: '2024-06-01T13:00:00.000Z',
          declaredStarters: 8,
          places: 3,
        }),
      ])
      const stored = await runners(place)
      expect(stored).toHaveLength(8)
      expect(stored.map(({ nameEn }) => nameEn)).toEqual(NAMES.toSorted())
      expect(stored[7]).toEqual({
        raceId: RACE,
        horseNo: 8,
        brand: '7000',
        nameEn: 'Zinc Pail',
        status: 'finished',
        place: 1,
        deadHeat: false,
        winOdds: 3.5,
      })
      // Brass Jug had no price, and Copper Pan was placed somewhere.
      expect(stored.slice(0, 2)).toEqual([
        expect.objectContaining({ horseNo: 1, place: null, winOdds: null }),
        expect.objectContaining({ horseNo: 2, place: null, winOdds: 4.5 }),
      ])
      expect((await dividends(place)).toSorted()).toEqual([
        `${RACE} place 2 1750`,
        `${RACE} place 4 unknown`,
        `${RACE} place 8 1500`,
        `${RACE} win 8 3500`,
      ])
      // The starting price is known at the off: no price is taken for one of before it.
      expect(await place.database.rows('select * from odds_tick')).toEqual([])
      const before = await storedRows(place)
      expect(changesOf(await importAs(place, BETFAIR_SP_FORMAT, files))).toBe(0)
      expect(await storedRows(place)).toEqual(before)
      // Rows in another order, in one file, with small letters in the header: the same races.
      const other = { 'all.csv': csv(HEADER.toLowerCase(), ...placed().toReversed(), ...win().toReversed()) }
      expect(changesOf(await importAs(place, BETFAIR_SP_FORMAT, other))).toBe(0)
    }))

  test('only win and place bets are judged', () =>
    withDatabase(async (place) => {
      // With a price for every horse: without one, the market has no line.
      const horses = WIN.map((cells) => cells.replace('1000', '30'))
      await importAs(place, BETFAIR_SP_FORMAT, { 'r.csv': csv(HEADER, ...win({ horses }), ...placed()) })
      await scoreStaleRaces(place.database)
      expect(await place.database.rows('select scoring, amended from race')).toEqual([
        { scoring: 'done', amended: false },
      ])
      const judged = await place.database.rows<{ gameplayClass: number; outcome: string }>(
        `select distinct gameplay_class, outcome from prediction join settlement using (race_id, model_id, gameplay_class, rank)
         where gameplay_class > 2`,
      )
      expect(new Set(judged.map(({ outcome }) => outcome))).toEqual(new Set(['void']))
      const places = await place.database.rows<Record<string, unknown>>(
        `select combination, outcome, profit_cents from prediction join settlement using (race_id, model_id, gameplay_class, rank)
         where gameplay_class = 2 order by 1`,
      )
      expect(places).toEqual(
        [1, 2, 3, 4, 5, 6, 7, 8].map((no) => ({
          combination: String(no),
          outcome: [2, 4, 8].includes(no) ? 'hit' : 'miss',
          profitCents: { 2: 750, 4: null, 8: 500 }[no] ?? (no === 4 ? null : -1000),
        })),
      )
    }))

  test(
    'a dead heat, for the first and for the last place, and marks that contradict each other',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        const lost = ['0,5', '0,6', '0,7', '0,8', '0,9']
        const report = await importAs(place, BETFAIR_SP_FORMAT, {
          'r.csv': csv(
            HEADER,
            ...win({ horses: ['2,3', '2,4', '0,9', ...lost] }),
            ...placed({ horses: ['1,1.5', '1,2', '1,3', ...lost] }),
            // Four placed, of which two share the third place.
            ...win({ off: '14:30' }),
            ...placed({ off: '14:30', horses: ['1,1.5', '2,2', '1,3', '2,4', '0,5', '0,6', '0,7', '0,8'] }),
            // Three that share, of which nobody tells how many places they had.
            ...win({ off: '15:00' }),
            ...placed({ off: '15:00', horses: ['1,1.5', '2,2', '2,3', '2,4', '0,5', '0,6', '0,7', '0,8'] }),
            ...win({ off: '15:30', horses: ['1,3', '1,4', '0,9', ...lost] }),
            ...win({ off: '16:00', horses: ['2,3', '0,4', '0,9', ...lost] }),
          ),
        })
        expect([report.rejects, report.unknown]).toEqual([[], []])
        expect(rejectLines(report.noted)).toEqual([
          'r.csv:50 dead-heat-contradicts-itself',
          'r.csv:58 dead-heat-contradicts-itself',
        ])
        const lines = await dividends(place)
        const of = (raceNo: number): string[] =>
          lines
            .flatMap((text) =>
              text.startsWith(`GBYRK202406010${raceNo} `) ? text.split(' ').slice(1).join(' ') : [],
            )
            .toSorted()
        expect(of(1)).toEqual(['place 2 2000', 'place 4 3000', 'place 8 1500', 'win 2 2000', 'win 8 1500'])
        expect(of(2)).toEqual(['place 1 2000', 'place 2 1000', 'place 4 3000', 'place 8 1500', 'win 8 3500'])
        expect(of(3)).toEqual([
          'place 1 unknown',
          'place 2 unknown',
          'place 4 unknown',
          'place 8 1500',
          'win 8 3500',
        ])
        expect(of(4)).toEqual(['win 2 unknown', 'win 8 unknown'])
        expect(of(5)).toEqual(['win 8 unknown'])
        const tied = await place.database.rows(
          'select distinct race_id from runner where dead_heat order by 1',
        )
        expect(tied).toEqual([{ raceId: RACE }, { raceId: 'GBYRK2024060104' }])
      }),
  )

  test(
    'races are numbered in the order of the off, of each meeting, on the clocks of their courses',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        const report = await importAs(place, BETFAIR_SP_FORMAT, {
          'b.csv': csv(
            HEADER,
            ...win({ off: '17:05' }),
            ...win({
              menu: 'IRE / Leopardstown 27th Dec',
              day: '27-12-2024',
              off: '12:10',
              name: '2m Hcap Hrd',
            }),
          ),
          'a.csv': csv(HEADER, ...win({ off: '13:50' }), ...win({ menu: 'York 2nd Jun', day: '02-06-2024' })),
        })
        expect(report.rejects).toEqual([])
        expect((await races(place)).map(({ id, startsAt, regionId }) => [id, startsAt, regionId])).toEqual([
          [RACE, '2024-06-01T12:50:00.000Z', '100826'],
          ['GBYRK2024060102', '2024-06-01T16:05:00.000Z', '100826'],
          ['GBYRK2024060201', '2024-06-02T13:00:00.000Z', '100826'],
          ['IELEO2024122701', '2024-12-27T12:10:00.000Z', '100372'],
        ])
      }),
  )

  test('removed horses are withdrawn, and short fields have no place bets', { tags: ['rest'] }, () =>
    withDatabase(async (place) => {
      const report = await importAs(place, BETFAIR_SP_FORMAT, {
        'r.csv': csv(
          HEADER,
          ...win({ horses: ['1,3', '0,0', '0,9', '0,4', '0,5'] }),
          ...placed({ horses: ['1,1.5', '0,0', '1,3', '0,4', '0,5'] }),
          ...win({ off: '15:00', horses: ['1,3', '0,4', '0,9', '0,4'] }),
          ...placed({ off: '15:00', horses: ['1,1.5', '1,2', '0,3', '0,4'] }),
        ),
      })
      expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
      expect(report.nonStarters).toBe(1)
      const removed = (await runners(place)).filter(({ status }) => status === 'withdrawn')
      expect(removed).toEqual([
        expect.objectContaining({ raceId: RACE, nameEn: 'Copper Pan', place: null, winOdds: null }),
      ])
      expect((await races(place)).map(({ id, places }) => [id, places])).toEqual([
        [RACE, 2],
        ['GBYRK2024060102', 0],
      ])
      await scoreStaleRaces(place.database)
      const short = await place.database.rows(
        `select outcome from settlement where race_id = 'GBYRK2024060102' and gameplay_class = 2 and outcome <> 'void'`,
      )
      expect(short).toEqual([])
    }),
  )

  test('printed saddle numbers are kept', { tags: ['rest'] }, () =>
    withDatabase(async (place) => {
      await importAs(place, BETFAIR_SP_FORMAT, { 'r.csv': csv(HEADER, ...printed(win())) })
      const shown = (await runners(place)).map(({ horseNo, nameEn }) => [horseNo, nameEn])
      expect(shown).toEqual(NAMES.map((name, at) => [11 + at, name]))
      expect(await areByName(place)).toEqual([false])
      // Also by a file without them, and they are still those of the racecard.
      await importAs(place, BETFAIR_SP_FORMAT, { 'r.csv': csv(HEADER, ...win()) })
      expect((await runners(place)).map(({ horseNo, nameEn }) => [horseNo, nameEn])).toEqual(shown)
      expect(await areByName(place)).toEqual([false])
    }),
  )

  test(
    'a race says that its numbers are ours until a file has saddle numbers, and an undo takes that back',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        const later = win({ off: '15:00' })
        await importAs(place, BETFAIR_SP_FORMAT, { 'r.csv': csv(HEADER, ...win(), ...printed(later)) })
        expect(await areByName(place)).toEqual([true, false])
        // An import of before this was stored is told by the order of its numbers.
        await place.database.rows('update race set numbers_by_name = false')
        const files = { 'r.csv': csv(HEADER, ...win(), ...later) }
        expect(changesOf(await importAs(place, BETFAIR_SP_FORMAT, files))).toBe(1)
        expect(await areByName(place)).toEqual([true, false])
        const before = await storedRows(place)
        await importFiles(place.database, {
          format: BETFAIR_SP_FORMAT,
          paths: [writeFiles({ 'r.csv': csv(HEADER, ...printed(win()), ...later) })],
          replaceDemonstration: false,
          allowRemovals: true,
        })
        expect(await areByName(place)).toEqual([false, false])
        const [last] = await listRuns(place.database, 1)
        await undoImport(place.database, last!.number, { kind: 'settle', payload: { verify: true } })
        expect(await areByName(place)).toEqual([true, false])
        expect(await storedRows(place)).toEqual(before)
      }),
  )

  test('other markets and other countries are counted and passed over', { tags: ['rest'] }, () =>
    withDatabase(async (place) => {
      const report = await importAs(place, BETFAIR_SP_FORMAT, {
        'r.csv': csv(
          HEADER,
          ...win(),
          ...placed(),
          ...market(503, { name: '4 TBP' }, PLACE),
          ...market(504, { name: 'Zinc Pail v Copper Pan' }, WIN.slice(0, 2)),
          ...market(505, { name: 'Forecast' }, WIN.slice(0, 3)),
          ...market(506, { name: '1m Trot' }, WIN.slice(0, 1)),
          ...market(507, { menu: 'Deauville (FRA) 1st Jun' }, WIN),
        ),
      })
      expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
      expect(report.passedOver).toEqual({
        'rows of other markets than those of winners and placed horses of races': 14,
        'rows of races in FRA': 8,
      })
      expect((await races(place)).map(({ id }) => id)).toEqual([RACE])
    }),
  )

  test(
    'a win file alone is whole but for the places; a place file alone is refused',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        await importAs(place, BETFAIR_SP_FORMAT, { 'win.csv': csv(HEADER, ...win()) })
        expect(await dividends(place)).toEqual([`${RACE} win 8 3500`])
        const both = { 'win.csv': csv(HEADER, ...win()), 'place.csv': csv(HEADER, ...placed()) }
        expect((await importAs(place, BETFAIR_SP_FORMAT, both)).rejects).toEqual([])
        expect(await dividends(place)).toHaveLength(4)
        await expect(
          importAs(place, BETFAIR_SP_FORMAT, { 'place.csv': csv(HEADER, ...placed()) }),
        ).rejects.toMatchObject({ code: 'no-good-row', details: { line: 2 } })
      }),
  )

  test('what cannot be read leaves its race out, or its place bets unjudged, with a line and a reason', () =>
    withDatabase(async (place) => {
      const changed = (rows: string[], at: number, from: string | RegExp, to: string): string[] =>
        rows.map((row, index) => (index === at ? row.replace(from, to) : row))
      const report = await importAs(place, BETFAIR_SP_FORMAT, {
        'win.csv': csv(
          HEADER,
          ...win(),
          ...changed(win({ off: '14:30' }), 2, ',0,5.5,', ',X,5.5,'),
          ...changed(win({ off: '15:00' }), 2, '5.5', 'many'),
          ...win({ off: '15:30', horses: WIN.map((cells) => cells.replace('1,', '0,')) }),
          ...changed(win({ off: '16:00' }), 3, '501', '599'),
          ...changed(win({ off: '16:30' }), 1, '7001', ''),
          ...changed(win({ off: '17:00' }), 1, '7001', '7000'),
          ...changed(win({ off: '17:30' }), 0, '1,3.5', '1,0'),
          ...win({ menu: 'GB / Nowhere 1st Jun' }),
        ),
        'place.csv': csv(
          HEADER,
          ...changed(placed(), 4, ',0,5,', ',,5,'),
          ...changed(placed({ off: '15:00' }), 1, '1.75', '0.5'),
          // A row of a horse that is in no win market, and two rows that contradict each other.
          ...changed(placed({ off: '15:00' }), 7, '7007', '7999').slice(7),
          ...changed(placed({ off: '15:00' }), 7, '0,8', '1,8').slice(7),
        ),
      })
      expect(rejectLines(report.rejects).toSorted()).toEqual(
        [
          'win.csv:12 not-a-number',
          'win.csv:12 race-incomplete',
          'win.csv:26 no-winner',
          'win.csv:34 two-races-of-one-time',
          'win.csv:43 missing-field',
          'win.csv:43 race-incomplete',
          'win.csv:51 horse-twice-in-race',
          'win.csv:51 race-incomplete',
          'win.csv:58 removed-winner',
          'win.csv:58 race-incomplete',
          ...[66, 67, 68, 69, 70, 71, 72, 73].map((line) => `win.csv:${line} unknown-venue`),
          'place.csv:6 missing-field',
          'place.csv:17 two-rows-of-one-runner',
          'place.csv:18 no-joined-row',
          'place.csv:19 two-rows-of-one-runner',
        ].toSorted(),
      )
      expect(rejectLines(report.unknown).toSorted()).toEqual([
        'place.csv:11 odds-out-of-range',
        'win.csv:20 not-a-number',
      ])
      expect(rejectLines(report.noted)).toEqual([
        'win.csv:2 place-results-missing',
        'win.csv:18 place-results-missing',
      ])
      expect((await races(place)).map(({ id }) => id)).toEqual([RACE, 'GBYRK2024060103'])
      expect(await dividends(place)).toEqual([`${RACE} win 8 3500`, 'GBYRK2024060103 win 8 3500'])
    }))

  test(
    'a meeting with a torn row, or a day that a spreadsheet has turned, gets no uncertain numbers',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        const torn = win({ off: '15:00' }).map((row) => row.split(',').slice(0, 9).join(','))
        const report = await importAs(place, BETFAIR_SP_FORMAT, {
          'a.csv': csv(HEADER, ...win({ off: '16:00' }), ...torn.slice(0, 1)),
          'b.csv': csv(
            HEADER,
            ...win({ menu: 'GB / Ripon 4th May', day: '04-05-2024' }),
            ...win({ menu: 'GB / Bath 4th May', day: '05-04-2024' }),
          ),
        }).catch((error: unknown) => error)
        expect(report).toMatchObject({ code: 'no-good-row' })
        const second = await importAs(place, BETFAIR_SP_FORMAT, {
          'b.csv': csv(
            HEADER,
            ...win({ menu: 'GB / Bath 4th May', day: '05-04-2024' }).slice(0, 1),
            ...win({ menu: 'GB / Ripon 4th May', day: '04-05-2024' }),
            ...win({ menu: 'GB / Ayr 5th May', day: '05-05-2024' }),
          ),
        })
        expect(rejectLines(second.rejects)).toEqual([
          'b.csv:2 day-contradicts-menu-hint',
          ...[3, 4, 5, 6, 7, 8, 9, 10].map((line) => `b.csv:${line} race-number-uncertain`),
        ])
        expect((await races(place)).map(({ id }) => id)).toEqual(['GBAYR2024050501'])
      }),
  )

  test(
    'a race that is stored from another source, with saddle numbers, is not replaced',
    { tags: ['rest'] },
    () =>
      withDatabase(async (place) => {
        await importAs(place, RPSCRAPE_FORMAT, {
          'results.csv': csv(PRESENT, ...scrapedRace({ date: '2024-06-01', off: '2:00' })),
        })
        const before = await storedRows(place)
        const report = await importAs(place, BETFAIR_SP_FORMAT, { 'r.csv': csv(HEADER, ...win()) })
        expect(rejectLines(report.rejects)).toEqual(['r.csv:2 runners-lost'])
        expect(await storedRows(place)).toEqual(before)
        // Nor the other way round.
        const later = { date: '2024-06-02', off: '2:00' }
        await importAs(place, BETFAIR_SP_FORMAT, {
          'r.csv': csv(HEADER, ...win({ menu: 'York 2nd Jun', day: '02-06-2024' })),
        })
        const again = await importAs(place, RPSCRAPE_FORMAT, {
          'results.csv': csv(PRESENT, ...scrapedRace(later)),
        })
        expect(rejectLines(again.rejects)).toEqual(['results.csv:2 other-horses'])
      }),
  )

  test('a horse that the file did not have at first gets a number that is left', { tags: ['rest'] }, () =>
    withDatabase(async (place) => {
      await importAs(place, BETFAIR_SP_FORMAT, { 'r.csv': csv(HEADER, ...win({ horses: WIN.slice(0, 3) })) })
      const names = async (): Promise<unknown[]> =>
        (await runners(place)).map(({ horseNo, nameEn }) => [horseNo, nameEn])
      expect(await names()).toEqual([
        [1, 'Copper Pan'],
        [2, 'Iron Pot'],
        [3, 'Zinc Pail'],
      ])
      const report = await importAs(place, BETFAIR_SP_FORMAT, {
        'r.csv': csv(HEADER, ...win({ horses: WIN.slice(0, 4) })),
      })
      expect([report.rejects, report.removed]).toEqual([[], []])
      expect((await names()).slice(2)).toEqual([
        [3, 'Zinc Pail'],
        [4, 'Brass Jug'],
      ])
      expect(await areByName(place)).toEqual([true])
      expect(await dividends(place)).toEqual([`${RACE} win 3 3500`])
    }),
  )

  test('an explanation says that prices of before the off are not read', { tags: ['rest'] }, async () => {
    const folder = writeFiles({ 'r.csv': csv(HEADER, ...win(), ...placed()) })
    const explained = await explainFiles([folder], 'auto', null)
    const unread = explained.files[0]!.columns.filter(({ isRead }) => !isRead).map(({ column }) => column)
    expect(unread).toEqual(HEADER.split(',').slice(8))
  })
})
