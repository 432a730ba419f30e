import type { Dimension, Model, Scalar } from '../../analytics/model.ts'
import type { Filter } from '../../analytics/filter.ts'

/** A value of a dimension; a list where a combination has one value for each of its horses. */
export type PreparedValue = Scalar | null | readonly (Scalar | null)[]

/** One row of a prepared table: the values of its dimensions and columns, and what it adds to each sum of the model. */
export interface Fact {
  values: Readonly<Record<string, PreparedValue>>
  sums: Readonly<Record<string, number>>
}

type SingleFact = Fact & { values: Readonly<Record<string, Scalar | null>> }

const HIT_SUMS = ['hits', 'market_hits']

interface PreparedPrediction {
  day: string
  /** `void`: returned; the rest of the figures leave it out. */
  outcome: 'hit' | 'miss' | 'void'
  /** Profit of the flat stake of HK$10 in cents; `null` where the dividend is unknown. */
  profit: number | null
  probability: number
  market: number
  /** Probability of a random pick. */
  chance: number
  /** Whether it is the main pick of its race and bet type. */
  selected: boolean
}

const USUAL = {
  day: '2026-01-04',
  outcome: 'miss',
  probability: 0.25,
  market: 0.2,
  chance: 0.1,
  selected: true,
} as const

const seasonOf = (day: string): number => Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < 9 ? 1 : 0)

/** A settled prediction: figures as the files would have them, and any other values by their names. */
export function prediction(
  given: Partial<PreparedPrediction>,
  values: Readonly<Record<string, PreparedValue>> = {},
): Fact {
  const { day, outcome, probability, market, chance, selected } = { ...USUAL, ...given }
  const isVoid = outcome === 'void'
  const hit = outcome === 'hit' ? 1 : 0
  const profit = given.profit === undefined ? (isVoid ? 0 : -1000) : given.profit
  const known = profit !== null && !isVoid
  const counted = Number(!isVoid)
  const racecourse = values['racecourse'] ?? 1
  const sums: Record<string, number> = {
    predictions: 1,
    hits: hit,
    voids: Number(isVoid),
    unknown: Number(profit === null),
    unknown_hits: profit === null ? hit : 0,
    staked: known ? 1000 : 0,
    profit: profit ?? 0,
    best_unknown: profit === null && hit === 1 ? 1000 * (1 / market - 1) : 0,
    chance_hits: counted * chance,
    expected: counted * probability,
    market_expected: counted * market,
    market_hits: hit,
    probabilities: probability,
  }
  return {
    values: {
      model: 'market-baseline',
      origin: 'backtest',
      bet_type: 1,
      rank: 1,
      racecourse: 1,
      race_no: 1,
      season: seasonOf(day),
      month: day.slice(0, 7),
      meeting: `${day} ${String(racecourse)}`,
      race_id: `HKSHT${day.replaceAll('-', '')}01`,
      prediction_type: selected ? 1 : null,
      day,
      outcome,
      probability,
      profit_cents: profit,
      ...values,
    },
    sums,
  }
}

/** The same prediction in a number of races. */
export const times = (count: number, fact: Fact): Fact[] => inRaces(Array.from({ length: count }, () => fact))

/** Gives predictions of one day races of their own, as far as a race's number has two digits. */
const inRaces = (facts: readonly Fact[]): Fact[] =>
  facts.map(({ values, sums }, at) => ({
    sums,
    values: { ...values, race_id: `HKSHT${String(values['day']).replaceAll('-', '')}${10 + (at % 90)}` },
  }))

/** Predictions of a group with so many hits, each hit with one profit; the rest lose their stake. */
export const bets = (
  count: number,
  hits: number,
  profitOfHit: number,
  values: Readonly<Record<string, PreparedValue>>,
  given: Partial<PreparedPrediction> = {},
): Fact[] =>
  inRaces([
    ...times(hits, prediction({ ...given, outcome: 'hit', profit: profitOfHit }, values)),
    ...times(count - hits, prediction({ ...given, outcome: 'miss' }, values)),
  ])

interface PreparedStarter {
  day: string
  race: number
  won: boolean
  /** Whether it shared the win: half of it is its own. */
  deadHeat: boolean
  probability: number
  /** `null` without a market line. */
  market: number | null
  /** Profit of a flat bet on it in cents; `null` where the dividend is unknown. */
  profit: number | null
}

const USUAL_STARTER: PreparedStarter = {
  day: '2026-01-04',
  race: 1,
  won: false,
  deadHeat: false,
  probability: 0.25,
  market: 0.2,
  profit: -1000,
}

