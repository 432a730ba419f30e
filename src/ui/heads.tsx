import { FormattedMessage } from 'react-intl'
import layout from './layout.module.css'

/** The headings of a table's columns, by their messages; those of `left` are over texts, the others over figures. */
export function Heads({ ids, left }: { ids: readonly string[]; left?: ReadonlySet<string> }) {
  return (
    <thead>
      <tr>
        {ids.map((id) => (
          <th key={id} scope="col" className={left?.has(id) ? layout.left : undefined}>
            <FormattedMessage id={id} />
          </th>
        ))}
      </tr>
    </thead>
  )
}
