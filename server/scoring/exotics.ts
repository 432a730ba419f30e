import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ModelCardAnswer } from '../../contract/api/model.ts'
import { nullOn } from '../../domain/errors.ts'
import { Finish } from '../../domain/finish.ts'
import { combinationText, GAMEPLAYS, type GameplayClass } from '../../domain/gameplay.ts'
import { combinationProbabilities, type ClassTables, type StageExponents } from '../../domain/harville.ts'
import { STORED_PREDICTIONS } from '../../domain/prediction-types.ts'
import { isHit } from '../../domain/settlement.ts'
import { bootstrapRatio, byGroup, type Ratio } from '../../domain/statistics.ts'
import { hongKongTakeout } from '../../domain/takeout.ts'
import type { PricedRace } from '../store/racing/history-store.ts'
import type { PaidDividend } from '../store/racing/report-store.ts'
import { firstFour } from '../model/features/history.ts'
import { meanLikelihood } from './metrics.ts'
import { DEFAULT_EXPONENTS, type ModelVersion } from '../model/models/model-version.ts'
import type { ModelId } from '../model/models/sources.ts'
import { stageChoices } from './stages.ts'
import type { Walk } from './walk-forward.ts'

/** With fewer starters, the ten most probable combinations cover too much of a pool to be informative. */
const LEAST_STARTERS = 7

type Exotics = ModelCardAnswer['exotics'][number]
type Coverage = Map<GameplayClass, Exotics['coverage'][number]>
type PoolGain = Ratio & { group: string; verified: boolean }

/** The part of a version that holds a model. */
const VERSION_PARTS = {
  'market-baseline': 'market',
  fundamental: 'fundamental',
  blended: 'blend',
  network: 'network',
} as const

/** The stage exponents of a model in a season's version. */
function exponentsOf(version: ModelVersion | undefined, model: ModelId): StageExponents {
  return version?.[VERSION_PARTS[model]]?.exponents ?? DEFAULT_EXPONENTS
}

/** Evaluates a model's combinations over whole seasons, except races with a dead heat in the first four. */
export async function judgeExotics(
  walk: Walk,
  model: ModelId,
  seasons: readonly number[],
  dividends: readonly PaidDividend[],
): Promise<Exotics> {
  const coverage: Coverage = new Map()
  const pools = new Map<GameplayClass, PoolGain[]>()
  const paid = new Map(
    dividends.map((row) => [`${row.raceId} ${row.gameplayClass} ${row.combination}`, row.dividendCents]),
  )
  const versions = new Map(walk.versions.map((version) => [version.season, version]))
  let seen = 0
  for (const [index, race] of walk.races.entries()) {
    const from = walk.data.starts[index]!
    const win = [...walk.chances[model].subarray(from, walk.data.starts[index + 1])]
    if (!seasons.includes(race.season) || Number.isNaN(win[0]!)) continue
    const order = firstFour(race)
    if (order === null || race.starters.length < LEAST_STARTERS) continue
    const exponents = exponentsOf(versions.get(race.season), model)
    const tables = nullOn('bad-field', () => combinationProbabilities(win, exponents, race.places))
    if (tables === null) continue
    countCoverage(coverage, race, tables)
    comparePools(pools, race, order, tables, paid)
    seen += 1
    if (seen % 50 === 0) await nextTurn()
  }
  return {
    model,
    stages: judgeStages(walk, model, seasons, versions),
    coverage: [...coverage.values()].map((row) => ({
      ...row,
      top1: row.top1 / row.races,
      top1Expected: row.top1Expected / row.races,
      top10: row.top10 / row.races,
      top10Expected: row.top10Expected / row.races,
    })),
    pools: [...pools].map(([gameplayClass, gains]) => ({
      gameplayClass,
      races: gains.length,
      ...bootstrapRatio(byGroup(gains)),
      verified: gains.every(({ verified }) => verified),
    })),
  }
}

function countCoverage(coverage: Coverage, race: PricedRace, tables: ClassTables): void {
  const finish = new Finish(race.starters.map(({ horseNo, place }) => ({ horseNo, place, started: true })))
  for (const { class: gameplayClass } of GAMEPLAYS) {
    const table = tables[gameplayClass]
    if (table.length === 0) continue
    const row = coverage.get(gameplayClass) ?? {
      gameplayClass,
      races: 0,
      top1: 0,
      top1Expected: 0,
      top10: 0,
      top10Expected: 0,
    }
    coverage.set(gameplayClass, row)
    row.races += 1
    for (const [rank, at] of table.topRows(STORED_PREDICTIONS).entries()) {
      const horses = table.horses(at).map((index) => race.starters[index]!.horseNo)
      const hit = isHit(gameplayClass, horses, { finish, places: race.places }) ? 1 : 0
      const expected = table.probability(at)
      row.top10 += hit
      row.top10Expected += expected
      if (rank > 0) continue
      row.top1 += hit
      row.top1Expected += expected
    }
  }
}

/**
 * Compares with pools that publish every line: the pool's share on the winning combination is (1 − takeout) /
 * odds, and the shares of all combinations sum to 1, so both sides are probabilities of the outcome.
 */
function comparePools(
  pools: Map<GameplayClass, PoolGain[]>,
  race: PricedRace,
  order: readonly number[],
  tables: ClassTables,
  paid: ReadonlyMap<string, number>,
): void {
  for (const { class: gameplayClass, rule, size } of GAMEPLAYS) {
    if (rule === 'among') continue
    const rows = order.slice(0, size)
    const horses = rows.map((row) => race.starters[row]!.horseNo)
    const cents = paid.get(`${race.id} ${gameplayClass} ${combinationText(gameplayClass, horses)}`)
    if (cents === undefined || cents <= 0) continue
    const { share, verified } = hongKongTakeout(gameplayClass, race.date)
    const publicShare = ((1 - share) * 1000) / cents
    const gain = Math.log(tables[gameplayClass].probabilityOf(rows)) - Math.log(publicShare)
    const list = pools.get(gameplayClass) ?? []
    list.push({ group: `${race.date} ${race.stadiumId}`, numerator: gain, denominator: 1, verified })
    pools.set(gameplayClass, list)
  }
}

function judgeStages(
  walk: Walk,
  model: ModelId,
  seasons: readonly number[],
  versions: ReadonlyMap<number, ModelVersion>,
): Exotics['stages'] {
  const sums = ([2, 3, 4] as const).map((place) => ({ place, races: 0, plain: 0, fitted: 0 }))
  for (const season of seasons) {
    const from = walk.races.findIndex((race) => race.season === season)
    const to = walk.races.findLastIndex((race) => race.season === season) + 1
    const stages = stageChoices(
      walk.races.slice(from, to),
      walk.data.starts.slice(from, to + 1),
      walk.chances[model],
    )
    const exponents = exponentsOf(versions.get(season), model)
    for (const [index, name] of (['second', 'third', 'fourth'] as const).entries()) {
      const choices = stages[name]
      if (choices.length === 0) continue
      const sum = sums[index]!
      sum.races += choices.length
      sum.plain += choices.length * meanLikelihood(choices, 1)
      sum.fitted += choices.length * meanLikelihood(choices, exponents[name])
    }
  }
  return sums.flatMap(({ place, races, plain, fitted }) =>
    races === 0 ? [] : [{ place, races, plain: plain / races, fitted: fitted / races }],
  )
}
