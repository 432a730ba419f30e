import { without } from '../../../analytics/clauses.ts'
import { conjuncts, dimensionsOf, type Filter } from '../../../analytics/filter.ts'
import { openingFilter, type Reading } from '../../../analytics/questions/readings.ts'
import { MODEL_IDS } from '../../../contract/model-ids.ts'
import { ORIGINS } from '../../../contract/record-vocabulary.ts'
import {
  FIRST_PANELS,
  panelOf,
  panelsFor,
  type PanelSpec,
  type ShownMeasure,
} from '../../../analytics/view/panel-spec.ts'
import { FIRST_VIEW, type WorkspaceView } from '../../../analytics/view/view.ts'

/** As many as an address has. */
const MOST_PANELS = 10
/** Figures that a breakdown has anyway. */
const IN_EVERY_BREAKDOWN: readonly ShownMeasure[] = ['return', 'hit_rate', 'ae_market', 'count']

/** The breakdowns that a reading asks for: two dimensions are a heat map, and each is a breakdown of its own. */
function breakdownsOf({ by, measure, isSorted, least }: Reading): PanelSpec[] {
  const figure: ShownMeasure = measure ?? 'return'
  const more = IN_EVERY_BREAKDOWN.includes(figure) ? 'return' : figure
  // A figure without a tile of its own is shown by season.
  const dims = by.length > 0 ? by : more === 'return' || more === 'profit' ? [] : ['season']
  const bars = dims.map((dim): PanelSpec => ({
    ...panelOf('bars', [dim], dims.length === 1),
    measures: [more],
    sort: isSorted ? figure : null,
    least,
  }))
  return dims.length === 2 ? [{ ...panelOf('heat', [...dims], true), measures: [figure] }, ...bars] : bars
}

const pinned = ({ model, origin }: Reading): Partial<WorkspaceView> => ({
  ...(model === '' ? {} : { model: MODEL_IDS.find((id) => id === model) ?? '' }),
  ...(origin === '' ? {} : { origin: ORIGINS.find((each) => each === origin) ?? '' }),
})
const period = ({ from, to }: Reading): Partial<WorkspaceView> =>
  from === null && to === null ? {} : { period: 'own', from, to }

/** The view that a reading asks for. */
export function viewOfReading(reading: Reading): WorkspaceView {
  const breakdowns = breakdownsOf(reading)
  return {
    ...FIRST_VIEW,
    ...pinned(reading),
    ...period(reading),
    subject: reading.subject,
    filter: openingFilter(reading),
    panels: breakdowns.length === 0 ? FIRST_PANELS : [...breakdowns, panelOf('profit', [], true)],
  }
}

/** A view with the conditions of a reading instead of its own on their dimensions, and its breakdowns before the others. */
export function withReading(view: WorkspaceView, reading: Reading, history: boolean): WorkspaceView {
  const breakdowns = breakdownsOf(reading)
  const parts: Filter[] = [
    ...conjuncts(without(view.filter, [...dimensionsOf(reading.filter)])),
    ...conjuncts(reading.filter),
  ]
  const isNew = ({ kind, by }: PanelSpec): boolean =>
    !breakdowns.some((each) => each.kind === kind && each.by.join() === by.join())
  const panels =
    breakdowns.length === 0
      ? view.panels
      : [...breakdowns, ...panelsFor(view.panels, reading.subject, history).filter(isNew)].slice(
          0,
          MOST_PANELS,
        )
  return {
    ...view,
    ...pinned(reading),
    ...period(reading),
    subject: reading.subject,
    filter: parts.length === 0 ? null : { and: parts },
    panels,
  }
}
