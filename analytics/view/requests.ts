import { without } from '../clauses.ts'
import { allOf, dimensionsOf, type Filter } from '../filter.ts'
import type { Model, Scalar } from '../model.ts'
import { MODELS } from '../models.ts'
import { NAME_COLUMNS } from '../../domain/languages.ts'
import { offeredDimensions } from '../offered.ts'
import type { IndexRequest } from '../panel-index.ts'
import type { Aggregate, Linked, Request } from '../request.ts'
import { numberOf, textOf, textOrNull, type AnswerRow, type Rows } from '../cells.ts'
import { dimensionOf, isShort } from './dimension-of.ts'
import { termNames, type DayMeasure } from './over-days.ts'
import { isOfSections, type BetMeasure, type MoreMeasure, type PanelSpec } from './panel-spec.ts'
import type { Subject } from './view.ts'
import { BOUNDED, BOUNDS, boundedTotals, totalsOf } from './totals.ts'

/** A query's slice: `base` is the part that no gesture on a value changes, `filter` the selection. */
export interface Slice {
  subject: Subject
  base: Filter
  filter: Filter | null
  history: boolean
  /** Dimensions that are filled from the user's own file. */
  own: readonly string[]
  /** Measures beyond the usual ones that some view shows. */
  more: readonly MoreMeasure[]
  /** Those that some view shows over several race days. */
  rolled?: readonly DayMeasure[]
}

export const whereIn = ({ base, filter }: Pick<Slice, 'base' | 'filter'>): Filter => allOf(base, filter)!

/**
 * The filter for a view of some dimensions: its own selection does not restrict it, so that
 * unselected values stay visible.
 */
export function whereFor({ subject, base, filter, more }: Slice, dims: readonly string[]): Filter {
  // Dimensions and measures that are known only for some bet types require the bet type filter to stay.
  const { dimensions, measures }: Model = MODELS[subject]
  const bound =
    more.some((name) => measures[name]?.betTypes) ||
    [...dims, ...dimensionsOf(filter)].some((dim) => dimensions[dim]?.betTypes)
  const own = bound ? dims.filter((dim) => dim !== 'bet_type') : dims
  return allOf(base, without(filter, own))!
}

/** Measures beyond the usual ones, with those that they are judged by. */
const withTotals = (more: readonly MoreMeasure[]): string[] => [
  ...new Set(
    more.flatMap((name) => {
      const bounded = BOUNDED.find((each) => each === name)
      if (bounded !== undefined) return [name, ...boundedTotals(bounded)]
      return isOfSections(name) ? [name, 'with_sections', 'without_sections'] : [name]
    }),
  ),
]

/** Measures of every linked view. Bounds and the market's expectation require the rows. */
export const linkedMeasures = ({ subject, history, more, rolled = [] }: Slice): string[] => [
  ...totalsOf(subject),
  'hit_rate',
  'return',
  ...(history ? [...BOUNDS, 'ae_market', 'market_hits', 'expected_market'] : []),
  ...withTotals(more),
  ...new Set(rolled.flatMap((measure) => termNames(subject, measure))),
]

/** The index that answers selections in the views of some dimensions: of all views of a linked query, but for their own. */
export const indexFor = (slice: Slice, linked: Linked, active: readonly string[]): IndexRequest => ({
  model: slice.subject,
  active: [...active],
  panels: linked.panels.map(({ by }, at) => ({
    by,
    // The days keep their own selection: they are those of the totals.
    where: whereFor(slice, by[0] === 'day' ? active : [...ownDims(linked, at), ...active]),
  })),
  measures: linked.measures,
})

/** Whether selections in an index's dimensions can be answered by it: no view's filter keeps one of them. */
export const isUsable = ({ active, panels }: IndexRequest): boolean =>
  panels.every(({ where }) => [...dimensionsOf(where)].every((dim) => !active.includes(dim)))

/** Indexes of the first views in a linked query. */
export const TOTAL = 0
export const DAYS = 1
export const TIMELINE = 2
/** The dimensions of the totals. */
export const NO_DIMS: readonly string[] = []

