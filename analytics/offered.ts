import { impliedValues, type Filter } from './filter.ts'
import type { Model } from './model.ts'
import { FIELDS, rowDimensions } from './rows.ts'
import type { ModelName } from './models.ts'
import { isOwnName } from './own-slots.ts'

/**
 * The dimensions that the user may filter and group by: known whatever the outcome, and permitted by the user's
 * access. `own`: the dimensions that are filled from the user's own file.
 *
 * ```ts
 * import { PREDICTIONS } from './predictions.ts'
 * offeredDimensions(PREDICTIONS, { dim: 'bet_type', in: [1] }, true).includes('odds') // => true
 * offeredDimensions(PREDICTIONS, { dim: 'bet_type', in: [3] }, true).includes('odds') // => false
 * ```
 */
export function offeredDimensions(
  model: Model,
  filter: Filter | null,
  history: boolean,
  own: readonly string[] = [],
): string[] {
  const betTypes = impliedValues(filter, 'bet_type')
  const open = model.rollups.find(({ access }) => access === 'public')?.dimensions ?? []
  return Object.entries(model.dimensions).flatMap(([name, dimension]) => {
    const known = !dimension.betTypes || betTypes?.every((type) => dimension.betTypes!.includes(Number(type)))
    const there = dimension.own ? history && own.includes(name) : history || open.includes(name)
    return !dimension.pinned && known && there ? [name] : []
  })
}

/**
 * Columns that a list of rows can show and a CSV file can contain: dimensions of a row, then its own fields.
 *
 * ```ts
 * import { PREDICTIONS } from './predictions.ts'
 * offeredColumns('predictions', PREDICTIONS).includes('combination') // => true
 * ```
 */
export const offeredColumns = (name: ModelName, model: Model): string[] => [
  ...Object.keys(rowDimensions(model)).filter((dim) => dim !== 'region'),
  ...Object.entries(FIELDS[name]).flatMap(([field, { unlisted }]) =>
    unlisted || isOwnName(field) ? [] : [field],
  ),
]
