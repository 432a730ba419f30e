import { memo, useCallback, useDeferredValue, useEffect, useRef, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { afterPick, excludedValues, pickedValues, type Pick as PickHow } from '../../../analytics/clauses.ts'
import type { Filter } from '../../../analytics/filter.ts'
import type { Scalar } from '../../../analytics/model.ts'
import { numberOrNull, type AnswerRow } from '../../../analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { knownNames } from '../../i18n/names.ts'
import { useWord } from '../../i18n/use-word.ts'
import { lazyTitle } from '../../ui/behaviour/lazy-title.ts'
import { Note } from '../parts/note.tsx'
import { rowKey } from '../query/panel-data.ts'
import { judge } from '../../../analytics/view/totals.ts'
import { dimensionOf } from '../../../analytics/view/dimension-of.ts'
import { useNewest, type ChangeFilter, useWorkspace } from '../state/workspace-context.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import { groupHint } from '../words/measure-text.ts'
import { subjectWords } from '../words/subject-words.ts'
import { countOf } from '../../../analytics/view/totals.ts'
import styles from './values.module.css'

const FEW = 8
const MANY = 200
/** Returns beyond these are drawn at the ends of the axis. */
const AXIS = { from: -0.4, to: 0.4 }

/** Whether the values of a dimension are bands or months, of which a span is chosen. */
export const isBanded = (dim: string): boolean => dimensionOf(dim).bins !== undefined || dim === 'month'

interface ValuesProps {
  filter: Filter | null
  model: string
  dim: string
  /** Whether what is chosen is left out. */
  excluding?: boolean
  onFilter: ChangeFilter
  rows: readonly AnswerRow[]
}

/** The values of a dimension as checkboxes: the first ones, all, or those that are searched for. */
export const Values = memo(function Values({
  filter,
  model,
  dim,
  excluding = false,
  onFilter,
  rows,
}: ValuesProps) {
  const word = useWord()
  const format = useFormat()
  const valueText = useDimensionText(model)
  const [sought, setSought] = useState('')
  const seek = useDeferredValue(sought.toLowerCase())
  const [all, setAll] = useState(false)
  const onPick = useCallback(
    (value: Scalar, how: PickHow) => onFilter((newest) => afterPick(newest, dim, value, how)),
    [onFilter, dim],
  )
  // A name is found in every language in which it is known.
  const textsOf = (row: AnswerRow): string => `${valueText(dim, row)} ${knownNames(row, dim)}`.toLowerCase()
  const found = seek === '' ? rows : rows.filter((row) => textsOf(row).includes(seek))
  const picked = (excluding ? excludedValues : pickedValues)(filter, dim)
  const first = found.slice(0, all || seek !== '' ? MANY : FEW)
  // Selected values stay visible.
  const others = found.slice(first.length).filter((row) => picked.includes(row[dim]!))
  const most = Math.max(1, ...rows.map((row) => countOf(row)))
  const heading = subjectWords(useWorkspace().basis.subject).count
  const hintOf = useHints(rows, dim, valueText, heading)
  return (
    <>
      {rows.length > FEW ? (
        <input
          type="search"
          className={styles.seek}
          value={sought}
          aria-label={word('workspace.searchValues')}
          placeholder={word('workspace.searchValues')}
          onChange={(event) => setSought(event.target.value)}
        />
      ) : null}
      <ul className={styles.values}>
        {[...first, ...others].map((row) => (
          <Value
            key={rowKey(row, [dim])}
            dim={dim}
            text={valueText(dim, row)}
            share={countOf(row) / most}
            count={format.integer(countOf(row))}
            returned={returnOf(row)}
            value={row[dim]!}
            excluding={excluding}
            hintOf={hintOf}
            onPick={onPick}
          />
        ))}
      </ul>
      {found.length === 0 ? <Note text="workspace.noValues" /> : null}
      {seek === '' && rows.length > FEW ? (
        <button type="button" className={styles.all} onClick={() => setAll(!all)}>
          <FormattedMessage
            id={all ? 'workspace.fewerValues' : 'workspace.moreValues'}
            values={{ count: Math.min(MANY, rows.length) }}
          />
        </button>
      ) : null}
    </>
  )
})

/** Where a return is on its axis, from 0 to 100. */
const placeOf = (value: number): number =>
  (100 * (Math.max(AXIS.from, Math.min(AXIS.to, value)) - AXIS.from)) / (AXIS.to - AXIS.from)

/** The return of a value's predictions; `null` where it is no single number, or was not asked for. */
const returnOf = (row: AnswerRow): number | null =>
  'return' in row && judge(row).reported ? numberOrNull(row, 'return') : null

/**
 * The tooltip of a value, with its figures where they were asked for. The same function for every answer, so that a value
 * whose figures stay is not rendered again.
 */
function useHints(
  rows: readonly AnswerRow[],
  dim: string,
  valueText: ReturnType<typeof useDimensionText>,
  heading: string,
): (value: Scalar) => string {
  const word = useWord()
  const format = useFormat()
  const newest = useRef(rows)
  useEffect(() => {
    newest.current = rows
  }, [rows])
  return useCallback(
    (value) => {
      const row = newest.current.find((each) => each[dim] === value)
      if (row === undefined) return ''
      const text = valueText(dim, row)
      return 'return' in row
        ? groupHint(word, format, { text, row, found: undefined, history: 'market_hits' in row, heading })
        : text
    },
    [word, format, valueText, dim, heading],
  )
}

interface ValueProps {
  dim: string
  value: Scalar
  text: string
  /** Relative to the value with the most predictions. */
  share: number
  count: string
  /** The return of its predictions, drawn as a tick; `null` without one. */
  returned: number | null
  excluding: boolean
  hintOf(value: Scalar): string
  onPick(value: Scalar, how: PickHow): void
}

/** Memoised, because React rewrites a checkbox's attributes on every render. */
const Value = memo(function Value(props: ValueProps) {
  const { dim, value, text, share, count, returned, excluding, hintOf, onPick } = props
  const word = useWord()
  const format = useFormat()
  const checked = useNewest(({ filter }) => pickedValues(filter, dim).includes(value))
  const left = useNewest(({ filter }) => excludedValues(filter, dim).includes(value))
  return (
    <li className={styles.value}>
      <label className={left && !excluding ? styles.left : ''} {...lazyTitle(() => hintOf(value))}>
        <input
          type="checkbox"
          checked={excluding ? left : checked}
          onChange={() => undefined}
          onClick={(event) => onPick(value, excluding || event.altKey ? 'exclude' : 'add')}
        />
        <span className={styles.text}>{text}</span>
        <span className={styles.meter}>
          <i style={{ width: `${100 * share}%` }} />
        </span>
        {returned === null ? (
          <span />
        ) : (
          <span
            role="img"
            aria-label={`${word('record.return')} ${format.signedPercent(returned)}`}
            className={styles.returns}
          >
            <i style={{ left: `${placeOf(returned)}%` }} />
          </span>
        )}
        <span className={styles.count}>{count}</span>
      </label>
      {excluding ? null : (
        <button
          type="button"
          className={styles.only}
          aria-label={word('workspace.onlyValue', { value: text })}
          onClick={() => onPick(value, 'only')}
        >
          <FormattedMessage id="workspace.only" />
        </button>
      )}
    </li>
  )
})
