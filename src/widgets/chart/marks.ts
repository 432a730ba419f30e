/** `accent` for the main series, `soft` for its reference, `series-n` for several equal ones. */
export type Tone = 'accent' | 'soft' | 'series-1' | 'series-2' | 'series-3' | 'series-4' | 'series-5'

interface Style {
  /** Colour token. */
  token: string
  /** Lengths of the dashes and gaps of its lines, in pixels; empty for a solid line. */
  dash: readonly number[]
  /** Shape of its points, by the chart library's name. */
  symbol: 'circle' | 'diamond' | 'square' | 'triangle-up' | 'cross'
}

/**
 * How a series is drawn. Each has a dash and a shape of its own beside its colour, so that those of one chart can be told
 * apart without colours, and in the few of a user's own palette.
 */
export const STYLES: Readonly<Record<Tone, Style>> = {
  accent: { token: 'accent', dash: [], symbol: 'circle' },
  soft: { token: 'line-strong', dash: [2, 3], symbol: 'circle' },
  'series-1': { token: 'series-1', dash: [], symbol: 'circle' },
  'series-2': { token: 'series-2', dash: [8, 4], symbol: 'diamond' },
  'series-3': { token: 'series-3', dash: [10, 3, 2, 3], symbol: 'square' },
  'series-4': { token: 'series-4', dash: [4, 3], symbol: 'triangle-up' },
  'series-5': { token: 'series-5', dash: [16, 4], symbol: 'cross' },
}

/** Outlines of the shapes in a square of 10 by 10. */
export const OUTLINES: Readonly<Record<Style['symbol'], string>> = {
  circle: 'M5 1a4 4 0 1 0 0 8a4 4 0 1 0 0-8z',
  diamond: 'M5 0l5 5-5 5-5-5z',
  square: 'M1 1h8v8h-8z',
  'triangle-up': 'M5 1l4.5 8h-9z',
  cross: 'M3.5 0h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z',
}
