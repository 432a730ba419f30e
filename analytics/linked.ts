import {
  addUp,
  clusterColumns,
  keyNames,
  keysOf,
  measureSql,
  overClusters,
  sumColumns,
  sumsOf,
  withIntervals,
} from './compile.ts'
import { bad, impliedValues, shownKey, type Filter } from './filter.ts'
import type { Model } from './model.ts'
import { RACE_TOTALS } from './predictions.ts'
import { figureColumns, requireHonest, type ColumnSpec, type Plan } from './plan.ts'
import { text } from './sql.ts'
import { isMissing, sourceOf, type Access, type Rejection, type Source } from './source.ts'

/** One of several linked views: the dimensions it groups by, and its own filter. */
export interface Panel {
  by: readonly string[]
  where: Filter | null
}

export interface LinkedQuery {
  panels: readonly Panel[]
  measures: readonly string[]
  /** Adds `…_low` and `…_high` to each ratio. */
  intervals?: boolean
}

export const PANEL_COLUMNS: readonly ColumnSpec[] = [
  { name: 'panel', type: 'number' },
  { name: 'key', type: 'text' },
  { name: 'key2', type: 'text' },
]

/** Panels that are computed in one pass over one relation. */
export interface Pass {
  source: Source
  where: Filter | null
  /** Whether the rollup by race is available for a join. */
  hasRaces: boolean
  /** Distinct dimensions of the panels, in the order of `k0…`. */
  dims: string[]
  /** `grouped`: the dimensions grouped by, including the active ones. */
  panels: { index: number; by: readonly string[]; grouped: readonly string[] }[]
}

/**
 * Maximum number of low-cardinality dimensions that a pass combines before grouping, so that
 * their product stays small.
 */
const MAX_COMBINED = 4

/**
 * Plans many groupings as one statement. Panels with the same filter and the same relation share a pass,
 * whose groupings are GROUPING SETS. Rows: `panel` (its index), `key` and `key2` (values as text), and the
 * measures. Throws `bad-parameters`, also for measures that depend on the order of races, and `vip-needed`.
 */
export function planLinked(model: Model, query: LinkedQuery, access: Access): Plan {
  const sums = sumsOf(model, query.measures)
  const ordered = query.measures.find((name) => model.measures[name]!.ordered)
  if (ordered !== undefined) throw bad(`${ordered}: not in linked panels`)
  for (const { by, where } of query.panels) requireHonest(model, { by, where, measures: query.measures })
  const intervals = query.intervals === true
  const { passes, rejected } = passesOf(model, query.panels, sums, access, { intervals })
  const clustered = intervals ? query.measures : null
  const rows = passes.map((pass) => passSql(model, pass, sums, { clustered })).join(' UNION ALL ')
  const figures = `SELECT *, ${query.measures.map((name) => measureSql(model, name)).join(', ')} FROM (${rows})`
  const columns = [...PANEL_COLUMNS, ...figureColumns(model, query.measures, intervals)]
  const byMeeting = passes.every(({ source }) => source.cluster === 'meeting_key')
  return {
    sql: `SELECT panel::DOUBLE AS panel, ${columns
      .slice(1)
      .map(({ name }) => name)
      .join(', ')}
      FROM (${intervals ? withIntervals(model, query.measures, figures) : figures})
      ORDER BY panel, key NULLS LAST, key2 NULLS LAST`,
    source: [...new Set(passes.map(({ source }) => source.name))].join(' + '),
    rejected,
    columns,
    fanOut: passes.some(({ source }) => source.fanOut),
    cluster: intervals ? (byMeeting ? 'meeting' : 'day') : null,
  }
}

/**
 * Collects panels into passes. `active`: dimensions that every panel is also grouped by;
 * `intervals`: computed by meeting.
 */
export function passesOf(
  model: Model,
  panels: readonly Panel[],
  sums: readonly string[],
  access: Access,
  { active = [], intervals = false }: { active?: readonly string[]; intervals?: boolean } = {},
): { passes: Pass[]; rejected: Rejection[] } {
  const rejected: Rejection[] = []
  const passes = new Map<string, Pass>()
  for (const [index, { by, where }] of panels.entries()) {
    const dims = [...active, ...by.filter((dim) => !active.includes(dim))]
    const need = { by: dims, where, sums, ordered: false, intervals }
    const found = sourceOf(model, need, access)
    for (const each of found.rejected)
      if (!rejected.some((known) => known.rollup === each.rollup && known.reason === each.reason))
        rejected.push(each)
    const id = `${found.source.from} ${found.source.condition} ${kindOf(model, found.source, where, dims)}`
    const pass = passes.get(id) ?? {
      source: found.source,
      where,
      hasRaces: access.scope !== 'public' && !isMissing(RACE_TOTALS.table, access),
      dims: [],
      panels: [],
    }
    passes.set(id, pass)
    for (const dim of dims) if (!pass.dims.includes(dim)) pass.dims.push(dim)
    pass.panels.push({ index, by, grouped: dims })
  }
  return { passes: [...passes.values()], rejected }
}

