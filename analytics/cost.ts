import { sumsOf } from './compile.ts'
import { passesOf } from './linked.ts'
import type { Model } from './model.ts'
import { MODELS } from './models.ts'
import { PREDICTIONS, RACE_TOTALS } from './predictions.ts'
import { RACES } from './races.ts'
import type { Request } from './request.ts'
import { RUNNERS } from './runners.ts'
import { FREQUENT, rowSource, type Access, type Source } from './source.ts'
import { STARTER } from './tables.ts'

/** What a request asks for, as far as it decides about the work. */
export interface Size {
  /** Groupings, each with its figures; 1 for rows. */
  panels: number
  /** Groupings with different filters, each of which reads the rows again. */
  filters: number
  /** Figures of a group, with the bounds of their intervals; columns of rows. */
  figures: number
}

/** Three for a ratio with intervals: itself and its bounds. */
const figuresOf = (model: Model, measures: readonly string[], intervals = false): number =>
  measures.reduce((sum, name) => sum + (intervals && model.measures[name]!.ratio ? 3 : 1), 0)

/**
 * The size of a request, known before it is planned.
 *
 * ```ts
 * sizeOf({ aggregate: { model: 'predictions', by: ['season'], measures: ['hits', 'hit_rate'], where: null, intervals: true } }) // => { panels: 1, filters: 1, figures: 4 }
 * ```
 */
export function sizeOf(request: Request): Size {
  if ('aggregate' in request) {
    const { model, measures, intervals } = request.aggregate
    return { panels: 1, filters: 1, figures: figuresOf(MODELS[model], measures, intervals) }
  }
  if ('linked' in request) {
    const { model, measures, intervals, panels } = request.linked
    const filters = new Set(panels.map(({ where }) => JSON.stringify(where))).size
    return { panels: panels.length, filters, figures: figuresOf(MODELS[model], measures, intervals) }
  }
  if ('rows' in request) return { panels: 1, filters: 1, figures: request.rows.columns.length }
  return { panels: 1, filters: 1, figures: 1 }
}

/** Milliseconds of any query, of each pass over a relation, and of each figure of a panel. */
const BASE_MS = 3
const PASS_MS = 4
const FIGURE_MS = 0.05
/** Milliseconds for a million rows: of a pass, of each figure of a panel, and of measures that depend on their order. */
const READ_MS = 15
const SUM_MS = 6
const ORDER_MS = 650
/** Rows of a page are sorted as a whole. */
const SORT_MS = 50
/** Predictions are joined with their horses, and several of them count several times. */
const JOIN_FACTOR = 6
/** The rows are combined before they are grouped, unlike those of a rollup. */
const COMBINED_FACTOR = 0.5
/** Named queries read single races, or the table of races. */
const NAMED_MS = 30

/**
 * The expected work of a request in milliseconds of one core, from its plan: panels × figures × rows, measured on ten
 * seasons of Hong Kong. `rowsOf`: the rows of a table in the files that answer it. Throws as planning does.
 *
 * ```ts
 * costOf({ named: { name: 'race_months' } }, { scope: 'public' }, () => 0) // => 30
 * ```
 */
export function costOf(request: Request, access: Access, rowsOf: (table: string) => number): number {
  if ('named' in request) return NAMED_MS
  const millionsOf = (source: Source): number =>
    (readRows(source.name, rowsOf) / 1e6) * (source.fanOut ? JOIN_FACTOR : 1)
  if ('rows' in request) {
    const { model, where } = request.rows
    return BASE_MS + PASS_MS + SORT_MS * millionsOf(rowSource(MODELS[model], [], where, access))
  }
  const {
    model: name,
    measures,
    intervals,
    panels,
  } = 'linked' in request ? request.linked : { ...request.aggregate, panels: [request.aggregate] }
  const model: Model = MODELS[name]
  const { figures } = sizeOf(request)
  const ordered = measures.some((measure) => model.measures[measure]!.ordered) ? ORDER_MS : 0
  const options = { intervals: intervals === true }
  const { passes } = passesOf(model, panels, sumsOf(model, measures), access, options)
  return passes.reduce((sum, pass) => {
    const all = pass.panels.length * figures
    const sums = SUM_MS * all * (pass.source.rollup ? 1 : COMBINED_FACTOR)
    return sum + PASS_MS + FIGURE_MS * all + millionsOf(pass.source) * (READ_MS + sums + ordered)
  }, BASE_MS)
}

/** Rows of a relation, also of those that are made when the files are opened. */
function readRows(table: string, rowsOf: (table: string) => number): number {
  // A race has a row for each bet type, and each of the frequent rows is one of three predictions.
  if (table === RACE_TOTALS.table) return rowsOf('prediction') / 10
  if (table === FREQUENT) return rowsOf('prediction') / 4
  // A race has about twelve starters.
  if (table === RACES.table || table === RACES.detailedTable) return rowsOf(STARTER.name) / 12
  if (table === PREDICTIONS.detailedTable) return rowsOf(PREDICTIONS.table)
  return rowsOf(table === RUNNERS.detailedTable ? STARTER.name : table)
}
