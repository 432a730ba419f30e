import { FormattedMessage } from 'react-intl'
import type { ConsoleRows } from '../../data/analytics/console.ts'
import { useFormat } from '../../i18n/format.ts'
import { Scrolled } from '../parts/scrolled.tsx'
import heats from '../parts/heat.module.css'

/** Maximum number of values shown per side. */
const MOST = 40
const NONE = '–'

interface ResultHeatProps {
  result: ConsoleRows
  across: number
  down: number
  value: number
  label: string
}

/** Rows as a table over two columns' values, shaded by a third. */
export function ResultHeat({ result, across, down, value, label }: ResultHeatProps) {
  const format = useFormat()
  const shown = (number: number): string =>
    Number.isInteger(number) ? format.integer(number) : format.decimal(number, Math.abs(number) < 1 ? 4 : 2)
  const rows = result.rows.filter((row) => typeof row[value] === 'number')
  const sideOf = (column: number): string[] =>
    [...new Set(rows.map((row) => row[column] ?? null))]
      .toSorted((a, b) =>
        typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
      )
      .map((each) => (each === null ? NONE : String(each)))
  const xs = sideOf(across)
  const ys = sideOf(down)
  const cells = new Map(
    rows.map((row) => [`${row[down] ?? NONE}\n${row[across] ?? NONE}`, Number(row[value])]),
  )
  // Each cell must be one row: choosing one of several would be arbitrary.
  if (cells.size < rows.length) return <FormattedMessage id="console.heatTwice" tagName="p" />
  const numbers = [...cells.values()]
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const shade = (number: number): string => {
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
                  const number = cells.get(`${y}\n${x}`)
                  return number === undefined ? (
                    <td key={x}>{NONE}</td>
                  ) : (
                    <td key={x} style={{ background: shade(number) }}>
                      {shown(number)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {xs.length > MOST || ys.length > MOST ? (
        <p>
          <FormattedMessage id="console.heatCut" values={{ most: MOST }} />
        </p>
      ) : null}
    </>
  )
}
