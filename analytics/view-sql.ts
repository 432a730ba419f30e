import { ofNoBets, orderedSums, sumsOf, summed } from './compile.ts'
import { bandIndex, conjuncts, shownKey, type Filter } from './filter.ts'
import type { Measure, Model, Unit } from './model.ts'
import { MODELS, type ModelName } from './models.ts'
import { RATIO_PARTS } from './sums.ts'
import { FREQUENT, rowSource, type Access, type Source } from './source.ts'

/** The rows of a view. */
export interface ViewRows {
  model: ModelName
  where: Filter | null
  /** Dimensions that are grouped by. */
  by: readonly string[]
  measures: readonly string[]
}

/** Consecutive race days: so many of them, those of so many days, or as few as have so many bets. */
export interface RollingWindow {
  length: number
  unit: 'race-days' | 'days' | 'bets'
}

/** How the groups of a view are shown, if not as one row each in the natural order of their dimensions. */
export type ViewShape =
  /** Groups of `least` rows or more, the largest of a measure first; `null`: in their natural order. */
  | { kind: 'groups'; sort: string | null; least: number }
  /** The cells of two dimensions, and the totals of each line, each column and all of them. */
  | { kind: 'totals' }
  /** Days with the profit up to each of them, and its peak so far. */
  | { kind: 'to-date' }
  /**
   * A measure over each window of race days, at the last of them, and what it is judged against: a number, or another measure.
   * A sum is unknown of windows without stakes of `staked`.
   */
  | {
      kind: 'rolling'
      measure: string
      staked: string | null
      standard: string | number | null
      window: RollingWindow
    }
  /**
   * The number of days by bands of a measure, money in dollars: `count` bands of `step` from `first` × `step` on; only days with
   * stakes of `staked`.
   */
  | { kind: 'spread'; measure: string; staked: string | null; first: number; step: number; count: number }

/** What a view shows, as the reader's own statement begins. */
export interface ViewQuestion extends ViewRows {
  shape?: ViewShape
}

/** The tables of the files alone, which is what the SQL console has. */
const FILES: Access = { scope: 'all', without: [FREQUENT] }

/**
 * The rows of a view, all columns of its table, as a statement for the SQL console. Throws `own-needed` for a filter on the
 * reader's own columns, which the files do not have.
 *
 * ```ts
 * sliceSql({ model: 'runners', where: { dim: 'draw', in: [1] }, by: [], measures: [] }) // => 'SELECT *\nFROM starter\nWHERE draw IN (1)'
 * ```
 */
export function sliceSql({ model: name, where, by, measures }: ViewRows): string {
  const model: Model = MODELS[name]
  const sums = sumsOf(model, measures)
  const { from } = rowSource(model, by, where, FILES, sums)
  const parts = conjuncts(where).map((part) => rowSource(model, by, part, FILES, sums).condition)
  return `SELECT *\nFROM ${from}\nWHERE ${parts.length === 0 ? 'true' : parts.join('\n  AND ')}`
}

const indented = (sql: string): string => sql.replaceAll(/^(?=.)/gm, '  ')

/** The statements before the last, each under its name. */
const withParts = (parts: readonly (readonly [name: string, sql: string])[]): string =>
  `WITH ${parts.map(([name, sql]) => `${name} AS (\n${indented(sql)}\n)`).join(', ')}`

/** A list of columns, each on its line. */
const columnList = (columns: readonly string[]): string => columns.map((each) => `\n  ${each}`).join(',')

/** A figure over the sums: money in dollars, ratios of four decimals. */
const shownFigure = ({ sql, unit }: Measure): string => rounded(summed(sql), unit)

function rounded(figure: string, unit: Unit): string {
  if (unit === 'count') return figure
  return unit === 'cents' ? `round((${figure}) / 100, 2)` : `round(${figure}, ${unit === 'nats' ? 6 : 4})`
}

const keyOf = (model: Model, dim: string): string => {
  const dimension = model.dimensions[dim]!
  const { sql, bins } = dimension
  return shownKey(dimension, bins ? bandIndex(sql, bins) : sql)
}

