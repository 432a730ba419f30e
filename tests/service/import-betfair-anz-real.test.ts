// @module-tag rest
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { groupBy } from '../../domain/group-by.ts'
import { BETFAIR_ANZ_FORMAT } from '../../server/ingest/au/betfair-anz-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { formatNamed } from '../../server/ingest/recognise.ts'
import type { TestDatabase } from '../support/databases.ts'
import { changesOf, withDatabase } from '../support/import-files.ts'

const REAL = fileURLToPath(new URL('../../../shared/data/betfair-anz', import.meta.url))

type Row = Record<string, string>

const rowsIn = (file: string): Row[] => parse(readFileSync(`${REAL}/${file}`, 'utf8'), { columns: true })

/** What the files hold of Australia, counted without the importer. */
function countsOf() {
  const rows = readdirSync(REAL).flatMap(rowsIn)
  const australian = rows.filter(({ STATE_CODE: state }) => state !== 'NZ')
  const races = groupBy(australian, (row) => `${row['LOCAL_MEETING_DATE']} ${row['TRACK']} ${row['RACE_NO']}`)
  const runners = [...races.values()].flatMap((race) => [
    ...groupBy(race, ({ SELECTION_ID: id }) => id).values(),
  ])
  const having = (own: Row[], column: string): boolean => own.some((row) => row[column] === 'WINNER')
  const cents = (own: Row[], column: string): number =>
    1000 * Math.max(...own.map((row) => Number(row[column])))
  const horsesOf = (race: Row[]): Row[][] => [...groupBy(race, ({ SELECTION_ID: id }) => id).values()]
  const fields = [...races.values()].map((race) => {
    const horses = horsesOf(race)
    const winners = horses.filter((own) => having(own, 'WIN_RESULT'))
    const placed = horses.filter((own) => having(own, 'PLACE_RESULT'))
    // Of four, two share the third place, and it is not known which.
    const certain = placed.length > 3 ? placed.filter((own) => having(own, 'WIN_RESULT')) : placed
    return {
      winners,
      placed,
      winCents: winners.reduce((sum, own) => sum + Math.round(cents(own, 'WIN_BSP') / winners.length), 0),
      placeCents: certain.reduce((sum, own) => sum + Math.round(cents(own, 'PLACE_BSP')), 0),
    }
  })
  const sum = (count: (field: (typeof fields)[number]) => number): number =>
    fields.reduce((total, field) => total + count(field), 0)
  const winners = sum((field) => field.winners.length)
  return {
    newZealand: rows.length - australian.length,
    repeated: australian.length - runners.length,
    stored: {
      races: races.size,
      runners: runners.length,
      winners,
      racesWithTies: fields.filter((field) => field.winners.length > 1).length,
      behind: runners.length - winners,
      winLines: winners,
      winCents: sum(({ winCents }) => winCents),
      placeLines: sum(({ placed }) => placed.length),
      placeCents: sum(({ placeCents }) => placeCents),
    },
  }
}

async function storedCounts(place: TestDatabase): Promise<unknown> {
  const [counts] = await place.database.rows(
    `select (select count(*)::int from race) as races, count(*)::int as runners,
       count(*) filter (where place = 1)::int as winners,
       count(distinct race_id) filter (where dead_heat)::int as races_with_ties,
       count(*) filter (where status = 'finished' and place is null)::int as behind,
       (select count(*)::int from dividend where gameplay_class = 1) as win_lines,
       (select sum(dividend_cents)::bigint from dividend where gameplay_class = 1) as win_cents,
       (select count(*)::int from dividend where gameplay_class = 2) as place_lines,
       (select sum(dividend_cents)::bigint from dividend where gameplay_class = 2) as place_cents
     from runner`,
  )
  return counts
}

describe.skipIf(!existsSync(REAL))(
  'a real month of Australian races (skipped where ../shared/data/betfair-anz is missing)',
  () => {
    test(
      'all that the file holds of Australia is imported by its columns alone, and nothing the second time',
      () =>
        withDatabase(async (place) => {
          const { format } = await formatNamed('auto', [REAL])
          expect(format).toBe(BETFAIR_ANZ_FORMAT)
          const request = { format, paths: [REAL], replaceDemonstration: false }
          const report = await importFiles(place.database, request)
          const counts = countsOf()
          expect([report.rejects, report.unknown, report.noted]).toEqual([[], [], []])
          expect(report.duplicates).toEqual({ results: counts.repeated })
          expect(report.passedOver).toEqual({
            'runners of New Zealand, which is no region here': counts.newZealand,
          })
          expect(await storedCounts(place)).toEqual(counts.stored)
          expect(changesOf(await importFiles(place.database, request))).toBe(0)
          expect(await storedCounts(place)).toEqual(counts.stored)
        }),
      120_000,
    )
  },
)
