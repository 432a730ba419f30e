import { impliedValues, type Filter } from './filter.ts'
import type { Model } from './model.ts'
import { FIELDS, rowDimensions } from './rows.ts'
import type { ModelName } from './models.ts'

/**
 * The dimensions that the user may filter and group by: known whatever the outcome, and
 * permitted by the user's access.
 */
export function offeredDimensions(model: Model, filter: Filter | null, history: boolean): string[] {
  const betTypes = impliedValues(filter, 'bet_type')
  const open = model.rollups.find(({ access }) => access === 'public')?.dimensions ?? []
  return Object.entries(model.dimensions).flatMap(([name, dimension]) => {
    const known = !dimension.betTypes || betTypes?.every((type) => dimension.betTypes!.includes(Number(type)))
    return !dimension.pinned && known && (history || open.includes(name)) ? [name] : []
  })
}

/**
 * Columns that a list of rows can show and a CSV file can contain: dimensions of a row, then its own fields.
 */
export const offeredColumns = (name: ModelName, model: Model): string[] => [
  ...Object.keys(rowDimensions(model)).filter((dim) => dim !== 'region'),
  ...Object.keys(FIELDS[name]),
]
