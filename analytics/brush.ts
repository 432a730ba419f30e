import { bad, literalOf, requireShort } from './filter.ts'
import { addUp, measureSql, sumsOf } from './compile.ts'
import { PANEL_COLUMNS, passesOf, passSql, type Panel } from './linked.ts'
import type { Dimension, Model, Scalar } from './model.ts'
import { MODELS, type ModelName } from './models.ts'
import { figureColumns, requireHonest, type ColumnSpec } from './plan.ts'
import type { Access } from './source.ts'

/**
 * An index for a brush or a slider: one long table of sums by value of the active dimension, panel and group,
 * built once. Each position of the brush is then one small statement. The technique is Mosaic's
 * pre-aggregation (uwdata/mosaic, `preagg/PreAggregator.ts`).
 */
export interface BrushRequest {
  model: ModelName
  /** The brushed dimension: one whose values are consecutive, or that has bands. */
  active: string
  /** Views that follow the brush; their filters must not use the active dimension. */
  panels: Panel[]
  measures: string[]
}

export interface BrushPlan {
  /** Statements that build the index, replacing the previous one. */
  statements: string[]
  /** Selects the cells in order: `cell`, `panel`, `key`, `key2`. */
  cellsSql: string
}

/**
 * Plans an index. Throws `bad-parameters`, also for sums that are not additive along the
 * brush, and `vip-needed`.
 *
 * ```ts
 * const where = { and: [{ dim: 'model', in: ['blended'] }, { dim: 'origin', in: ['locked'] }] }
 * const panels = [{ by: ['going'], where }]
 * const request = { model: 'predictions', active: 'month', panels, measures: ['hits'] }
 * planBrush(request, { scope: 'all' }).statements.at(-1) // => 'DROP TABLE brush_long'
 * ```
 */
export function planBrush(request: BrushRequest, access: Access): BrushPlan {
  const model: Model = MODELS[request.model]
  const sums = sumsOf(model, request.measures)
  const ofRace = model.dimensions[request.active]!.level === 'race'
  const apart = sums.find((name) => model.sums[name]!.kind === 'distinct')
  if (apart !== undefined && !ofRace) throw bad(`${apart}: not along ${request.active}`)
  const ordered = request.measures.find((name) => model.measures[name]!.ordered)
  if (ordered !== undefined) throw bad(`${ordered}: not along a brush`)
  for (const { where } of request.panels) requireShort(where)
  for (const { by, where } of request.panels)
    requireHonest(model, { by: [...by, request.active], where, measures: request.measures })
  const { passes } = passesOf(model, request.panels, sums, access, { active: request.active })
  const long = passes
    .map((pass) => passSql(model, pass, sums, { active: request.active }))
    .join(' UNION ALL ')
  return {
    statements: [
      'DROP TABLE IF EXISTS brush_sum',
      'DROP TABLE IF EXISTS brush_cell',
      'DROP TABLE IF EXISTS brush_long',
      `CREATE TABLE brush_long AS SELECT * FROM (${long}) WHERE a IS NOT NULL`,
      `CREATE TABLE brush_cell AS SELECT (row_number() OVER (ORDER BY panel, key, key2) - 1)::INTEGER AS cell, *
       FROM (SELECT DISTINCT panel, key, key2 FROM brush_long)`,
      `CREATE TABLE brush_sum AS SELECT a, cell, ${sums.map((name) => `s_${name}`).join(', ')}
       FROM brush_long l JOIN brush_cell c ON c.panel = l.panel AND c.key IS NOT DISTINCT FROM l.key
         AND c.key2 IS NOT DISTINCT FROM l.key2 ORDER BY a`,
      'DROP TABLE brush_long',
    ],
    cellsSql: 'SELECT cell::DOUBLE AS cell, panel::DOUBLE AS panel, key, key2 FROM brush_cell ORDER BY cell',
  }
}

export const CELL_COLUMNS: readonly ColumnSpec[] = [{ name: 'cell', type: 'number' }, ...PANEL_COLUMNS]

/**
 * Columns of the result for one position: one row per cell that has rows there.
 *
 * ```ts
 * stepColumns({ model: 'predictions', measures: ['hits'] }) // => [{ name: 'cell', type: 'number' }, { name: 'hits', type: 'number', unit: 'count' }]
 * ```
 */
export const stepColumns = ({ model, measures }: Pick<BrushRequest, 'model' | 'measures'>): ColumnSpec[] => [
  { name: 'cell', type: 'number' },
  ...figureColumns(MODELS[model], measures, false),
]

/**
 * The statement for one position of the brush, both ends inclusive.
 *
 * ```ts
 * const request = { model: 'predictions', active: 'month', panels: [{ by: ['going'], where: null }], measures: ['hits'] }
 * stepSql(request, '2024-09', '2024-12').includes('a BETWEEN 202409 AND 202412') // => true
 * ```
 */
export function stepSql(request: BrushRequest, from: Scalar, to: Scalar): string {
  const model: Model = MODELS[request.model]
  const dimension = model.dimensions[request.active]!
  const sums = sumsOf(model, request.measures)
  const between = `a BETWEEN ${positionOf(dimension, from)} AND ${positionOf(dimension, to)}`
  return `SELECT cell::DOUBLE AS cell, ${request.measures.map((name) => measureSql(model, name)).join(', ')}
    FROM (SELECT cell, ${sums.map(addUp).join(', ')} FROM brush_sum WHERE ${between} GROUP BY cell)`
}

/** A value of the active dimension as the index stores it: the value's literal, or the index of its band. */
function positionOf(dimension: Dimension, value: Scalar): string {
  if (!dimension.bins) return literalOf(dimension, value)
  const at = dimension.bins.indexOf(Number(value))
  if (at < 0) throw bad(`no such band: ${String(value)}`)
  return String(at)
}
