import { useEffect, useMemo, useRef, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { numberIn, type ConsoleRows } from '../../data/analytics/console-rows.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Chart } from '../../widgets/chart/chart.tsx'
import { ToolSelect } from '../parts/controls.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import { compareCells } from './cell-order.ts'
import { CHART_KINDS, plotOf, suggestedChart, type ChartChoice } from './result-plot.ts'
import heats from '../parts/heat.module.css'
import panelStyles from '../parts/panel.module.css'

const CHART_HEIGHT = 280

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
  const [changed, setChanged] = useState<ChartChoice | null>(null)
  const choice = changed ?? suggested
  const chart = useMemo(
    () => (choice === null || choice.kind === 'heat' ? null : plotOf(choice.kind, choice, result)),
    [choice, result],
  )
  if (choice === null) return <FormattedMessage id="console.noChart" tagName="p" />
  return (
    <div ref={place} data-testid="console-chart" data-kind={choice.kind}>
      <div className={panelStyles.head}>
        <ChartChoices result={result} choice={choice} onChange={setChanged} />
        {chart === null ? null : (
          <FormattedMessage
            id={chart.points < result.rows.length ? 'console.pointsOf' : 'console.points'}
            values={{ count: format.integer(chart.points), rows: format.integer(result.rows.length) }}
            tagName="span"
          />
        )}
      </div>
      {chart === null ? (
        <ResultHeat result={result} choice={choice} />
      ) : (
        <Chart {...chart.plot} height={CHART_HEIGHT} />
      )}
    </div>
  )
}

interface ChartChoicesProps {
  result: ConsoleRows
  choice: ChartChoice
  onChange(choice: ChartChoice): void
}

/** Selects the kind of the chart, and its columns. */
function ChartChoices({ result, choice, onChange }: ChartChoicesProps) {
  const word = useWord()
  const column = (
    label: string,
    side: 'x' | 'y' | 'down',
    options: readonly { value: string; label: string }[],
  ) => (
    <ToolSelect
      label={label}
      value={String(choice[side])}
      options={options}
      onChange={(value) => onChange({ ...choice, [side]: Number(value) })}
    />
  )
  const named = result.columns.map(({ name }, index) => ({ value: String(index), label: name }))
  const numeric = named.filter((_, index) => result.columns[index]!.kind === 'number')
  return (
    <>
      <ToolSelect
        label="console.chartKind"
        value={choice.kind}
        options={CHART_KINDS.map((kind) => ({ value: kind, label: word(`console.chart.${kind}`) }))}
        onChange={(kind) => onChange({ ...choice, kind })}
      />
      {column('console.across', 'x', named)}
      {column('console.up', 'y', numeric)}
      {choice.kind === 'heat' ? column('console.down', 'down', named) : null}
    </>
  )
}

/** Maximum number of values shown per side. */
const MOST = 40
const NONE = '–'

interface ResultHeatProps {
  result: ConsoleRows
  choice: ChartChoice
}

/** Rows as a table over two columns' values, shaded by a third. */
function ResultHeat({ result, choice: { x: across, down, y: value } }: ResultHeatProps) {
  const label = result.columns[value]!.name
  const format = useFormat()
  const shown = (text: string): string => {
    const number = numberIn(text)
    if (Number.isSafeInteger(number)) return format.integer(number)
    if (!Number.isFinite(number) || Number.isInteger(number)) return text
    return format.decimal(number, Math.abs(number) < 1 ? 4 : 2)
  }
  const rows = result.rows.filter((row) => row[value] != null)
  const sideOf = (column: number): string[] => {
    const { kind } = result.columns[column]!
    return [...new Set(rows.map((row) => row[column] ?? null))]
      .toSorted((a, b) => compareCells(kind, a, b))
      .map((each) => each ?? NONE)
  }
  const xs = sideOf(across)
  const ys = sideOf(down)
  const cells = new Map(rows.map((row) => [`${row[down] ?? NONE}\n${row[across] ?? NONE}`, row[value]!]))
  // Each cell must be one row: choosing one of several would be arbitrary.
  if (cells.size < rows.length) return <FormattedMessage id="console.heatTwice" tagName="p" />
  const numbers = [...cells.values()].map(numberIn).filter(Number.isFinite)
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const shade = (text: string): string => {
    const number = numberIn(text)
    if (!Number.isFinite(number)) return 'var(--surface)'
    const share = most === least ? 1 : (number - least) / (most - least)
    return `color-mix(in oklab, var(--accent) ${Math.round(share * 42)}%, var(--surface))`
  }
  return (
    <>
      <Scrolled label={label}>
        <table className={heats.heat} data-testid="console-heat">
          <thead>
            <tr>
              <th scope="col" aria-label={label} />
              {xs.slice(0, MOST).map((x) => (
                <th key={x} scope="col">
                  {x}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ys.slice(0, MOST).map((y) => (
              <tr key={y}>
                <th scope="row">{y}</th>
                {xs.slice(0, MOST).map((x) => {
                  const text = cells.get(`${y}\n${x}`)
                  return text === undefined ? (
                    <td key={x}>{NONE}</td>
                  ) : (
                    <td key={x} style={{ background: shade(text) }}>
                      {shown(text)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {xs.length > MOST || ys.length > MOST ? (
        <FormattedMessage id="console.heatCut" values={{ most: MOST }} tagName="p" />
      ) : null}
    </>
  )
}