/**
 * Panels by race dimensions and panels by prediction dimensions are separate passes, because they
 * pre-combine rows differently.
 */
function kindOf(model: Model, { rollup }: Source, where: Filter | null, by: readonly string[]): string {
  if (rollup) return 'rollup'
  if (isOneOfRace(where)) return 'all'
  if (by.every((dim) => isOfRace(model, dim))) return 'race'
  return by.every((dim) => model.dimensions[dim]!.few) ? 'few' : 'many'
}

/**
 * Whether at most one prediction per race and bet type remains; combining by race would
 * then not reduce the rows.
 */
function isOneOfRace(where: Filter | null): boolean {
  const types = impliedValues(where, 'prediction_type')
  return (types?.length === 1 && types[0] !== 0) || impliedValues(where, 'rank')?.length === 1
}

const isOfRace = (model: Model, dim: string): boolean =>
  model.dimensions[dim]!.level === 'race' || dim === 'bet_type'

interface PassOptions {
  /** Dimensions that every panel is also grouped by; their keys are the columns `a0…`. */
  active?: readonly string[]
  /** Measures that need intervals: adds the columns for computing them. `null` for none. */
  clustered?: readonly string[] | null
}

/** One pass as a relation with `panel`, `key`, `key2`, the sums `s_…`, and the columns for the options. */
export function passSql(
  model: Model,
  pass: Pass,
  sums: readonly string[],
  { active = [], clustered = null }: PassOptions = {},
): string {
  const { dims, panels } = pass
  const groups = clustered ? clusteredGroups(model, pass, sums, clustered) : plainGroups(model, pass, sums)
  const own = active.map((dim, index) => `k${dims.indexOf(dim)} AS a${index}, `).join('')
  // One projection with a CASE on the grouping set is planned several times faster than one SELECT per panel.
  const choose = (
    layer: readonly Pass['panels'][number][],
    value: (by: readonly string[], index: number) => string,
  ) =>
    `CASE grouped ${layer
      .map(({ index, by, grouped }) => `WHEN ${maskOf(dims, grouped)} THEN ${value(by, index)}`)
      .join(' ')} END`
  const keyAt =
    (at: number) =>
    (by: readonly string[]): string => {
      const dim = by[at]
      return dim === undefined
        ? 'NULL::VARCHAR'
        : `${shownKey(model.dimensions[dim]!, `k${dims.indexOf(dim)}`)}::VARCHAR`
    }
  const read =
    (from: string) =>
    (layer: readonly Pass['panels'][number][]): string =>
      `SELECT ${own}${choose(layer, (_by, index) => String(index))} AS panel, ${choose(layer, keyAt(0))} AS key,
      ${choose(layer, keyAt(1))} AS key2, ${[...sums.map((sum) => `s_${sum}`), ...(clustered ? clusterColumns(model, clustered) : [])].join(', ')} FROM ${from}`
  const layers = layersOf(panels, ({ grouped }) => maskOf(dims, grouped))
  if (layers.length === 1) return `(${read(`(${groups})`)(panels)})`
  const name = `pass_${panels[0]!.index}`
  const parts = layers.map(
    (layer) =>
      `${read(name)(layer)} WHERE grouped IN (${layer.map(({ grouped }) => maskOf(dims, grouped)).join(', ')})`,
  )
  return `(WITH ${name} AS MATERIALIZED (${groups}) ${parts.join(' UNION ALL ')})`
}

const groupingOf = (dims: readonly string[]): string =>
  dims.length === 0 ? '0 AS grouped' : `grouping_id(${keyNames(dims).join(', ')}) AS grouped`
const setsOf = ({ dims, panels }: Pass): string[][] => [
  ...new Map(
    panels.map(({ grouped }): [number, string[]] => [maskOf(dims, grouped), setOf(dims, grouped)]),
  ).values(),
]

