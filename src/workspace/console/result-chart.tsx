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

/** The rows as a chart, suggested by their columns; the user can change it. */
export function ResultChart({ result }: { result: ConsoleRows }) {
  const place = useRef<HTMLDivElement>(null)
  // The rows that it replaces may have begun far down the window, and a chart is drawn once it is seen.
  useEffect(() => {
    // Chromium returns a promise, which React would call as the effect's clean-up.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const intl = useIntl()
  const format = useFormat()
  const suggested = useMemo(() => suggestedChart(result), [result])
  const [changed, setChanged] = useState<Choice | null>(null)
  const choice = changed ?? suggested
  const chart = useMemo(() => {
    if (choice === null || choice.kind === 'heat') return null
    const { columns, rows } = result
    const [across, up] = [columns[choice.x]!, columns[choice.y]!]
    const points = rows
      .filter((row) => row[choice.x] !== null && typeof row[choice.y] === 'number')
      .slice(0, MAX_POINTS)
    const x = points.map((row) => {
      const value = row[choice.x]!
      return typeof value === 'number' ? value : String(value)
    })
    const y = points.map((row) => Number(row[choice.y]))
    const category = choice.kind === 'bars' || across.kind === 'text' || across.kind === 'boolean'
    const ticks = evenly([...new Set(x)], TICKS)
    const plot = {
      label: `${up.name} / ${across.name}`,
      series: [
        {
          kind: choice.kind,
          name: up.name,
          tone: 'accent' as const,
          x: category ? x.map(String) : x,
          y,
          hover: points.map((row) => `${String(row[choice.x])}<br>${up.name}: ${String(row[choice.y])}`),
        },
      ],
      x: {
        title: across.name,
        category,
        ...(category && x.length > TICKS
          ? { ticks: { at: ticks.map(String), text: ticks.map(String) } }
          : {}),
      },
      y: { title: '' },
    }
    return {
      plot,
      hint: intl.formatMessage({ id: 'console.points' }, { count: format.integer(points.length) }),
    }
  }, [choice, result, intl, format])
  if (choice === null)
    return (
      <p>
        <FormattedMessage id="console.noChart" />
      </p>
    )
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
    <div ref={place} data-testid="console-chart" data-kind={choice.kind}>
      <div className={panelStyles.head}>
        {select(
          'console.chartKind',
          choice.kind,
          KINDS.map((kind): [string, string] => [kind, intl.formatMessage({ id: `console.chart.${kind}` })]),
          (value) => setChanged({ ...choice, kind: KINDS.find((kind) => kind === value) ?? 'bars' }),
        )}
        {select('console.across', choice.x, named, (value) => setChanged({ ...choice, x: Number(value) }))}
        {select('console.up', choice.y, numeric, (value) => setChanged({ ...choice, y: Number(value) }))}
        {choice.kind === 'heat'
          ? select('console.down', choice.down, named, (value) =>
              setChanged({ ...choice, down: Number(value) }),
            )
          : null}
        {chart === null ? null : <span>{chart.hint}</span>}
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
