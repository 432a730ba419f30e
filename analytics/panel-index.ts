import { addUp, measureSql, sumsOf } from './compile.ts'
import { bad, conjuncts, literalOf, requireShort, type Clause, type Filter } from './filter.ts'
import { PANEL_COLUMNS, passesOf, passSql, type LinkedQuery, type Panel } from './linked.ts'
import type { Dimension, Model, Scalar } from './model.ts'
import { MODELS, type ModelName } from './models.ts'
import { figureColumns, requireHonest, type ColumnSpec } from './plan.ts'
import { fansOut, type Access } from './source.ts'

/**
 * An index for a click or a brush: one long table of sums by values of the active dimensions, panel and group, built once.
 * Each selection of their values is then one small statement. The technique is Mosaic's pre-aggregation (uwdata/mosaic,
 * `preagg/PreAggregator.ts`).
 */
export interface IndexRequest {
  model: ModelName
  /** The dimensions whose values are selected: those of the view that is clicked, or the one that is brushed. */
  active: string[]
  /** The views that follow; their filters must not use the active dimensions. */
  panels: Panel[]
  measures: string[]
}

export interface IndexPlan {
  /** Statements that build the index as the tables `name` and `name_cell`. */
  statements: string[]
  /** Selects the cells in order: `cell`, `panel`, `key`, `key2`. */
  cellsSql: string
}

/** Names of the key columns of the active dimensions. */
const activeNames = (active: readonly string[]): string[] => active.map((_, index) => `a${index}`)

/**
 * Plans an index. Throws `bad-parameters`, also for sums that are not additive over the active dimensions, `vip-needed`
 * and `filter-too-long`.
 *
 * ```ts
 * const where = { and: [{ dim: 'model', in: ['blended'] }, { dim: 'origin', in: ['locked'] }] }
 * const panels = [{ by: ['going'], where }]
 * const request = { model: 'predictions', active: ['month'], panels, measures: ['hits'] }
 * planIndex(request, { scope: 'all' }, 'index_1').statements.at(-1) // => 'DROP TABLE index_1_long'
 * ```
 */
export function planIndex(request: IndexRequest, access: Access, name: string): IndexPlan {
  const { active, panels, measures } = request
  const model: Model = MODELS[request.model]
  const sums = sumsOf(model, measures)
  const ofRace = active.every((dim) => model.dimensions[dim]!.level === 'race')
  // Races can be counted apart by what is of the race; meetings have races of several values.
  const apart = sums.find(
    (sum) => model.sums[sum]!.kind === 'distinct' && !(ofRace && model.sums[sum]!.column === 'race_key'),
  )
  if (apart !== undefined) throw bad(`${apart}: not along ${active.join(', ')}`)
  const ordered = measures.find((measure) => model.measures[measure]!.ordered)
  if (ordered !== undefined) throw bad(`${ordered}: not in an index`)
  for (const { where } of panels) requireShort(where)
  for (const { by, where } of panels)
    requireHonest(model, { by: [...new Set([...by, ...active])], where, measures })
  const { passes } = passesOf(model, panels, sums, access, { active })
  const long = passes.map((pass) => passSql(model, pass, sums, { active })).join(' UNION ALL ')
  const keys = activeNames(active)
  // The totals have a row whatever is selected, like those of a linked query.
  const totals = panels.flatMap(({ by }, index) =>
    by.length === 0 ? [`UNION SELECT ${index}, NULL::VARCHAR, NULL::VARCHAR`] : [],
  )
  return {
    statements: [
      `CREATE TABLE ${name}_long AS ${long}`,
      `CREATE TABLE ${name}_cell AS SELECT (row_number() OVER (ORDER BY panel, key, key2) - 1)::INTEGER AS cell, *
       FROM (SELECT DISTINCT panel, key, key2 FROM ${name}_long ${totals.join(' ')})`,
      `CREATE TABLE ${name} AS SELECT ${keys.join(', ')}, l.panel, cell, ${sums.map((sum) => `s_${sum}`).join(', ')}
       FROM ${name}_long l JOIN ${name}_cell c ON c.panel = l.panel AND c.key IS NOT DISTINCT FROM l.key
         AND c.key2 IS NOT DISTINCT FROM l.key2 ORDER BY ${keys.join(', ')}`,
      `DROP TABLE ${name}_long`,
    ],
    cellsSql: `SELECT cell::DOUBLE AS cell, panel::DOUBLE AS panel, key, key2 FROM ${name}_cell ORDER BY cell`,
  }
}

