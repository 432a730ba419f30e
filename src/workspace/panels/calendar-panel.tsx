import { useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import { groupBy } from '../../../domain/group-by.ts'
import { textOf } from '../../../analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Scrolled } from '../parts/scrolled.tsx'
import { DAYS, inKeyOrder } from '../../../analytics/view/requests.ts'
import { countOf } from '../../../analytics/view/totals.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { pickOf, type OnPick } from '../state/workspace-context.ts'
import { figureOf, reasonText, toldText } from '../words/measure-text.ts'
import styles from './calendar-panel.module.css'

const MAX_MONTHS = 36

/** Profit of each race day, by month; a click filters by the day. */
export function CalendarPanel({ slice, onPick }: { slice: SliceAnswer; onPick: OnPick }) {
  const word = useWord()
  const format = useFormat()
  const months = useMemo(() => {
    const grouped = groupBy(inKeyOrder(slice.rows[DAYS]), (row) => textOf(row, 'key').slice(0, 7))
    return [...grouped].toReversed().slice(0, MAX_MONTHS)
  }, [slice.rows])
  const reach = useMemo(() => {
    const sizes = months.flatMap(([, days]) => days.map((day) => Math.abs(figureOf(day, 'profit') ?? 0)))
    const sorted = sizes.toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length * 0.95)] ?? 1
  }, [months])
  if (months.length === 0) return <FormattedMessage id="record.empty" tagName="p" />
  const shade = (profit: number | null): string | undefined =>
    profit === null
      ? undefined
      : `color-mix(in oklab, var(${profit >= 0 ? '--gain' : '--loss'}) ${Math.round(12 + 48 * Math.min(1, Math.abs(profit) / (reach || 1)))}%, var(--surface))`
  return (
    <Scrolled label={word('workspace.panel.calendar')}>
      <table className={styles.calendar} data-testid="calendar">
        <tbody>
          {months.map(([month, days]) => (
            <tr key={month}>
              <th scope="row">{format.month(month)}</th>
              <td>
                {days.map((day) => {
                  const key = textOf(day, 'key')
                  const profit = figureOf(day, 'profit')
                  const told = toldText(word, format, day, 'profit')
                  const reason = reasonText(word, day)
                  const label = [
                    `${format.longDay(key)}: ${told} (${format.integer(countOf(day))})`,
                    ...(reason === null ? [] : [reason]),
                  ].join('\n')
                  return (
                    <button
                      key={key}
                      type="button"
                      className={styles.day}
                      style={{ background: shade(profit) }}
                      title={label}
                      aria-label={label}
                      onClick={(event) => onPick([['day', key]], pickOf(event))}
                    >
                      {Number(key.slice(8))}
                    </button>
                  )
                })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}
