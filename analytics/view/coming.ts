import type { ModelId } from '../../contract/model-ids.ts'
import { without } from '../clauses.ts'
import { AS_RUN_DIMENSIONS } from '../dimensions.ts'
import { allOf, type Filter } from '../filter.ts'
import { OWN_SLOTS } from '../own-slots.ts'
import type { Request } from '../request.ts'
import { appliedFilter, type WorkspaceView } from './view.ts'

/** Dimensions that a race not run yet has no value of, or that select past days. */
export const OF_THE_PAST = ['outcome', 'day', 'meeting', 'month', 'season', ...Object.keys(AS_RUN_DIMENSIONS)]
/** The server, which counts the matches, has none of the user's own file. */
const NOT_COUNTED = [...OF_THE_PAST, ...OWN_SLOTS]
/** Predictions of coming races have the origin `locked`, because they will be locked. */
const LOCKED: Filter = { dim: 'origin', in: ['locked'] }

/** Asked for while no model has any: there is nothing to find. */
const FIRST_MODEL: ModelId = 'blended'

/** A view's filter for coming predictions, without its period; `models`: those that have some, the preferred one first. */
export const comingWhere = (
  view: Pick<WorkspaceView, 'subject' | 'model' | 'filter'>,
  models: readonly ModelId[],
): Filter => {
  const chosen = view.model === '' ? (models[0] ?? FIRST_MODEL) : view.model
  return allOf({ dim: 'model', in: [chosen] }, LOCKED, without(appliedFilter(view), NOT_COUNTED))!
}

/** The models that have predictions of coming races. */
export const COMING_MODELS: Request = {
  aggregate: { model: 'predictions', by: ['model'], measures: ['predictions'], where: LOCKED },
}
