import type { Axis } from './series.ts'

/** Width of a character of a tick's label, in pixels. */
const CHARACTER = 7
/** And of one of Chinese, which is as wide as the font's size. */
const WIDE_CHARACTER = 12
const LEAST_LEFT = 44
/** Free space between two labels of the horizontal axis. */
const BETWEEN_LABELS = 12

/** About how wide a text of this size is, in pixels. */
export const widthOf = (text: string, character = CHARACTER): number =>
  Array.from(text).reduce((sum, each) => sum + (each > '\u2E7F' ? WIDE_CHARACTER : character), 0)

/** Space around the plot area for its axes, in pixels. */
export function frameOf({ x, y }: { x: Axis; y: Axis }) {
  const longest = Math.max(0, ...(y.ticks?.text ?? []).map((text) => text.length))
  return {
    top: 8,
    right: 16,
    bottom: x.title === '' ? 28 : 48,
    left: Math.max(LEAST_LEFT, longest * CHARACTER + 12) + (y.title === '' ? 0 : 24),
  }
}

/**
 * Every how many-th label of the horizontal axis has room in a chart of this width, in pixels, beside the others; categories
 * have all of theirs, and so has a chart of unknown width.
 */
export function labelStep({ x, y }: { x: Axis; y: Axis }, width: number): number {
  if (!x.ticks || x.category || width === 0) return 1
  const { left, right } = frameOf({ x, y })
  const widest = Math.max(0, ...x.ticks.text.map((text) => widthOf(text))) + BETWEEN_LABELS
  return Math.max(1, Math.ceil((x.ticks.text.length * widest) / Math.max(1, width - left - right)))
}

/** An axis with every `step`-th of its labels. */
export function withEvery(step: number, axis: Axis): Axis {
  if (step === 1 || !axis.ticks) return axis
  const isShown = (_: unknown, at: number): boolean => at % step === 0
  return {
    ...axis,
    ticks: { at: axis.ticks.at.filter(isShown), text: axis.ticks.text.filter(isShown) },
  }
}
