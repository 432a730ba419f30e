import type { Axis } from './series.ts'

/** Width of a character of a tick's label, in pixels. */
const CHARACTER = 7
const LEAST_LEFT = 44

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
