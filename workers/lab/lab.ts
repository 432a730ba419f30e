import { tableFromIPC } from 'apache-arrow'
import type { RowsPage } from '../../analytics/engine-api.ts'
import {
  BENCHMARK_FIGURES,
  BENCHMARKS,
  type Benchmark,
  type LabApi,
  type LabBet,
  type LabBets,
  type LabBounds,
  type LabBox,
  type LabComparison,
  type LabFan,
  type LabFigures,
  type LabGroup,
  type LabOrder,
  type LabPlan,
  type LabResult,
  type LabStandard,
  type LabStop,
  type LabUniverse,
  type OwnMix,
  type ValuesOf,
} from '../../analytics/lab-api.ts'
import type { OwnSlot } from '../../analytics/own-slots.ts'
import { chooseBets, HIT, oddsOf, VOID, type BetRules, type BetTable } from '../../domain/bet-table.ts'
import { FurlongError } from '../../domain/errors.ts'
import { LARGEST_WINS, withoutLargest } from '../../domain/largest-wins.ts'
import { withOwnChances } from '../../domain/own-bet-chances.ts'
import { groupStakes } from '../../domain/staking-groups.ts'
import {
  between,
  drawdownOf,
  fanCourses,
  fanRun,
  isCertain,
  losingRun,
  profitByMonth,
  returnDifference,
  returnOf,
  stakedBounds,
  stakeSizes,
} from '../../domain/staking-summary.ts'
import {
  bankrollAfter,
  canStake,
  kellyTable,
  runStakes,
  type StakedRun,
  type StakePlan,
  type UnknownBets,
} from '../../domain/staking.ts'
import { returnTrust, type Interval } from '../../domain/statistics.ts'
import { BetColumns, type BetIdentities } from './bet-columns.ts'
import { boxFigures, BoxRaces } from './box-bets.ts'
import { OwnAmounts, unstakedBy } from './own-amounts.ts'
import { DimensionValues } from './dimension-values.ts'
import { RaceVectors } from './race-vectors.ts'

/** The rows that were loaded: each a bet, or a race to make a box in. */
type Rows = { of: 'bets'; columns: BetColumns } | { of: 'boxes'; races: BoxRaces }

interface Loaded {
  bets: BetTable
  raceKeys: readonly string[]
}

/** What is bet on, with the probabilities that rules and stakes use. */
interface Offered {
  bets: BetTable
  identities: BetIdentities
  /** Races with the user's own probabilities. */
  races: number
}

/** A plan with each treatment of unknown dividends. */
type Runs = Readonly<Record<UnknownBets, StakedRun>>

type LastRun = Record<'odds' | 'stakes' | 'profits', Float64Array> &
  Pick<LabResult, 'certain'> &
  Pick<Offered, 'bets' | 'identities'> & { runs: Runs }

type BenchmarkRace = Readonly<Record<(typeof BENCHMARK_FIGURES)[number], number>>

const PROGRESS_MS = 100

/** How long a fan runs before it yields to other messages. */
const STEP_MS = 15

/** Stakes a set of bets that is loaded once, as often as the page requests. */
export class Lab implements LabApi {
  private rows: Rows | null = null
  private loaded: Loaded | null = null
  private returns: ReadonlyMap<string, Readonly<Record<Benchmark, BenchmarkRace>>> | null = null
  private last: LastRun | null = null
  private vectorPages: RaceVectors | null = null
  private values: DimensionValues | null = null
  /** The columns of the reader's own that stakes are by. */
  private readonly amounts = new Map<string, OwnAmounts>()
  /** The bets that were derived last: at most those of the plan and those of the other. */
  private derived: (Offered & { key: string })[] = []
  /** Counts the runs: the computation of an older one stops when a newer one starts. */
  private runs = 0

  async begin(universe: LabUniverse): Promise<void> {
    this.runs += 1
    this.rows =
      universe === 'boxes'
        ? { of: 'boxes', races: new BoxRaces() }
        : { of: 'bets', columns: new BetColumns(universe) }
    this.loaded = null
    this.returns = null
    this.last = null
    this.vectorPages = null
    this.values = null
    this.amounts.clear()
    this.derived = []
  }

  async add(page: RowsPage): Promise<number | null> {
    return this.rowsOf().add(page)
  }

