import { useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { DatasetRegion } from '../../../contract/dataset.ts'
import type { OriginRow, RecordFilter } from '../../../contract/queries.ts'
import { ORIGINS, type Origin } from '../../../contract/record-vocabulary.ts'
import { addDays } from '../../../domain/region.ts'
import { isTuned, tuningSeasons } from '../../../domain/tuning.ts'

/** The order in which models are shown first: with odds the blend, without them our own, else the public's. */
const MODEL_ORDER = ['blended', 'fundamental', 'market-baseline']

export const PERIODS = ['all', 'year', 'quarter', 'month', 'own'] as const
export type Period = (typeof PERIODS)[number]
const PERIOD_DAYS = { year: 365, quarter: 91, month: 30 } as const

/** The record's view as the address keeps it: a link shows the same to whoever opens it. */
export interface RecordView {
  period: Period
  from: string | null
  to: string | null
  gameplayClasses: number[]
  stadiumKeys: number[]
  predictionType: number
  track: string
  going: string
  distanceM: number | null
  /** Name of the model; empty: the first that there is. */
  model: string
  /** Whether the seasons on which the model's settings were chosen count too. */
  tuning: boolean
  /** Empty: what was locked, or backtests while nothing was. */
  origin: Origin | ''
}

export const FIRST_VIEW: RecordView = {
  period: 'all',
  from: null,
  to: null,
  gameplayClasses: [1],
  stadiumKeys: [],
  predictionType: 1,
  track: '',
  going: '',
  distanceM: null,
  model: '',
  tuning: false,
  origin: '',
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const numbers = (text: string | null): number[] =>
  (text ?? '').split(',').filter(Boolean).map(Number).filter(Number.isInteger)

/** Reads a view from an address; what is not understood is as if it were not there. */
export function readView(params: URLSearchParams): RecordView {
  const day = (name: string): string | null => {
    const text = params.get(name)
    return text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
  }
  const classes = numbers(params.get('class')).filter((id) => id >= 1 && id <= 9)
  const type = Number(params.get('type') ?? FIRST_VIEW.predictionType)
  const distance = numbers(params.get('distance'))[0]
  const word = (name: string): string =>
    /^[a-z_]{1,30}$/.test(params.get(name) ?? '') ? params.get(name)! : ''
  return {
    period: PERIODS.find((period) => period === params.get('period')) ?? 'all',
    from: day('from'),
    to: day('to'),
    gameplayClasses: params.has('class') ? classes : FIRST_VIEW.gameplayClasses,
    stadiumKeys: numbers(params.get('stadium')),
    predictionType: [0, 1, 2, 3].includes(type) ? type : FIRST_VIEW.predictionType,
    track: ['turf', 'awt', 'dirt'].includes(word('track')) ? word('track') : '',
    going: word('going'),
    distanceM: distance ?? null,
    model: /^[a-z-]{1,30}$/.test(params.get('model') ?? '') ? params.get('model')! : '',
    tuning: params.get('tuning') === '1',
    origin: ORIGINS.find((origin) => origin === params.get('origin')) ?? '',
  }
}

/** The address of a view; what is as at first is left out. */
export function writeView(view: RecordView): URLSearchParams {
  const params = new URLSearchParams()
  if (view.period !== 'all') params.set('period', view.period)
  if (view.period === 'own' && view.from !== null) params.set('from', view.from)
  if (view.period === 'own' && view.to !== null) params.set('to', view.to)
  if (view.gameplayClasses.join() !== '1') params.set('class', view.gameplayClasses.join())
  if (view.stadiumKeys.length > 0) params.set('stadium', view.stadiumKeys.join())
  if (view.predictionType !== 1) params.set('type', String(view.predictionType))
  if (view.track) params.set('track', view.track)
  if (view.going) params.set('going', view.going)
  if (view.distanceM !== null) params.set('distance', String(view.distanceM))
  if (view.model) params.set('model', view.model)
  if (view.tuning) params.set('tuning', '1')
  if (view.origin) params.set('origin', view.origin)
  return params
}

/** Whose predictions a view is of, and when they were made. */
export interface Subject {
  modelKey: number
  modelId: string
  origin: Origin
  /** Origins that the model has predictions of. */
  origins: Origin[]
  models: string[]
}

/** What a view is of, among what there is: locked predictions before backtests, never both. */
export function subjectOf(view: Pick<RecordView, 'model' | 'origin'>, there: readonly OriginRow[]): Subject {
  const models = MODEL_ORDER.filter((id) => there.some(({ model_id }) => model_id === id))
  const has = (id: string, origin: Origin): boolean =>
    there.some((row) => row.model_id === id && row.origin === origin)
  const modelId =
    models.find((id) => id === view.model) ??
    models.find((id) => has(id, view.origin === '' ? 'locked' : view.origin)) ??
    models[0] ??
    'market-baseline'
  const own = there.find(({ model_id }) => model_id === modelId)
  const origins = ORIGINS.filter((origin) => has(modelId, origin))
  const origin = view.origin === '' ? (origins.find((each) => each !== 'changed') ?? 'backtest') : view.origin
  return { modelKey: own?.model_key ?? 1, modelId, origin, origins, models }
}

/** What the engine is asked for a view; `lastDay` is the newest race day that is open. */
export function filterOf(
  view: RecordView,
  lastDay: string | null,
  { modelKey, modelId, origin }: Pick<Subject, 'modelKey' | 'modelId' | 'origin'>,
  region: Pick<DatasetRegion, 'id' | 'seasonStartMonth'> | null,
): RecordFilter {
  const { period } = view
  const days = period === 'all' || period === 'own' ? null : PERIOD_DAYS[period]
  const since = days === null || lastDay === null ? null : addDays(lastDay, 1 - days)
  return {
    from: period === 'own' ? view.from : since,
    to: period === 'own' ? view.to : null,
    except: view.tuning || region === null || !isTuned(modelId) ? null : tuningDays(region),
    gameplayClasses: view.gameplayClasses,
    stadiumKeys: view.stadiumKeys,
    predictionType: view.predictionType,
    modelKey,
    origin,
    tracks: view.track ? [view.track as 'turf' | 'awt' | 'dirt'] : [],
    goings: view.going ? [view.going] : [],
    distanceFromM: view.distanceM,
    distanceToM: view.distanceM,
  }
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

/** Another region has other racecourses, goings and distances: a choice of one means nothing in the other. */
export function useViewOfRegion(regionId: string | null, change: (part: Partial<RecordView>) => void): void {
  const last = useRef(regionId)
  useEffect(() => {
    if (last.current !== null && regionId !== null && last.current !== regionId) {
      change({ stadiumKeys: [], track: '', going: '', distanceM: null })
    }
    last.current = regionId
  })
}

export function useRecordView(): [RecordView, (change: Partial<RecordView>) => void] {
  const [params, setParams] = useSearchParams()
  const view = useMemo(() => readView(params), [params])
  const change = (part: Partial<RecordView>): void =>
    setParams(writeView({ ...view, ...part }), { replace: true, preventScrollReset: true })
  return [view, change]
}
