import { ArrowDown, ArrowUp } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Button } from '../../ui/button.tsx'
import { headingId, withoutClosed } from './list-columns.tsx'
import { LIST_COLUMNS, USUAL_COLUMNS } from '../state/list-columns.ts'
import controls from '../parts/controls.module.css'
import lists from '../parts/line-list.module.css'
import styles from './column-chooser.module.css'

interface ColumnChooserProps {
  /** Empty: the default columns. */
  columns: readonly string[]
  /** Dimensions that are filled from the user's own file. */
  own: readonly string[]
  onChange(columns: readonly string[]): void
}

/** Selects the columns of the list and their order. */
export function ColumnChooser({ columns, own, onChange }: ColumnChooserProps) {
  const intl = useIntl()
  const shown = columns.length > 0 ? columns : USUAL_COLUMNS
  const others = withoutClosed(LIST_COLUMNS, own).filter((column) => !shown.includes(column))
  const set = (next: readonly string[]): void =>
    onChange(next.length === 0 || next.join() === USUAL_COLUMNS.join() ? [] : next)
  const nameOf = (column: string): string => intl.formatMessage({ id: headingId(column) })
  return (
    <div className={styles.chooser}>
      <ul className={lists.list}>
        {[...shown, ...others].map((column) => {
          const at = shown.indexOf(column)
          const name = nameOf(column)
          return (
            <li key={column} className={lists.line}>
              <label>
                <input
                  type="checkbox"
                  checked={at >= 0}
                  onChange={() => set(at >= 0 ? shown.toSpliced(at, 1) : [...shown, column])}
                />
                {name}
              </label>
              {at > 0 ? (
                <button
                  type="button"
                  className={controls.tool}
                  aria-label={intl.formatMessage({ id: 'workspace.columnUp' }, { name })}
                  onClick={() => set(shown.toSpliced(at, 1).toSpliced(at - 1, 0, column))}
                >
                  <ArrowUp aria-hidden="true" size={16} />
                </button>
              ) : null}
              {at >= 0 && at < shown.length - 1 ? (
                <button
                  type="button"
                  className={controls.tool}
                  aria-label={intl.formatMessage({ id: 'workspace.columnDown' }, { name })}
                  onClick={() => set(shown.toSpliced(at, 1).toSpliced(at + 1, 0, column))}
                >
                  <ArrowDown aria-hidden="true" size={16} />
                </button>
              ) : null}
            </li>
          )
        })}
      </ul>
      <Button onClick={() => onChange([])}>
        <FormattedMessage id="workspace.usualColumns" />
      </Button>
    </div>
  )
}
