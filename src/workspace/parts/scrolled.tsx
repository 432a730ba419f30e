import type { ReactNode, TableHTMLAttributes } from 'react'
import { ColumnHeadings, ScrollArea } from '../../ui/layout.tsx'
import styles from './scrolled.module.css'
import tables from './table.module.css'

/** A scroll area as high as its panel allows; `label` names it for screen readers. */
export const Scrolled = ({ label, children }: { label: string; children: ReactNode }) => (
  <ScrollArea name={label} role="group" className={styles.scroll}>
    {children}
  </ScrollArea>
)

/** Message ids of headings that are abbreviations, each with that of its full name. */
export const ABBREVIATED: Readonly<Record<string, string>> = { 'workspace.ae': 'workspace.aeNamed' }

interface FigureTableProps<Row> extends TableHTMLAttributes<HTMLTableElement> {
  /** Its name for screen readers. */
  label: string
  /** What the cells of a column show of a row, by the message id of its heading; the first column names the rows. */
  columns: Readonly<Record<string, (row: Row) => ReactNode>>
  rows: readonly Row[]
  keyOf(row: Row): string
}

/** A table of figures that scrolls within its panel. */
export function FigureTable<Row>({ label, columns, rows, keyOf, ...rest }: FigureTableProps<Row>) {
  return (
    <Scrolled label={label}>
      <table className={tables.table} {...rest}>
        <ColumnHeadings ids={Object.keys(columns)} hints={ABBREVIATED} />
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-key={keyOf(row)}>
              {Object.entries(columns).map(([id, show], at) =>
                at === 0 ? (
                  <th key={id} scope="row">
                    {show(row)}
                  </th>
                ) : (
                  <td key={id}>{show(row)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}
