// @module-tag soak
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededRandom } from '../../domain/random.ts'
import { HK_FORMAT } from '../../server/ingest/hk/hk-format.ts'
import { importFiles } from '../../server/ingest/import.ts'
import { ODDS_FREE_MODELS } from '../../contract/model-ids.ts'
import { computeFeatures, computeInputs } from '../../server/model/features/catalogue.ts'
import { learnDay } from '../../server/model/features/learn.ts'
import { packState, unpackState } from '../../server/model/features/pack.ts'
import { cardOf, stateOf } from '../../server/model/features/race-state.ts'
import { emptyState } from '../../server/model/features/state.ts'
import { toDays, type PastRace } from '../../server/model/features/history.ts'
import { raceFigures, summarise } from '../../server/scoring/metrics.ts'
import type { ModelCardAnswer } from '../../contract/api/model.ts'
import { forecastRace } from '../../server/scoring/race-forecast.ts'
import { trainRegion } from '../../server/scoring/train.ts'
import { beginTrials, tryCard } from '../../server/model/trial.ts'
import { walkForward } from '../../server/scoring/walk-forward.ts'
import { readFormOnly, readResults, type PricedRace } from '../../server/store/racing/history-store.ts'
import { loadCard, loadVersions } from '../../server/store/racing/scoring-state-store.ts'
import { newDatabase, type TestDatabase } from '../support/databases.ts'

const REGION = '100000'
const REAL = fileURLToPath(new URL('../../../shared/data/hk', import.meta.url))

describe.skipIf(!existsSync(REAL))(
  'models walked forward over ten real seasons (skipped where ../shared/data/hk is missing)',
  () => {
    let place: TestDatabase
    let card: ModelCardAnswer
    let results: PricedRace[]
    let formOnly: PastRace[]
    beforeAll(async () => {
      place = await newDatabase('postgresql')
      await importFiles(place.database, { format: HK_FORMAT, paths: [REAL], replaceDemonstration: false })
      results = await readResults(place.database, REGION, '2000-01-01', '2100-01-01')
      formOnly = await readFormOnly(place.database, REGION, '2000-01-01', '2100-01-01')
      await trainRegion(place.database, REGION)
      card = (await loadCard(place.database, REGION))!
    })

    afterAll(() => place.close())

    const pooledOf = (source: string): ModelCardAnswer['sources'][number]['pooled'] =>
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
        'network',
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

    test('the network is better than the linear model, and not too good to be true', () => {
      const { r2, slope } = pooledOf('network')
      expect(r2).toBeGreaterThan(pooledOf('fundamental').r2 + 0.002)
      expect(r2).toBeLessThan(0.165)
      expect(slope).toBeGreaterThan(0.95)
      expect(slope).toBeLessThan(1.05)
    })

    test('the blend is not worse than the market with power', () => {
      expect(pooledOf('blended').r2).toBeGreaterThan(pooledOf('market-baseline').r2 - 0.001)
    })

    test('fitted exponents beat plain Harville by 0.04 nats a race, for every model', () => {
      expect(card.exotics.map(({ model }) => model)).toEqual([
        'market-baseline',
        'fundamental',
        'blended',
        'network',
      ])
      for (const { model, stages } of card.exotics) {
        expect(stages.map(({ place: at }) => at)).toEqual([2, 3, 4])
        const gain = stages.reduce((sum, { plain, fitted }) => sum + fitted - plain, 0)
        expect(gain, model).toBeGreaterThan(0.04)
      }
    })

    test('finishing times beat fitted exponents in the seasons after those that chose their shape', () => {
      for (const model of ['market-baseline', 'fundamental', 'blended']) {
        const { gains } = card.exotics.find((each) => each.model === model)!.record!
        const all = gains.find(({ season }) => season === null)!
        expect(all.interval.low, model).toBeGreaterThan(0)
        expect(all.gain, model).toBeGreaterThan(0.002)
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

    test('a trial with nothing tried is the prediction to the bit, in every season', async () => {
      const versions = [...(await loadVersions(place.database, REGION)).values()]
      const races = new Map(results.map((race) => [race.id, race]))
      const state = emptyState()
      const compared = { fundamental: 0, network: 0 }
      for (const day of toDays([...results, ...formOnly])) {
        for (const { id } of day.races) {
          const race = races.get(id)
          const version = versions.findLast(
            ({ season, trainedTo }) => race && season <= race.season && trainedTo < race.date,
          )
          if (!race || !version?.fundamental || race.starters.length < 2) continue
          const kept = { card: cardOf(race), state: unpackState(packState(stateOf(state, race)))! }
          const inputs = computeInputs(state, race)
          for (const forecast of forecastRace({ version, race, priced: [], inputs })) {
            const model = ODDS_FREE_MODELS.find((each) => each === forecast.modelId)!
            const said = new Map(forecast.chances.map(({ horseNo, win }) => [horseNo, win]))
            const tried = tryCard(beginTrials(version, model, kept)!, { changes: [] })
            for (const [row, { horseNo, entryNo }] of kept.card.starters.entries())
              expect(tried[row], id).toEqual({
                before: said.get(entryNo ?? horseNo),
                after: said.get(entryNo ?? horseNo),
                reasons: [],
              })
            compared[model] += 1
          }
        }
        learnDay(state, day)
      }
      for (const count of Object.values(compared)) expect(count).toBeGreaterThan(6900)
    })

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
  },
)
