import { useCallback, useEffect, useMemo, useRef } from 'react'
import { NavigationType, useNavigationType, useSearchParams } from 'react-router-dom'
import { inModelOrder, pickedValues, without, withValues } from '../../../analytics/clauses.ts'
import { allOf, type Filter } from '../../../analytics/filter.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import { readFilter, writeFilter } from '../../../analytics/url.ts'
import type { DatasetRegion } from '../../../contract/dataset.ts'
import { MODEL_IDS, type ModelId } from '../../../contract/model-ids.ts'
import { ORIGINS, type Origin } from '../../../contract/record-vocabulary.ts'
import { addDays } from '../../../domain/region.ts'
import { isTuned, tuningSeasons } from '../../../domain/tuning.ts'

/** The order in which models are shown first: with odds the blend, without them our own, else the public's. */
const MODEL_ORDER: readonly ModelId[] = ['blended', 'fundamental', 'market-baseline']

export const PERIODS = ['all', 'year', 'quarter', 'month', 'own'] as const
export type Period = (typeof PERIODS)[number]
const PERIOD_DAYS = { year: 365, quarter: 91, month: 30 } as const

/** The record's view as the address has it: a link shows the same to whoever opens it. */
export interface RecordView {
  period: Period
  from: string | null
  to: string | null
  /** Name of the model; empty: the first that there is. */
  model: ModelId | ''
  /** Whether the seasons on which the model's settings were chosen count too. */
  tuning: boolean
  /** Empty: what was locked, or backtests while nothing was. */
  origin: Origin | ''
  /** What else is picked: a conjunction of clauses. */
  filter: Filter | null
  /** Dimension of the breakdown. */
  by: string
}

const FIRST_FILTER: Filter = {
  and: [
    { dim: 'bet_type', in: [1] },
    { dim: 'prediction_type', in: [1] },
  ],
}

export const FIRST_VIEW: RecordView = {
  period: 'all',
  from: null,
  to: null,
  model: '',
  tuning: false,
  origin: '',
  filter: FIRST_FILTER,
  by: 'season',
}

/** Version of the address; addresses without one are those of the first record screen. */
const VERSION = '2'
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Reads a view from an address; what is not understood is as if it were not there. */
export function readView(params: URLSearchParams): RecordView {
  const day = (name: string): string | null => {
    const text = params.get(name)
    return text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
  }
  const by = params.get('by') ?? ''
  return {
    period: PERIODS.find((period) => period === params.get('period')) ?? 'all',
    from: day('from'),
    to: day('to'),
    model: MODEL_IDS.find((id) => id === params.get('model')) ?? '',
    tuning: params.get('tuning') === '1',
    origin: ORIGINS.find((origin) => origin === params.get('origin')) ?? '',
    filter:
      params.get('v') === VERSION ? readFilter(PREDICTIONS, params.get('f') ?? '') : readFirstAddress(params),
    by: Object.hasOwn(PREDICTIONS.dimensions, by) ? by : FIRST_VIEW.by,
  }
}

const numbers = (text: string | null): number[] =>
  (text ?? '').split(',').filter(Boolean).map(Number).filter(Number.isInteger)

/** The filter of an address of the first record screen. */
function readFirstAddress(params: URLSearchParams): Filter | null {
  const types = params.has('class') ? numbers(params.get('class')).filter((id) => id >= 1 && id <= 9) : [1]
  const type = Number(params.get('type') ?? 1)
  const word = (name: string): string[] =>
    /^[a-z_]{1,30}$/.test(params.get(name) ?? '') ? [params.get(name)!] : []
  const picks: [string, (string | number)[]][] = [
    ['bet_type', types],
    ['prediction_type', type === 0 ? [] : [[1, 2, 3].includes(type) ? type : 1]],
    ['racecourse', numbers(params.get('stadium'))],
    ['track', word('track').filter((track) => ['turf', 'awt', 'dirt'].includes(track))],
    ['going', word('going')],
    ['distance', numbers(params.get('distance')).slice(0, 1)],
  ]
  return picks.reduce<Filter | null>((filter, [dim, values]) => withValues(filter, dim, values), null)
}

/** The address of a view; what is as at first is left out. */
export function writeView(view: RecordView): URLSearchParams {
  const params = new URLSearchParams()
  if (view.period !== 'all') params.set('period', view.period)
  if (view.period === 'own' && view.from !== null) params.set('from', view.from)
  if (view.period === 'own' && view.to !== null) params.set('to', view.to)
  if (view.model) params.set('model', view.model)
  if (view.tuning) params.set('tuning', '1')
  if (view.origin) params.set('origin', view.origin)
  if (view.by !== FIRST_VIEW.by) params.set('by', view.by)
  const filter = writeFilter(view.filter)
  if (filter !== writeFilter(FIRST_FILTER)) {
    params.set('v', VERSION)
    params.set('f', filter)
  }
  return params
}

