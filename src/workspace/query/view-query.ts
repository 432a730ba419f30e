import type { Filter } from '../../../analytics/filter.ts'
import type { DatasetRegion } from '../../../contract/dataset.ts'
import type { Linked } from '../../../analytics/request.ts'
import { panelsFor, type PanelSpec } from '../state/panel-spec.ts'
import {
  baseOf,
  shownTab,
  subjectOf,
  type OriginCount,
  type Subject,
  type Tab,
  type WorkspaceView,
} from '../state/view.ts'
import { sliceOf } from './own-slice.ts'
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

/** What a view shows: its subject and its slice of the data, by which panels on which tab. */
export interface ViewQuery {
  subject: Subject
  /** The part of the filter that no gesture on a value changes. */
  base: Filter
  slice: Slice
  tab: Tab
  panels: readonly PanelSpec[]
}

export function viewQuery(
  view: WorkspaceView,
  { history, lastDay, region, counts, own }: ViewContext,
): ViewQuery {
  const subject = subjectOf(view, counts)
  const base = baseOf(view, lastDay, subject, region)
  const panels = panelsFor(view.panels, history)
  const slice = sliceOf({ base, filter: view.filter, history }, panels, own)
  return { subject, base, slice, tab: shownTab(view, history), panels }
}

/** The page's own request of a slice, with everything that it was built from. */
export interface SliceRequest {
  slice: Slice
  /** Panels and facets on screen: what other tabs show is not queried. */
  panels: readonly PanelSpec[]
  facets: readonly string[]
  request: { linked: Linked }
}

const NO_FACETS: readonly string[] = []
const NO_PANELS: readonly PanelSpec[] = []

/**
 * The request of a view, by which the page is drawn; a click sends the same one before anything is drawn. `openFacets`:
 * dimensions whose values are listed beside the page.
 */
export function sliceRequest(
  { slice, tab, panels }: Pick<ViewQuery, 'slice' | 'tab' | 'panels'>,
  openFacets: readonly string[],
): SliceRequest {
  const shown = tab === 'overview' ? panels : NO_PANELS
  const listed = tab === 'calibration' ? [...openFacets, 'probability'] : openFacets
  const facets = slice.history ? listed : NO_FACETS
  return { slice, panels: shown, facets, request: linkedRequest(slice, shown, facets) }
}
