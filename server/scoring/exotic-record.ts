import type { ExoticRecord } from '../../contract/api/model.ts'
import type { ClassTables } from '../../domain/class-tables.ts'
import { combinationText, GAMEPLAYS, type GameplayClass } from '../../domain/gameplay.ts'
import { poolsAt } from '../../domain/pool-rules.ts'
import { STORED_PREDICTIONS } from '../../domain/prediction-types.ts'
import { wilsonInterval } from '../../domain/statistics.ts'
import { takeoutOf } from '../../domain/takeout.ts'
import type { PricedRace } from '../store/racing/history-store.ts'

/** Tables of one race by both rules: stage exponents, and the order rule in use. */
export type BothTables = Record<'before' | 'now', ClassTables>
const RULES = ['before', 'now'] as const

type ClassRow = ExoticRecord['classes'][number]
type Both = Record<keyof BothTables, number>

/** Limits of the probabilities by which combinations are counted. */
const EDGES = [0, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1] as const

/** Sums over the races of a season, or of all. */
interface ClassSums {
  races: number
  top10: Both
  top10Expected: Both
  loss: Both
  pool: { races: number; loss: Both; poolLoss: number; verified: boolean }
}

interface Bin {
  combinations: number
  sum: number
  won: number
}

const zero = (): Both => ({ before: 0, now: 0 })

/** Collects what a model's combinations were worth, race by race, by both rules. */
export class ExoticCounts {
  private readonly sums = new Map<string, ClassSums>()
  private readonly bins = new Map<string, Bin[]>()

  /**
   * Adds a race. `order`: rows of its first four starters. `paid`: dividends in cents per HK$10 by race, class and
   * combination.
   */
  add(
    race: PricedRace,
    order: readonly number[],
    tables: BothTables,
    paid: ReadonlyMap<string, number>,
  ): void {
    for (const gameplayClass of poolsAt(race.stadiumId)) {
      if (tables.now[gameplayClass].length === 0) continue
      const winners = winnersOf(gameplayClass, order, race.places)
      this.addBins(gameplayClass, winners, tables)
      const outcome = outcomeOf(gameplayClass, race, winners, tables, paid)
      addTo(this.sumsOf(gameplayClass, null), outcome)
      addTo(this.sumsOf(gameplayClass, race.season), outcome)
    }
  }

  private sumsOf(gameplayClass: GameplayClass, season: number | null): ClassSums {
    const key = `${gameplayClass} ${season ?? ''}`
    const known = this.sums.get(key)
    if (known) return known
    const sums = noRaces()
    this.sums.set(key, sums)
    return sums
  }

  private addBins(
    gameplayClass: GameplayClass,
    winners: readonly (readonly number[])[],
    tables: BothTables,
  ): void {
    for (const rule of RULES) {
      const key = `${gameplayClass} ${rule}`
      const bins = this.bins.get(key) ?? EDGES.slice(1).map((): Bin => ({ combinations: 0, sum: 0, won: 0 }))
      this.bins.set(key, bins)
      const table = tables[rule][gameplayClass]
      for (let row = 0; row < table.length; row += 1) {
        const probability = table.probability(row)
        const bin = bins[binOf(probability)]!
        bin.combinations += 1
        bin.sum += probability
      }
      for (const horses of winners) bins[binOf(table.probabilityOf(horses))]!.won += 1
    }
  }

  rows(): Pick<ExoticRecord, 'classes' | 'calibration'> {
    return {
      classes: [...this.sums].map(([key, sums]) => rowOf(key, sums)),
      calibration: [...this.bins].map(([key, bins]) => {
        const [gameplayClass, rule] = key.split(' ') as [string, 'before' | 'now']
        return {
          gameplayClass: Number(gameplayClass),
          rule,
          bins: bins.flatMap(({ combinations, sum, won }, index) =>
            combinations === 0
              ? []
              : [
                  {
                    from: EDGES[index]!,
                    to: EDGES[index + 1]!,
                    combinations,
                    mean: sum / combinations,
                    observed: won / combinations,
                    interval: wilsonInterval(won, combinations),
                  },
                ],
          ),
        }
      }),
    }
  }
}

