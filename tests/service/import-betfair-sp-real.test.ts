// @module-tag rest
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { groupBy } from '../../domain/group-by.ts'
import { BETFAIR_SP_FORMAT } from '../../server/ingest/gb/betfair-sp-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import type { TestDatabase } from '../support/databases.ts'
import { changesOf, storedRows, withDatabase } from '../support/import-files.ts'

const REAL = fileURLToPath(new URL('../../../shared/data/betfair-bsp-uk-ire', import.meta.url))

type Row = Record<string, string>

const rowsIn = (file: string): Row[] => parse(readFileSync(`${REAL}/${file}`, 'utf8'), { columns: true })

const raceOf = (row: Row): string => `${row['MENU_HINT']} ${row['EVENT_DT']}`
const runnerOf = (row: Row): string => `${raceOf(row)} ${row['SELECTION_ID']}`
const marked = (rows: Row[], mark: string): Row[] => rows.filter(({ WIN_LOSE: own }) => own === mark)

/** What bets of 10 on these horses were paid: half of the price for those that shared a place with one other. */
const centsOf = (rows: Row[]): number =>
  rows.reduce((sum, { BSP: price, WIN_LOSE: mark }) => {
    const cents = Number(price) >= 1000 ? 0 : 1000 * Number(price)
    return sum + Math.round(mark === '2' ? cents / 2 : cents)
  }, 0)

/** What the files hold, counted without the importer. */
function countsOf() {
  const rows = readdirSync(REAL).flatMap(rowsIn)
  const places = rows.filter(({ EVENT_NAME: name }) => name === 'TO BE PLACED')
  const wins = rows.filter(({ EVENT_NAME: name }) => name !== 'TO BE PLACED')
  const won = [...marked(wins, '1'), ...marked(wins, '2')]
  const placed = [...marked(places, '1'), ...marked(places, '2')]
  const irish = wins.filter(({ MENU_HINT: menu }) => menu!.startsWith('IRE '))
  return {
    placedRunners: new Set(placed.map(runnerOf)).size,
    stored: {
      races: groupBy(wins, raceOf).size,
      irishRaces: groupBy(irish, raceOf).size,
      meetings: new Set(wins.map(({ MENU_HINT: menu }) => menu)).size,
      runners: new Set(wins.map(runnerOf)).size,
      // A horse is one of a country: one that ran in both is two.
      horses: new Set(wins.map(({ MENU_HINT: menu, SELECTION_ID: id }) => `${menu!.split(' ')[0]} ${id}`))
        .size,
      withoutPrice: wins.filter(({ BSP: price }) => Number(price) >= 1000).length,
      winners: won.length,
      racesWithTies: groupBy(marked(wins, '2'), raceOf).size,
      winLines: won.length,
      winCents: centsOf(won),
      placeLines: placed.length,
      placeCents: centsOf(placed),
      racesWithPlaces: groupBy(places, raceOf).size,
    },
  }
}

async function storedCounts(place: TestDatabase): Promise<unknown> {
  const [counts] = await place.database.rows(
    `select count(distinct race_id)::int as races,
       count(distinct race_id) filter (where race_id like 'IE%')::int as irish_races,
       count(distinct left(race_id, 13))::int as meetings, count(*)::int as runners,
       count(distinct horse_id)::int as horses, count(*) filter (where win_odds is null)::int as without_price,
       count(*) filter (where place = 1)::int as winners,
       count(distinct race_id) filter (where dead_heat)::int as races_with_ties,
       (select count(*)::int from dividend where gameplay_class = 1) as win_lines,
       (select sum(dividend_cents)::bigint from dividend where gameplay_class = 1) as win_cents,
       (select count(*)::int from dividend where gameplay_class = 2) as place_lines,
       (select sum(dividend_cents)::bigint from dividend where gameplay_class = 2) as place_cents,
       (select count(distinct race_id)::int from dividend where gameplay_class = 2) as races_with_places
     from runner`,
  )
  return counts
}