  async ready(): Promise<LabBets> {
    const rows = this.begun()
    const { bets, raceKeys } = rows.of === 'boxes' ? rows.races.emptyTable() : rows.columns.table()
    this.loaded = { bets, raceKeys }
    return {
      bets: bets.size,
      opened: bets.openingOdds.reduce((sum, odds) => sum + (odds > 0 ? 1 : 0), 0),
      late: rows.of === 'boxes' ? 0 : rows.columns.late,
      winOnly: bets.win.every((win) => win === 1),
    }
  }

  async standards({ bytes }: RowsPage): Promise<void> {
    const table = tableFromIPC(bytes)
    const [key, key2] = ['key', 'key2'].map((name) => table.getChild(name))
    const number = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)
    const columns = BENCHMARKS.map(
      (of) =>
        [of, BENCHMARK_FIGURES.map((name) => [name, table.getChild(`${of}_${name}`)] as const)] as const,
    )
    const returns = new Map<string, Readonly<Record<Benchmark, BenchmarkRace>>>()
    for (let row = 0; row < table.numRows; row += 1)
      returns.set(
        `${String(key!.get(row))} ${Number(key2!.get(row))}`,
        Object.fromEntries(
          columns.map(([of, figures]) => [
            of,
            Object.fromEntries(figures.map(([name, column]) => [name, number(column?.get(row))])),
          ]),
        ) as Record<Benchmark, BenchmarkRace>,
      )
    this.returns = returns
  }

  async beginVectors(): Promise<void> {
    this.vectorPages = new RaceVectors()
    this.derived = []
  }

  async addVectors(page: RowsPage): Promise<number> {
    if (this.vectorPages === null)
      throw new FurlongError('query-failed', { reason: 'no probabilities were begun' })
    return this.vectorPages.add(page)
  }

  async beginAmounts(column: OwnSlot): Promise<void> {
    this.amounts.set(column, new OwnAmounts(column, this.rowsOf()))
  }

  async addAmounts(column: OwnSlot, page: RowsPage): Promise<number> {
    return this.amounts.get(column)!.add(page)
  }

  /** What is bet on by a plan, with the numbers that it stakes by. */
  private offered(of: LabPlan, onProgress?: (done: number, all: number) => void): Offered {
    const offered = this.withChances(of, onProgress)
    const { rule } = of.plan
    if (rule.kind !== 'column') return offered
    const found = this.amounts.get(rule.column)
    if (found === undefined) throw new FurlongError('own-needed')
    return { ...offered, bets: { ...offered.bets, amounts: found.numbers } }
  }

  /** The bets with the predicted probabilities or the user's own, and boxes, which are derived once for each setting. */
  private withChances(
    { own, box }: Pick<LabPlan, 'own' | 'box'>,
    onProgress?: (done: number, all: number) => void,
  ): Offered {
    const rows = this.begun()
    if (rows.of === 'bets' && own === null)
      return { bets: this.whole().bets, identities: rows.columns, races: 0 }
    const key = JSON.stringify([own, box])
    const known = this.derived.find((each) => each.key === key)
    if (known !== undefined) return known
    const made = { key, ...this.derive(rows, own, box, onProgress && everyTenth(onProgress)) }
    this.derived = [made, ...this.derived].slice(0, 2)
    return made
  }

  private derive(
    rows: Rows,
    own: OwnMix | null,
    box: LabBox | null,
    onRace?: (done: number, all: number) => void,
  ): Offered {
    const vectors = (this.vectorPages ?? new RaceVectors()).whole()
    const mix = own && { ...own, saved: groupBySaved(own) }
    if (rows.of === 'boxes') {
      if (box === null) throw new FurlongError('query-failed', { reason: 'no box was chosen' })
      return rows.races.boxes(vectors, box, mix, onRace)
    }
    const { columns } = rows
    const derived = withOwnChances(this.whole().bets, columns, (raceId) => vectors.get(raceId), mix!, onRace)
    return { ...derived, identities: columns }
  }

  async run(of: LabPlan, onProgress?: (done: number, all: number) => void): Promise<LabResult> {
    const started = performance.now()
    this.runs += 1
    const { rules, plan } = of
    const { bets, identities, races } = this.offered(of, onProgress)
    const chosen = chooseBets(bets, rules)
    const kelly = plan.rule.kind === 'kelly' ? kellyTable(bets, chosen, rules) : null
    const runs = runsOf(bets, chosen, rules, plan, kelly)
    const figures = figuresOf(bets, runs)
    const { certain } = figures
    const stakes = runs.out.stakes!
    const profits = runs.out.profits!
    this.last = { bets, identities, odds: oddsOf(bets, rules), stakes, profits, certain, runs }
    // Where the profit is only a range, so is the course of the bankroll: the worse one is told.
    const told = certain ? runs.out : runs.worst
    const resumes = (left: number): boolean => canStake(bets, chosen, rules, plan, left, kelly)
    return {
      ...figures,
      number: this.runs,
      unstaked: { unwanted: told.unwanted, rounded: told.rounded },
      stopped: stopOf(bets, told, plan, resumes),
      sizes: stakeSizes(stakes, plan.unit),
      withoutLargest: certain ? withoutLargest(runs.out, LARGEST_WINS) : null,
      ownRaces: of.own === null ? null : { own: races, all: this.whole().raceKeys.length },
      favourite: this.standard(stakes, 'favourite'),
      random: this.standard(stakes, 'random'),
      boxes: boxFigures(bets, stakes),
      column: bets.amounts === undefined ? null : unstakedBy(bets.amounts, chosen),
      milliseconds: performance.now() - started,
    }
  }

  async compare(of: LabPlan): Promise<LabComparison> {
    const { last } = this
    if (last === null) throw new FurlongError('query-failed', { reason: 'no plan was run' })
    const { rules, plan } = of
    const { bets } = this.offered(of)
    const chosen = chooseBets(bets, rules)
    const kelly = plan.rule.kind === 'kelly' ? kellyTable(bets, chosen, rules) : null
    const runs = runsOf(bets, chosen, rules, plan, kelly)
    const other = figuresOf(bets, runs)
    const isCounted = (of: BetTable, { stakes, profits }: StakedRun, bet: number): boolean =>
      of.outcome[bet] !== VOID && stakes![bet]! > 0 && !Number.isNaN(profits![bet]!)
    let common = 0
    for (let bet = 0; bet < bets.size; bet += 1)
      if (isCounted(last.bets, last.runs.out, bet) && isCounted(bets, runs.out, bet)) common += 1
    return { other, common, difference: differenceOf(last, { certain: other.certain, runs }) }
  }

  async fan(of: LabPlan): Promise<LabFan | null> {
    const { rules, plan } = of
    const { bets } = this.offered(of)
    const { runs } = this
    const chosen = chooseBets(bets, rules)
    const modes: readonly UnknownBets[] = this.last?.certain === false ? ['worst', 'best'] : ['out']
    const fans = modes.map((unknown) => fanRun(bets, chosen, rules, plan, unknown))
    const courses = fanCourses(bets.size, fans.length)
    let pause = performance.now() + STEP_MS
    for (let course = 0; course < courses; course += 1) {
      for (const fan of fans) fan.step()
      if (performance.now() < pause) continue
      // Yields so that a newer run, such as from a moving slider, is handled first.
      await new Promise((resolve) => setTimeout(resolve))
      if (this.runs !== runs) return null
      pause = performance.now() + STEP_MS
    }
    const [first, last = first] = fans.map((fan) => fan.fan())
    const { chances } = first!
    const others = last!.chances
    return {
      ...first!,
      chances:
        chances === null || others === null
          ? null
          : {
              falls: chances.falls.map((chance, at) => between(chance, others.falls[at]!)),
              stopped: between(chances.stopped, others.stopped),
              doubled: between(chances.doubled, others.doubled),
            },
    }
  }

  async beginValues(dim: string, of: ValuesOf, bins: readonly number[] | null): Promise<void> {
    this.values = new DimensionValues(dim, of, bins, this.rowsOf())
  }

  async addValues(page: RowsPage): Promise<number> {
    return this.values!.add(page)
  }

  async groups(): Promise<LabGroup[]> {
    const { values, last } = this
    if (values === null || last === null) return []
    const groups = groupStakes(last.bets, (bet) => values.numbersOf(bet), last.runs)
    return [...groups].map(([number, group]) => ({ value: values.values[number]!, ...group }))
  }

  async bets(
    order: LabOrder,
    month: string | null,
    offset: number,
    limit: number,
  ): Promise<{ total: number; bets: LabBet[] }> {
    const { last } = this
    if (last === null) return { total: 0, bets: [] }
    const { bets, identities } = last
    const made: number[] = []
    for (let bet = 0; bet < bets.size; bet += 1)
      if (last.stakes[bet]! > 0 && (month === null || identities.days[bet]!.startsWith(month))) made.push(bet)
    const worth = (bet: number): number => (Number.isNaN(last.profits[bet]!) ? 0 : last.profits[bet]!)
    if (order === 'newest') made.reverse()
    if (order === 'best') made.sort((a, b) => worth(b) - worth(a))
    if (order === 'worst') made.sort((a, b) => worth(a) - worth(b))
    return {
      total: made.length,
      bets: made.slice(offset, offset + limit).map((bet): LabBet => {
        const outcome = bets.outcome[bet]
        return {
          at: bet,
          raceId: identities.raceIds[bet]!,
          day: identities.days[bet]!,
          raceNo: identities.raceNumbers[bet]!,
          betType: identities.betTypes[bet]!,
          combination: identities.combinations[bet]!,
          combinations: bets.boxes?.combinations[bet] ?? 1,
          probability: bets.probability[bet]!,
          odds: last.odds[bet]! > 0 ? last.odds[bet]! : null,
          stake: last.stakes[bet]!,
          outcome: outcome === HIT ? 'hit' : outcome === VOID ? 'void' : 'miss',
          profit: Number.isNaN(last.profits[bet]!) ? null : last.profits[bet]!,
        }
      }),
    }
  }

  /**
   * The settled stakes of each race on the benchmark instead, before costs, where its return is known; the bounds over
   * all races where too many of its winners have no dividend. As with the plan's own bets, each bound stakes what it
   * assumes: the best leaves out the lost bets without a dividend, the worst loses them.
   */
  private standard(stakes: Float64Array, of: Benchmark): LabStandard | null {
    const { returns } = this
    if (returns === null) return null
    const { bets, raceKeys } = this.whole()
    const { profits } = this.last!
    const [known, worst, best] = [noBets(), noBets(), noBets()]
    let [races, hits, unknownHits] = [0, 0, 0]
    for (const [race, key] of raceKeys.entries()) {
      let staked = 0
      for (let bet = bets.races[race]!; bet < bets.races[race + 1]!; bet += 1)
        if (bets.outcome[bet] !== VOID && !Number.isNaN(profits[bet]!)) staked += stakes[bet]!
      const found = returns.get(key)?.[of]
      if (staked === 0 || found === undefined) continue
      hits += found.hits || 0
      unknownHits += found.unknown_hits || 0
      races += 1
      addBet(known, staked, found.return)
      addBet(worst, staked, found.return_worst)
      addBet(best, staked, found.return_best)
    }
    if (returnTrust(races, hits, unknownHits) !== 'incomplete')
      return { staked: known.staked, profit: Math.round(known.profit) }
    const { profit, returned } = stakedBounds(worst, best)
    return {
      staked: worst.staked,
      profit: Math.round(known.profit),
      bounds: { profit: { low: Math.round(profit.low), high: Math.round(profit.high) }, returned },
    }
  }

  private begun(): Rows {
    if (this.rows === null) throw new FurlongError('query-failed', { reason: 'no bets were begun' })
    return this.rows
  }

  private rowsOf(): BetColumns | BoxRaces {
    const rows = this.begun()
    return rows.of === 'boxes' ? rows.races : rows.columns
  }

  private whole(): Loaded {
    if (this.loaded === null) throw new FurlongError('query-failed', { reason: 'no bets are loaded' })
    return this.loaded
  }
}

