import { NAME_COLUMNS } from '../domain/languages.ts'
import { groupKey, shownKey } from './filter.ts'
import type { Model, Ratio } from './model.ts'
import { nameColumnOf } from './name-sql.ts'
import { FREQUENT, hasPart, partColumn, type Source } from './source.ts'
import { number } from './sql.ts'
import { isTrimmed, TRIMMED } from './trimmed.ts'

/** 97.5th percentile of the normal distribution. */
const Z95 = 1.959963984540054

/**
 * An expression over sums, `{name}`, with their columns.
 *
 * ```ts
 * summed('{hits} / nullif({staked}, 0)') // => 's_hits / nullif(s_staked, 0)'
 * ```
 */
export const summed = (sql: string): string => sql.replaceAll(/\{(\w+)\}/g, 's_$1')

/** The sums that measures are computed from. */
export function sumsOf(model: Model, measures: readonly string[]): string[] {
  return [...new Set(measures.flatMap((name) => model.measures[name]!.sums))]
}

/**
 * One sum over a source. A rollup or `FREQUENT` has a column for it to add up; otherwise
 * its own expression is used.
 */
function sumSql(model: Model, name: string, source: Source): string {
  const sum = model.sums[name]!
  if (sum.kind === 'distinct') return sum.sql
  if (source.name === FREQUENT && hasPart(sum)) return `coalesce(sum(${partColumn(name)}), 0)`
  if (source.rollup === null) return sum.sql
  return `coalesce(sum(${name}), 0)::DOUBLE`
}

/** Adds up the sums of parts to the sum of the whole. */
export const addUp = (name: string): string => `coalesce(sum(s_${name}), 0)::DOUBLE AS s_${name}`

/** The SELECT expression of a measure over the sums `s_…`. */
export const measureSql = (model: Model, name: string): string =>
  `(${summed(model.measures[name]!.sql)})::DOUBLE AS ${name}`

/** The SELECT expressions of a group's keys, `k0…`. */
export const keysOf = (model: Model, by: readonly string[]): string[] =>
  by.map((dim, index) => `${groupKey(model.dimensions[dim]!)} AS k${index}`)
export const keyNames = (by: readonly string[]): string[] => by.map((_, index) => `k${index}`)
/** The SELECT expressions of sums over a source, `s_…`. */
export const sumColumns = (model: Model, sums: readonly string[], source: Source): string[] =>
  sums.map((name) => `${sumSql(model, name, source)} AS s_${name}`)
const groupBy = (columns: readonly string[]): string =>
  columns.length === 0 ? '' : `GROUP BY ${columns.join(', ')}`

/**
 * Groups with their sums, one row per group: columns `k0…`, `s_…`. Without dimensions there
 * is always exactly one row.
 */
export function groupedSums(
  model: Model,
  by: readonly string[],
  sums: readonly string[],
  source: Source,
): string {
  const columns = [...keysOf(model, by), ...sumColumns(model, sums, source)]
  const selected = columns.length === 0 ? ['count(*) AS s_rows'] : columns
  return `SELECT ${selected.join(', ')} FROM ${source.from} WHERE ${source.condition} ${groupBy(keyNames(by))}`
}

const ratiosOf = (model: Model, measures: readonly string[]): [name: string, ratio: Ratio][] =>
  measures.flatMap((name) => {
    const { ratio } = model.measures[name]!
    return ratio ? [[name, ratio]] : []
  })

/**
 * The same with the inputs for intervals of ratios by meeting: for each ratio the sums, over meetings, of
 * squares and products of its numerator a and denominator b (columns `aa_…`, `ab_…`, `bb_…`), and the number
 * of meetings, `clusters`.
 */
export function clusteredSums(
  model: Model,
  by: readonly string[],
  measures: readonly string[],
  sums: readonly string[],
  source: Source,
): string {
  const inner = [...keysOf(model, by), `${source.cluster} AS c`, ...sumColumns(model, sums, source)]
  return overClusters(
    model,
    measures,
    sums,
    keyNames(by),
    `SELECT ${inner.join(', ')} FROM ${source.from} WHERE ${source.condition}
      ${groupBy([...keyNames(by), 'c'])}`,
  )
}

/**
 * Aggregates sums by group and meeting to sums by group, with the inputs for intervals.
 * `groups`: the grouping columns.
 */
export function overClusters(
  model: Model,
  measures: readonly string[],
  sums: readonly string[],
  groups: readonly string[],
  clusters: string,
): string {
  const ratios = ratiosOf(model, measures)
  const parts = ratios.flatMap(([name, { numerator, denominator }]) => [
    `${summed(numerator)} AS a_${name}`,
    `${summed(denominator)} AS b_${name}`,
  ])
  const outer = [
    ...groups,
    'count(*)::DOUBLE AS clusters',
    ...sums.map(addUp),
    ...ratios.flatMap(([name]) => [
      `sum(a_${name} * a_${name}) AS aa_${name}`,
      `sum(a_${name} * b_${name}) AS ab_${name}`,
      `sum(b_${name} * b_${name}) AS bb_${name}`,
    ]),
  ]
  return `SELECT ${outer.join(', ')} FROM (
    SELECT *${parts.length === 0 ? '' : `, ${parts.join(', ')}`} FROM (${clusters})
  ) ${groupBy(groups)}`
}

