import type { ModelName } from '../../../analytics/models.ts'
import { OWN_SLOTS, ownMean } from '../../../analytics/own-slots.ts'
import { EVERY } from './dimension-of.ts'

/**
 * For each kind of panel the number of its dimensions, the default height of its chart or table, and the height reserved
 * until it is rendered, both in pixels.
 */
export const PANEL_KINDS = {
  profit: { dimensions: 0, height: 220, reserved: 380 },
  rolling: { dimensions: 0, height: 220, reserved: 320 },
  spread: { dimensions: 0, height: 220, reserved: 340 },
  bars: { dimensions: 1, height: 320, reserved: 280 },
  columns: { dimensions: 1, height: 140, reserved: 240 },
  heat: { dimensions: 2, height: 320, reserved: 380 },
  calendar: { dimensions: 0, height: 320, reserved: 380 },
}
export type PanelKind = keyof typeof PANEL_KINDS

/** Measures that every view has anyway. */
export const USUAL_MEASURES = ['return', 'hit_rate', 'ae_market', 'profit', 'count'] as const
/** Measures that a view asks for where a panel shows them; the last are the means of the user's own columns. */
export const MORE_MEASURES = [
  'ae',
  'impact',
  'mean_probability',
  'mean_odds',
  'closing_value',
  'brier',
  'log_loss',
  'place_rate',
  'place_ae_market',
  'paid_fair',
  ...OWN_SLOTS.map(ownMean),
] as const
export type MoreMeasure = (typeof MORE_MEASURES)[number]
export type ShownMeasure = (typeof USUAL_MEASURES)[number] | MoreMeasure
const MEASURES: readonly ShownMeasure[] = [...USUAL_MEASURES, ...MORE_MEASURES]

/** One panel of the workspace: what it shows, and whether it takes the full width. */
export interface PanelSpec {
  kind: PanelKind
  by: readonly string[]
  measure: ShownMeasure
  wide: boolean
  /** Height of its chart or table in pixels; `null` for the default of its kind. */
  height: number | null
  /** Measure that groups are sorted by, in descending order; `null` for their natural order. */
  sort: ShownMeasure | null
  /** Minimum number of rows for a group to be shown. */
  least: number
  /** Race days of each point of a rolling line; absent for the usual number. */
  window?: number
  /** Adds false discovery rates, and shrinks returns towards the overall return. */
  adjusted: boolean
}

export const isKind = (name: string): name is PanelKind => Object.hasOwn(PANEL_KINDS, name)

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

export const FIRST_PANELS: readonly PanelSpec[] = [
  panelOf('profit', [], true),
  panelOf('bars', ['season']),
  panelOf('bars', ['racecourse']),
]

/** Without access to the history: breakdowns that daily totals can answer. */
const PUBLIC_PANELS: readonly PanelSpec[] = FIRST_PANELS.with(2, panelOf('bars', ['weekday']))

/** Of runners: the people and the draw, which predictions are seldom asked about. */
const RUNNER_PANELS: readonly PanelSpec[] = [
  FIRST_PANELS[0]!,
  panelOf('bars', ['jockey']),
  panelOf('bars', ['draw']),
]

/** On a phone the list follows the first breakdown. */
const onPhone = (panels: readonly PanelSpec[]): readonly PanelSpec[] => panels.slice(0, 2)
const PHONE_PANELS = onPhone(FIRST_PANELS)
const PHONE_RUNNER_PANELS = onPhone(RUNNER_PANELS)
const PUBLIC_PHONE_PANELS = onPhone(PUBLIC_PANELS)

/** The panels of a view; the default ones depend on the subject, the user's access and the width of the window. */
export function panelsFor(
  panels: readonly PanelSpec[],
  subject: ModelName,
  history: boolean,
  wide = true,
): readonly PanelSpec[] {
  if (panels !== FIRST_PANELS) return panels
  if (subject === 'runners') return wide ? RUNNER_PANELS : PHONE_RUNNER_PANELS
  if (wide) return history ? panels : PUBLIC_PANELS
  return history ? PHONE_PANELS : PUBLIC_PHONE_PANELS
}

/** Race days that a rolling line can be over: a few meetings, or more than a season has. */
export const WINDOWS = [10, 25, 50, 100] as const
export const FIRST_WINDOW = 25

const MAX_PANELS = 10
export const MIN_HEIGHT = 80
export const MAX_HEIGHT = 900

/**
 * Serialises panels for the address: `heat:draw.distance.profit`, `bars:jockey.sort-return.min-50.adjusted`,
 * with `!` for full width.
 */
export const writePanels = (panels: readonly PanelSpec[]): string =>
  panels
    .map(({ kind, by, measure, wide, height, sort, least, window, adjusted }) => {
      const parts = [
        ...by,
        ...(measure === 'return' ? [] : [measure]),
        ...(sort === null ? [] : [`sort-${sort}`]),
        ...(height === null ? [] : [`high-${height}`]),
        ...(least === 0 ? [] : [`min-${least}`]),
        ...(window === undefined || window === FIRST_WINDOW ? [] : [`last-${window}`]),
        ...(adjusted ? ['adjusted'] : []),
      ].join('.')
      return `${kind}${parts === '' ? '' : `:${parts}`}${wide ? '!' : ''}`
    })
    .join('~')

/** The last parsed panels: views compare them by identity, and most gestures change something else. */
let last: { text: string; panels: readonly PanelSpec[] } | null = null

/**
 * Parses panels from an address; unknown ones are ignored. `breakdown` is the dimension in an older address.
 */
export function readPanels(text: string | null, breakdown: string | null): readonly PanelSpec[] {
  if (text === null) {
    const known = breakdown !== null && Object.hasOwn(EVERY.dimensions, breakdown)
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
      const [kind = '', rest = ''] = word.replace(/!$/, '').split(':')
      if (!isKind(kind)) return []
      const { dimensions } = PANEL_KINDS[kind]
      const parts = rest.split('.').filter(Boolean)
      const by = parts.slice(0, dimensions)
      const known = by.every((dim) => Object.hasOwn(EVERY.dimensions, dim))
      if (!known || new Set(by).size < dimensions) return []
      // Older addresses name the count after predictions.
      const options = parts.slice(dimensions).map((word) => word.replace(/predictions$/, 'count'))
      const optionOf = (name: string): number =>
        Number(options.find((each) => each.startsWith(name))?.slice(name.length) ?? 0)
      const [least, height] = [optionOf('min-'), optionOf('high-')]
      const window = WINDOWS.find((each) => each === optionOf('last-'))
      return [
        {
          kind,
          by,
          measure: MEASURES.find((each) => options.includes(each)) ?? 'return',
          wide: word.endsWith('!'),
          height: height >= MIN_HEIGHT && height <= MAX_HEIGHT ? Math.round(height) : null,
          sort: MEASURES.find((each) => options.includes(`sort-${each}`)) ?? null,
          least: Number.isSafeInteger(least) && least > 0 ? least : 0,
          ...(window === undefined ? {} : { window }),
          adjusted: options.includes('adjusted'),
        },
      ]
    })