/** What a flat bet adds to the sums of its kind, counted with a weight. */
function betSums(bet: string, weight: number, of: PreparedStarter): Record<string, number> {
  const { won, profit, market, probability } = of
  const [hits, unknown] = [weight * Number(won), profit === null ? weight : 0]
  const fair = 1000 * (1 / (market ?? probability) - 1)
  return {
    [`${bet}_bets`]: weight,
    [`${bet}_hits`]: hits,
    [`${bet}_unknown`]: unknown,
    [`${bet}_unknown_hits`]: Math.min(hits, unknown),
    [`${bet}_staked`]: 1000 * (weight - unknown),
    [`${bet}_profit`]: weight * (profit ?? 0),
    [`${bet}_best_unknown`]: Math.min(hits, unknown) * fair,
  }
}

/** What the market's probability adds; nothing in a race without a market line. */
const marketSums = (
  market: number | null,
  part: number,
  loss: (chance: number) => number,
  own: number,
): Record<string, number> =>
  market === null
    ? {}
    : {
        market_expected: market,
        market_winners: part,
        market_starters: 1,
        market_log_loss: loss(market),
        priced_log_loss: loss(own),
        priced_uniform_log_loss: loss(0.25),
      }

/** A race's starter: whether it won, its probabilities, and the profit of a flat bet on it in cents. */
export function starter(
  given: Partial<PreparedStarter>,
  values: Readonly<Record<string, PreparedValue>> = {},
): Fact {
  const of = { ...USUAL_STARTER, ...given }
  const { day, race, won, deadHeat, probability, market, profit } = of
  /** Its share of the win. */
  const part = won ? (deadHeat ? 0.5 : 1) : 0
  const isFavourite = (values['favourite_rank'] ?? 2) === 1 && market !== null
  const loss = (chance: number): number => (won ? -part * Math.log(chance) : 0)
  return {
    values: {
      model: 'market-baseline',
      origin: 'backtest',
      racecourse: 1,
      season: seasonOf(day),
      month: day.slice(0, 7),
      meeting: `${day} 1`,
      race_no: race,
      race_id: `HKSHT${day.replaceAll('-', '')}${String(race).padStart(2, '0')}`,
      day,
      probability,
      ...values,
    },
    sums: {
      runners: 1,
      hits: Number(won),
      unknown: Number(profit === null),
      unknown_hits: Number(profit === null && won),
      best_unknown: profit === null && won ? 1000 * (1 / (market ?? probability) - 1) : 0,
      chance_hits: 0.25,
      winners: part,
      expected: probability,
      ...marketSums(market, part, loss, probability),
      chance: 0.25,
      probabilities: probability,
      staked: profit === null ? 0 : 1000,
      profit: profit ?? 0,
      brier: (probability - part) ** 2,
      log_loss: loss(probability),
      uniform_log_loss: loss(0.25),
      ...betSums('pick', Number(values['model_rank'] === 1), of),
      ...betSums('favourite', Number(isFavourite), of),
      ...betSums('random', 0.25, of),
    },
  }
}

/** A race as a bet on its first choice, and whether its favourite won; the other sums are those of the first choice. */
export function race(
  given: Partial<PreparedStarter> & { favouriteWon?: boolean },
  values: Readonly<Record<string, PreparedValue>> = {},
): Fact {
  const { favouriteWon = false, ...of } = given
  const first = starter(of, values)
  return {
    values: first.values,
    sums: {
      ...first.sums,
      races: 1,
      starters: Number(values['field_size']),
      winner_odds: 5,
      winners_with_odds: 1,
      favourite_bets: 1,
      favourite_hits: Number(favouriteWon),
    },
  }
}

/** One row for each value of the dimensions in a list, as where a combination counts once for each of its horses. */
export function singled(facts: readonly Fact[], dims: readonly string[]): SingleFact[] {
  return facts.flatMap(({ values, sums }) => {
    const lists = dims.flatMap((dim) => {
      const value = values[dim]
      return Array.isArray(value) ? [value as readonly (Scalar | null)[]] : []
    })
    const horses = lists[0]?.length ?? 1
    return Array.from({ length: horses }, (_, at) => ({
      sums,
      values: Object.fromEntries(
        Object.entries(values).map(([dim, value]): [string, Scalar | null] => [
          dim,
          Array.isArray(value)
            ? ((value as readonly (Scalar | null)[])[at] ?? null)
            : (value as Scalar | null),
        ]),
      ),
    }))
  })
}

/** Whether a row is selected; excluding values keeps the rows whose value is unknown. */
export function isSelected({ values }: SingleFact, filter: Filter | null): boolean {
  const within = (part: Filter): boolean => isSelected({ values, sums: {} }, part)
  if (filter === null) return true
  if ('and' in filter) return filter.and.every(within)
  if ('or' in filter) return filter.or.some(within)
  if ('not' in filter) return !within(filter.not)
  const value = values[filter.dim] ?? null
  if ('in' in filter)
    return (
      (filter.dim === 'prediction_type' && filter.in.includes(0)) ||
      (value !== null && filter.in.includes(value))
    )
  if (value === null) return false
  return (
    (filter.from === undefined || value >= filter.from) && (filter.to === undefined || value <= filter.to)
  )
}