/** The table `slice`, as the compiler reads it. */
const SLICE: Source = {
  name: 'slice',
  from: 'slice',
  condition: 'true',
  rollup: null,
  fanOut: false,
  cluster: 'meeting_key',
}

/** The sums that the figures of each group are computed from, and those that depend on the order of its bets. */
function sumParts(model: Model, { by, measures, shape }: ViewQuestion): [name: string, sql: string][] {
  const sums = sumsOf(model, measures).map((name) => `${model.sums[name]!.sql} AS s_${name}`)
  const keys = by.map((dim) => keyOf(model, dim))
  const ordered = orderedIn(model, measures)
  if (shape?.kind === 'totals') {
    const names = by.map((_, at) => `k${at}`)
    const columns = by.flatMap((dim, at) => [
      `${names[at]!} AS ${dim}`,
      `grouping(${names[at]!}) = 1 AS all_${dim}`,
    ])
    return [
      [
        'keyed',
        `SELECT${columnList(['*', ...keys.map((key, at) => `${key} AS ${names[at]!}`)])}\nFROM slice`,
      ],
      ['sums', `SELECT${columnList([...columns, ...sums])}\nFROM keyed\nGROUP BY CUBE (${names.join(', ')})`],
      ...(ordered.length === 0
        ? []
        : [
            ['in_order', inOrderSql(model, by, ordered, [by, ...by.map((dim) => [dim]), []])] as [
              string,
              string,
            ],
          ]),
    ]
  }
  const columns = [...keys.map((key, at) => `${key} AS ${by[at]!}`), ...sums]
  const grouped = `SELECT${columnList(columns)}\nFROM slice${by.length === 0 ? '' : '\nGROUP BY ALL'}`
  return [
    ['sums', grouped],
    ...(ordered.length === 0 ? [] : [['in_order', inOrderSql(model, by, ordered, [by])] as [string, string]]),
    ...(shape?.kind === 'rolling' ? [['up_to_day', upToDaySql(model, by, shape)] as [string, string]] : []),
  ]
}

/** Figures in the order of the bets, of each group of some groupings: a group of fewer dimensions is a total of the others. */
function inOrderSql(
  { dimensions, ...model }: Model,
  by: readonly string[],
  names: readonly string[],
  groupings: readonly (readonly string[])[],
): string {
  // The console's tables have no columns of bands.
  const unbanded = Object.entries(dimensions).map(([name, { bandColumn: _band, ...rest }]) => [name, rest])
  const plain: Model = { ...model, dimensions: Object.fromEntries(unbanded) }
  return groupings
    .map((dims) => {
      const keys = by.flatMap((dim) => {
        const at = dims.indexOf(dim)
        return [
          `${at < 0 ? 'NULL' : shownKey(dimensions[dim]!, `k${at}`)} AS ${dim}`,
          ...(groupings.length === 1 ? [] : [`${at < 0} AS all_${dim}`]),
        ]
      })
      const figures = names.map((name) => `s_${name}`)
      return `SELECT ${[...keys, ...figures].join(', ')}\nFROM (${orderedSums(plain, dims, SLICE, names)})`
    })
    .join('\nUNION ALL\n')
}

const orderedIn = (model: Model, measures: readonly string[]): string[] =>
  measures.filter((name) => model.measures[name]!.ordered)

