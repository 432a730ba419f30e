import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shownOdds } from '../../domain/odds.ts'
import { raceIdDate } from '../../domain/race-id.ts'
import { seededRandom } from '../../domain/random.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import type { ImportReport } from '../../server/ingest/report.ts'
import { computeFeatures } from '../../server/scoring/features/compute.ts'
import { learnDay } from '../../server/scoring/features/learn.ts'
import { emptyState } from '../../server/scoring/features/state.ts'
import { toDays, type PastRace } from '../../server/scoring/history.ts'
import { raceFigures, summarise } from '../../server/scoring/metrics.ts'
import type { ModelCard } from '../../server/scoring/model-card.ts'
import { trainRegion } from '../../server/scoring/train.ts'
import { walkForward } from '../../server/scoring/walk-forward.ts'
import { readFormOnly, readResults, type PricedRace } from '../../server/store/history-store.ts'
import { loadCard } from '../../server/store/scoring-state-store.ts'
import { newDatabase, type TestDatabase } from '../support/databases.ts'

const REGION = '100000'
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
    const races = await place.database.rows<{ id: string; race_date: string; status: string }>(
      'select id, race_date, status from race',
    )
    expect(races.filter(({ status }) => status === 'final')).toHaveLength(7821)
    // Races about which the files say only that every bet was refunded.
    expect(races.filter(({ status }) => status === 'abandoned')).toHaveLength(53)
    expect(races).toHaveLength(7874)
    for (const race of races) expect(raceIdDate(race.id)).toBe(race.race_date)
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

  describe('models walked forward over them', () => {
    let card: ModelCard
    let results: PricedRace[]
    let formOnly: PastRace[]
    beforeAll(async () => {
      results = await readResults(place.database, REGION, '2000-01-01', '2100-01-01')
      formOnly = await readFormOnly(place.database, REGION, '2000-01-01', '2100-01-01')
      await trainRegion(place.database, REGION)
      card = JSON.parse((await loadCard(place.database, REGION))!) as ModelCard
    })

    const pooledOf = (source: string): ModelCard['sources'][number]['pooled'] =>
      card.sources.find((each) => each.source === source)!.pooled

    test('every season from 2018/19 on is told, 2020/21 to 2024/25 pooled, over the same 4,167 races', () => {
      expect(card.seasons).toEqual(expect.arrayContaining([2018, 2019, 2020, 2021, 2022, 2023, 2024]))
      expect(card.pooled).toEqual([2020, 2021, 2022, 2023, 2024])
      for (const { source, pooled } of card.sources) expect(pooled.races, source).toBe(4167)
      expect(card.sources.map(({ source }) => source)).toEqual([
        'uniform',
        'market',
        'market-baseline',
        'fundamental',
        'blended',
      ])
    })

    test('the market with power is what an independent trial found', () => {
      expect(Math.abs(pooledOf('market').r2 - 0.1924)).toBeLessThan(0.0005)
      expect(Math.abs(pooledOf('market-baseline').r2 - 0.1931)).toBeLessThan(0.0005)
      expect(pooledOf('market').top1).toBeCloseTo(0.311, 3)
      expect(pooledOf('market-baseline').returns!.rate).toBeCloseTo(-0.143, 2)
    })

    test('our model reaches its floor without odds, is calibrated, and is not too good to be true', () => {
      const { r2, slope, top1 } = pooledOf('fundamental')
      expect(r2).toBeGreaterThanOrEqual(0.142)
      expect(r2).toBeLessThan(0.165)
      expect(slope).toBeGreaterThan(0.95)
      expect(slope).toBeLessThan(1.05)
      expect(top1).toBeGreaterThan(0.25)
    })

    test('the blend is not worse than the market with power', () => {
      expect(pooledOf('blended').r2).toBeGreaterThan(pooledOf('market-baseline').r2 - 0.001)
    })

    test('fitted exponents beat plain Harville by 0.04 nats a race, for every model', () => {
      expect(card.exotics.map(({ model }) => model)).toEqual(['market-baseline', 'fundamental', 'blended'])
      for (const { model, stages } of card.exotics) {
        expect(stages.map(({ place: at }) => at)).toEqual([2, 3, 4])
        const gain = stages.reduce((sum, { plain, fitted }) => sum + fitted - plain, 0)
        expect(gain, model).toBeGreaterThan(0.04)
      }
    })

    test('our combinations win as often as they were expected to', () => {
      const { coverage } = card.exotics.find(({ model }) => model === 'fundamental')!
      expect(coverage).toHaveLength(9)
      for (const { gameplayClass, races, top10, top10Expected } of coverage) {
        expect(races).toBeGreaterThan(4000)
        // Three standard errors of a count with the expected mean.
        const error = 3 * Math.sqrt(top10Expected / races)
        expect(Math.abs(top10 - top10Expected), `class ${gameplayClass}`).toBeLessThan(error)
      }
    })

    test.each(['2016-11-06', '2018-05-27', '2019-12-08'])(
      'with the results of %s blanked and later races removed, its features are the same to the bit',
      (date) => {
        const upTo = (races: readonly PastRace[]): PastRace[] => races.filter((race) => race.date <= date)
        const random = seededRandom(7)
        const featuresWith = (change: (race: PastRace) => PastRace): Map<string, Float64Array> => {
          const state = emptyState()
          for (const day of toDays([...upTo(results), ...upTo(formOnly)].map(change))) {
            if (day.date === date)
              return new Map(
                day.races.filter(({ whole }) => whole).map((race) => [race.id, computeFeatures(state, race)]),
              )
            learnDay(state, day)
          }
          throw new Error(`no race on ${date}`)
        }
        const plain = featuresWith((race) => race)
        expect(plain.size).toBeGreaterThan(7)
        const blanked = featuresWith((race) => ({
          ...race,
          starters: race.starters
            .map((starter) =>
              race.date < date ? starter : { ...starter, place: null, timeMs: null, calls: null },
            )
            // Rows are also shuffled.
            .map((starter) => ({ starter, at: random() }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ starter }) => starter),
        }))
        for (const [id, values] of plain) expect(blanked.get(id), id).toEqual(values)
      },
    )

    test('learnt from results that were dealt out at random, it knows nothing', async () => {
      const random = seededRandom(3)
      const dealt = results
        .filter(({ season }) => season <= 2017)
        .map((race) => {
          const finishes = race.starters
            .map(({ place: at, timeMs, calls }) => ({ place: at, timeMs, calls, key: random() }))
            .toSorted((a, b) => a.key - b.key)
          return {
            ...race,
            starters: race.starters.map((starter, index) => {
              const { place: at, timeMs, calls } = finishes[index]!
              return { ...starter, place: at, timeMs, calls }
            }),
          }
        })
      const walk = await walkForward({ regionId: REGION, results: dealt, formOnly: [] })
      const { r2, top1 } = summarise(raceFigures(walk, 'fundamental', [2017], new Map()))!
      expect(Math.abs(r2)).toBeLessThan(0.01)
      expect(top1).toBeLessThan(0.12)
    })
  })
})
