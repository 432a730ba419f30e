import { bandIndex, conjuncts, shownKey, type Filter } from './filter.ts'
import type { Model } from './model.ts'
import { MODELS, type ModelName } from './models.ts'
import { FREQUENT, rowSource, type Access } from './source.ts'

/** What a view asks, as the reader's own statement begins. */
export interface ViewQuestion {
  model: ModelName
  where: Filter | null
  /** Dimensions that are grouped by. */
  by: readonly string[]
}

/** The tables of the files alone, which is what the SQL console has. */
const FILES: Access = { scope: 'all', without: [FREQUENT] }

const FIGURES = [
  `count(*) FILTER (WHERE outcome = 'hit') AS hits`,
  `round(count(*) FILTER (WHERE outcome = 'hit') / nullif(count(*) FILTER (WHERE outcome <> 'void'), 0), 4) AS hit_rate`,
  'round(sum(profit_cents) / 100, 2) AS profit',
  `round(sum(profit_cents) / (1000.0 * nullif(count(profit_cents) FILTER (WHERE outcome <> 'void'), 0)), 4) AS return`,
]

/**
 * A view as a statement for the SQL console: its rows as the table `slice`, and their figures by the dimensions. Money is
 * in dollars. Throws `own-needed` for a filter on the reader's own columns, which the files do not have.
 *
 * ```ts
 * viewSql({ model: 'runners', where: { dim: 'draw', in: [1] }, by: [] }).split('\n').slice(0, 5) // => ['WITH slice AS (', '  SELECT *', '  FROM starter', '  WHERE draw IN (1)', ')']
 * ```
 */
export function viewSql({ model: name, where, by }: ViewQuestion): string {
  const model: Model = MODELS[name]
  const { from } = rowSource(model, by, where, FILES)
  const parts = conjuncts(where).map((part) => rowSource(model, by, part, FILES).condition)
  const condition = parts.length === 0 ? 'true' : parts.join('\n    AND ')
  const slice = `WITH slice AS (\n  SELECT *\n  FROM ${from}\n  WHERE ${condition}\n)`
  const keys = by.map((dim) => {
    const dimension = model.dimensions[dim]!
    const { sql, bins } = dimension
    return `${shownKey(dimension, bins ? bandIndex(sql, bins) : sql)} AS ${dim}`
  })
  const figures = [...keys, `count(*) AS ${model.rows}`, ...FIGURES].join(',\n  ')
  const grouped = `SELECT ${figures}\nFROM slice${by.length === 0 ? '' : '\nGROUP BY ALL'}`
  const names = by.flatMap((dim) => {
    const of = model.dimensions[dim]!.names
    return of ? [{ dim, ...of }] : []
  })
  if (names.length === 0) return `${slice}\n${grouped}${by.length === 0 ? '' : `\nORDER BY ${by.join(', ')}`}`
  const joins = names.map(({ dim, table, key }) => `LEFT JOIN ${table} ON ${table}.${key} = g.${dim}`)
  const texts = names.map(({ dim, table }) => `${table}.name_en AS ${dim}_en`)
  return `${slice}, g AS (\n${grouped.replaceAll(/^/gm, '  ')}\n)
SELECT ${texts.join(', ')}, g.*
FROM g ${joins.join(' ')}
ORDER BY ${model.rows} DESC`
}