const keyOfDims = (dims: readonly string[]): string => dims.join('.')

/** The groupings that pivots of a view's dimensions total: all cells, then each line, then each column. */
const totalViews = (by: readonly string[]): string[][] => [[], ...by.map((dim) => [dim])]

/** Index of the first total of a pivot in a linked query: they follow all views. */
const firstTotal = ({ panels }: Linked): number => {
  const at = panels.findIndex(({ by }, index) => index > TOTAL && by.length === 0)
  return at < 0 ? panels.length : at
}

/** Index of the totals of a pivot in a linked query, in the order of `totalViews`; −1 if there are none. */
export const totalsAt = (linked: Linked, by: readonly string[]): number =>
  linked.panels.findIndex(
    (_, at) =>
      at >= firstTotal(linked) &&
      totalViews(by).every((dims, index) => {
        const panel = linked.panels[at + index]
        return panel !== undefined && keyOfDims(panel.by) === keyOfDims(dims)
      }),
  )

/** The dimensions whose selection does not restrict a view: its own, or those of the cells that it totals. */
function ownDims({ panels }: Linked, index: number): readonly string[] {
  const pivot = panels.findLastIndex(({ by }, at) => at > TOTAL && at <= index && by.length === 0)
  return pivot < 0 ? panels[index]!.by : panels.slice(pivot + 1, pivot + 3).flatMap(({ by }) => by)
}

/** Every view of the page as one statement: totals, days, months for the timeline, then short groups, then the totals of pivots. */
export function linkedRequest(
  slice: Slice,
  panels: readonly PanelSpec[],
  facets: readonly string[],
): { linked: Linked } {
  const where = whereIn(slice)
  const offered = offeredDimensions(MODELS[slice.subject], where, slice.history, slice.own)
  const wanted = [
    ...panels.flatMap(({ by }) => (by.length > 0 && by.every(isShort) ? [by] : [])),
    ...facets.filter(isShort).map((dim) => [dim]),
  ].filter((dims) => keyOfDims(dims) !== 'month' && dims.every((dim) => offered.includes(dim)))
  const distinct = (lists: (readonly string[])[]) => [
    ...new Map(lists.map((dims) => [keyOfDims(dims), dims])).values(),
  ]
  const pivots = panels.flatMap(({ kind, by }) => (kind === 'pivot' && wanted.includes(by) ? [by] : []))
  return {
    linked: {
      model: slice.subject,
      panels: [
        { by: [], where },
        { by: ['day'], where },
        ...[['month'], ...distinct(wanted)].map((dims) => ({ by: [...dims], where: whereFor(slice, dims) })),
        ...distinct(pivots).flatMap((pair) =>
          totalViews(pair).map((dims) => ({ by: dims, where: whereFor(slice, pair) })),
        ),
      ],
      measures: linkedMeasures(slice),
    },
  }
}

/** Index of the view in a linked query that groups by these dimensions; −1 if there is none. */
export const viewOf = (linked: Linked, dims: readonly string[]): number =>
  linked.panels.findIndex(({ by }, at) => at < firstTotal(linked) && keyOfDims(by) === keyOfDims(dims))

/** Rows of each view of a linked result. */
export function rowsByView(answer: Pick<Rows, 'rows'>): AnswerRow[][] {
  const views: AnswerRow[][] = []
  for (const row of answer.rows) (views[numberOf(row, 'panel')] ??= []).push(row)
  return views
}

/** Rows of a view by days or months, oldest first. */
export const inKeyOrder = (rows: readonly AnswerRow[] = []): AnswerRow[] =>
  rows.toSorted((a, b) => (textOf(a, 'key') < textOf(b, 'key') ? -1 : 1))

/** Converts a key of a linked result, which is text, to the dimension's value. */
export function keyValue(dim: string, key: string | null): Scalar | null {
  const { type } = dimensionOf(dim)
  if (key === null || type === 'text') return key
  return type === 'boolean' ? key === 'true' : Number(key)
}

