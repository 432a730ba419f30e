import { X } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { inModelOrder, without } from '../../../analytics/clauses.ts'
import { dimensionsOf, type Clause, type Filter } from '../../../analytics/filter.ts'
import type { Model, Scalar } from '../../../analytics/model.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import type { AnswerRow } from '../../data/analytics/cells.ts'
import { useDimensionText } from './dimension-text.ts'
import { listed } from './listed.ts'
import { Small } from '../../ui/layout.tsx'
import styles from './chips.module.css'

const MODEL: Model = PREDICTIONS
const MAX_VALUES = 3

interface ChipsProps {
  filter: Filter | null
  model: string
  names: ReadonlyMap<string, AnswerRow>
  onFilter(next: (filter: Filter | null) => Filter | null): void
  /** Whether anything besides the filters can be cleared, such as a period. */
  clearable: boolean
  onClear(): void
  /** Label of the held-back season. */
  holdOutLabel: string | null
  onRelease(): void
}

/** The active filters, each with a button to remove it. */
export function Chips({
  filter,
  model,
  names,
  onFilter,
  clearable,
  onClear,
  holdOutLabel,
  onRelease,
}: ChipsProps) {
  const intl = useIntl()
  const clauseText = useClauseText(model, names)
  const ordered = inModelOrder(PREDICTIONS, filter)
  const parts = ordered === null ? [] : 'and' in ordered ? ordered.and : [ordered]
  return (
    <ul className={styles.chips} aria-label={intl.formatMessage({ id: 'record.filters' })}>
      {parts.map((part) => {
        const text = clauseText(part)
        return (
          <li key={text} className={styles.chip}>
            <span>{text}</span>
            <button
              type="button"
              className={styles.cross}
              aria-label={intl.formatMessage({ id: 'workspace.removeFilter' }, { filter: text })}
              onClick={() => onFilter((newest) => without(newest, [...dimensionsOf(part)]))}
            >
              <X aria-hidden="true" size={14} />
            </button>
          </li>
        )
      })}
      {holdOutLabel === null ? null : (
        <li className={styles.chip}>
          <span>{holdOutLabel}</span>
          <button
            type="button"
            className={styles.cross}
            aria-label={intl.formatMessage({ id: 'workspace.removeFilter' }, { filter: holdOutLabel })}
            onClick={onRelease}
          >
            <X aria-hidden="true" size={14} />
          </button>
        </li>
      )}
      {parts.length > 0 || clearable ? (
        <li>
          <button type="button" className={styles.clear} onClick={onClear}>
            <FormattedMessage id="record.clearFilters" />
          </button>
        </li>
      ) : (
        <Small as="li">
          <FormattedMessage id="workspace.noFilter" />
        </Small>
      )}
    </ul>
  )
}

/** Formats clauses as text: `Going: Good, Firm`, `not Racecourse: Sha Tin`. */
export function useClauseText(
  model: string,
  names: ReadonlyMap<string, AnswerRow>,
): (part: Filter) => string {
  const intl = useIntl()
  const rowText = useDimensionText(model)
  const valueText = (dim: string, value: Scalar, plain = false): string => {
    const known = names.get(`${dim} ${String(value)}`)
    const row: AnswerRow = MODEL.dimensions[dim]!.names
      ? (known ?? { [dim]: value, [`${dim}_en`]: null, [`${dim}_hant`]: null, [`${dim}_hans`]: null })
      : { [dim]: value }
    return rowText(dim, row, plain)
  }
  const clauseText = (clause: Clause): string => {
    const name = intl.formatMessage({ id: `dimension.${clause.dim}` })
    if ('in' in clause) {
      const shown = clause.in.slice(0, MAX_VALUES).map((value) => valueText(clause.dim, value))
      const unlisted = clause.in.length - shown.length
      const list = unlisted > 0 ? [...shown, `+${unlisted}`] : shown
      return intl.formatMessage({ id: 'workspace.clause' }, { name, values: listed(intl, list) })
    }
    const ends = (['from', 'to'] as const).map((end) => {
      const value = clause[end]
      return value === undefined ? '' : valueText(clause.dim, value, true)
    })
    return intl.formatMessage({ id: 'workspace.clause' }, { name, values: ends.join(' – ') })
  }
  const textOfPart = (part: Filter): string => {
    if ('and' in part) return part.and.map(textOfPart).join(' · ')
    if ('or' in part) return part.or.map(textOfPart).join(' / ')
    if ('not' in part) return intl.formatMessage({ id: 'workspace.not' }, { clause: textOfPart(part.not) })
    return clauseText(part)
  }
  return textOfPart
}
