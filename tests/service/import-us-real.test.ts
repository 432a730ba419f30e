// @module-tag rest
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { groupBy } from '../../domain/group-by.ts'
import { AUTO } from '../../server/ingest/formats.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { scoreStaleRaces } from '../../server/scoring/score.ts'
import { digestOf } from '../support/canonical-rows.ts'
import { changesOf, rejectLines, storedRows, withDatabase } from '../support/import-files.ts'

const REAL = fileURLToPath(new URL('../../../shared/data/us', import.meta.url))

type Row = Record<string, string>

const rowsOf = (kind: string): Row[] =>
  readdirSync(REAL)
    .filter((file) => file.includes(kind))
    .flatMap((file): Row[] => parse(readFileSync(`${REAL}/${file}`, 'latin1'), { columns: true }))

/** What five bets of two dollars were paid, of different ones. */
const paidOf = (pays: Iterable<string | undefined>): string => {
  const all = [...pays].filter((pay) => Number(pay) > 0)
  return `${all.length} ${all.reduce((sum, pay) => sum + Math.round(Number(pay) * 500), 0)}`
}

/** Whether the first two places are shared, so that one printed payoff is that of several combinations. */
function sharesFirstTwo(race: readonly Row[]): boolean {
  const [first, second, third] = race
    .map(({ FinishPosition: place }) => Number(place))
    .toSorted((one, other) => one - other)
  return first === second || second === third
}

/** What the files hold, counted without the importer. Horses of one entry have the same odds and payoffs, which are paid once. */
function countsOf() {
  const rows = rowsOf('FormattedResults')
  const races = [...groupBy(rows, (row) => `${row['Date']} ${row['track']} ${row['RaceNum']}`).values()]
  const shared = races.flatMap((race) =>
    [...groupBy(race, (row) => row['FinishPosition']).values()].filter(({ length }) => length > 1).flat(),
  )
  const interests = races.flatMap((race) => [
    ...groupBy(race, (row) =>
      [row['Odds'], row['$2WinPay'], row['$2PlacePay'], row['$2ShowPay']].join(),
    ).values(),
  ])
  const pairs = races.filter((race) => !sharesFirstTwo(race))
  return {
    stored: {
      races: races.length,
      runners: rows.length,
      winners: rows.filter(({ FinishPosition: place }) => place === '1').length,
      tied: shared.length,
      unfinished: rows.filter(({ FinishPosition: place }) => place === '').length,
    },
    lines: {
      win: paidOf(interests.map(([row]) => row!['$2WinPay'])),
      place: paidOf(interests.map(([row]) => row!['$2PlacePay'])),
      forecast: paidOf(pairs.map(([row]) => row!['ExactaPay'])),
      quinella: paidOf(pairs.map(([row]) => row!['QuinellaPay'])),
    },
  }
}

describe.skipIf(!existsSync(REAL))(
  'four real days of 2016 (skipped where ../shared/data/us is missing)',
  () => {
    test('all that the files hold is imported by their columns alone, and nothing the second time', () =>
      withDatabase(async (place) => {
        const { format } = await formatNamed(AUTO, [REAL])
        expect(format.name).toBe('us')
        const request = { format, paths: [REAL], replaceDemonstration: false }
        const report = await importFiles(place.database, request)
        const [stored] = await place.database.rows(
          `select (select count(*)::int from race) as races, count(*)::int as runners,
           count(*) filter (where place = 1)::int as winners, count(*) filter (where dead_heat)::int as tied,
           count(*) filter (where status = 'unfinished')::int as unfinished from runner`,
        )
        const counts = countsOf()
        expect(stored).toEqual(counts.stored)
        const lines = await place.database.rows<{ pool: string; line: string }>(
          `select pool, count(*) || ' ' || sum(dividend_cents) as line from dividend group by 1`,
        )
        expect(Object.fromEntries(lines.map(({ pool, line }) => [pool, line]))).toEqual(counts.lines)
        // Two races have a description and no result, and two rows of descriptions lack a cell in the middle.
        expect(rejectLines(report.rejects).toSorted()).toEqual([
          'Race_info_5-28-2016.csv:144 bad-date',
          'Race_info_5-28-2016.csv:267 bad-date',
          'Race_info_5-28-2016.csv:28 no-such-race',
          'Race_info_5-28-2016.csv:29 no-such-race',
        ])
        // Of one race a row is missing.
        expect(report.noted.map(({ kind }) => kind)).toEqual(['place-beyond-field'])
        /**
         * Facts of the past do not change: another digest is a fault of the importer, unless a decision changed what it stores, or
         * ../shared/data/us itself was replaced. Then, and with that reason in the commit, the new one is copied from what this test
         * received.
         */
        expect(await digestOf(place)).toEqual({
          race: '853 66c73c03b3a52902',
          runner: '6289 318c31d134ef64ef',
          horse: '6286 751a13d4e0fb2876',
          dividend: '3493 70f24a40ee3d7a31',
        })
        expect((await scoreStaleRaces(place.database)).unsettled).toEqual([])
        const before = await storedRows(place)
        expect(changesOf(await importFiles(place.database, request))).toBe(0)
        expect(await storedRows(place)).toEqual(before)
      }))
  },
)
