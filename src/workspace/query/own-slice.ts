import { without } from '../../../analytics/clauses.ts'
import { dimensionsOf, impliedValues, type Filter } from '../../../analytics/filter.ts'
import { isOwnName, ownMean, OWN_SLOTS } from '../../../analytics/own-slots.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import type { PanelSpec } from '../state/panel-spec.ts'
import type { Slice } from './requests.ts'

/** Clauses of a filter on columns of the user's own file that is not open. */
export const closedClauses = (filter: Filter | null, own: readonly string[]): string[] =>
  [...dimensionsOf(filter)].filter((dim) => isOwnName(dim) && !own.includes(dim))

/** Means of the user's own columns that can be asked for: only of bets on one horse, which have a single value. */
function meansOf(filter: Filter | null, own: readonly string[]) {
  const { betTypes } = PREDICTIONS.measures.own_1_mean
  const chosen = impliedValues(filter, 'bet_type')
  if (!chosen?.every((type) => betTypes?.includes(Number(type)))) return []
  return OWN_SLOTS.filter((slot) => own.includes(slot)).map(ownMean)
}

/** Means of the user's own columns that the views of a slice can show. */
export const offeredMeans = ({ slice }: { slice: Slice }) => meansOf(slice.filter, slice.own)

/** The slice of a view. Clauses on the user's own columns are left out where the file is not open. */
export function sliceOf(
  { base, filter, history }: Pick<Slice, 'base' | 'filter' | 'history'>,
  panels: readonly PanelSpec[],
  own: readonly string[],
): Slice {
  const closed = closedClauses(filter, own)
  const open = closed.length === 0 ? filter : without(filter, closed)
  const ownMeans = meansOf(open, own).filter((mean) => panels.some(({ measure }) => measure === mean))
  return { base, filter: open, history, own, ownMeans }
}
