import { SlidersHorizontal } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import styles from './rail-column.module.css'

/** The filters beside the page, which can be collapsed. */
export function RailColumn({ children }: { children: ReactNode }) {
  const intl = useIntl()
  const [shut, setShut] = useState(false)
  return (
    <aside
      className={styles.column}
      data-shut={shut}
      aria-label={intl.formatMessage({ id: 'record.filters' })}
    >
      <h2 className={styles.head}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={!shut}
          aria-label={intl.formatMessage({ id: 'record.filters' })}
          onClick={() => setShut(!shut)}
        >
          <SlidersHorizontal aria-hidden="true" size={16} />
          {shut ? null : <FormattedMessage id="record.filters" />}
        </button>
      </h2>
      {shut ? null : children}
    </aside>
  )
}
