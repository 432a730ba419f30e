import { without } from '../clauses.ts'
import { dimensionsOf, impliedValues, type Filter } from '../filter.ts'
import { isOwnName, ownMean, type OwnSlot } from '../own-slots.ts'
import type { Model } from '../model.ts'
import { MODELS } from '../models.ts'
import type { DatasetRegion } from '../../contract/dataset.ts'
import { modelOrder } from '../../contract/model-ids.ts'
import { dayMeasure, isOfDays } from './over-days.ts'
import { MORE_MEASURES, panelsFor, usualMeasures, type MoreMeasure, type PanelSpec } from './panel-spec.ts'
import {
  appliedFilter,
  baseOf,
  isWholeWidth,
  shownSubject,
  shownTab,
  basisOf,
  type OriginCount,
  type Subject,
  type WorkspaceView,
} from './view.ts'
import { linkedRequest, type Slice } from './requests.ts'

/** What decides, besides the view, what the page shows of it. */
export interface ViewContext {
  /** Whether the user may query the whole history. */
  history: boolean
  lastDay: string | null
  region: DatasetRegion | null
  /** The available predictions. */
  counts: readonly OriginCount[]
  /** Dimensions that are filled from the user's own file. */
  own: readonly string[]
}

/** Clauses of a filter on columns of the user's own file that is not open. */
export const closedClauses = (filter: Filter | null, own: readonly string[]): string[] =>
  [...dimensionsOf(filter)].filter((dim) => isOwnName(dim) && !own.includes(dim))

/**
 * Measures beyond the usual ones that can be asked for: those that are known for the bet types of a filter, and of parts of a
 * race's runners too.
 */
function moreMeasures(subject: Subject, filter: Filter | null, own: readonly string[]): MoreMeasure[] {
  const { measures }: Model = MODELS[subject]
  const chosen = impliedValues(filter, 'bet_type')
  return MORE_MEASURES.filter((name) => {
    const measure = measures[name]
    if (!measure || measure.wholeRaces) return false
    const isThere = !isOwnName(name) || own.some((slot) => name === ownMean(slot as OwnSlot))
    const { betTypes } = measure
    return isThere && (!betTypes || (chosen?.every((type) => betTypes.includes(Number(type))) ?? false))
  })
}

/** Measures beyond the usual ones that the views of a slice can show. */
export const offeredMeasures = ({ subject, filter, history, own }: Slice): MoreMeasure[] =>
  history ? moreMeasures(subject, filter, own) : []

/** What a view shows: on which basis, and which slice of the data, by which panels on which tab. */
export function viewQuery(view: WorkspaceView, { history, lastDay, region, counts, own }: ViewContext) {
  const { filter } = view
  const subject = shownSubject(view, history)
  const basis = { ...basisOf(view, counts, modelOrder(region?.headline)), subject }
  const base = baseOf(view, lastDay, basis, region)
  const panels = panelsFor(view.panels, subject, history)
  const applied = appliedFilter({ subject, filter })
  // Clauses on the user's own columns are left out where the file is not open.
  const closed = closedClauses(applied, own)
  const open = closed.length === 0 ? applied : without(applied, closed)
  const slice: Slice = { subject, base, filter: open, history, own, more: [] }
  const more = offeredMeasures(slice).filter((name) =>
    panels.some(({ measures, sort }) => measures.includes(name) || sort === name),
  )
  const there = [...usualMeasures(history), ...more].filter(isOfDays)
  const lines = panels.flatMap((panel) => (panel.kind === 'rolling' ? [dayMeasure(panel)] : []))
  const rolled = there.filter((name) => lines.includes(name))
  return {
    basis,
    slice: { ...slice, more, ...(rolled.length > 0 ? { rolled } : {}) },
    tab: shownTab(view, history),
    panels,
  }
}

export type ViewQuery = ReturnType<typeof viewQuery>

/** What another view would show, to the same reader at the same time. */
export type QueryOf = (view: WorkspaceView) => ViewQuery

/** The page's own request of a slice, with everything that it was built from. */
export interface SliceRequest {
  slice: Slice
  /** Panels and facets on screen: what other tabs show is not queried. */
  panels: readonly PanelSpec[]
  facets: readonly string[]
  request: ReturnType<typeof linkedRequest>
}

const NO_FACETS: readonly string[] = []
const NO_PANELS: readonly PanelSpec[] = []

/**
 * The request of a view, by which the page is drawn; a click sends the same one before anything is drawn. `openFacets`:
 * dimensions whose values are listed beside the page, if the tab has anything beside it.
 */
export function sliceRequest(
  { slice, tab, panels }: Pick<ViewQuery, 'slice' | 'tab' | 'panels'>,
  openFacets: readonly string[],
): SliceRequest {
  const shown = tab === 'overview' ? panels : NO_PANELS
  const listed = tab === 'calibration' ? [...openFacets, 'probability'] : openFacets
  const facets = slice.history && !isWholeWidth(tab) ? listed : NO_FACETS
  return { slice, panels: shown, facets, request: linkedRequest(slice, shown, facets) }
}