/** Tells at most ten times a second, and nothing of what takes less. */
function everyTenth(tell: (done: number, all: number) => void): (done: number, all: number) => void {
  let next = performance.now() + PROGRESS_MS
  return (done, all) => {
    if (performance.now() < next) return
    tell(done, all)
    next = performance.now() + PROGRESS_MS
  }
}

const noBets = (): Pick<StakedRun, 'staked' | 'profit'> => ({ staked: 0, profit: 0 })

/** Adds a stake and its profit, unless the return on it is unknown. */
function addBet(sum: Pick<StakedRun, 'staked' | 'profit'>, staked: number, returned: number): void {
  if (Number.isNaN(returned)) return
  sum.staked += staked
  sum.profit += staked * returned
}

const worstMonthOf = (months: ReadonlyMap<string, number>): LabResult['worstMonth'] => {
  const [worst] = [...months].toSorted(([, a], [, b]) => a - b)
  return worst === undefined ? null : { month: worst[0], profit: worst[1] }
}

function runsOf(
  bets: BetTable,
  chosen: Uint8Array,
  rules: BetRules,
  plan: StakePlan,
  kelly: Float64Array | null,
): Runs {
  const staked = (unknown: UnknownBets): StakedRun =>
    runStakes(bets, chosen, rules, plan, { unknown, detail: true, ...(kelly ? { kelly } : {}) })
  const out = staked('out')
  return out.unknown === 0
    ? { out, worst: out, best: out }
    : { out, worst: staked('worst'), best: staked('best') }
}