/** The rows by the values of some dimensions; one group of all without dimensions, as in SQL. */
export function grouped(
  facts: readonly SingleFact[],
  dims: readonly string[],
): { keys: readonly (Scalar | null)[]; facts: SingleFact[] }[] {
  if (dims.length === 0) return [{ keys: [], facts: [...facts] }]
  const groups = new Map<string, { keys: readonly (Scalar | null)[]; facts: SingleFact[] }>()
  for (const fact of facts) {
    const keys = dims.map((dim) => fact.values[dim] ?? null)
    const id = JSON.stringify(keys)
    const group = groups.get(id) ?? { keys, facts: [] }
    group.facts.push(fact)
    groups.set(id, group)
  }
  return [...groups.values()]
}

const sumOf = (name: string, { kind, column }: Model['sums'][string], facts: readonly SingleFact[]): number =>
  kind === 'distinct'
    ? new Set(facts.map(({ values }) => values[column === 'meeting_key' ? 'meeting' : 'race_id'])).size
    : facts.reduce((total, { sums }) => total + (sums[name] ?? 0), 0)

/** The value of arithmetic over numbers with `nullif(…, 0)`; `null` after a division by zero. */
function valueOf(expression: string): number | null {
  const tokens = expression.match(/nullif|[\d.e]+|[-+*/(),]/g) ?? []
  let at = 0
  const term = (): number => {
    const token = tokens[at++]
    if (token === '-') return -term()
    if (token === '(') {
      const value = sum()
      at += 1
      return value
    }
    if (token === 'nullif') {
      at += 1
      const value = sum()
      at += 3
      return value
    }
    return Number(token)
  }
  const product = (): number => {
    let value = term()
    while (tokens[at] === '*' || tokens[at] === '/')
      value = tokens[at++] === '*' ? value * term() : value / term()
    return value
  }
  const sum = (): number => {
    let value = product()
    while (tokens[at] === '+' || tokens[at] === '-')
      value = tokens[at++] === '+' ? value + product() : value - product()
    return value
  }
  const value = sum()
  return Number.isFinite(value) ? value : null
}

/** A measure of some rows, by the model's own definition over the prepared sums. */
export function measureOf(model: Model, name: string, facts: readonly SingleFact[]): number | null {
  const { sums, sql, ratio, ordered } = model.measures[name]!
  if (ordered) return name.startsWith('meeting_') ? ofMeetings(name, facts) : orderedOf(name, facts)
  const filled = (expression: string): string =>
    expression.replaceAll(/\{(\w+)\}/g, (_, sum: string) => `(${sumOf(sum, model.sums[sum]!, facts)})`)
  if (facts.length === 0 && sums.length > 0 && !ratio) return name === 'predictions' ? 0 : null
  if (!ratio) return valueOf(filled(sql))
  return valueOf(filled(`(${ratio.numerator}) / (${ratio.denominator})`))
}

/** The mean profit of the meetings that have a known one, or its standard deviation. */
function ofMeetings(name: string, facts: readonly SingleFact[]): number | null {
  const profits = new Map<unknown, number>()
  for (const { values, sums } of facts)
    if (!sums['voids'] && !sums['unknown'])
      profits.set(values['meeting'], (profits.get(values['meeting']) ?? 0) + (sums['profit'] ?? 0))
  const mean = [...profits.values()].reduce((a, b) => a + b, 0) / profits.size
  const squares = [...profits.values()].reduce((sum, profit) => sum + (profit - mean) ** 2, 0)
  const value = name === 'meeting_profit' ? mean : Math.sqrt(squares / (profits.size - 1))
  return Number.isFinite(value) ? value : null
}

/** The longest losing run, or the largest fall of the balance in cents, in the order of the table. */
function orderedOf(name: string, facts: readonly SingleFact[]): number {
  let [run, longest, balance, peak, fall] = [0, 0, 0, 0, 0]
  for (const { sums } of facts.filter(({ sums }) => !sums['voids'])) {
    const isHit = HIT_SUMS.some((each) => (sums[each] ?? 0) > 0)
    const isUnknown = (sums['unknown'] ?? 0) > 0
    if (name !== 'losing_run_best' || isHit || !isUnknown) run = isHit ? 0 : run + 1
    longest = Math.max(longest, run)
    balance += sums['profit'] ?? 0
    if (isUnknown && name === 'drawdown_worst' && !isHit) balance -= 1000
    if (isUnknown && name === 'drawdown_best') balance += sums['best_unknown'] ?? 0
    peak = Math.max(peak, balance)
    fall = Math.max(fall, peak - balance)
  }
  return name.startsWith('losing_run') ? longest : fall
}

/** Compares two keys in the natural order of a dimension; unknown values are last. */
export function compareKeys({ order }: Dimension, a: Scalar | null, b: Scalar | null): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  const ascending = a < b ? -1 : 1
  return order === 'newest' ? -ascending : ascending
}