/** What a race adds to the sums of a class. */
function outcomeOf(
  gameplayClass: GameplayClass,
  race: PricedRace,
  winners: readonly (readonly number[])[],
  tables: BothTables,
  paid: ReadonlyMap<string, number>,
): ClassSums {
  const outcome = noRaces()
  outcome.races = 1
  const only = winners.length === 1 ? winners[0]! : null
  const wanted = new Set(winners.map((horses) => horses.join(' ')))
  for (const rule of RULES) {
    const table = tables[rule][gameplayClass]
    for (const row of table.topRows(STORED_PREDICTIONS)) {
      outcome.top10[rule] += wanted.has(table.horses(row).join(' ')) ? 1 : 0
      outcome.top10Expected[rule] += table.probability(row)
    }
    if (only !== null) outcome.loss[rule] = -Math.log(table.probabilityOf(only))
  }
  if (only === null) return outcome
  const horses = only.map((row) => race.starters[row]!.horseNo)
  const cents = paid.get(`${race.id} ${gameplayClass} ${combinationText(gameplayClass, horses)}`)
  const takeout = takeoutOf(race.stadiumId, gameplayClass, race.date)
  if (cents === undefined || cents <= 0 || takeout === null) return outcome
  const { share, verified } = takeout
  outcome.pool = {
    races: 1,
    loss: { ...outcome.loss },
    poolLoss: -Math.log(((1 - share) * 1000) / cents),
    verified,
  }
  return outcome
}

const noRaces = (): ClassSums => ({
  races: 0,
  top10: zero(),
  top10Expected: zero(),
  loss: zero(),
  pool: { races: 0, loss: zero(), poolLoss: 0, verified: true },
})

function addTo(sums: ClassSums, { races, top10, top10Expected, loss, pool }: ClassSums): void {
  sums.races += races
  sums.pool.races += pool.races
  sums.pool.poolLoss += pool.poolLoss
  sums.pool.verified &&= pool.verified
  for (const rule of RULES) {
    sums.top10[rule] += top10[rule]
    sums.top10Expected[rule] += top10Expected[rule]
    sums.loss[rule] += loss[rule]
    sums.pool.loss[rule] += pool.loss[rule]
  }
}

function rowOf(key: string, { races, top10, top10Expected, loss, pool }: ClassSums): ClassRow {
  const [gameplayClass, season] = key.split(' ')
  const mean = (sum: Both, count: number) => ({
    before: sum.before / count,
    now: sum.now / count,
  })
  const isOne = GAMEPLAYS.find((gameplay) => gameplay.class === Number(gameplayClass))!.rule !== 'among'
  return {
    gameplayClass: Number(gameplayClass),
    season: season === '' ? null : Number(season),
    races,
    top10: mean(top10, races),
    top10Expected: mean(top10Expected, races),
    loss: isOne ? mean(loss, races) : null,
    pool:
      pool.races === 0
        ? null
        : {
            races: pool.races,
            loss: mean(pool.loss, pool.races),
            poolLoss: pool.poolLoss / pool.races,
            verified: pool.verified,
          },
  }
}

/** Winning combinations of a race without a dead heat in its first four. */
function winnersOf(gameplayClass: GameplayClass, order: readonly number[], places: number): number[][] {
  const { rule, size } = GAMEPLAYS.find((gameplay) => gameplay.class === gameplayClass)!
  if (rule === 'order') return [order.slice(0, size)]
  if (rule === 'set') return [order.slice(0, size).toSorted((a, b) => a - b)]
  if (size === 1) return order.slice(0, places).map((horse) => [horse])
  const three = order.slice(0, 3).toSorted((a, b) => a - b)
  return three.flatMap((a, index) => three.slice(index + 1).map((b) => [a, b]))
}

const binOf = (probability: number): number => {
  let bin = 0
  while (bin < EDGES.length - 2 && probability >= EDGES[bin + 1]!) bin += 1
  return bin
}
