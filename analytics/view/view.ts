import { without, withRange, withValues } from '../clauses.ts'
import { RACE_DIMENSIONS } from '../dimensions.ts'
import { allOf, dimensionsOf, type Filter } from '../filter.ts'
import type { Model } from '../model.ts'
import { offeredDimensions } from '../offered.ts'
import { MODELS, type ModelName } from '../models.ts'
import { rowDimensions, sortableColumns } from '../rows.ts'
import type { Sort } from '../check.ts'
import { readFilter, writeFilter } from '../url.ts'
import type { DatasetRegion } from '../../contract/dataset.ts'
import { MODEL_IDS, modelOrder, type ModelId } from '../../contract/model-ids.ts'
import { ORIGINS, type Origin } from '../../contract/record-vocabulary.ts'
import { addDays } from '../../domain/region.ts'
import { isTuned, tuningSeasons } from '../../domain/tuning.ts'
import { EVERY } from './dimension-of.ts'
import { isListColumn } from './list-columns.ts'
import { FIRST_PANELS, readPanels, writePanels, type PanelSpec } from './panel-spec.ts'

export const PERIODS = ['all', 'year', 'quarter', 'month', 'own'] as const
type Period = (typeof PERIODS)[number]
const PERIOD_DAYS = { year: 365, quarter: 91, month: 30 } as const

/** What a row of the workspace is: a prediction, a runner of a race, or a race. */
export type Subject = ModelName
export const SUBJECTS: readonly Subject[] = ['predictions', 'runners', 'races']

/** The workspace's state in the address: a link shows the same to every user. */
export interface WorkspaceView {
  subject: Subject
  period: Period
  from: string | null
  to: string | null
  /** Name of the model; empty for the first available one. */
  model: ModelId | ''
  /** Whether the seasons on which the model's settings were chosen are included. */
  tuning: boolean
  /** Empty: locked predictions, or backtests if there are none. */
  origin: Origin | ''
  /** The other selections: a conjunction of clauses. Those that the subject does not have are kept for the others. */
  filter: Filter | null
  tab: Tab
  /** Panels below the figures, in order. */
  panels: readonly PanelSpec[]
  sort: readonly Sort[]
  /** Columns of the list; empty for the default ones. */
  columns: readonly string[]
  /** Dimension that the list is grouped by. */
  group: string | null
  /** The query string of a pinned slice; `null` without a comparison. */
  compare: string | null
  /** Season that is held back for confirmation, and whether it has been revealed. */
  holdOut: number | null
  revealed: boolean
  /** Race in the inspector. */
  race: string | null
  /** Serialised settings of the strategy lab; `null` for the initial ones. */
  lab: string | null
  /** Statement last run in the console. */
  sql: string | null
  /** Models whose rows it reads beside those of `model`. */
  sqlModels: readonly ModelId[]
}

const TABS = ['overview', 'calibration', 'models', 'seasons', 'lab', 'console', 'own', 'verify'] as const
export type Tab = (typeof TABS)[number]
/** Without access to the history, the other tabs have nothing to show. */
const PUBLIC_TABS: readonly Tab[] = ['overview', 'verify']

/** Tabs that take the whole width: neither the filters nor the figures of the slice are beside them. */
const WHOLE_WIDTH: readonly Tab[] = ['console', 'own', 'verify']
export const isWholeWidth = (tab: Tab): boolean => WHOLE_WIDTH.includes(tab)

/** Tabs of predictions alone: what is staked on them, and the models against one another. */
const OF_PREDICTIONS: readonly Tab[] = ['models', 'lab', 'verify']
/** The tabs that a subject does not have. Calibration is of single horses: a band of probability selects no races. */
const NOT_OF: Readonly<Record<Subject, readonly Tab[]>> = {
  predictions: [],
  runners: OF_PREDICTIONS,
  races: [...OF_PREDICTIONS, 'calibration'],
}
/** The tabs of a subject that the reader may see. */
export const tabsOf = (subject: Subject, history: boolean): readonly Tab[] =>
  (history ? TABS : PUBLIC_TABS).filter((tab) => !NOT_OF[subject].includes(tab))

/** The subject on screen: every runner and every race is for those who may query the whole history. */
export const shownSubject = ({ subject }: Pick<WorkspaceView, 'subject'>, history: boolean): Subject =>
  history ? subject : 'predictions'

/** The tab on screen: that of the view, if there is one for its subject and its reader. */
export const shownTab = ({ tab, subject }: Pick<WorkspaceView, 'tab' | 'subject'>, history: boolean): Tab =>
  tabsOf(shownSubject({ subject }, history), history).includes(tab) ? tab : 'overview'

const FIRST_FILTER: Filter = {
  and: [
    { dim: 'bet_type', in: [1] },
    { dim: 'prediction_type', in: [1] },
  ],
}

