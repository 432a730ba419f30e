// @module-tag rest
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { horseId } from '../../contract/api/fields.ts'
import { RPSCRAPE_FORMAT } from '../../server/ingest/gb/rpscrape-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import { changesOf, storedRows, withDatabase } from '../support/import-files.ts'

const REAL = fileURLToPath(new URL('../../../shared/data/uk-rpscrape', import.meta.url))
const FILES = ['results-2015-04-05.csv', 'results-2020-06-03.csv', 'results-2025-05-06.csv']

type Row = Record<string, string>

/** The rows of a file with the names of their columns in small letters. */
const rowsOf = (name: string): Row[] =>
  parse<Row>(readFileSync(`${REAL}/${name}`, 'utf8'), { columns: true }).map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, cell]) => [column.toLowerCase(), cell])),
  )

const countryOf = ({ region, course = '' }: Row): string =>
  region ?? /\(([A-Z]+)\)$/.exec(course.replace(/ \(AW\)$/, ''))?.[1] ?? 'GB'

/** What the files hold of three countries, counted without the importer: whole races, by day, course and off. */
function countsOfFiles() {
  const byRace = new Map<string, Row[]>()
  for (const row of FILES.flatMap(rowsOf)) {
    if (!['GB', 'IRE', 'FR'].includes(countryOf(row))) continue
    const key = [row['date'], row['course'], row['off']].join(' ')
    byRace.set(key, [...(byRace.get(key) ?? []), row])
  }
  const all = [...byRace.values()]
  const whole = all.filter(
    (rows) => rows.length === Number(rows[0]!['ran']) && rows.every(({ num }) => num !== ''),
  )
  const rows = whole.flat()
  const place = ({ pos = '' }: Row): number => Math.trunc(Number(pos))
  const behind = (row: Row | undefined): number => Number(row?.['ovr_btn'] ?? Number.NaN)
  const inFront = whole.filter((race) => {
    const winner = behind(race.find((row) => place(row) === 1))
    return race.some((row) => row['pos'] === 'DSQ' && (behind(row) === 0 || behind(row) < winner))
  })
  const winners = whole
    .filter((race) => !inFront.includes(race))
    .flat()
    .filter((row) => place(row) === 1 && countryOf(row) !== 'FR')
  return {
    counts: {
      races: whole.length,
      runners: rows.length,
      winners: rows.filter((row) => place(row) === 1).length,
      tied: whole.reduce(
        (sum, race) =>
          sum + race.filter((row) => race.filter((other) => place(other) === place(row)).length > 1).length,
        0,
      ),
      unfinished: rows.filter(({ pos = '' }) => !/^\d/.test(pos)).length,
      atStartingPrice: {
        lines: winners.length,
        paid: winners.filter(({ dec, sp }) => (dec ?? sp ?? '') !== '').length,
      },
      priced: rows.filter(({ dec, sp }) => (dec ?? sp ?? '') !== '').length,
    },
    inFront: inFront.length,
    left: all.filter((race) => !whole.includes(race)).flat().length,
  }
}

describe.skipIf(!existsSync(REAL))(
  'real races of 2015, 2020 and 2025 (skipped where ../shared/data/uk-rpscrape is missing)',
  () => {
    test('the folder is recognised, has all that the files hold, and changes nothing a second time', () =>
      withDatabase(async (place) => {
        const { format } = await formatNamed('auto', [REAL])
        expect(format).toBe(RPSCRAPE_FORMAT)
        const request = { format, paths: [REAL], replaceDemonstration: false }
        const report = await importFiles(place.database, request)
        const { counts, inFront, left } = countsOfFiles()
        const { atStartingPrice, ...stored } = counts
        expect(
          await place.database.rows(
            `select (select count(*)::int from race) as races, count(*)::int as runners,
               count(*) filter (where place = 1)::int as winners, count(*) filter (where dead_heat)::int as tied,
               count(*) filter (where status = 'unfinished')::int as unfinished, count(win_odds)::int as priced from runner`,
          ),
        ).toEqual([stored])
        expect(report.rejects.filter(({ kind }) => kind !== 'race-incomplete')).toHaveLength(left)
        expect(new Set(report.rejects.map(({ kind }) => kind))).toEqual(
          new Set(['runners-missing', 'no-saddle-number']),
        )
        expect([report.unknown, report.differing]).toEqual([[], []])
        // In one race the pages skip a place.
        expect(report.noted.map(({ kind }) => kind).toSorted()).toEqual([
          ...Array.from({ length: inFront }, () => 'disqualified-in-front'),
          'place-missing',
        ])
        const numbers = await place.database.rows(
          `select stadium_id, race_date from race group by 1, 2
           having max(race_no) > 12 or count(distinct starts_at) <> count(*)`,
        )
        expect(numbers).toEqual([])
        const paid = await place.database.rows(
          `select count(*)::int as lines, count(*) filter (where status = 'paid')::int as paid from dividend`,
        )
        expect(paid).toEqual([atStartingPrice])
        // The calls about horses take no other ids.
        const horses = await place.database.rows<{ id: string }>('select id from horse')
        expect(horses.filter(({ id }) => !horseId.safeParse(id).success)).toEqual([])
        const before = await storedRows(place)
        expect(changesOf(await importFiles(place.database, request))).toBe(0)
        expect(await storedRows(place)).toEqual(before)
      }))
  },
)
