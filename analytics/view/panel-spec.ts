import type { ModelName } from '../models.ts'
import type { RollingWindow } from '../view-sql.ts'
import { OWN_SLOTS, ownMean } from '../own-slots.ts'
import { TRIMMED_NAMES } from '../trimmed.ts'
import { EVERY } from './dimension-of.ts'

/**
 * For each kind of panel the number of its dimensions, of the measures that can be chosen, the first of them, the default height
 * of its chart or table, and the height reserved until it is rendered, both in pixels.
 */
export const PANEL_KINDS = {
  profit: { dimensions: 0, measures: 1, first: 'profit', height: 220, reserved: 380 },
  rolling: { dimensions: 0, measures: 1, first: 'return', height: 220, reserved: 320 },
  spread: { dimensions: 0, measures: 1, first: 'profit', height: 220, reserved: 340 },
  bars: { dimensions: 1, measures: 1, first: 'return', height: 320, reserved: 280 },
  columns: { dimensions: 1, measures: 1, first: 'return', height: 140, reserved: 240 },
  heat: { dimensions: 2, measures: 1, first: 'return', height: 320, reserved: 380 },
  pivot: { dimensions: 2, measures: 4, first: 'return', height: 480, reserved: 540 },
  calendar: { dimensions: 0, measures: 1, first: 'profit', height: 320, reserved: 380 },
} satisfies Readonly<
  Record<
    string,
    { first: ShownMeasure } & Readonly<Record<'dimensions' | 'measures' | 'height' | 'reserved', number>>
  >
>
export type PanelKind = keyof typeof PANEL_KINDS

/** Measures that every view has anyway. */
export const USUAL_MEASURES = ['return', 'hit_rate', 'ae_market', 'profit', 'count'] as const
/** Those of them that a reader with or without the history sees. */
export const usualMeasures = (history: boolean): (typeof USUAL_MEASURES)[number][] =>
  USUAL_MEASURES.filter((measure) => history || measure !== 'ae_market')
/** Of the runs whose sectional times are known. */
const SECTION_MEASURES = [
  'with_sections',
  'without_sections',
  'finishing_speed',
  'early_seconds',
  'late_seconds',
] as const
export const isOfSections = (measure: string): boolean => SECTION_MEASURES.some((each) => each === measure)
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
  'place_return',
  'place_profit',
  'place_ae_market',
  'paid_fair',
  'r2',
  'favourite_rate',
  'favourite_return',
  'favourite_profit',
  'random_rate',
  'random_return',
  'random_profit',
  'top_three_rate',
  'mean_winner_odds',
  'mean_win_dividend',
  'mean_field',
  'mean_contenders',
  'contender_rate',
  'contender_chance',
  ...SECTION_MEASURES,
  ...OWN_SLOTS.map(ownMean),
] as const
export type MoreMeasure = (typeof MORE_MEASURES)[number]
/**
 * Measures over each single bet in its order, which a panel that shows one asks for by itself. The figures of parts do not add up
 * to them, so that no panel over race days has them.
 */
export const BET_MEASURES = [
  // The largest wins of several days are not the largest of each.
  ...TRIMMED_NAMES,
  // A run goes on from one day to the next.
  'losing_run' as const,
  // Days have several meetings, and a part of the bets of a meeting is another profit.
  'meeting_profit' as const,
  'meeting_deviation' as const,
  // A fall is from the highest profit so far, of whichever day.
  'drawdown' as const,
]
export type BetMeasure = (typeof BET_MEASURES)[number]
export type ShownMeasure = (typeof USUAL_MEASURES)[number] | MoreMeasure | BetMeasure
const MEASURES: readonly ShownMeasure[] = [...USUAL_MEASURES, ...MORE_MEASURES, ...BET_MEASURES]