export const FIRST_VIEW: WorkspaceView = {
  subject: 'predictions',
  period: 'all',
  from: null,
  to: null,
  model: '',
  tuning: false,
  origin: '',
  filter: FIRST_FILTER,
  tab: 'overview',
  panels: FIRST_PANELS,
  sort: [],
  columns: [],
  group: null,
  compare: null,
  holdOut: null,
  revealed: false,
  race: null,
  lab: null,
  sql: null,
  sqlModels: [],
}

/**
 * The view with everything undone that restricts its figures, or widens them: filters, period, origin, tuning
 * seasons and the held-back season. The model, the layout and the tab stay.
 */
export const cleared = (view: WorkspaceView): WorkspaceView => {
  const { filter, period, from, to, origin, tuning, holdOut, revealed } = FIRST_VIEW
  return { ...view, filter, period, from, to, origin, tuning, holdOut, revealed }
}

/** Version of the address format; addresses without one are those of the first record screen. */
const VERSION = '2'
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The named words of an address: `URLSearchParams`, which this package does not have. */
export interface AddressParams {
  get(name: string): string | null
  has(name: string): boolean
}

/** Reads a view from an address; unknown values are ignored. */
export function readView(params: AddressParams): WorkspaceView {
  const day = (name: string): string | null => {
    const text = params.get(name)
    return text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
  }
  const words = (name: string): string[] => (params.get(name) ?? '').split(',').filter(Boolean)
  const heldSeason = Number(params.get('hold'))
  const race = params.get('race') ?? ''
  const subject = SUBJECTS.find((each) => each === params.get('s')) ?? 'predictions'
  return {
    subject,
    period: PERIODS.find((period) => period === params.get('period')) ?? 'all',
    from: day('from'),
    to: day('to'),
    model: MODEL_IDS.find((id) => id === params.get('model')) ?? '',
    tuning: params.get('tuning') === '1',
    origin: ORIGINS.find((origin) => origin === params.get('origin')) ?? '',
    filter: withoutUnknown(
      params.get('v') === VERSION ? readFilter(EVERY, params.get('f') ?? '') : readFirstAddress(params),
      subject,
    ),
    tab: TABS.find((tab) => tab === params.get('tab')) ?? 'overview',
    panels: readPanels(params.get('p'), params.get('by')),
    sort: readSort(words('sort')),
    columns: words('cols').filter(isListColumn),
    group: SUBJECTS.flatMap(groupsOf).find((dim) => dim === params.get('g')) ?? null,
    compare: params.get('a'),
    holdOut: Number.isSafeInteger(heldSeason) && heldSeason > 1900 ? heldSeason : null,
    revealed: params.get('shown') === '1',
    race: RACE_ID.test(race) ? race : null,
    lab: params.get('lab'),
    sql: params.get('sql'),
    sqlModels: MODEL_IDS.filter((id) => words('models').includes(id)),
  }
}

const isSortable = (by: string): boolean =>
  SUBJECTS.some((subject) => Object.hasOwn(sortableColumns(subject, MODELS[subject]), by))
/** Dimensions of which a single row of a subject has exactly one value. */
export const groupsOf = (subject: Subject): readonly string[] => Object.keys(rowDimensions(MODELS[subject]))
const RACE_ID = /^[A-Z]{5}\d{10}$/

/**
 * A filter without dimensions that are known only for bet types it does not select: odds of combinations are
 * known only for hits, so that the query would be refused.
 */
export function withoutUnknown(filter: Filter | null, subject: Subject): Filter | null {
  const { dimensions }: Model = MODELS[subject]
  const offered = offeredDimensions(MODELS[subject], filter, true)
  const unknown = [...dimensionsOf(filter)].filter(
    (dim) => dimensions[dim]?.betTypes !== undefined && !offered.includes(dim),
  )
  return unknown.length === 0 ? filter : without(filter, unknown)
}

/** Parses sort keys: `-profit_cents` is descending. */
const readSort = (words: readonly string[]): Sort[] =>
  words.flatMap((word) => {
    const by = word.replace(/^-/, '')
    return isSortable(by) ? [{ by, descending: word.startsWith('-') }] : []
  })

const numbers = (text: string | null): number[] =>
  (text ?? '').split(',').filter(Boolean).map(Number).filter(Number.isInteger)

/** The filter in an address of the first record screen. */
function readFirstAddress(params: AddressParams): Filter | null {
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

/** The named words of a view's address; default values are omitted. */
export function viewWords(view: WorkspaceView): [name: string, word: string][] {
  const { panels, holdOut } = view
  const filter = writeFilter(view.filter)
  const isFiltered = filter !== writeFilter(FIRST_FILTER)
  const isArranged = panels !== FIRST_PANELS && writePanels(panels) !== writePanels(FIRST_PANELS)
  const sort = view.sort.map(({ by, descending }) => (descending ? `-${by}` : by))
  const changed = (name: 'period' | 'model' | 'origin' | 'tab' | 'subject'): string | null =>
    view[name] === FIRST_VIEW[name] ? null : view[name]
  const words: Readonly<Record<string, string | number | null>> = {
    s: changed('subject'),
    period: changed('period'),
    ...(view.period === 'own' ? { from: view.from, to: view.to } : {}),
    model: changed('model'),
    tuning: view.tuning ? '1' : null,
    origin: changed('origin'),
    tab: changed('tab'),
    p: isArranged ? writePanels(panels) : null,
    sort: sort.join(',') || null,
    cols: view.columns.join(',') || null,
    g: view.group,
    a: view.compare,
    hold: holdOut,
    shown: holdOut !== null && view.revealed ? '1' : null,
    race: view.race,
    lab: view.lab,
    sql: view.sql,
    models: view.sqlModels.join(',') || null,
    ...(isFiltered ? { v: VERSION, f: filter } : {}),
  }
  return Object.entries(words).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, String(value)]],
  )
}

