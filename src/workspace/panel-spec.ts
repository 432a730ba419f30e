import { PREDICTIONS } from '../../analytics/predictions.ts'
import type { Model } from '../../analytics/model.ts'

export const PANEL_KINDS = ['profit', 'bars', 'columns', 'heat', 'calendar'] as const
export type PanelKind = (typeof PANEL_KINDS)[number]

/** Figures that a heat map or columns can show. */
export const SHOWN_MEASURES = ['return', 'hit_rate', 'ae_market', 'profit', 'predictions'] as const
export type ShownMeasure = (typeof SHOWN_MEASURES)[number]

/** One view of the workspace: what it shows, and whether it is as wide as the page. */
export interface PanelSpec {
  kind: PanelKind
  by: readonly string[]
  measure: ShownMeasure
  wide: boolean
  /** How high its chart or table is, in pixels; `null`: as high as such a view is by itself. */
  height: number | null
  /** Figure that groups are sorted by, the largest first; `null`: their own order. */
  sort: ShownMeasure | null
  /** Groups of fewer predictions are left out. */
  least: number
  /** Adds false discovery rates, and draws returns towards the slice's own. */
  adjusted: boolean
}

export const panelOf = (kind: PanelKind, by: string[] = [], wide = false): PanelSpec => ({
  kind,
  by,
  measure: 'return',
  wide,
  height: null,
  sort: null,
  least: 0,
  adjusted: false,
})

/** How high the charts and tables of a view are by themselves, in pixels. */
export const USUAL_HEIGHT: Readonly<Record<PanelKind, number>> = {
  profit: 220,
  bars: 320,
  columns: 140,
  heat: 320,
  calendar: 320,
}

export const FIRST_PANELS: readonly PanelSpec[] = [
  panelOf('profit', [], true),
  panelOf('bars', ['season']),
  panelOf('bars', ['racecourse']),
]

/** Without the history, breakdowns by what daily totals know. */
const PUBLIC_PANELS: readonly PanelSpec[] = [
  panelOf('profit', [], true),
  panelOf('bars', ['season']),
  panelOf('bars', ['weekday']),
]

/** The panels of a view: what a reader has not chosen is what their right can answer. */
export const panelsFor = (panels: readonly PanelSpec[], history: boolean): readonly PanelSpec[] =>
  panels === FIRST_PANELS && !history ? PUBLIC_PANELS : panels

const DIMENSIONS_OF: Readonly<Record<PanelKind, number>> = {
  profit: 0,
  bars: 1,
  columns: 1,
  heat: 2,
  calendar: 0,
}
const MAX_PANELS = 10
export const MIN_HEIGHT = 80
export const MAX_HEIGHT = 900
const MODEL: Model = PREDICTIONS

/** A panel as a word of the address: `heat:draw.distance.profit`, `bars:jockey.sort-return.min-50.adjusted`, with `!` when it is wide. */
export const writePanels = (panels: readonly PanelSpec[]): string =>
  panels
    .map(({ kind, by, measure, wide, height, sort, least, adjusted }) => {
      const parts = [
        ...by,
        ...(measure === 'return' ? [] : [measure]),
        ...(sort === null ? [] : [`sort-${sort}`]),
        ...(height === null ? [] : [`high-${height}`]),
        ...(least === 0 ? [] : [`min-${least}`]),
        ...(adjusted ? ['adjusted'] : []),
      ].join('.')
      return `${kind}${parts === '' ? '' : `:${parts}`}${wide ? '!' : ''}`
    })
    .join('~')

/** The panels that were read last: views compare them, and most gestures change something else. */
let last: { text: string; panels: readonly PanelSpec[] } | null = null

/** Panels of an address; what is not understood is left out. `breakdown` is the dimension of an older address. */
export function readPanels(text: string | null, breakdown: string | null): readonly PanelSpec[] {
  if (text === null) {
    const known = breakdown !== null && Object.hasOwn(MODEL.dimensions, breakdown)
    return known ? [FIRST_PANELS[0]!, panelOf('bars', [breakdown]), FIRST_PANELS[2]!] : FIRST_PANELS
  }
  if (last?.text !== text) last = { text, panels: panelsOf(text) }
  return last.panels
}

const panelsOf = (text: string): PanelSpec[] =>
  text
    .split('~')
    .slice(0, MAX_PANELS)
    .flatMap((word): PanelSpec[] => {
      const [name, rest = ''] = word.replace(/!$/, '').split(':')
      const kind = PANEL_KINDS.find((each) => each === name)
      if (!kind) return []
      const parts = rest.split('.').filter(Boolean)
      const by = parts.slice(0, DIMENSIONS_OF[kind])
      if (by.length < DIMENSIONS_OF[kind] || !by.every((dim) => Object.hasOwn(MODEL.dimensions, dim)))
        return []
      const options = parts.slice(by.length)
      const optionOf = (name: string): number =>
        Number(options.find((each) => each.startsWith(name))?.slice(name.length) ?? 0)
      const [least, height] = [optionOf('min-'), optionOf('high-')]
      return [
        {
          kind,
          by,
          measure: SHOWN_MEASURES.find((each) => options.includes(each)) ?? 'return',
          wide: word.endsWith('!'),
          height: height >= MIN_HEIGHT && height <= MAX_HEIGHT ? Math.round(height) : null,
          sort: SHOWN_MEASURES.find((each) => options.includes(`sort-${each}`)) ?? null,
          least: Number.isSafeInteger(least) && least > 0 ? least : 0,
          adjusted: options.includes('adjusted'),
        },
      ]
    })
/** Whether a question for several views at once can carry the groups: few of them, without names of hundreds of people. */
export const isShort = (dim: string): boolean => MODEL.dimensions[dim]!.few === true || dim === 'month'