/** The groups of every panel of a pass, with their sums. */
function plainGroups(model: Model, pass: Pass, sums: readonly string[]): string {
  const { source, dims } = pass
  const rows = relationOf(model, pass, sums)
  const summed = rows.combined ? sums.map(addUp) : sumColumns(model, sums, source)
  const keys = rows.combined ? keyNames(dims) : keysOf(model, dims)
  const sets = setsOf(pass).map((set) => `(${set.join(', ')})`)
  return `SELECT ${[...keys, ...summed, groupingOf(dims)].join(', ')} FROM ${rows.from}
    ${dims.length === 0 ? '' : `GROUP BY GROUPING SETS (${sets.join(', ')})`}`
}

/** The same, aggregated by meeting first, with the inputs for intervals. */
function clusteredGroups(
  model: Model,
  pass: Pass,
  sums: readonly string[],
  measures: readonly string[],
): string {
  const { source, dims } = pass
  const inner = [
    ...keysOf(model, dims),
    `${source.cluster} AS c`,
    ...sumColumns(model, sums, source),
    groupingOf(dims),
  ]
  const sets = setsOf(pass).map((set) => `(${[...set, 'c'].join(', ')})`)
  const clusters = `SELECT ${inner.join(', ')} FROM ${source.from} WHERE ${source.condition}
    GROUP BY GROUPING SETS (${sets.join(', ')})`
  return overClusters(model, measures, sums, [...keyNames(dims), 'grouped'], clusters)
}

/**
 * Splits items into as few lists as possible, none with a repeated key: panels with the same grouping
 * need the same rows twice.
 */
function layersOf<Item>(items: readonly Item[], layerOf: (item: Item) => number): Item[][] {
  const layers: Item[][] = []
  for (const item of items) {
    const layer = layers.find((each) => each.every((other) => layerOf(other) !== layerOf(item)))
    if (layer) layer.push(item)
    else layers.push([item])
  }
  return layers
}

/**
 * A grouping set in the pass's order of dimensions, so that panels with the same dimensions
 * in another order share it.
 */
const setOf = (dims: readonly string[], by: readonly string[]): string[] =>
  dims.flatMap((dim, index) => (by.includes(dim) ? [`k${index}`] : []))

/**
 * DuckDB's `grouping_id`: a set bit for each column that is not grouped by, the first
 * column in the highest bit.
 */
function maskOf(dims: readonly string[], by: readonly string[]): number {
  return dims.reduce((mask, dim) => mask * 2 + (by.includes(dim) ? 0 : 1), 0)
}

/**
 * The relation that the groupings read. Additive sums are pre-combined where that gives far fewer rows: by
 * race and bet type for panels of the race, by the dimensions themselves where those have few values.
 */
function relationOf(
  model: Model,
  { source, where, hasRaces, dims, panels }: Pass,
  sums: readonly string[],
): { from: string; combined: boolean } {
  const plain = { from: `${source.from} WHERE ${source.condition}`, combined: false }
  if (source.rollup || source.fanOut || isOneOfRace(where)) return plain
  if (sums.some((name) => model.sums[name]!.kind !== 'additive')) return plain
  const keys = keysOf(model, dims)
  const summed = sumColumns(model, sums, source)
  const ofRace = dims.length >= 3 && panels.length >= 3 && dims.every((dim) => isOfRace(model, dim))
  if (ofRace && hasRaces && source.name === 'prediction')
    return { from: byRaceSql(source, where, dims, keys, summed), combined: true }
  const few =
    dims.length > 1 && dims.length <= MAX_COMBINED && dims.every((dim) => model.dimensions[dim]!.few)
  if (!few) return plain
  return {
    from: `(SELECT ${[...keys, ...summed].join(', ')} FROM ${source.from} WHERE ${source.condition}
      GROUP BY ${keyNames(dims).join(', ')})`,
    combined: true,
  }
}

/** Sums by race and bet type, with the attributes of the race from the rollup by race. */
function byRaceSql(
  source: Source,
  where: Filter | null,
  dims: readonly string[],
  keys: readonly string[],
  summed: readonly string[],
): string {
  const shared = ['race_key', 'bet_type', ...['model', 'origin'].filter((dim) => dims.includes(dim))]
  const pinned = ['model', 'origin'].flatMap((dim) => {
    const values = dims.includes(dim) ? null : impliedValues(where, dim)
    return values === null ? [] : [`${dim} IN (${values.map((value) => text(String(value))).join(', ')})`]
  })
  const facts =
    pinned.length === 0 ? 'race_total' : `(SELECT * FROM race_total WHERE ${pinned.join(' AND ')})`
  return `(SELECT ${keys.join(', ')}, s.* EXCLUDE (${shared.join(', ')})
    FROM (SELECT ${[...shared, ...summed].join(', ')} FROM ${source.from} WHERE ${source.condition}
      GROUP BY ${shared.join(', ')}) s JOIN ${facts} USING (${shared.join(', ')}))`
}
