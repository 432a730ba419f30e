import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExoticRecord, ModelCardAnswer } from '../../contract/api/model.ts'
import { nullOn } from '../../domain/errors.ts'
import { Finish } from '../../domain/finish.ts'
import { poolsAt } from '../../domain/pool-rules.ts'
import { combinationText, GAMEPLAYS, type GameplayClass } from '../../domain/gameplay.ts'
import { inThreads } from '../process/threads.ts'
import { combinationProbabilities, type ClassTables } from '../../domain/class-tables.ts'
import type { OrderRule, StageExponents } from '../../domain/order-rule.ts'
import { STORED_PREDICTIONS } from '../../domain/prediction-types.ts'
import { isHit } from '../../domain/settlement.ts'
import { bootstrapRatio, byGroup, type Ratio } from '../../domain/statistics.ts'
import { takeoutOf } from '../../domain/takeout.ts'
import type { PricedRace } from '../store/racing/history-store.ts'
import type { PaidDividend } from '../store/racing/report-store.ts'
import { ExoticCounts } from './exotic-record.ts'
import { DEFAULT_ORDER, orderOf, type ModelVersion } from '../model/models/model-version.ts'
import type { ModelId } from '../model/models/sources.ts'
import { exponentsBefore, orderedRaces, placeLogs, type OrderedRace } from './stages.ts'
import type { Walk } from './walk-forward.ts'

/** With fewer starters, the ten most probable combinations cover too much of a pool to be informative. */
const LEAST_STARTERS = 7

type Exotics = ModelCardAnswer['exotics'][number]
type Coverage = Map<GameplayClass, Exotics['coverage'][number]>
type PoolGain = Ratio & { group: string; verified: boolean }

/** Stage exponents fitted to the seasons before one, and the order rule of its version. */
interface SeasonRules {
  before: StageExponents
  now: OrderRule
}

/** All that the combinations of one model are judged from. */
interface ExoticsTask {
  model: ModelId
  seasons: readonly number[]
  races: readonly OrderedRace[]
  /** By season. */
  rules: ReadonlyMap<number, SeasonRules>
  dividends: readonly PaidDividend[]
}

/** What a thread is given. */
export interface ExoticsWork {
  exotics: readonly ExoticsTask[]
}

/** The part of a version that holds a model. */
const VERSION_PARTS = {
  'market-baseline': 'market',
  fundamental: 'fundamental',
  blended: 'blend',
  network: 'network',
} as const

/** The order rule of a model in a season's version. */
function ruleOf(version: ModelVersion | undefined, model: ModelId): OrderRule {
  const part = version?.[VERSION_PARTS[model]]
  return part ? orderOf(part) : DEFAULT_ORDER
}

/**
 * Evaluates the combinations of models over whole seasons, except races with a dead heat in the first four. The models are
 * divided among up to `threads` threads, of which this one is the first.
 */
export async function judgeExotics(
  walk: Walk,
  models: readonly ModelId[],
  seasons: readonly number[],
  dividends: readonly PaidDividend[],
  threads = availableParallelism(),
): Promise<Exotics[]> {
  const versions = new Map(walk.versions.map((version) => [version.season, version]))
  const tasks = models.map((model): ExoticsTask => ({
    model,
    seasons,
    races: orderedRaces(walk, model, seasons),
    rules: new Map(
      seasons.map((season) => [
        season,
        { before: exponentsBefore(walk, model, season), now: ruleOf(versions.get(season), model) },
      ]),
    ),
    dividends,
  }))
  return inThreads(tasks, threads, judgeAll, 'training-thread', (exotics): ExoticsWork => ({ exotics }))
}

/** Judges models in this thread, one after another. */
export async function judgeAll(tasks: readonly ExoticsTask[]): Promise<Exotics[]> {
  const judged: Exotics[] = []
  for (const task of tasks) judged.push(await judgeModel(task))
  return judged
}

async function judgeModel({ model, seasons, races, rules, dividends }: ExoticsTask): Promise<Exotics> {
  const coverage: Coverage = new Map()
  const pools = new Map<GameplayClass, PoolGain[]>()
  const paid = new Map(
    dividends.map((row) => [`${row.raceId} ${row.gameplayClass} ${row.combination}`, row.dividendCents]),
  )
  const counts = new ExoticCounts()
  for (const [index, { race, win, order }] of races.entries()) {
    if (race.starters.length < LEAST_STARTERS) continue
    const rule = rules.get(race.season)!
    const both = nullOn('bad-field', () => ({
      before: combinationProbabilities(win, rule.before, race.places),
      now: combinationProbabilities(win, rule.now, race.places),
    }))
    if (both === null) continue
    counts.add(race, order, both, paid)
    countCoverage(coverage, race, both.now)
    comparePools(pools, race, order, both.now, paid)
    if (index % 50 === 0) await nextTurn()
  }
  const { stages, gains } = judgeOrder(races, rules, seasons)
  return {
    model,
    stages,
    record: { gains, ...counts.rows() },
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
  for (const gameplayClass of poolsAt(race.stadiumId)) {
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
 * Compares with pools that publish every line and of which the takeout is known: the pool's share on the winning combination is (1 − takeout) /
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
    const takeout = takeoutOf(race.stadiumId, gameplayClass, race.date)
    if (cents === undefined || cents <= 0 || takeout === null) continue
    const { share, verified } = takeout
    const publicShare = ((1 - share) * 1000) / cents
    const gain = Math.log(tables[gameplayClass].probabilityOf(rows)) - Math.log(publicShare)
    const list = pools.get(gameplayClass) ?? []
    list.push({ group: `${race.date} ${race.stadiumId}`, numerator: gain, denominator: 1, verified })
    pools.set(gameplayClass, list)
  }
}

/** Log-likelihoods of the second to fourth: by place, and what the order rule gains on the fitted exponents. */
function judgeOrder(
  races: readonly OrderedRace[],
  rules: ExoticsTask['rules'],
  seasons: readonly number[],
): { stages: Exotics['stages']; gains: ExoticRecord['gains'] } {
  const sums = ([2, 3, 4] as const).map((place) => ({ place, races: 0, plain: 0, fitted: 0, order: 0 }))
  const gains: (Ratio & { group: string; season: number })[] = []
  for (const { race, meeting, win, order } of races) {
    const { before, now } = rules.get(race.season)!
    const logs = nullOn('bad-field', () => ({
      plain: placeLogs(win, { second: 1, third: 1, fourth: 1 }, order),
      fitted: placeLogs(win, before, order),
      order: placeLogs(win, now, order),
    }))
    if (logs === null) continue
    let gain = 0
    for (const [place, sum] of sums.entries()) {
      sum.races += 1
      for (const name of ['plain', 'fitted', 'order'] as const) sum[name] += logs[name][place]!
      gain += logs.order[place]! - logs.fitted[place]!
    }
    gains.push({ group: meeting, season: race.season, numerator: gain, denominator: 1 })
  }
  return {
    stages: sums.flatMap(({ place, races: count, plain, fitted, order }) =>
      count === 0
        ? []
        : [{ place, races: count, plain: plain / count, fitted: fitted / count, order: order / count }],
    ),
    gains: [null, ...seasons].flatMap((season) => {
      const rows = gains.filter((gain) => season === null || gain.season === season)
      return rows.length === 0 ? [] : [{ season, races: rows.length, ...bootstrapRatio(byGroup(rows)) }]
    }),
  }
}
