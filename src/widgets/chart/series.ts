import type { Tone } from './marks.ts'
import type { ChartPicture } from './picture.ts'

export interface Series {
  /** `steps` marks each value, `stairs` does not. */
  kind: 'line' | 'steps' | 'stairs' | 'bars' | 'points'
  name: string
  x: readonly (string | number)[]
  y: readonly (string | number)[]
  /** Tooltips, one per value; a line break begins a new line. */
  hover: readonly string[]
  tone: Tone
  /** Its last value in words: its name and this are written beside its end. */
  end?: string
  /** Outlines its points only. */
  open?: true
  /** Shades the area between this line and the previous one, without drawing a line. */
  band?: true
  /** Half-widths of an interval around each value: across, if the values of the other axis are categories. */
  error?: { up: readonly number[]; down: readonly number[] }
}

export interface Axis {
  title: string
  /** Explicit tick labels, so that numbers are formatted in the user's language. */
  ticks?: { at: readonly (string | number)[]; text: readonly string[] }
  /** Values are categories rather than quantities. */
  category?: boolean
  zero?: boolean
  /** Start and end of the axis. */
  range?: readonly [number, number]
  /** `range` and ticks are in the values' own unit, not logarithms. */
  logarithmic?: boolean
  /** Small values are better: the best is at the top. */
  reversed?: boolean
}

export interface ChartProps {
  /** What it shows, in a sentence; what is in it is not read. */
  label: string
  series: readonly Series[]
  x: Axis
  y: Axis
  height: number
  /** Lets a `PictureMenu` save it. */
  picture?: ChartPicture
}