/** Linked rows with their keys under the dimensions' names, and with names of people and places if known. */
export function groupedRows(
  rows: readonly AnswerRow[],
  dims: readonly string[],
  names: ReadonlyMap<string, AnswerRow>,
): AnswerRow[] {
  return rows.map((row) => {
    const named: Record<string, Scalar | null> = { ...row }
    for (const [index, dim] of dims.entries()) {
      const value = keyValue(dim, textOrNull(row, index === 0 ? 'key' : 'key2'))
      const known = names.get(`${dim} ${String(value)}`)
      named[dim] = value
      for (const language of NAME_COLUMNS) named[`${dim}_${language}`] = known?.[`${dim}_${language}`] ?? null
    }
    return named
  })
}

/** Figures over each single bet, as the strip of figures shows them. */
export const BET_FIGURES = ['losing_run', 'drawdown', 'meeting_profit', 'meeting_deviation'] as const

/**
 * Measures over each single bet, some in their order: the slowest, so they are requested last. `bounds`: those between which
 * unknown dividends leave them; a meeting of unknown profits has none.
 */
export const orderRequest = (subject: Subject, where: Filter, bounds = false): Request => ({
  aggregate: {
    model: subject,
    by: [],
    measures: bounds
      ? ['losing_run', 'losing_run_best', 'drawdown_worst', 'drawdown_best']
      : [...BET_FIGURES],
    where,
  },
})

/**
 * The intervals that are shown, as one statement: the totals, then the breakdowns. Requested once
 * the figures are on screen.
 */
export const intervalsRequest = (
  slice: Slice,
  breakdowns: readonly (readonly string[])[],
): { linked: Linked } => ({
  linked: {
    model: slice.subject,
    measures: ['hit_rate', 'return', ...(slice.history ? ['ae_market'] : []), ...slice.more],
    panels: [
      { by: [], where: whereIn(slice) },
      ...breakdowns.map((dims) => ({ by: [...dims], where: whereFor(slice, dims) })),
    ],
    intervals: true,
  },
})

/** Groups of a long dimension that are asked for. */
export const MOST_GROUPS = 300

/** Groups that one answer has at most. */
const MOST_ROWS = 5000

/** Groups of long dimensions with their intervals, largest first. */
export const groupsRequest = (slice: Slice, dims: readonly string[]): { aggregate: Aggregate } => {
  const counted = dims.some((dim) => dimensionOf(dim).order === 'count')
  return {
    aggregate: {
      model: slice.subject,
      by: [...dims],
      measures: linkedMeasures(slice),
      where: whereFor(slice, dims),
      intervals: true,
      limit: MOST_GROUPS,
      ...(counted ? { sort: [{ by: MODELS[slice.subject].rows, descending: true }] } : {}),
    },
  }
}

/** Measures over each single bet of groups. `where`: which bets they are of. */
export const betsRequest = (
  slice: Slice,
  dims: readonly string[],
  measures: readonly BetMeasure[],
  where = whereFor(slice, dims),
): { aggregate: Aggregate } => ({
  aggregate: {
    model: slice.subject,
    by: [...dims],
    measures: [...measures],
    where,
    limit: MOST_ROWS,
  },
})

/** Names of a dimension's values, whatever is selected. */
export function namesRequest(
  { subject, base }: Pick<Slice, 'subject' | 'base'>,
  dim: string,
): { aggregate: Aggregate } {
  const pinned = ['model', 'origin'].flatMap((each) =>
    ('and' in base ? base.and : [base]).filter((part) => 'dim' in part && part.dim === each),
  )
  const where = allOf(...pinned)
  return {
    aggregate: { model: subject, by: [dim], measures: [MODELS[subject].rows], where, limit: MOST_ROWS },
  }
}

/** Counts the available predictions by model and origin. */
export const ORIGINS_REQUEST: Request = {
  aggregate: {
    model: 'predictions',
    by: ['model', 'origin'],
    measures: ['predictions'],
    where: { dim: 'prediction_type', in: [0] },
  },
}
