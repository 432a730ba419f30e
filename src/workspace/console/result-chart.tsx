import { useEffect, useMemo, useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { ConsoleRows } from '../../data/analytics/console.ts'
import { useFormat } from '../../i18n/format.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import { evenly } from '../../../domain/evenly.ts'
import { ResultHeat } from './result-heat.tsx'
import controls from '../parts/controls.module.css'
import panelStyles from '../parts/panel.module.css'

const HEIGHT = 280
const KINDS = ['bars', 'line', 'points', 'heat'] as const
type Kind = (typeof KINDS)[number]
const MAX_POINTS = 3000
const TICKS = 8

interface Choice {
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
function suggestedChart({ columns, rows }: Pick<ConsoleRows, 'columns' | 'rows'>): Choice | null {
  const at = (test: (kind: string) => boolean, except = -1): number =>
    columns.findIndex(({ kind }, index) => index !== except && test(kind))
  const isNumber = (kind: string): boolean => kind === 'number'
  if (rows.length < 2) return null
  const heat = suggestedHeat(columns, rows)
  if (heat !== null) return heat
  const time = at((kind) => kind === 'day' || kind === 'instant')
  if (time >= 0) {
    const y = at(isNumber)
    return y < 0 ? null : { kind: 'line', x: time, y, down: 0 }
  }
  const text = at((kind) => kind === 'text' || kind === 'boolean')
  if (text >= 0) {
    const y = at(isNumber)
    return y < 0 ? null : { kind: 'bars', x: text, y, down: 0 }
  }
  const x = at(isNumber)
  const y = at(isNumber, x)
  if (x < 0 || y < 0) return null
  const values = rows.map((row) => Number(row[x]))
  const rising = values.every((value, index) => index === 0 || value > values[index - 1]!)
  return { kind: rising ? (rows.length > 30 ? 'line' : 'bars') : 'points', x, y, down: 0 }
}

function suggestedHeat(columns: ConsoleRows['columns'], rows: ConsoleRows['rows']): Choice | null {
  if (columns.length !== 3 || columns[2]!.kind !== 'number') return null
  const values = [0, 1].map((at) => new Set(rows.map((row) => row[at])).size)
  const pairs = new Set(rows.map((row) => `${row[0]}\n${row[1]}`)).size
  const square = values.every((count) => count >= 2 && count <= FEW_VALUES)
  return square && pairs === rows.length && rows.length > Math.max(...values)
    ? { kind: 'heat', down: 0, x: 1, y: 2 }
    : null
}

/** The columns of a choice as a plot, and how many of its points are drawn. */
function plotOf(kind: Exclude<Choice['kind'], 'heat'>, choice: Choice, { columns, rows }: ConsoleRows) {
  const [across, up] = [columns[choice.x]!, columns[choice.y]!]
  const points = rows
    .filter((row) => row[choice.x] !== null && typeof row[choice.y] === 'number')
    .slice(0, MAX_POINTS)
  const x = points.map((row) => {
    const value = row[choice.x]!
    return typeof value === 'number' ? value : String(value)
  })
  const category = kind === 'bars' || across.kind === 'text' || across.kind === 'boolean'
  const ticks = evenly([...new Set(x)], TICKS).map(String)
  const plot = {
    label: `${up.name} / ${across.name}`,
    series: [
      {
        kind,
        name: up.name,
        tone: 'accent' as const,
        x: category ? x.map(String) : x,
        y: points.map((row) => Number(row[choice.y])),
        hover: points.map((row) => `${String(row[choice.x])}<br>${up.name}: ${String(row[choice.y])}`),
      },
    ],
    x: {
      title: across.name,
      category,
      ...(category && x.length > TICKS ? { ticks: { at: ticks, text: ticks } } : {}),
    },
    y: { title: '' },
  }
  return { plot, points: points.length }
}

/** The rows as a chart, suggested by their columns; the user can change it. */
export function ResultChart({ result }: { result: ConsoleRows }) {
  const place = useRef<HTMLDivElement>(null)
  // The rows that it replaces may have begun far down the window, and a chart is drawn once it is seen.
  useEffect(() => {
    // Chromium returns a promise, which React would call as the effect's clean-up.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const format = useFormat()
  const suggested = useMemo(() => suggestedChart(result), [result])
  const [changed, setChanged] = useState<Choice | null>(null)
  const choice = changed ?? suggested
  const chart = useMemo(
    () => (choice === null || choice.kind === 'heat' ? null : plotOf(choice.kind, choice, result)),
    [choice, result],
  )
  if (choice === null)
    return (
      <p>
        <FormattedMessage id="console.noChart" />
      </p>
    )
  return (
    <div ref={place} data-testid="console-chart" data-kind={choice.kind}>
      <div className={panelStyles.head}>
        <ChartChoices result={result} choice={choice} onChange={setChanged} />
        {chart === null ? null : (
          <span>
            <FormattedMessage id="console.points" values={{ count: format.integer(chart.points) }} />
          </span>
        )}
      </div>
      {chart === null ? (
        <ResultHeat
          result={result}
          across={choice.x}
          down={choice.down}
          value={choice.y}
          label={result.columns[choice.y]!.name}
        />
      ) : (
        <Chart {...chart.plot} height={HEIGHT} />
      )}
    </div>
  )
}

interface ChartChoicesProps {
  result: ConsoleRows
  choice: Choice
  onChange(choice: Choice): void
}

/** Selects the kind of the chart, and its columns. */
function ChartChoices({ result, choice, onChange }: ChartChoicesProps) {
  const intl = useIntl()
  const select = (
    label: string,
    value: number | string,
    options: [string | number, string][],
    set: (value: string) => void,
  ) => (
    <select
      className={controls.select}
      aria-label={intl.formatMessage({ id: label })}
      value={value}
      onChange={(event) => set(event.target.value)}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  )
  const named = result.columns.map(({ name }, index): [number, string] => [index, name])
  const numeric = named.filter(([index]) => result.columns[index]!.kind === 'number')
  return (
    <>
      {select(
        'console.chartKind',
        choice.kind,
        KINDS.map((kind): [string, string] => [kind, intl.formatMessage({ id: `console.chart.${kind}` })]),
        (value) => onChange({ ...choice, kind: KINDS.find((kind) => kind === value) ?? 'bars' }),
      )}
      {select('console.across', choice.x, named, (value) => onChange({ ...choice, x: Number(value) }))}
      {select('console.up', choice.y, numeric, (value) => onChange({ ...choice, y: Number(value) }))}
      {choice.kind === 'heat'
        ? select('console.down', choice.down, named, (value) => onChange({ ...choice, down: Number(value) }))
        : null}
    </>
  )
}
