import type { BetTable } from '../domain/bet-table.ts'
import { combinationProbabilities } from '../domain/class-tables.ts'
import { USUAL_SHAPE } from '../domain/order-rule.ts'
import { withOwnChances, type RaceVector } from '../domain/own-bet-chances.ts'
import { predictLines } from '../server/model/lines.ts'
import { seededRandom } from '../domain/random.ts'
import { median } from './engine.ts'

const ORDER = { shape: USUAL_SHAPE }
const EXPONENTS = { second: 0.88, third: 0.73, fourth: 0.67 }
const FIELDS = [8, 12, 14, 24] as const
const ROUNDS = 40
/** Ten Hong Kong seasons with the bets that the lab keeps of a race. */
const RACES = 8500
const BETS = 80

/** Drawn win chances of a field. */
function drawn(size: number, random: () => number): number[] {
  const weights = Array.from({ length: size }, () => Math.exp(2 * random()) * (0.1 + random()))
  const sum = weights.reduce((all, weight) => all + weight, 0)
  return weights.map((weight) => weight / sum)
}

/** The least is what a machine takes that does nothing else. */
const spread = (milliseconds: readonly number[]): { medianMs: number; leastMs: number } => ({
  medianMs: median([...milliseconds]),
  leastMs: Math.min(...milliseconds),
})

/**
 * Milliseconds for all combinations of a field by finishing times and by stage exponents, for the lines that are stored,
 * and for the lab's bets of ten seasons with a reader's own chances.
 */
export function benchOrder() {
  const random = seededRandom(37)
  const timed = (work: (win: number[]) => void, size: number) => {
    for (let round = 0; round < 10; round += 1) work(drawn(size, random))
    return spread(
      Array.from({ length: ROUNDS }, () => {
        const win = drawn(size, random)
        const started = performance.now()
        work(win)
        return performance.now() - started
      }),
    )
  }
  const lines = (win: readonly number[]) =>
    predictLines(
      win.map((chance, index) => ({ horseNo: index + 1, win: chance, winOdds: 0.825 / chance })),
      ORDER,
      3,
    )
  return {
    shape: USUAL_SHAPE,
    fields: FIELDS.map((starters) => ({
      starters,
      tables: timed((win) => void combinationProbabilities(win, ORDER, 3), starters),
      exponents: timed((win) => void combinationProbabilities(win, EXPONENTS, 3), starters),
      lines: timed((win) => void lines(win), starters),
    })),
    lab: timeLab(random, lines),
  }
}

/** The lab's bets: the lines of each race, then all of them with chances mixed anew. */
function timeLab(random: () => number, lines: (win: readonly number[]) => ReturnType<typeof predictLines>) {
  const vectors = new Map<string, RaceVector>()
  const races = [0]
  const kept = new Map<number, ReturnType<typeof lines>>()
  const names = { raceIds: [] as string[], betTypes: [] as number[], combinations: [] as string[] }
  for (let race = 0; race < RACES; race += 1) {
    const size = 8 + (race % 7)
    const [model, market] = [drawn(size, random), drawn(size, random)]
    vectors.set(`${race}`, { numbers: model.map((_, index) => index + 1), model, market, places: 3 })
    // Of all classes, as they are stored; every field of a size has bets of the same numbers.
    if (!kept.has(size)) kept.set(size, lines(model).slice(0, BETS))
    for (const { gameplayClass, combination } of kept.get(size)!) {
      names.raceIds.push(`${race}`)
      names.betTypes.push(gameplayClass)
      names.combinations.push(combination)
    }
    races.push(names.raceIds.length)
  }
  const size = names.raceIds.length
  // Only what own chances are derived from.
  const bets = { size, races: Int32Array.from(races), probability: new Float64Array(size) } as BetTable
  let told = 0
  const before = process.cpuUsage()
  const runs = [0.3, 0.4, 0.5, 0.6, 0.7].map((share) => {
    const started = performance.now()
    withOwnChances(
      bets,
      names,
      (raceId) => vectors.get(raceId),
      { share, order: ORDER, saved: new Map() },
      () => (told += 1),
    )
    return performance.now() - started
  })
  const processorMs = process.cpuUsage(before).user / 1000 / runs.length
  return {
    races: RACES,
    bets: size,
    told: told / runs.length,
    firstMs: runs[0],
    ...spread(runs),
    processorMs,
  }
}
