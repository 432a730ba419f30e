import type { ModelId } from '../../../contract/model-ids.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { NAME_COLUMNS } from '../../../domain/languages.ts'
import { MODELS } from '../../../analytics/models.ts'
import type { Request } from '../../../analytics/request.ts'
import { numberOf, textOf } from '../../../analytics/cells.ts'
import { comingQuery } from '../../data/analytics/remote.ts'
import { useToken } from '../../data/client/session.ts'
import { useModelOrder } from '../../data/use-region.ts'
import { pageRequest } from './rows.ts'
import { COMING_MODELS, comingWhere } from '../../../analytics/view/coming.ts'
import type { Subject, WorkspaceView } from '../../../analytics/view/view.ts'
import { countOf } from '../../../analytics/view/totals.ts'

/** Maximum number of views whose matches one query counts. */
const MAX_COUNTED = 48
/** Maximum number of matches listed per view. */
export const MAX_LISTED = 200

type Slice = Pick<WorkspaceView, 'subject' | 'model' | 'filter'>

function useComing(regionId: string, request: Request | null) {
  const token = useToken()
  const answer = useQuery({
    ...comingQuery(token ?? '', regionId, request ?? COMING_MODELS),
    enabled: token !== null && request !== null,
  })
  // Without a request, the result shown would be that of `COMING_MODELS`.
  return request === null ? { ...answer, data: undefined } : answer
}

/** The models that have predictions of coming races, the preferred one first; `null` until known. */
function useComingModels(regionId: string): readonly ModelId[] | null {
  const { data } = useComing(regionId, COMING_MODELS)
  const order = useModelOrder(regionId)
  return useMemo(() => {
    const there = data?.rows.map((row) => textOf(row, 'model'))
    return there === undefined ? null : order.filter((id) => there.includes(id))
  }, [data, order])
}

/**
 * The number of predictions of today and of the next race day, among those that the user may see, that match each view,
 * in the order of the views.
 */
export function useMatchCounts(regionId: string, views: readonly Slice[]) {
  const models = useComingModels(regionId)
  const counted = views.slice(0, MAX_COUNTED)
  const ofPredictions = useCounts(regionId, 'predictions', counted, models)
  const ofRunners = useCounts(regionId, 'runners', counted, models)
  const ofRaces = useCounts(regionId, 'races', counted, models)
  const error = ofPredictions.error ?? ofRunners.error ?? ofRaces.error
  if (ofPredictions.counts === null || ofRunners.counts === null || ofRaces.counts === null)
    return { counts: null, error }
  const known = new Map([...ofPredictions.counts, ...ofRunners.counts, ...ofRaces.counts])
  return { counts: counted.map((view) => known.get(view) ?? 0), error }
}

/** The numbers of coming rows of the views of one subject; none where no view is of it, `null` until they are known. */
function useCounts(
  regionId: string,
  subject: Subject,
  views: readonly Slice[],
  models: readonly ModelId[] | null,
) {
  const own = views.filter((view) => view.subject === subject)
  const panels = models && own.map((view) => ({ by: [], where: comingWhere(view, models) }))
  const request: Request | null =
    panels === null || panels.length === 0
      ? null
      : { linked: { model: subject, measures: [MODELS[subject].rows], panels } }
  const { data, error } = useComing(regionId, request)
  if (models !== null && own.length === 0) return { counts: [], error: null }
  const counts = new Map(data?.rows.map((row) => [numberOf(row, 'panel'), countOf(row)]))
  return { counts: data ? own.map((view, at) => [view, counts.get(at) ?? 0] as const) : null, error }
}

const OF_RACE = ['race_id', 'day', 'racecourse', 'race_no', 'probability']
const COLUMNS: Readonly<Record<Subject, readonly string[]>> = {
  predictions: [
    ...OF_RACE,
    'bet_type',
    'rank',
    'combination',
    'price',
    ...NAME_COLUMNS.map((language) => `horses_${language}`),
  ],
  runners: [...OF_RACE, 'horse_no', 'horse', 'jockey', 'win_odds'],
  races: [...OF_RACE, 'first_no', ...NAME_COLUMNS.map((language) => `first_${language}`), 'win_odds'],
}
const ORDER: Readonly<Record<Subject, readonly string[]>> = {
  predictions: ['day', 'race_no', 'bet_type', 'rank'],
  runners: ['day', 'race_no', 'horse_no'],
  races: ['day', 'race_no'],
}

/** The matching rows, in race order. */
export function useMatches(regionId: string, view: Slice) {
  const models = useComingModels(regionId)
  const { subject } = view
  const order = ORDER[subject].map((by) => ({ by, descending: false }))
  return useComing(
    regionId,
    models === null
      ? null
      : pageRequest(subject, comingWhere(view, models), COLUMNS[subject], order, 0, MAX_LISTED),
  )
}