/** One panel of the workspace: what it shows, and whether it takes the full width. */
export interface PanelSpec {
  kind: PanelKind
  by: readonly string[]
  /** One, or as many as its kind has. */
  measures: readonly ShownMeasure[]
  wide: boolean
  /** Height of its chart or table in pixels; `null` for the default of its kind. */
  height: number | null
  /** Measure that groups are sorted by, in descending order; `null` for their natural order. */
  sort: ShownMeasure | null
  /** Of a pivot: the dimension that each of its lines can be split by; absent for none. */
  within?: string
  /** Of a pivot: the column whose cells its rows are sorted by, as text; absent for the totals. */
  at?: string
  /** Of a pivot: whether the smallest is the first. */
  ascending?: true
  /** Minimum number of rows for a group to be shown. */
  least: number
  /** What each point of a rolling line is over; absent for the usual window. */
  window?: RollingWindow
  /** Adds false discovery rates, and shrinks returns towards the overall return. */
  adjusted: boolean
}

export const isKind = (name: string): name is PanelKind => Object.hasOwn(PANEL_KINDS, name)

export const panelOf = (kind: PanelKind, by: string[] = [], wide = false): PanelSpec => ({
  kind,
  by,
  measures: [PANEL_KINDS[kind].first],
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

/** Of races: what they are like. */
const RACE_PANELS: readonly PanelSpec[] = [
  FIRST_PANELS[0]!,
  { ...panelOf('bars', ['class'], true), measures: ['favourite_rate'] },
  { ...panelOf('bars', ['field_size'], true), measures: ['mean_winner_odds'] },
]

/** On a phone the list follows the first breakdown. */
const onPhone = (panels: readonly PanelSpec[]): readonly PanelSpec[] => panels.slice(0, 2)
const bothWidths = (wide: readonly PanelSpec[]) => ({ wide, narrow: onPhone(wide) })
/** The default panels of each subject, and those without access to the history. */
const USUAL_PANELS = {
  predictions: bothWidths(FIRST_PANELS),
  runners: bothWidths(RUNNER_PANELS),
  races: bothWidths(RACE_PANELS),
  public: bothWidths(PUBLIC_PANELS),
}

/** The panels of a view; the default ones depend on the subject, the user's access and the width of the window. */
export function panelsFor(
  panels: readonly PanelSpec[],
  subject: ModelName,
  history: boolean,
  wide = true,
): readonly PanelSpec[] {
  if (panels !== FIRST_PANELS) return panels
  return USUAL_PANELS[history ? subject : 'public'][wide ? 'wide' : 'narrow']
}

/** What a rolling line can be over: a few meetings, or more than a season has. */
export const WINDOWS: readonly RollingWindow[] = [
  ...[10, 25, 50, 100].map((length) => ({ length, unit: 'race-days' as const })),
  ...[30, 90, 365].map((length) => ({ length, unit: 'days' as const })),
  ...[100, 500, 2000].map((length) => ({ length, unit: 'bets' as const })),
]
export const FIRST_WINDOW = WINDOWS[1]!

/**
 * A window as a word of the address; that of race days is their number alone.
 *
 * ```ts
 * windowWord({ length: 500, unit: 'bets' }) // => '500-bets'
 * windowWord({ length: 25, unit: 'race-days' }) // => '25'
 * ```
 */
export const windowWord = ({ length, unit }: RollingWindow): string =>
  unit === 'race-days' ? String(length) : `${length}-${unit}`

const MAX_PANELS = 10
export const MIN_HEIGHT = 80
export const MAX_HEIGHT = 900

/**
 * Serialises panels for the address: `heat:draw.distance.profit`, `bars:jockey.sort-return.min-50.adjusted`,
 * `pivot:draw.distance.count.return.within-going.sort-return.at-1200`, with `!` for full width.
 */
export const writePanels = (panels: readonly PanelSpec[]): string =>
  panels
    .map(({ kind, by, measures, wide, height, within, sort, at, ascending, least, window, adjusted }) => {
      const parts = [
        ...by,
        ...(measures.join() === PANEL_KINDS[kind].first ? [] : measures),
        ...(within === undefined ? [] : [`within-${within}`]),
        ...(sort === null ? [] : [`sort-${sort}`]),
        ...(sort === null || at === undefined ? [] : [`at-${escaped(at)}`]),
        ...(sort === null || ascending === undefined ? [] : ['ascending']),
        ...(height === null ? [] : [`high-${height}`]),
        ...(least === 0 ? [] : [`min-${least}`]),
        ...(window === undefined || window === FIRST_WINDOW ? [] : [`last-${windowWord(window)}`]),
        ...(adjusted ? ['adjusted'] : []),
      ].join('.')
      return `${kind}${parts === '' ? '' : `:${parts}`}${wide ? '!' : ''}`
    })
    .join('~')

/** A value as a part of a word: without the signs between parts and words. */
const escaped = (value: string): string =>
  encodeURIComponent(value).replaceAll(/[.~!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)

/** The value that was written like that; `undefined` for one that nothing writes. */
function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

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

const isMeasure = (word: string): word is ShownMeasure => MEASURES.some((each) => each === word)

/** Which column of a pivot its rows are sorted by, and whether from the smallest. */
function columnOrder(
  column: string | undefined,
  options: readonly string[],
): Pick<PanelSpec, 'at' | 'ascending'> {
  const at = column === undefined ? undefined : unescaped(column)
  return {
    ...(at === undefined ? {} : { at }),
    ...(options.includes('ascending') ? { ascending: true } : {}),
  }
}

/** What a pivot alone has: the dimension within its lines, and their order. */
function pivotOptions(
  by: readonly string[],
  sort: ShownMeasure | null,
  options: readonly string[],
  textOf: (name: string) => string | undefined,
): Pick<PanelSpec, 'within' | 'at' | 'ascending'> {
  const within = textOf('within-')
  const isSplit = within !== undefined && Object.hasOwn(EVERY.dimensions, within) && !by.includes(within)
  return {
    ...(isSplit ? { within } : {}),
    ...(sort === null ? {} : columnOrder(textOf('at-'), options)),
  }
}

const panelsOf = (text: string): PanelSpec[] =>
  text
    .split('~')
    .slice(0, MAX_PANELS)
    .flatMap((word): PanelSpec[] => {
      const [kind = '', rest = ''] = word.replace(/!$/, '').split(':')
      if (!isKind(kind)) return []
      const { dimensions, measures: most, first } = PANEL_KINDS[kind]
      const parts = rest.split('.').filter(Boolean)
      const by = parts.slice(0, dimensions)
      const known = by.every((dim) => Object.hasOwn(EVERY.dimensions, dim))
      if (!known || new Set(by).size < dimensions) return []
      // Older addresses name the count after predictions.
      const options = parts.slice(dimensions).map((word) => word.replace(/predictions$/, 'count'))
      const textOf = (name: string): string | undefined =>
        options.find((each) => each.startsWith(name))?.slice(name.length)
      const optionOf = (name: string): number => Number(textOf(name) ?? 0)
      const measures = [...new Set(options)].filter(isMeasure).slice(0, most)
      const sort = MEASURES.find((each) => options.includes(`sort-${each}`)) ?? null
      const [least, height] = [optionOf('min-'), optionOf('high-')]
      const window = WINDOWS.find((each) => windowWord(each) === textOf('last-'))
      return [
        {
          kind,
          by,
          measures: measures.length === 0 ? [first] : measures,
          wide: word.endsWith('!'),
          height: height >= MIN_HEIGHT && height <= MAX_HEIGHT ? Math.round(height) : null,
          sort,
          ...(kind === 'pivot' ? pivotOptions(by, sort, options, textOf) : {}),
          least: Number.isSafeInteger(least) && least > 0 ? least : 0,
          ...(window === undefined ? {} : { window }),
          adjusted: options.includes('adjusted'),
        },
      ]
    })