/** One row a group, with the English names of people and places first. */
function groupsSql(model: Model, { by, measures, shape }: ViewQuestion): string {
  const figures = measures.map((name) => {
    const measure = model.measures[name]!
    // Without groups, what depends on the order of bets is one row in any case.
    const isJoined = measure.ordered && by.length > 0
    return `${shownFigure(isJoined ? { ...measure, sql: ofNoBets(name, measure.sql) } : measure)} AS ${name}`
  })
  const named = by.flatMap((dim) => {
    const { names } = model.dimensions[dim]!
    return names ? [{ dim, ...names }] : []
  })
  const keys = by.flatMap((dim) => [dim, ...(shape?.kind === 'totals' ? [`all_${dim}`] : [])])
  const columns = [
    ...named.map(({ dim, table }) => `${table}.name_en AS ${dim}_en`),
    ...keys.map((key) => `sums.${key}`),
    ...figures,
  ]
  const sameGroup = keys.map((key) => `in_order.${key} IS NOT DISTINCT FROM sums.${key}`)
  const beside = keys.length === 0 ? ', in_order' : `\nLEFT JOIN in_order ON ${sameGroup.join(' AND ')}`
  const from = orderedIn(model, measures).length === 0 ? 'sums' : `sums${beside}`
  const joins = named.map(({ dim, table, key }) => `\nLEFT JOIN ${table} ON ${table}.${key} = sums.${dim}`)
  const { sort = null, least = 0 } = shape?.kind === 'groups' ? shape : {}
  const enough = least > 0 ? `\nWHERE ${summed(model.measures[model.rows]!.sql)} >= ${least}` : ''
  const order = orderOf(model, by, shape?.kind === 'totals', sort)
  return `SELECT${columnList(columns)}\nFROM ${from}${joins.join('')}${enough}${order}`
}

/** Totals come before the groups that they are of. */
function orderOf(model: Model, by: readonly string[], totals: boolean, sort: string | null): string {
  const counted = by.length === 1 && model.dimensions[by[0]!]!.order === 'count'
  const first = sort ?? (counted ? model.rows : null)
  const keys = by.flatMap((dim) => [...(totals ? [`sums.all_${dim} DESC`] : []), `sums.${dim} NULLS LAST`])
  const all = [...(first === null || totals ? [] : [`${first} DESC NULLS LAST`]), ...keys]
  return all.length === 0 ? '' : `\nORDER BY ${all.join(', ')}`
}

/** The figures of each day, with the profit to date. */
function toDateSql(model: Model, { by, measures }: ViewQuestion): string {
  const [day = ''] = by
  const figures = measures.map((name) => `${shownFigure(model.measures[name]!)} AS ${name}`)
  const profit = `round(sum(s_profit) OVER (ORDER BY ${day}) / 100, 2) AS profit_to_date`
  return `SELECT *, greatest(0, max(profit_to_date) OVER (ORDER BY ${day})) AS peak
FROM (
  SELECT${columnList([day, ...figures, profit]).replaceAll('\n', '\n  ')}
  FROM sums
)
ORDER BY ${day}`
}

type Rolling = Extract<ViewShape, { kind: 'rolling' }>

/** How far a race day is along the days of a view, in the unit of a window. */
const positionOf = (model: Model, day: string): Readonly<Record<RollingWindow['unit'], string>> => ({
  'race-days': 'count(*) OVER up_to',
  days: `${day}::DATE - min(${day}::DATE) OVER () + 1`,
  bets: `sum(${summed(model.measures['hit_rate']!.ratio!.denominator)}) OVER up_to`,
})

/** The columns that a measure is computed from up to a day: those of a ratio, or the sum. */
function partsUpTo({ measures }: Model, name: string): { column: string; sql: string }[] {
  const { ratio, sql } = measures[name]!
  const parts = ratio ? RATIO_PARTS.map((part) => [`${name}_${part}`, ratio[part]]) : [[`${name}_sum`, sql]]
  return parts.map(([column, of]) => ({ column: column!, sql: summed(of!) }))
}

/** The sum without which a day does not have a measure: the denominator, or the stakes; `null` if every day has it. */
function neededSum({ measures }: Model, name: string, { measure, staked }: Rolling): string | null {
  const { ratio } = measures[name]!
  if (ratio) return summed(ratio.denominator)
  return name === measure && staked !== null ? summed(measures[staked]!.sql) : null
}

/** The measures that a rolling line reads. */
const rolledIn = ({ measure, standard }: Rolling): string[] =>
  typeof standard === 'string' ? [measure, standard] : [measure]