/** Names of the columns that intervals need in addition to the sums. */
export const clusterColumns = (model: Model, measures: readonly string[]): string[] => [
  'clusters',
  ...ratiosOf(model, measures).flatMap(([name]) => [`aa_${name}`, `ab_${name}`, `bb_${name}`]),
]

/** Figures with the bounds of their ratios' intervals, over a relation that has `clusterColumns`. */
export function withIntervals(model: Model, measures: readonly string[], figures: string): string {
  const parts = ratiosOf(model, measures).map(([name, ratio]) => intervalSql(name, ratio))
  if (parts.length === 0) return figures
  return `SELECT *, ${parts.flatMap(({ low, high }) => [low, high]).join(', ')}
    FROM (SELECT *, ${parts.map(({ trials }) => trials).join(', ')}
      FROM (SELECT *, ${parts.map(({ error }) => error).join(', ')} FROM (${figures})))`
}

/**
 * Standard error of a ratio of sums under cluster sampling of whole meetings: the linearised ratio estimator
 * (Cochran 1977, section 6.4).
 */
function standardError(name: string, denominator: string): string {
  const squares = `greatest(aa_${name} - 2 * ${name} * ab_${name} + ${name} * ${name} * bb_${name}, 0)`
  return `sqrt(${squares} * clusters / nullif(clusters - 1, 0)) / nullif(abs(${denominator}), 0)`
}

/**
 * Bounds of the 95% interval of a ratio, over `clusteredSums` with its measures. Means: plus and minus
 * 1.96 standard errors. Shares: Wilson's interval with the effective number of trials, estimated from
 * the variance between meetings (Korn and Graubard 1998) and at most the number of predictions: ranks of one race exclude
 * each other, and an interval over several of them is wider than need be, but few meetings cannot make one too narrow. Where
 * all or none hit, the number of trials
 * is the number of meetings. Expressions in three steps, each over the columns of the steps before it: the
 * standard error, the effective number of trials of a share, and the bounds.
 */
function intervalSql(name: string, { denominator, kind }: Ratio) {
  const bets = summed(denominator)
  const error = `${standardError(name, bets)} AS e_${name}`
  if (kind === 'mean') {
    return {
      error,
      trials: `NULL AS n_${name}`,
      low: `(${name} - ${Z95} * e_${name})::DOUBLE AS ${name}_low`,
      high: `(${name} + ${Z95} * e_${name})::DOUBLE AS ${name}_high`,
    }
  }
  const inside = `${name} > 0 AND ${name} < 1 AND e_${name} > 0`
  const effective = `least(${name} * (1 - ${name}) / (e_${name} * e_${name}), ${bets})`
  const n = `n_${name}`
  const z2 = Z95 * Z95
  const scale = `(1 + ${number(z2)} / ${n})`
  const centre = `((${name} + ${number(z2 / 2)} / ${n}) / ${scale})`
  const variance = `${name} * (1 - ${name}) / ${n} + ${number(z2 / 4)} / (${n} * ${n})`
  const spread = `(${Z95} * sqrt(greatest(${variance}, 0)) / ${scale})`
  return {
    error,
    trials: `CASE WHEN clusters > 1 AND ${bets} > 0 THEN CASE WHEN ${inside} THEN ${effective} ELSE clusters END END AS ${n}`,
    low: `CASE WHEN ${n} IS NOT NULL THEN greatest(${centre} - ${spread}, 0) END::DOUBLE AS ${name}_low`,
    high: `CASE WHEN ${n} IS NOT NULL THEN least(${centre} + ${spread}, 1) END::DOUBLE AS ${name}_high`,
  }
}

/** What each bet adds to the balance of a drawdown, in cents, over `bets`. */
const BALANCES: Readonly<Record<string, string>> = {
  drawdown: 'profit_cents',
  drawdown_worst: 'coalesce(profit_cents, CASE WHEN hit THEN 0 ELSE -1000 END)',
  drawdown_best: 'coalesce(profit_cents, CASE WHEN hit THEN 1000 * (1 / chance::DOUBLE - 1) ELSE 0 END)',
}
/** Bets that could be placed if no bet of unknown profit but the hits was: of the others nobody knows. */
const PLACED = 'hit OR profit_cents IS NOT NULL'
const RUNS: Readonly<Record<string, string>> = { losing_run: 'marked', losing_run_best: 'marked_placed' }

/** The return without the largest wins, NULL with no more wins than those, because nothing would be left to judge. */
const trimmedSql = (wins: number): string => `CASE WHEN count(*) FILTER (WHERE profit_cents > 0) > ${wins}
    THEN (sum(profit_cents) - list_sum(max(profit_cents, ${wins}) FILTER (WHERE profit_cents > 0)))
      / (1000.0 * (count(profit_cents) - ${wins})) END`