describe.skipIf(!existsSync(REAL))(
  'a real month of British and Irish starting prices (skipped where ../shared/data/betfair-bsp-uk-ire is missing)',
  () => {
    test(
      'all that the files hold is imported by their columns alone, and nothing the second time',
      () =>
        withDatabase(async (place) => {
          const { format } = await formatNamed('auto', [REAL])
          expect(format).toBe(BETFAIR_SP_FORMAT)
          const request = { format, paths: [REAL], replaceDemonstration: false }
          const report = await importFiles(place.database, request)
          const counts = countsOf()
          expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
          expect([report.duplicates, report.passedOver]).toEqual([{}, {}])
          expect(counts.placedRunners).toBe(counts.stored.placeLines)
          expect(await storedCounts(place)).toEqual(counts.stored)
          // Races of a meeting are in the order of their offs, and horses of a race in that of their names.
          const [disorder] = await place.database.rows(
            `select count(*)::int as rows from (
               select starts_at < lag(starts_at) over (partition by stadium_id, race_date order by race_no) as is_odd from race
               union all
               select horse.name_en collate "C" < lag(horse.name_en collate "C") over (partition by race_id order by horse_no)
               from runner join horse on horse.id = horse_id) each where is_odd`,
          )
          expect(disorder).toEqual({ rows: 0 })
          expect(changesOf(await importFiles(place.database, request))).toBe(0)
          expect(await storedCounts(place)).toEqual(counts.stored)
        }),
      120_000,
    )
  },
)

const MODEL = fileURLToPath(new URL('../../../shared/data/betfair-uk-ie-model', import.meta.url))

/** Places that a race pays by the rules of Great Britain and Ireland. */
function placesFor(declared: number, name: string): number {
  if (declared >= 16 && /\bhandicap\b/i.test(name)) return 4
  return declared >= 8 ? 3 : declared >= 5 ? 2 : 0
}

/** What the months of the model hold of races that had a market, counted without the importer. */
function modelCounts() {
  const all = readdirSync(MODEL).flatMap((file): Row[] =>
    parse(readFileSync(`${MODEL}/${file}`, 'utf8'), { columns: true }),
  )
  const rows = all.filter(({ WIN_RESULT: result }) => result !== '')
  const horses = groupBy(rows, (row) => `${row['WIN_MARKET_ID']} ${row['SELECTION_ID']}`)
  const runners = [...horses.values()].map(([first]) => first!)
  const fields = [...groupBy(runners, ({ WIN_MARKET_ID: market }) => market).values()]
  const ran = (row: Row): boolean => Number(row['WIN_RESULT']) >= 0
  const lines = fields.map((field) => {
    const won = field.filter((row) => Number(row['WIN_RESULT']) === 1)
    const placed = field.filter((row) => ran(row) && Number(row['PLACE_RESULT']) === 1)
    const isShared = placed.length > placesFor(field.length, field[0]!['RACE_NAME']!)
    const known = placed.filter((row) => !isShared || won.includes(row))
    return { won, placed, known: known.filter((row) => Number(row['PLACE_BSP'] || 1000) < 1000) }
  })
  const sum = (count: (line: (typeof lines)[number]) => number): number =>
    lines.reduce((total, line) => total + count(line), 0)
  return {
    withoutMarket: all.length - rows.length,
    repeated: rows.length - runners.length,
    stored: {
      races: fields.length,
      runners: runners.length,
      withdrawn: runners.filter((row) => !ran(row)).length,
      winners: sum(({ won }) => won.length),
      racesWithTies: lines.filter(({ won }) => won.length > 1).length,
      placeLines: sum(({ placed }) => placed.length),
      paidPlaceLines: sum(({ known }) => known.length),
    },
  }
}

describe.skipIf(!existsSync(MODEL))(
  'real months of the model (skipped where ../shared/data/betfair-uk-ie-model is missing)',
  () => {
    test(
      'all races that had a market are imported, without the price of the model',
      () =>
        withDatabase(async (place) => {
          const { format } = await formatNamed('auto', [MODEL])
          expect(format).toBe(BETFAIR_SP_FORMAT)
          const request = { format, paths: [MODEL], replaceDemonstration: false }
          const report = await importFiles(place.database, request)
          const counts = modelCounts()
          expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
          expect(report.duplicates).toEqual({ 'months of the model': counts.repeated })
          expect(report.passedOver).toEqual({ 'rows of races that had no market': counts.withoutMarket })
          const [stored] = await place.database.rows(
            `select count(distinct race_id)::int as races, count(*)::int as runners,
               count(*) filter (where status = 'withdrawn')::int as withdrawn,
               count(*) filter (where place = 1)::int as winners,
               count(distinct race_id) filter (where dead_heat)::int as races_with_ties,
               (select count(*)::int from dividend where gameplay_class = 2) as place_lines,
               (select count(*)::int from dividend where gameplay_class = 2 and status = 'paid') as paid_place_lines
             from runner`,
          )
          expect(stored).toEqual(counts.stored)
          // A horse has another name in the second file, which is written again after the first one's.
          const before = await storedRows(place)
          await importFiles(place.database, request)
          expect(await storedRows(place)).toEqual(before)
        }),
      180_000,
    )
  },
)
