// @module-tag rest
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { groupBy } from '../../domain/group-by.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { NETKEIBA_FORMAT } from '../../server/ingest/jp/netkeiba-format.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import type { TestDatabase } from '../support/databases.ts'
import { changesOf, withDatabase } from '../support/import-files.ts'

const REAL = fileURLToPath(new URL('../../../shared/data/jp-netkeiba', import.meta.url))

const rowsIn = (file: string): Record<string, string>[] =>
  parse(readFileSync(`${REAL}/${file}`, 'utf8'), { columns: true })

const rowsOf = (name: RegExp): Record<string, string>[] =>
  readdirSync(REAL)
    .filter((file) => name.test(file))
    .flatMap(rowsIn)

/** What the files hold, counted without the importer. */
function countsOf() {
  const rows = rowsOf(/^race_results/)
  const races = [...groupBy(rows, ({ race_id: id }) => id).values()]
  const withPlace = (test: (place: string) => boolean): number =>
    rows.filter(({ finish_pos: place = '' }) => test(place)).length
  const sharing = races.flatMap((race) =>
    [...groupBy(race, ({ finish_pos: place }) => place)].filter(
      ([place, tied]) => /^\d+$/.test(place ?? '') && tied.length > 1,
    ),
  )
  const payouts = rowsOf(/^payouts/)
  const lines = payouts.filter(({ bet_type: pool }) => pool !== '枠連')
  return {
    races: races.length,
    runners: rows.length,
    winners: withPlace((place) => place === '1'),
    racesWithTies: new Set(sharing.map(([, [first]]) => first!['race_id'])).size,
    tied: sharing.reduce((sum, [, tied]) => sum + tied.length, 0),
    unfinished: withPlace((place) => ['中', '失'].includes(place)),
    withdrawn: withPlace((place) => ['取', '除'].includes(place)),
    dividends: lines.length,
    stakeBack: lines.filter(({ payout }) => payout === '100').length,
    dividendCents: lines.reduce((sum, { payout }) => sum + 10 * Number(payout), 0),
    brackets: payouts.length - lines.length,
  }
}

async function storedCounts(place: TestDatabase): Promise<unknown> {
  const [counts] = await place.database.rows(
    `select (select count(*)::int from race) as races, count(*)::int as runners,
       count(*) filter (where place = 1)::int as winners,
       count(distinct race_id) filter (where dead_heat)::int as races_with_ties,
       count(*) filter (where dead_heat)::int as tied,
       count(*) filter (where status = 'unfinished')::int as unfinished,
       count(*) filter (where status = 'withdrawn')::int as withdrawn,
       (select count(*)::int from dividend) as dividends,
       (select count(*)::int from dividend where dividend_cents = 1000) as stake_back,
       (select sum(dividend_cents)::bigint from dividend) as dividend_cents
     from runner`,
  )
  return counts
}

describe.skipIf(!existsSync(REAL))(
  'real races of 2025 and 2026 (skipped where ../shared/data/jp-netkeiba is missing)',
  () => {
    test(
      'all that the files hold is imported by its columns alone, and nothing the second time',
      () =>
        withDatabase(async (place) => {
          const { format } = await formatNamed('auto', [REAL])
          expect(format).toBe(NETKEIBA_FORMAT)
          const request = { format, paths: [REAL], replaceDemonstration: false }
          const report = await importFiles(place.database, request)
          expect(report.rejects).toEqual([])
          expect([report.unknown, report.noted]).toEqual([[], []])
          const { brackets, ...counts } = countsOf()
          expect(report.passedOver).toEqual({ 'lines of 枠連 (bets on brackets)': brackets })
          expect(await storedCounts(place)).toEqual(counts)
          // The win pool pays what the odds say, which are for 1.
          const differing = await place.database.rows(
            `select runner.race_id from runner join dividend on dividend.race_id = runner.race_id and gameplay_class = 1
             and combination = horse_no::text
           where place = 1 and round(win_odds * 1000) <> dividend_cents`,
          )
          expect(differing.length).toBeLessThan(counts.races / 100)
          expect(changesOf(await importFiles(place.database, request))).toBe(0)
          expect(await storedCounts(place)).toEqual(counts)
        }),
      900_000,
    )
  },
)
