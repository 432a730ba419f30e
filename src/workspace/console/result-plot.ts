import { evenly } from '../../../domain/evenly.ts'
import {
  numberIn,
  type ConsoleCell,
  type ConsoleKind,
  type ConsoleRows,
} from '../../data/analytics/console-rows.ts'

export const CHART_KINDS = ['bars', 'line', 'points', 'heat'] as const
type Kind = (typeof CHART_KINDS)[number]
const MAX_POINTS = 3000
const TICKS = 8

/** A kind of chart and the columns that it draws. */
export interface ChartChoice {
  kind: Kind
  x: number
  y: number
  /** Column for the rows of a heat map. */
  down: number
}

/** Maximum number of values per side for which a heat map is suggested. */
const FEW_VALUES = 30

/**
 * Suggests a chart from the columns: a heat map if each pair of values of two columns occurs once, a line
 * over days or ordered numbers, bars over names, points for two numbers.
 */
export function suggestedChart({ columns, rows }: Pick<ConsoleRows, 'columns' | 'rows'>): ChartChoice | null {
  const at = (test: (kind: ConsoleKind) => boolean, except = -1): number =>
    columns.findIndex(({ kind }, index) => index !== except && test(kind))
  const isNumber = (kind: ConsoleKind): boolean => kind === 'number'
  if (rows.length < 2) return null
  const heat = suggestedHeat(columns, rows)
  if (heat !== null) return heat
  const x = at(isNumber)
  if (x < 0) return null
  const time = at((kind) => kind === 'day' || kind === 'instant')
  if (time >= 0) return { kind: 'line', x: time, y: x, down: 0 }
  const text = at((kind) => kind !== 'number')
  if (text >= 0) return { kind: 'bars', x: text, y: x, down: 0 }
  const y = at(isNumber, x)
  if (y < 0) return null
  const values = rows.map((row) => numberIn(row[x] ?? ''))
  const rising = values.every((value, index) => index === 0 || value > values[index - 1]!)
  return { kind: rising ? (rows.length > 30 ? 'line' : 'bars') : 'points', x, y, down: 0 }
}

function suggestedHeat(columns: ConsoleRows['columns'], rows: ConsoleRows['rows']): ChartChoice | null {
  if (columns.length !== 3 || columns[2]!.kind !== 'number') return null
  const values = [0, 1].map((at) => new Set(rows.map((row) => row[at])).size)
  const pairs = new Set(rows.map((row) => `${row[0]}\n${row[1]}`)).size
  const square = values.every((count) => count >= 2 && count <= FEW_VALUES)
  return square && pairs === rows.length && rows.length > Math.max(...values)
    ? { kind: 'heat', down: 0, x: 1, y: 2 }
    : null
}

/** A day or instant that the axis of a chart can show; others are infinite, before Christ or beyond the year 9999. */
const SHOWN_TIME = /^\d{4}-[^()]*$/

/** Where a cell is on an axis; `null` if an axis of quantities does not have it. */
function onAxis(cell: ConsoleCell, kind: ConsoleKind, category: boolean): string | number | null {
  if (cell === null || category) return cell
  if (kind !== 'number') return SHOWN_TIME.test(cell) ? cell : null
  const number = numberIn(cell)
  return Number.isFinite(number) ? number : null
}

/** The columns of a choice as a plot, and how many of the rows are drawn. */
export function plotOf(
  kind: Exclude<ChartChoice['kind'], 'heat'>,
  choice: Omit<ChartChoice, 'kind'>,
  { columns, rows }: Pick<ConsoleRows, 'columns' | 'rows'>,
) {
  const [across, up] = [columns[choice.x]!, columns[choice.y]!]
  const category = kind === 'bars' || !['number', 'day', 'instant'].includes(across.kind)
  const points = rows
    .flatMap((row) => {
      const [cellX = null, cellY = null] = [row[choice.x], row[choice.y]]
      const [x, y] = [onAxis(cellX, across.kind, category), onAxis(cellY, up.kind, false)]
      return x === null || typeof y !== 'number' ? [] : [{ x, y, hover: `${cellX}\n${up.name}: ${cellY}` }]
    })
    .slice(0, MAX_POINTS)
  const ticks = evenly([...new Set(points.map(({ x }) => x))], TICKS).map(String)
  const plot = {
    label: `${up.name} / ${across.name}`,
    series: [
      {
        kind,
        name: up.name,
        tone: 'accent' as const,
        x: points.map(({ x }) => x),
        y: points.map(({ y }) => y),
        hover: points.map(({ hover }) => hover),
      },
    ],
    x: {
      title: across.name,
      category,
      ...(category && points.length > TICKS ? { ticks: { at: ticks, text: ticks } } : {}),
    },
    y: { title: '' },
  }
  return { plot, points: points.length }
}
