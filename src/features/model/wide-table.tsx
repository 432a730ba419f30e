import type { ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { DataTable, type Column, type DataTableProps } from '../../ui/data-table.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { Facts, Small } from '../../ui/layout.tsx'
import styles from './model.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

interface RowListProps<Row> {
  /** The message id of its name, and the message's values. */
  label: string
  values?: Readonly<Record<string, string>>
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string | number
  /** Id of the column that is shown beside a row's name. */
  lead: string
  'data-testid'?: string
}

/** A table with more columns than a phone is wide: there a list of its rows, each with one figure, and opened with all. */
export function WideTable<Row>({ lead, ...table }: DataTableProps<Row> & RowListProps<Row>) {
  return useWide() ? <DataTable {...table} /> : <RowList lead={lead} {...table} />
}

/** The rows of a table as a list: its name and one figure of each, and opened the others. */
export function RowList<Row>(props: RowListProps<Row>) {
  const { label, values, columns, rows, keyOf, lead, 'data-testid': testId } = props
  const intl = useIntl()
  const names = columns.filter(({ kind }) => kind === 'name')
  const figures = columns.filter(({ kind, id }) => kind !== 'name' && id !== lead)
  const shown = columns.find(({ id }) => id === lead)!
  return (
    <ul className={styles.lines} aria-label={intl.formatMessage({ id: label }, values)} data-testid={testId}>
      {rows.map((row) => (
        <Line
          key={keyOf(row)}
          name={names.map(({ id, render }, at) => (
            <span key={id}>
              {at === 0 ? null : BETWEEN_FACTS}
              {render(row)}
            </span>
          ))}
          figure={
            <>
              <Small as="span">
                <FormattedMessage id={lead} />
              </Small>{' '}
              {shown.render(row) ?? '–'}
            </>
          }
        >
          <Facts facts={figures.map(({ id, render }) => [id, render(row)])} />
        </Line>
      ))}
    </ul>
  )
}

interface LineProps {
  name: ReactNode
  figure: ReactNode
  /** Drawn below them. */
  bar?: ReactNode
  /** What is shown when the line is opened. */
  children: ReactNode
}

/** A line of a list with one figure that opens to more. */
export const Line = ({ name, figure, bar, children }: LineProps) => (
  <li>
    <details>
      <summary>
        <span>{name}</span>
        <span className={styles.figure}>{figure}</span>
        {bar}
      </summary>
      {children}
    </details>
  </li>
)
