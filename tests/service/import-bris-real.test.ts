// @module-tag rest
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { groupBy } from '../../domain/group-by.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { BRIS_FORMAT } from '../../server/ingest/us/bris-format.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import type { TestDatabase } from '../support/databases.ts'
import { changesOf, withDatabase } from '../support/import-files.ts'

const REAL = fileURLToPath(new URL('../../../shared/data/us-bris-charts', import.meta.url))

/** The lines of all files with an ending; cells by their numbers, which count from 0 here. */
const linesOf = (ending: string): string[][] =>
  readdirSync(REAL)
    .filter((file) => file.endsWith(ending))
    .flatMap((file): string[][] => parse(readFileSync(`${REAL}/${file}`, 'latin1')))

const BETS = ['Exacta', 'Quinella', 'Trifecta', 'Superfecta', 'Daily Double']

/** What the files hold, counted without the importer. */
function countsOf() {
  const horses = linesOf('.2')
  const ran = horses.filter((cells) => cells[8] !== 'SCR')
  const races = [...groupBy(ran, (cells) => cells.slice(0, 3).join()).values()]
  const tied = races.flatMap((race) =>
    [...groupBy(race, (cells) => cells[60]).values()].filter((sharing) => sharing.length > 1).flat(),
  )
  const pays = linesOf('.3').flatMap((cells) => cells.slice(8, 10).filter((pay) => pay !== ''))
  const exotics = linesOf('.4').filter((cells) => BETS.includes(cells[4]!))
  const ofTen = (pay: string, stake: string): number => Math.round((Number(pay) * 1000) / Number(stake))
  return {
    races: linesOf('.1').length,
    runners: horses.length,
    starters: ran.length,
    winners: ran.filter((cells) => cells[60] === '1').length,
    tied: tied.length,
    withdrawn: horses.length - ran.length,
    unfinished: ran.filter((cells) => cells[72] === '99.99').length,
    dividends: pays.length + exotics.length,
    dividendCents:
      pays.reduce((sum, pay) => sum + ofTen(pay, '2'), 0) +
      exotics.reduce((sum, cells) => sum + ofTen(cells[6]!, cells[5]!), 0),
    names: linesOf('.1').filter((cells) => cells[54] !== '').length,
    metres: linesOf('.1').reduce((sum, cells) => sum + Math.round(Number(cells[4]) * 0.9144), 0),
    // One number for each horse: in these days, no two horses of an entry ran.
    numbers: ran.reduce((sum, cells) => sum + Number(cells[8]!.replace(/[A-Z]/, '')), 0),
    posts: ran.reduce((sum, cells) => sum + Number(cells[7]), 0),
  }
}

async function storedCounts({ database }: TestDatabase): Promise<unknown> {
  const [counts] = await database.rows(
    `select (select count(*)::int from race) as races, count(*)::int as runners,
       count(*) filter (where status <> 'withdrawn')::int as starters,
       count(*) filter (where place = 1)::int as winners,
       count(*) filter (where dead_heat)::int as tied,
       count(*) filter (where status = 'withdrawn')::int as withdrawn,
       count(*) filter (where status = 'unfinished')::int as unfinished,
       (select count(*)::int from dividend) as dividends,
       (select sum(dividend_cents)::int from dividend) as dividend_cents,
       (select count(name_en)::int from race) as names,
       (select sum(distance_m)::int from race) as metres,
       sum(horse_no)::int as numbers, sum(draw)::int as posts
     from runner`,
  )
  return counts
}

describe.skipIf(!existsSync(REAL))(
  'two real days of 2018 (skipped where ../shared/data/us-bris-charts is missing)',
  () => {
    test('all that the files hold is imported without naming a format, and nothing the second time', () =>
      withDatabase(async (place) => {
        const { format } = await formatNamed('auto', [REAL])
        expect(format).toBe(BRIS_FORMAT)
        const request = { format, paths: [REAL], replaceDemonstration: false }
        const report = await importFiles(place.database, request)
        expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
        const counts = countsOf()
        expect(await storedCounts(place)).toEqual(counts)
        // Odds are to one in tenths below, and the pay is for two dollars: the two say one thing.
        const differing = await place.database.rows(
          `select runner.race_id, horse_no, win_odds, dividend_cents from runner join dividend
             on dividend.race_id = runner.race_id and gameplay_class = 1 and combination = horse_no::text
           where place = 1 and abs(win_odds * 1000 - dividend_cents) > 50`,
        )
        expect(differing).toEqual([])
        expect((await scoreStaleRaces(place.database)).unsettled).toEqual([])
        expect(changesOf(await importFiles(place.database, request))).toBe(0)
        expect(await storedCounts(place)).toEqual(counts)
      }))
  },
)
