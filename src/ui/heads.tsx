import { FormattedMessage } from 'react-intl'

/** The headings of a table's columns, by their messages. */
export function Heads({ ids }: { ids: readonly string[] }) {
  return (
    <thead>
      <tr>
        {ids.map((id) => (
          <th key={id} scope="col">
            <FormattedMessage id={id} />
          </th>
        ))}
      </tr>
    </thead>
  )
}