const figuresOf = (bets: BetTable, { out, worst, best }: Runs): LabFigures => ({
  bets: out.bets,
  races: out.races,
  hits: out.hits,
  unknown: out.unknown,
  unknownHits: out.unknownHits,
  certain: isCertain(out),
  staked: out.staked,
  profit: out.profit,
  returned: returnOf(out),
  bounds: out.unknown === 0 ? null : boundsOf(bets, worst, best),
  drawdown: drawdownOf(bets.days, out.profitAt),
  losingRun: losingRun(bets, out.stakes!),
  worstMonth: worstMonthOf(profitByMonth(bets.days, out)),
  curve: curveOf(bets, out),
})

/** By how much a plan did better than another; both ends where one of them has only bounds. */
function differenceOf(
  own: Pick<LastRun, 'certain' | 'runs'>,
  other: Pick<LastRun, 'certain' | 'runs'>,
): LabComparison['difference'] {
  if (own.certain && other.certain) {
    const profit = own.runs.out.profit - other.runs.out.profit
    const returned = returnDifference(own.runs.out, other.runs.out)
    return {
      profit: between(profit, profit),
      returned: returned && {
        value: between(returned.difference, returned.difference),
        interval: returned.interval,
      },
    }
  }
  const at = (bound: 'worst' | 'best') => returnDifference(own.runs[bound], other.runs[bound])?.difference
  const [worst, best] = [at('worst'), at('best')]
  return {
    profit: between(
      own.runs.worst.profit - other.runs.worst.profit,
      own.runs.best.profit - other.runs.best.profit,
    ),
    returned:
      worst === undefined || best === undefined ? null : { value: between(worst, best), interval: null },
  }
}

