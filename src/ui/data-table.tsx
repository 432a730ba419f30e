import type { ReactNode, TableHTMLAttributes } from 'react'
import { FormattedMessage } from 'react-intl'
import styles from './layout.module.css'
import { ScrollRegion, Table, TextCell } from './layout.tsx'

export interface Column<Row> {
  /** Message id of its heading. */
  id: string
  /** What its cell shows of a row; if that is nothing, the cell shows a dash. */
  render(row: Row): ReactNode
  /** `name`: its cells are the headings of the rows. `text`: its cells begin at their start, as do those of the first column. */
  kind?: 'name' | 'text'
}

export interface DataTableProps<Row> extends TableHTMLAttributes<HTMLTableElement> {
  /** Message id of its name, if it can be wider than its place and has to scroll. */
  label?: string
  /** Values of that message. */
  values?: Readonly<Record<string, string>>
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string | number
  /** Leaves out columns that show nothing of any row: for facts that a source may lack altogether. */
  knownOnly?: boolean
  /** Its caption. */
  children?: ReactNode
}

/** A table whose columns say what they show of each row. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, values, columns: all, rows, keyOf, knownOnly = false, children, ...rest } = props
  const columns = knownOnly
    ? all.filter(({ render }) => rows.some((row) => (render(row) ?? null) !== null))
    : all
  const table = (
    <Table {...rest}>
      {children}
      <thead>
        <tr>
          {columns.map(({ id, kind }) => (
            <th key={id} scope="col" className={kind === 'text' ? styles.textCell : undefined}>
              <FormattedMessage id={id} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ id, render, kind }) => {
              const content = render(row) ?? '–'
              if (kind === undefined) return <td key={id}>{content}</td>
              return (
                <TextCell key={id} {...(kind === 'name' && { as: 'th', scope: 'row' })}>
                  {content}
                </TextCell>
              )
            })}
          </tr>
        ))}
      </tbody>
    </Table>
  )
  return label === undefined ? (
    table
  ) : (
    <ScrollRegion label={label} {...(values && { values })}>
      {table}
    </ScrollRegion>
  )
}
