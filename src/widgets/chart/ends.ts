import type { Axis, Series } from './series.ts'
import { frameOf, widthOf } from './frame.ts'

/** Height of a line of a label, which has one or two for each name and one for the value, in pixels. */
const LINE_HEIGHT = 16
/** Width of a name beside the piece of its line, and of a character of it, in pixels. */
const NAME_WIDTH = 154
const NAME_CHARACTER = 6.5
/** Free space above the highest and below the lowest value, as a fraction of their distance. */
const PADDING = 0.05

/** What is written beside the end of a line, or of several that are one line. */
export interface End {
  /** Indexes of its series. */
  series: readonly number[]
  /** Its name; each further one begins with `= `. */
  names: readonly string[]
  text: string
  height: number
  /** Distance of its upper edge from that of the chart, in pixels. */
  top: number
}

interface Plotted {
  series: readonly Series[]
  x: Axis
  y: Axis
  height: number
}

/** The values of a series and of its intervals. */
const reachOf = ({ y, error }: Series): number[] =>
  y.flatMap((value, at) =>
    typeof value === 'number' ? [value + (error?.up[at] ?? 0), value - (error?.down[at] ?? 0)] : [],
  )

/** The vertical axis with its ends, so that it is known where a value is. */
export function withRange({ series, y }: Pick<Plotted, 'series' | 'y'>): Axis {
  if (y.range || y.category || series.every(({ end }) => end === undefined)) return y
  const values = [...series.flatMap(reachOf), ...(y.zero ? [0] : [])]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const room = (high - low || 1) * PADDING
  return { ...y, range: [low - room, high + room] }
}

/** Places boxes of these heights near the middles that they belong to, without overlaps, from 0 to `room`. */
export function spread(middles: readonly number[], heights: readonly number[], room: number): number[] {
  const order = middles.map((_, at) => at).toSorted((a, b) => middles[a]! - middles[b]!)
  const tops = [...middles]
  let least = 0
  for (const at of order) {
    tops[at] = Math.max(middles[at]! - heights[at]! / 2, least)
    least = tops[at] + heights[at]!
  }
  let most = room
  for (const at of order.toReversed()) {
    tops[at] = Math.min(tops[at]!, most - heights[at]!)
    most = tops[at]
  }
  return tops
}

const linesOf = (name: string): number => Math.ceil(widthOf(name, NAME_CHARACTER) / NAME_WIDTH)

const isSame = (a: Series, b: Series): boolean =>
  a.kind === b.kind &&
  a.y.length === b.y.length &&
  a.y.every((value, at) => value === b.y[at]) &&
  a.x.every((value, at) => value === b.x[at])

/** The labels of the series that have an end; lines that cover each other exactly have one. */
export function endsOf({ series, x, y, height }: Plotted): End[] {
  const labelled = series.flatMap((each, at) => (each.end === undefined || each.y.length === 0 ? [] : [at]))
  const groups: number[][] = []
  for (const at of labelled) {
    const group = groups.find(([first]) => isSame(series[first!]!, series[at]!))
    if (group) group.push(at)
    else groups.push([at])
  }
  const { top, bottom } = frameOf({ x, y })
  const onScale = y.logarithmic ? Math.log10 : (value: number): number => value
  const [from, to] = (y.range ?? [0, 1]).map(onScale) as [number, number]
  const middleOf = (value: number): number => {
    const share = (onScale(value) - from) / (to - from)
    return top + (y.reversed ? share : 1 - share) * (height - top - bottom)
  }
  const names = groups.map((group) =>
    group.map((index, of) => `${of === 0 ? '' : '= '}${series[index]!.name}`),
  )
  const heights = names.map((each) => each.reduce((lines, name) => lines + linesOf(name), 1) * LINE_HEIGHT)
  const tops = spread(
    groups.map(([first]) => middleOf(Number(series[first!]!.y.at(-1)))),
    heights,
    height,
  )
  return groups.map((group, at) => ({
    series: group,
    names: names[at]!,
    text: series[group[0]!]!.end!,
    top: tops[at]!,
    height: heights[at]!,
  }))
}