/** Number of available predictions of a model and origin. */
export interface OriginCount {
  model: ModelId
  origin: Origin
  predictions: number
}

/**
 * The model and origin of the predictions in a view, given the available ones: locked predictions take precedence over
 * backtests, and are never combined. `order`: that in which the region's models are displayed. `origins`: those that the
 * model has predictions of.
 */
export function basisOf(
  view: Pick<WorkspaceView, 'model' | 'origin'>,
  there: readonly OriginCount[],
  order = modelOrder(),
) {
  const models = order.filter((id) => there.some(({ model }) => model === id))
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

/** What the figures of a view are of: rows of which subject, by which model, made when. */
export type Basis = ReturnType<typeof basisOf> & { subject: Subject }

/** What decides a region's seasons. */
type SeasonsRegion = Pick<DatasetRegion, 'id' | 'seasonStartMonth'>

/** First and last day of a view's period; `null` where it has no bound. */
export function daysOf(
  view: Pick<WorkspaceView, 'period' | 'from' | 'to'>,
  lastDay: string | null,
): { from: string | null; to: string | null } {
  const { period } = view
  if (period === 'own') return { from: view.from, to: view.to }
  if (period === 'all' || lastDay === null) return { from: null, to: null }
  return { from: addDays(lastDay, 1 - PERIOD_DAYS[period]), to: null }
}

const exceptDays = (days: { from: string; to: string } | null): Filter | null =>
  days === null ? null : { not: { dim: 'day', ...days } }

/** The part of a view's query besides its filter: model, origin, period and seasons. */
export function baseOf(
  view: WorkspaceView,
  lastDay: string | null,
  { model, origin }: Pick<Basis, 'model' | 'origin'>,
  region: SeasonsRegion | null,
): Filter {
  const { from, to } = daysOf(view, lastDay)
  const tuned = view.tuning || region === null || !isTuned(model) ? null : tuningDays(region)
  const heldDays = view.holdOut === null || region === null ? null : seasonDays(region, view.holdOut)
  return allOf(
    { dim: 'model', in: [model] },
    { dim: 'origin', in: [origin] },
    withRange(null, 'day', { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) }),
    exceptDays(tuned),
    exceptDays(heldDays),
  )!
}

/** What a view's filter restricts: clauses on dimensions that its subject does not have wait for another one. */
export function appliedFilter({ subject, filter }: Pick<WorkspaceView, 'subject' | 'filter'>): Filter | null {
  const { dimensions } = MODELS[subject]
  const others = [...dimensionsOf(filter)].filter((dim) => !Object.hasOwn(dimensions, dim))
  return others.length === 0 ? filter : without(filter, others)
}

/** The complete filter of a view; `lastDay` is the newest race day in the data. */
export const whereOf = (
  view: WorkspaceView,
  lastDay: string | null,
  basis: Pick<Basis, 'model' | 'origin'>,
  region: SeasonsRegion | null,
): Filter => allOf(baseOf(view, lastDay, basis, region), appliedFilter(view))!

/** First and last day of a season. */
export function seasonDays(
  { seasonStartMonth }: Pick<DatasetRegion, 'seasonStartMonth'>,
  season: number,
): { from: string; to: string } {
  const startOf = (year: number): string => `${year}-${String(seasonStartMonth).padStart(2, '0')}-01`
  return { from: startOf(season), to: addDays(startOf(season + 1), -1) }
}

/**
 * The part of a view's filter that selects races, to which the evaluation of a model's win
 * probabilities is restricted.
 */
export function raceFilterOf(where: Filter): Filter | null {
  return without(where, NOT_OF_RACES)
}
const NOT_OF_RACES = Object.keys(EVERY.dimensions).filter((name) => !Object.hasOwn(RACE_DIMENSIONS, name))

/**
 * First and last day of the seasons on which a region's model settings were chosen; `null` if there are none.
 */
export function tuningDays(region: SeasonsRegion): { from: string; to: string } | null {
  const seasons = tuningSeasons(region.id)
  if (seasons.length === 0) return null
  return { from: seasonDays(region, seasons[0]!).from, to: seasonDays(region, seasons.at(-1)!).to }
}