/** Predictions that there are of a model and origin. */
export interface OriginCount {
  model: ModelId
  origin: Origin
  predictions: number
}

/** Whose predictions a view is of, and when they were made. */
export interface Subject {
  model: ModelId
  origin: Origin
  /** Origins that the model has predictions of. */
  origins: Origin[]
  models: ModelId[]
}

/** What a view is of, among what there is: locked predictions before backtests, never both. */
export function subjectOf(
  view: Pick<RecordView, 'model' | 'origin'>,
  there: readonly OriginCount[],
): Subject {
  const models = MODEL_ORDER.filter((id) => there.some(({ model }) => model === id))
  const has = (id: ModelId, origin: Origin): boolean =>
    there.some((row) => row.model === id && row.origin === origin)
  const model =
    models.find((id) => id === view.model) ??
    models.find((id) => has(id, view.origin === '' ? 'locked' : view.origin)) ??
    models[0] ??
    'market-baseline'
  const origins = ORIGINS.filter((origin) => has(model, origin))
  const origin = view.origin === '' ? (origins.find((each) => each !== 'changed') ?? 'backtest') : view.origin
  return { model, origin, origins, models }
}

/** What is asked for a view; `lastDay` is the newest race day that there is. */
export function whereOf(
  view: RecordView,
  lastDay: string | null,
  { model, origin }: Pick<Subject, 'model' | 'origin'>,
  region: Pick<DatasetRegion, 'id' | 'seasonStartMonth'> | null,
): Filter {
  const { period } = view
  const days = period === 'all' || period === 'own' ? null : PERIOD_DAYS[period]
  const since = days === null || lastDay === null ? null : addDays(lastDay, 1 - days)
  const from = period === 'own' ? view.from : since
  const to = period === 'own' ? view.to : null
  const except = view.tuning || region === null || !isTuned(model) ? null : tuningDays(region)
  const parts: (Filter | null)[] = [
    { dim: 'model', in: [model] },
    { dim: 'origin', in: [origin] },
    from === null && to === null
      ? null
      : { dim: 'day', ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) },
    except === null ? null : { not: { dim: 'day', from: except.from, to: except.to } },
    view.filter,
  ]
  return allOf(...parts)!
}

/** The part of a view's filter that chooses races: what the evaluation of a model's win probabilities can be asked for. */
export function raceFilterOf(where: Filter): Filter | null {
  const others = Object.entries(PREDICTIONS.dimensions).flatMap(([name, { level }]) =>
    level === 'race' ? [] : [name],
  )
  return without(where, others)
}

/** First and last day of the seasons on which a region's model settings were chosen; `null` where there are none. */
export function tuningDays({
  id,
  seasonStartMonth,
}: Pick<DatasetRegion, 'id' | 'seasonStartMonth'>): { from: string; to: string } | null {
  const seasons = tuningSeasons(id)
  if (seasons.length === 0) return null
  const startOf = (season: number): string => `${season}-${String(seasonStartMonth).padStart(2, '0')}-01`
  return { from: startOf(seasons[0]!), to: addDays(startOf(seasons.at(-1)! + 1), -1) }
}

/** Dimensions whose values mean something in every region. */
const ANYWHERE = [
  'bet_type',
  'prediction_type',
  'rank',
  'outcome',
  'probability',
  'weekday',
  'race_no',
  'field_size',
]

/** Another region has other racecourses, goings and horses: a pick of one means nothing in the other. */
export function useViewOfRegion(regionId: string | null, change: ChangeView): void {
  const last = useRef(regionId)
  useEffect(() => {
    if (last.current !== null && regionId !== null && last.current !== regionId) {
      change(({ filter, ...view }) => ({
        ...view,
        filter: ANYWHERE.reduce<Filter | null>(
          (kept, dim) => withValues(kept, dim, pickedValues(filter, dim)),
          null,
        ),
      }))
    }
    last.current = regionId
  })
}

/** Changes the newest view, not the one that was painted last: clicks may be faster than paints. */
export type ChangeView = (next: (view: RecordView) => RecordView) => void

export function useRecordView(): [RecordView, ChangeView] {
  const [params, setParams] = useSearchParams()
  const kind = useNavigationType()
  const written = params.toString()
  const view = useMemo(() => readView(new URLSearchParams(written)), [written])
  const newest = useRef(view)
  const setter = useRef(setParams)
  useEffect(() => {
    setter.current = setParams
    // Only changes made here replace an address; what was pushed or stepped back to is another view.
    if (kind !== NavigationType.Replace) newest.current = view
  }, [kind, view, setParams])
  const change = useCallback<ChangeView>((next) => {
    const changed = next(newest.current)
    newest.current = { ...changed, filter: inModelOrder(PREDICTIONS, changed.filter) }
    // At once: what the reader clicked must not wait for other updates.
    setter.current(writeView(newest.current), { replace: true, preventScrollReset: true, flushSync: true })
  }, [])
  return [view, change]
}