/**
 * Statements that remove an index, also one whose building was interrupted.
 *
 * ```ts
 * dropIndex('index_1')[0] // => 'DROP TABLE IF EXISTS index_1'
 * ```
 */
export const dropIndex = (name: string): string[] =>
  [name, `${name}_cell`, `${name}_long`].map((table) => `DROP TABLE IF EXISTS ${table}`)

export const CELL_COLUMNS: readonly ColumnSpec[] = [{ name: 'cell', type: 'number' }, ...PANEL_COLUMNS]

/**
 * Columns of the result for one position of a brush: one row per cell that has rows there.
 *
 * ```ts
 * stepColumns({ model: 'predictions', measures: ['hits'] }) // => [{ name: 'cell', type: 'number' }, { name: 'hits', type: 'number', unit: 'count' }]
 * ```
 */
export const stepColumns = ({ model, measures }: Pick<IndexRequest, 'model' | 'measures'>): ColumnSpec[] => [
  { name: 'cell', type: 'number' },
  ...figureColumns(MODELS[model], measures, false),
]

/** A position of a brush over the only active dimension of an index. */
export interface BrushStep {
  /** The values at its ends, both inclusive. */
  from: Scalar
  to: Scalar
  /** The panels whose figures are wanted: of an index's cells, most may be of others. */
  panels: readonly number[]
}

/**
 * The statement for one position of a brush.
 *
 * ```ts
 * const request = { model: 'predictions', active: ['month'], panels: [{ by: ['going'], where: null }], measures: ['hits'] }
 * const step = { from: '2024-09', to: '2024-12', panels: [0] }
 * stepSql(request, 'index_1', step).includes('a0 BETWEEN 202409 AND 202412 AND panel IN (0)') // => true
 * ```
 */
export function stepSql(request: IndexRequest, name: string, { from, to, panels }: BrushStep): string {
  const model: Model = MODELS[request.model]
  const dimension = model.dimensions[request.active[0]!]!
  const sums = sumsOf(model, request.measures)
  const between = `a0 BETWEEN ${positionOf(dimension, from)} AND ${positionOf(dimension, to)}`
  return `SELECT cell::DOUBLE AS cell, ${request.measures.map((measure) => measureSql(model, measure)).join(', ')}
    FROM (SELECT cell, ${sums.map(addUp).join(', ')} FROM ${name}
      WHERE ${between} AND panel IN (${panels.join(', ')}) GROUP BY cell)`
}

/** A linked query of a model, as a request has it. */
type LinkedRequest = LinkedQuery & { model: ModelName }

/**
 * The statement that answers a linked query from an index, with the rows and columns of `planLinked`; `null` if the query is
 * not of the index's views with values of the active dimensions selected.
 *
 * ```ts
 * const request = { model: 'predictions', active: ['season'], panels: [{ by: ['going'], where: null }], measures: ['hits'] }
 * const query = { ...request, panels: [{ by: ['going'], where: { dim: 'season', in: [2024] } }] }
 * indexedSql(request, 'index_1', query).includes('a0 IN (2024)') // => true
 * indexedSql(request, 'index_1', { ...query, intervals: true }) // => null
 * ```
 */
