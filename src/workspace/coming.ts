import { MODEL_ORDER } from '../../contract/model-ids.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { without } from '../../analytics/clauses.ts'
import { allOf, type Filter } from '../../analytics/filter.ts'
import type { Request } from '../../analytics/request.ts'
import { numberOf, textOf } from '../data/analytics/cells.ts'
import { comingQuery } from '../data/analytics/coming.ts'
import type { AnswerRow } from '../data/analytics/decode.ts'
import { useToken } from '../data/session.ts'
import { pageRequest } from './rows.ts'
import type { WorkspaceView } from './view.ts'

/** What a race that was not run yet has no value of, or what chooses days that are over. */
export const OF_THE_PAST = ['outcome', 'day', 'meeting', 'month', 'season']
/** Views that one question counts the matches of. */
const MAX_COUNTED = 48
/** Matches of a view that are listed. */
export const MAX_LISTED = 200

/** Predictions of coming races are those that will be locked. */
const LOCKED: Filter = { dim: 'origin', in: ['locked'] }

type Slice = Pick<WorkspaceView, 'model' | 'filter'>

/** What a view asks of coming predictions: its filter, whatever its period. */
const comingWhere = ({ model, filter }: Slice, models: readonly string[]): Filter => {
  const chosen = model === '' ? (MODEL_ORDER.find((id) => models.includes(id)) ?? MODEL_ORDER[0]!) : model
  return allOf({ dim: 'model', in: [chosen] }, LOCKED, without(filter, OF_THE_PAST))!
}

const MODELS_REQUEST: Request = {
  aggregate: { model: 'predictions', by: ['model'], measures: ['predictions'], where: LOCKED },
}

function useComing(regionId: string, request: Request | null) {
  const token = useToken()
  const asked = useQuery({
    ...comingQuery(token ?? '', regionId, request ?? MODELS_REQUEST),
    enabled: token !== null && request !== null,
  })
  // Without a question the answer to another one is none.
  return request === null ? { ...asked, data: undefined } : asked
}

/** The models that have predictions of coming races; `null` until that is known. */
function useComingModels(regionId: string): readonly string[] | null {
  const { data } = useComing(regionId, MODELS_REQUEST)
  return useMemo(() => data?.rows.map((row) => textOf(row, 'model')) ?? null, [data])
}

/** How many of today's and tomorrow's predictions that the reader may see match each view, in the order of the views. */
export function useMatchCounts(regionId: string, views: readonly Slice[]) {
  const models = useComingModels(regionId)
  const asked = views.slice(0, MAX_COUNTED)
  const request: Request | null =
    models === null || asked.length === 0
      ? null
      : {
          linked: {
            model: 'predictions',
            measures: ['predictions'],
            panels: asked.map((view) => ({ by: [], where: comingWhere(view, models) })),
          },
        }
  const { data, error } = useComing(regionId, request)
  const counts = new Map(data?.rows.map((row) => [numberOf(row, 'panel'), numberOf(row, 'predictions')]))
  return { counts: data ? asked.map((_, index) => counts.get(index) ?? 0) : null, error }
}

const COLUMNS = ['race_id', 'day', 'racecourse', 'race_no', 'bet_type', 'rank', 'combination', 'probability']
const MORE_COLUMNS = ['price', 'horses_en', 'horses_hant', 'horses_hans']

/** The predictions themselves, in the order of the races. */
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

/** Tells one match from another. */
export const matchKey = (row: AnswerRow): string =>
  `${textOf(row, 'race_id')} ${numberOf(row, 'bet_type')} ${textOf(row, 'combination')}`
