import { useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import { groupBy } from '../../../domain/group-by.ts'
import { textOf } from '../../../analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Scrolled } from '../parts/scrolled.tsx'
import { DAYS, inKeyOrder } from '../../../analytics/view/requests.ts'
import { countOf, stakedOf } from '../../../analytics/view/totals.ts'
import { dayMeasure } from '../../../analytics/view/over-days.ts'
import type { PanelSpec } from '../../../analytics/view/panel-spec.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { pickOf, type OnPick } from '../state/workspace-context.ts'
import { figureOf, groupText, neutralOf, reasonText } from '../words/measure-text.ts'
import styles from './calendar-panel.module.css'

const MAX_MONTHS = 36

interface CalendarPanelProps {
  slice: SliceAnswer
  spec: PanelSpec
  onPick: OnPick
}

/** A figure of each race day, by month; a click filters by the day. */
export function CalendarPanel({ slice, spec, onPick }: CalendarPanelProps) {
  const measure = dayMeasure(spec)
  const neutral = neutralOf(measure)
  const isOfBets = stakedOf(measure) === 'staked'
  const word = useWord()
  const format = useFormat()
  const months = useMemo(() => {
    const grouped = groupBy(inKeyOrder(slice.rows[DAYS]), (row) => textOf(row, 'key').slice(0, 7))
    return [...grouped].toReversed().slice(0, MAX_MONTHS)
  }, [slice.rows])
  const reach = useMemo(() => {
    const sizes = months.flatMap(([, days]) =>
      days.map((day) => Math.abs((figureOf(day, measure) ?? neutral ?? 0) - (neutral ?? 0))),
    )
    const sorted = sizes.toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length * 0.95)] ?? 1
  }, [months, measure, neutral])
  if (months.length === 0) return <FormattedMessage id="record.empty" tagName="p" />
  const shade = (value: number | null): string | undefined => {
    if (value === null) return undefined
    const share = Math.min(1, Math.abs(value - (neutral ?? 0)) / (reach || 1))
    const tone = neutral === null ? '--accent' : value >= neutral ? '--gain' : '--loss'
    return `color-mix(in oklab, var(${tone}) ${Math.round(12 + 48 * share)}%, var(--surface))`
  }
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
                  const told = groupText(word, format, day, measure)
                  const reason = isOfBets ? reasonText(word, day) : null
                  const label = [
                    `${format.longDay(key)}: ${told} (${format.integer(countOf(day))})`,
                    ...(reason === null ? [] : [reason]),
                  ].join('\n')
                  return (
                    <button
                      key={key}
                      type="button"
                      className={styles.day}
                      style={{ background: shade(figureOf(day, measure)) }}
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
