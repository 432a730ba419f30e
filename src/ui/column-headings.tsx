import { FormattedMessage } from 'react-intl'
import table from './layout/table.module.css'

/**
 * The column headings of a table, by message id; those in `left` are above texts, the others above figures.
 */
export function ColumnHeadings({ ids, left }: { ids: readonly string[]; left?: ReadonlySet<string> }) {
  return (
    <thead>
      <tr>
        {ids.map((id) => (
          <th key={id} scope="col" className={left?.has(id) ? table.text : undefined}>
            <FormattedMessage id={id} />
          </th>
        ))}
      </tr>
    </thead>
  )
}