/** Figures of the profits of meetings. */
const OF_MEETINGS: Readonly<Record<string, string>> = {
  meeting_profit: 'avg(profit)',
  meeting_deviation: 'stddev_samp(profit)',
}

/**
 * The value of a figure over bets for a group that may have only void bets: of none there is no return and no meeting, but a run
 * or a fall is 0.
 */
export const ofNoBets = (name: string, value: string): string =>
  isTrimmed(name) || Object.hasOwn(OF_MEETINGS, name) ? value : `coalesce(${value}, 0)`

/**
 * Figures that depend on each single bet, one row per group: the longest run of bets without a hit (`losing_run…`),
 * the largest fall of the profit from a peak, in cents (`drawdown…`), the return without the largest wins, and the profit of meetings. Excludes void bets. `names`: the measures.
 */
export function orderedSums(
  model: Model,
  by: readonly string[],
  source: Source,
  names: readonly string[],
): string {
  const keys = keyNames(by)
  const keyList = keys.map((key) => `${key}, `).join('')
  const order = model.betOrder.join(', ')
  const partition = (extraColumns: string[] = []): string =>
    keys.length + extraColumns.length === 0 ? '' : `PARTITION BY ${[...keys, ...extraColumns].join(', ')}`
  // A combination is there once for each of its horses that a group has: all of them count at once, in no order of their own.
  const toDate = `OVER (${partition()} ORDER BY ${order} RANGE UNBOUNDED PRECEDING)`
  const run = `rank() OVER (${partition()} ORDER BY ${order}) -
        rank() OVER (${partition(['hit'])} ORDER BY ${order}) AS run`
  const runs = names.filter((name) => Object.hasOwn(RUNS, name))
  const falls = names.filter((name) => Object.hasOwn(BALANCES, name))
  const balances = falls.map((name) => `sum(${BALANCES[name]!}) ${toDate} AS balance_${name}`)
  const chance = falls.includes('drawdown_best')
    ? ', coalesce(market_probability, probability) AS chance'
    : ''
  const placed = runs.includes('losing_run_best')
    ? `, marked_placed AS (SELECT *, ${run} FROM bets WHERE ${PLACED})`
    : ''
  const meetings = `SELECT ${keyList}sum(profit_cents) AS profit FROM bets WHERE profit_cents IS NOT NULL
      ${groupBy([...keys, 'meeting_key'])}`
  const parts = [
    ...runs.map(
      (name) =>
        `SELECT ${keyList}count(*) AS ${name} FROM ${RUNS[name]!} WHERE NOT hit ${groupBy([...keys, 'run'])}`,
    ),
    ...falls.map(
      (name) =>
        `SELECT ${keyList}greatest(max(balance_${name}) ${toDate}, 0) - balance_${name} AS ${name} FROM marked`,
    ),
    ...names
      .filter(isTrimmed)
      .map((name) => `SELECT ${keyList}${trimmedSql(TRIMMED[name])} AS ${name} FROM bets ${groupBy(keys)}`),
    ...names
      .filter((name) => Object.hasOwn(OF_MEETINGS, name))
      .map((name) => `SELECT ${keyList}${OF_MEETINGS[name]!} AS ${name} FROM (${meetings}) ${groupBy(keys)}`),
  ]
  return `WITH bets AS (
      SELECT ${[...keysOf(model, by), ...model.betOrder].join(', ')}, outcome = 'hit' AS hit, profit_cents${chance}
      FROM ${source.from} WHERE ${source.condition} AND outcome <> 'void'
    ), marked AS (SELECT *, ${[run, ...balances].join(', ')} FROM bets)${placed}
    SELECT ${[...keys, ...names.map((name) => `${ofNoBets(name, `max(${name})`)}::DOUBLE AS s_${name}`)].join(', ')}
    FROM (${parts.join(' UNION ALL BY NAME ')}) ${groupBy(keys)}`
}

/** Columns of displayed keys, names and ids, over groups `k0…` aliased as `g`; names and ids are joined by key. */
export function shownKeys(model: Model, by: readonly string[]): { columns: string[]; joins: string[] } {
  const columns: string[] = []
  const joins: string[] = []
  for (const [index, dim] of by.entries()) {
    const dimension = model.dimensions[dim]!
    columns.push(`${shownKey(dimension, `g.k${index}`)} AS ${dim}`)
    if (!dimension.names) continue
    const { table, key, id } = dimension.names
    joins.push(`LEFT JOIN ${table} AS n${index} ON n${index}.${key} = g.k${index}`)
    for (const language of NAME_COLUMNS)
      columns.push(`${nameColumnOf(language, table, `n${index}`)} AS ${dim}_${language}`)
    if (id !== undefined) columns.push(`n${index}.${id} AS ${dim}_id`)
  }
  return { columns, joins }
}
