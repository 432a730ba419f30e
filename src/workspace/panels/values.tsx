import { memo, useCallback, useDeferredValue, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { afterPick, excludedValues, pickedValues, type Pick as PickHow } from '../../../analytics/clauses.ts'
import type { Filter } from '../../../analytics/filter.ts'
import type { Scalar } from '../../../analytics/model.ts'
import { numberOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { knownNames } from '../../i18n/names.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Note } from '../parts/note.tsx'
import { rowKey } from '../query/panel-data.ts'
import { dimensionOf } from '../state/dimension-of.ts'
import { useNewest, type ChangeFilter } from '../state/workspace-context.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import styles from './values.module.css'

const FEW = 8
const MANY = 200

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
export function Values({ filter, model, dim, excluding = false, onFilter, rows }: ValuesProps) {
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
  const most = Math.max(1, ...rows.map((row) => numberOf(row, 'predictions')))
  return (
    <>
      {rows.length > FEW * 2 ? (
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
            share={numberOf(row, 'predictions') / most}
            count={format.integer(numberOf(row, 'predictions'))}
            value={row[dim]!}
            excluding={excluding}
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
}

interface ValueProps {
  dim: string
  value: Scalar
  text: string
  /** Relative to the value with the most predictions. */
  share: number
  count: string
  excluding: boolean
  onPick(value: Scalar, how: PickHow): void
}

/** Memoised, because React rewrites a checkbox's attributes on every render. */
const Value = memo(function Value({ dim, value, text, share, count, excluding, onPick }: ValueProps) {
  const word = useWord()
  const checked = useNewest(({ filter }) => pickedValues(filter, dim).includes(value))
  const left = useNewest(({ filter }) => excludedValues(filter, dim).includes(value))
  return (
    <li className={styles.value}>
      <label className={left && !excluding ? styles.left : ''} title={text}>
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
