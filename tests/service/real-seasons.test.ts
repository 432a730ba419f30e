// @module-tag rest
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shownOdds } from '../../domain/odds.ts'
import { raceIdDate } from '../../domain/race-id.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import type { ImportReport } from '../../server/drafts/report.ts'
import { newDatabase, type TestDatabase } from '../support/databases.ts'

const REAL = fileURLToPath(new URL('../../../shared/data/hk', import.meta.url))

describe.skipIf(!existsSync(REAL))('ten real seasons (skipped where ../shared/data/hk is missing)', () => {
  let place: TestDatabase
  let report: ImportReport
  beforeAll(async () => {
    place = await newDatabase('postgresql')
    report = await importFiles(place.database, {
      format: HK_FORMAT,
      paths: [REAL],
      replaceDemonstration: false,
    })
  })
  afterAll(() => place.close())

  test('rows, duplicates and non-starters are those of the files', () => {
    expect(report.tables['runner']).toMatchObject({ inserted: 98_750 - 1869 })
    expect(report.tables['form_line']).toMatchObject({ inserted: 111_383 })
    // The folder's README says 2,355 and 1,851; an independent count of these files gives 1,869 and 1,488.
    expect(report.duplicates).toEqual({ results: 1869, dividends: 1488 })
    expect(report.racesWithDuplicates).toBe(143)
    expect(report.nonStarters).toBe(1683)
    expect(report.rejects.every(({ kind }) => kind === 'no-such-race')).toBe(true)
  })

  test('99.9% of single-winner races have the WIN dividend that their odds say', async () => {
    const races = await place.database.rows<{ cents: number; odds: number }>(
      `select dividend_cents as cents, win_odds as odds
       from dividend join runner using (race_id)
       where gameplay_class = 1 and dividend.status = 'paid' and place = 1 and not dead_heat and horse_no::text = combination`,
    )
    const agree = races.filter(({ cents, odds }) => shownOdds(cents) === odds).length
    expect(races.length).toBeGreaterThan(7700)
    expect(agree / races.length).toBeGreaterThanOrEqual(0.999)
  })

  test('inverse odds sum to 1.15–1.30 in all but a handful of races', async () => {
    const odd = await place.database.rows(
      `select race_id, sum(1 / win_odds) from runner where win_odds is not null group by 1 having sum(1 / win_odds) not between 1.15 and 1.30`,
    )
    expect(odd.length).toBeLessThan(12)
  })

  test('dead heats for first have two winners, other races one', async () => {
    const [row] = await place.database.rows<{ tied: number; wrong: number }>(
      `select count(*) filter (where winners = 2 and tied) as tied, count(*) filter (where winners <> case when tied then 2 else 1 end) as wrong
       from (select race_id, count(*) as winners, bool_or(dead_heat) as tied from runner where place = 1 group by 1) w`,
    )
    expect(row).toEqual({ tied: 16, wrong: 0 })
  })

  test('a race id carries its race’s day', async () => {
    const races = await place.database.rows<{ id: string; raceDate: string; status: string }>(
      'select id, race_date, status from race',
    )
    expect(races.filter(({ status }) => status === 'final')).toHaveLength(7821)
    // Races about which the files say only that every bet was refunded.
    expect(races.filter(({ status }) => status === 'abandoned')).toHaveLength(53)
    expect(races).toHaveLength(7874)
    for (const race of races) expect(raceIdDate(race.id)).toBe(race.raceDate)
  })

  test('98.6% of runners find their line in the form', async () => {
    const [row] = await place.database.rows<{ share: number }>(
      `select avg((exists (select 1 from form_line f where f.region_id = h.region_id and f.brand = h.brand and f.race_date = race.race_date))::int)::float8 as share
       from runner r join race on race.id = r.race_id join horse h on h.id = r.horse_id where r.status <> 'withdrawn'`,
    )
    expect(row!.share).toBeGreaterThan(0.98)
  })

  test('group races have their distance from the form', async () => {
    const [row] = await place.database.rows<{ missing: number }>(
      `select count(*) as missing from race where status = 'final' and (distance_m is null or race_class is null)`,
    )
    expect(row!.missing).toBeLessThanOrEqual(3)
  })
})