export function indexedSql(index: IndexRequest, name: string, query: LinkedRequest): string | null {
  const model: Model = MODELS[index.model]
  const isOther =
    query.intervals === true ||
    query.model !== index.model ||
    query.panels.length !== index.panels.length ||
    query.measures.some((measure) => !index.measures.includes(measure))
  if (isOther) return null
  const panelsOf = new Map<string, number[]>()
  for (const [at, panel] of query.panels.entries()) {
    const condition = selectionSql(model, index.active, index.panels[at]!, panel)
    if (condition === null) return null
    panelsOf.set(condition, [...(panelsOf.get(condition) ?? []), at])
  }
  const sums = sumsOf(model, query.measures)
  const columns = sums.map((sum) => `s_${sum}`)
  const selected = [...panelsOf]
    .map(([condition, panels]) => `(panel IN (${panels.join(', ')}) AND ${condition})`)
    .join(' OR ')
  const totals = query.panels.flatMap(({ by }, at) => (by.length === 0 ? [at] : []))
  const none =
    totals.length === 0
      ? ''
      : `UNION ALL SELECT cell, ${columns.map((column) => `0 AS ${column}`).join(', ')}
         FROM ${name}_cell WHERE panel IN (${totals.join(', ')})`
  return `SELECT panel::DOUBLE AS panel, key, key2, ${query.measures.map((measure) => measureSql(model, measure)).join(', ')}
    FROM (SELECT cell, ${sums.map(addUp).join(', ')}
      FROM (SELECT cell, ${columns.join(', ')} FROM ${name} WHERE ${selected} ${none}) GROUP BY cell)
    JOIN ${name}_cell USING (cell) ORDER BY cell`
}

/**
 * What a panel of a query selects in the index, as a condition; `null` if the index does not have the panel, or if a bet may
 * have several values of an active dimension that the panel neither groups by nor selects in.
 */
function selectionSql(
  model: Model,
  active: readonly string[],
  known: Panel,
  { by, where }: Panel,
): string | null {
  if (by.join() !== known.by.join()) return null
  const rest: string[] = []
  const conditions: string[] = []
  const chosen = new Set<string>(by)
  for (const part of conjuncts(where)) {
    const clause = 'not' in part ? part.not : part
    const at = 'dim' in clause ? active.indexOf(clause.dim) : -1
    if (at < 0 || !('dim' in clause)) {
      rest.push(JSON.stringify(part))
      continue
    }
    const condition = clauseOver(model, clause, `a${at}`)
    // Prediction types overlap: rows of two would be counted twice, and rows outside of one may be of another.
    const overlaps = clause.dim === 'prediction_type' && ('not' in part || !isOneValue(clause))
    if (condition === null || overlaps) return null
    conditions.push('not' in part ? `((${condition}) IS NOT TRUE)` : condition)
    chosen.add(clause.dim)
  }
  const expected = conjuncts(known.where).map((part) => JSON.stringify(part))
  const isSame = rest.toSorted().join() === expected.toSorted().join()
  const open = active.filter((dim) => !chosen.has(dim))
  if (!isSame || overlap(model, open, known.where)) return null
  return conditions.length === 0 ? 'true' : conditions.join(' AND ')
}

/** Whether a bet may have several values of some dimensions, if there are any: adding up all of them would count it several times. */
const overlap = (model: Model, dims: readonly string[], where: Filter | null): boolean =>
  dims.length > 0 && (dims.includes('prediction_type') || fansOut(model, dims, where))

const isOneValue = (clause: Clause): boolean => 'in' in clause && clause.in.length === 1

/** A clause over an index's key column; `null` for a range of a dimension with bands, which need not end at their edges. */
function clauseOver(model: Model, clause: Clause, column: string): string | null {
  const dimension = model.dimensions[clause.dim]!
  if ('in' in clause)
    return `${column} IN (${clause.in.map((value) => positionOf(dimension, value)).join(', ')})`
  if (dimension.bins) return null
  const { from, to } = clause
  return [
    ...(from === undefined ? [] : [`${column} >= ${literalOf(dimension, from)}`]),
    ...(to === undefined ? [] : [`${column} <= ${literalOf(dimension, to)}`]),
  ].join(' AND ')
}

/** A value of an active dimension as the index stores it: the value's literal, or the index of its band. */
function positionOf(dimension: Dimension, value: Scalar): string {
  if (!dimension.bins) return literalOf(dimension, value)
  const at = dimension.bins.indexOf(Number(value))
  if (at < 0) throw bad(`no such band: ${String(value)}`)
  return String(at)
}
