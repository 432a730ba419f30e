import type { ModelId } from '../../../contract/model-ids.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { without } from '../../../analytics/clauses.ts'
import { allOf, type Filter } from '../../../analytics/filter.ts'
import { NAME_COLUMNS } from '../../../domain/languages.ts'
import { OWN_SLOTS } from '../../../analytics/own-slots.ts'
import type { Request } from '../../../analytics/request.ts'
import { numberOf, textOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { comingQuery } from '../../data/analytics/remote.ts'
import { useToken } from '../../data/client/session.ts'
import { useModelOrder } from '../../data/use-region.ts'
import { pageRequest } from './rows.ts'
import type { WorkspaceView } from '../state/view.ts'

/** Dimensions that a race not run yet has no value of, or that select past days. */
export const OF_THE_PAST = ['outcome', 'day', 'meeting', 'month', 'season']
/** The server, which counts the matches, has none of the user's own file. */
const NOT_COUNTED = [...OF_THE_PAST, ...OWN_SLOTS]
/** Maximum number of views whose matches one query counts. */
const MAX_COUNTED = 48
/** Maximum number of matches listed per view. */
export const MAX_LISTED = 200

/** Predictions of coming races have the origin `locked`, because they will be locked. */
const LOCKED: Filter = { dim: 'origin', in: ['locked'] }

/** Asked for while no model has any: there is nothing to find. */
const FIRST_MODEL: ModelId = 'blended'

type Slice = Pick<WorkspaceView, 'model' | 'filter'>

/** A view's filter for coming predictions, without its period; `models`: those that have some, the preferred one first. */
const comingWhere = ({ model, filter }: Slice, models: readonly ModelId[]): Filter => {
  const chosen = model === '' ? (models[0] ?? FIRST_MODEL) : model
  return allOf({ dim: 'model', in: [chosen] }, LOCKED, without(filter, NOT_COUNTED))!
}

const MODELS_REQUEST: Request = {
  aggregate: { model: 'predictions', by: ['model'], measures: ['predictions'], where: LOCKED },
}

function useComing(regionId: string, request: Request | null) {
  const token = useToken()
  const answer = useQuery({
    ...comingQuery(token ?? '', regionId, request ?? MODELS_REQUEST),
    enabled: token !== null && request !== null,
  })
  // Without a request, the result shown would be that of `MODELS_REQUEST`.
  return request === null ? { ...answer, data: undefined } : answer
}

/** The models that have predictions of coming races, the preferred one first; `null` until known. */
function useComingModels(regionId: string): readonly ModelId[] | null {
  const { data } = useComing(regionId, MODELS_REQUEST)
  const order = useModelOrder(regionId)
  return useMemo(() => {
    const there = data?.rows.map((row) => textOf(row, 'model'))
    return there === undefined ? null : order.filter((id) => there.includes(id))
  }, [data, order])
}

/**
 * The number of today's and tomorrow's predictions, among those that the user may see, that match each view,
 * in the order of the views.
 */
export function useMatchCounts(regionId: string, views: readonly Slice[]) {
  const models = useComingModels(regionId)
  const counted = views.slice(0, MAX_COUNTED)
  const panels = models && counted.map((view) => ({ by: [], where: comingWhere(view, models) }))
  const request: Request | null =
    panels === null || panels.length === 0
      ? null
      : { linked: { model: 'predictions', measures: ['predictions'], panels } }
  const { data, error } = useComing(regionId, request)
  const counts = new Map(data?.rows.map((row) => [numberOf(row, 'panel'), numberOf(row, 'predictions')]))
  return { counts: data ? counted.map((_, index) => counts.get(index) ?? 0) : null, error }
}

const COLUMNS = ['race_id', 'day', 'racecourse', 'race_no', 'bet_type', 'rank', 'combination', 'probability']
const MORE_COLUMNS = ['price', ...NAME_COLUMNS.map((language) => `horses_${language}`)]

/** The matching predictions, in race order. */
export function useMatches(regionId: string, view: Slice) {
  const models = useComingModels(regionId)
  const order = ['day', 'race_no', 'bet_type', 'rank'].map((by) => ({ by, descending: false }))
  return useComing(
    regionId,
    models === null
      ? null
      : pageRequest(comingWhere(view, models), [...COLUMNS, ...MORE_COLUMNS], order, 0, MAX_LISTED),
  )
}

/** Identifies a match. */
export const matchKey = (row: AnswerRow): string =>
  `${textOf(row, 'race_id')} ${numberOf(row, 'bet_type')} ${textOf(row, 'combination')}`