/** The figures that the two assumptions about unknown dividends lead to. */
function boundsOf(bets: BetTable, worst: StakedRun, best: StakedRun): LabBounds {
  const of = (figure: (run: StakedRun) => number): Interval => between(figure(worst), figure(best))
  const month = worstMonthOf(profitByMonth(bets.days, worst))?.month
  const profitIn = (run: StakedRun): number => profitByMonth(bets.days, run).get(month!) ?? 0
  return {
    ...stakedBounds(worst, best),
    drawdown: of(({ profitAt }) => drawdownOf(bets.days, profitAt).depth),
    losingRun: of(({ stakes }) => losingRun(bets, stakes!)),
    worstMonth: month === undefined ? null : { month, profit: of(profitIn) },
  }
}

function stopOf(
  bets: BetTable,
  { lastAt, roundedLater, profit }: StakedRun,
  plan: StakePlan,
  resumes: (left: number) => boolean,
): LabStop | null {
  if (roundedLater === 0) return null
  const left = bankrollAfter(plan, profit)
  return {
    day: lastAt === null ? null : bets.days[lastAt]!,
    left: plan.bankroll === null ? null : left,
    later: roundedLater,
    final: !resumes(left),
  }
}

/** Stored win probabilities by race and saddle number. */
function groupBySaved({ saved }: OwnMix): Map<string, Map<number, number>> {
  const races = new Map<string, Map<number, number>>()
  for (const { raceId, number, chance } of saved) {
    const race = races.get(raceId) ?? new Map<number, number>()
    races.set(raceId, race.set(number, chance))
  }
  return races
}

function curveOf(bets: BetTable, run: StakedRun): LabResult['curve'] {
  const days: string[] = []
  const profits: number[] = []
  let profit = 0
  for (const [place, day] of bets.days.entries()) {
    if (run.stakedAt[place] === 0) continue
    profit += run.profitAt[place]!
    // One point per day, even if two meetings share it.
    if (days.at(-1) === day) profits[profits.length - 1] = profit
    else {
      days.push(day)
      profits.push(profit)
    }
  }
  return { days, profits }
}