/** Each race day with its position, the sums up to it, and how many days have them. */
function upToDaySql(model: Model, [day = '']: readonly string[], shape: Rolling): string {
  const sums = rolledIn(shape).flatMap((name) => {
    const needed = neededSum(model, name, shape)
    return [
      ...partsUpTo(model, name).map(({ column, sql }) => `sum(${sql}) OVER up_to AS ${column}`),
      ...(needed === null ? [] : [`count(*) FILTER (${needed} > 0) OVER up_to AS ${name}_days`]),
    ]
  })
  return `SELECT${columnList([day, `${positionOf(model, day)[shape.window.unit]} AS position`, ...sums])}
FROM sums
WINDOW up_to AS (ORDER BY ${day} ROWS UNBOUNDED PRECEDING)`
}

/**
 * A measure over the race days of each window, and what it is judged against: from what the days up to the last
 * have more than those before the first.
 */
function rollingSql(model: Model, [day = '']: readonly string[], shape: Rolling): string {
  const { standard, window } = shape
  const { length } = window
  const since = (column: string): string => `(last.${column} - coalesce(before.${column}, 0))`
  const figureOf = (name: string): string => {
    const [above, below] = partsUpTo(model, name).map(({ column }) => since(column))
    const figure = rounded(below === undefined ? above! : `${above!} / ${below}`, model.measures[name]!.unit)
    // A difference of sums that should be 0 is what rounding leaves.
    return neededSum(model, name, shape) === null
      ? figure
      : `CASE WHEN ${since(`${name}_days`)} > 0 THEN ${figure} END`
  }
  const figures = [
    `${figureOf(shape.measure)} AS ${shape.measure}`,
    ...(standard === null
      ? []
      : [`${typeof standard === 'string' ? figureOf(standard) : standard} AS standard`]),
  ]
  return `SELECT${columnList([`last.${day}`, ...figures])}
FROM up_to_day last
ASOF LEFT JOIN up_to_day before ON last.position - ${length} >= before.position
WHERE last.position >= ${length}
ORDER BY last.${day}`
}

/** Days by bands of a measure that they have. */
function spreadSql(model: Model, shape: Extract<ViewShape, { kind: 'spread' }>): string {
  const { measure, staked, first, step, count } = shape
  const { sql, unit } = model.measures[measure]!
  const value = `(${summed(sql)})${unit === 'cents' ? ' / 100' : ''}`
  const there = staked === null ? `${value} IS NOT NULL` : `${summed(model.measures[staked]!.sql)} > 0`
  return `SELECT
  (${first} + band) * ${step} AS from_${measure},
  (${first} + band + 1) * ${step} AS to_${measure},
  count(*) AS days
FROM (
  SELECT least(greatest(floor(${value} / ${step} + 1e-6) - ${first}, 0), ${count - 1}) AS band
  FROM sums
  WHERE ${there}
)
GROUP BY ALL
ORDER BY from_${measure}`
}

function lastSql(model: Model, question: ViewQuestion): string {
  const { by, shape } = question
  switch (shape?.kind) {
    case 'to-date':
      return toDateSql(model, question)
    case 'rolling':
      return rollingSql(model, by, shape)
    case 'spread':
      return spreadSql(model, shape)
    default:
      return groupsSql(model, question)
  }
}

/**
 * A view as a statement for the SQL console: its rows as the table `slice`, the sums of each group, and the figures that are
 * computed from them. Money is in dollars. Throws `own-needed` for a filter on the reader's own columns, which the files do
 * not have.
 *
 * ```ts
 * const sql = viewSql({ model: 'runners', where: { dim: 'draw', in: [1] }, by: ['going'], measures: ['runners'] })
 * sql.split('\n').slice(0, 5) // => ['WITH slice AS (', '  SELECT *', '  FROM starter', '  WHERE draw IN (1)', '), sums AS (']
 * ```
 */
export function viewSql(question: ViewQuestion): string {
  const model: Model = MODELS[question.model]
  const slice: [name: string, sql: string] = ['slice', sliceSql(question)]
  return `${withParts([slice, ...sumParts(model, question)])}\n${lastSql(model, question)}`
}
