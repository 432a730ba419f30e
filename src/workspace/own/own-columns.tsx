import { FormattedMessage } from 'react-intl'
import type { OwnFile } from '../../../analytics/own-api.ts'
import { OWN_ROLES, type OwnRole, type OwnRoles } from '../../../domain/own-columns.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { ColumnHeadings, Small, Table } from '../../ui/layout.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { ToolSelect } from '../parts/controls.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import styles from './own.module.css'

interface OwnColumnsProps {
  file: OwnFile
  roles: OwnRoles
  onRoles(roles: OwnRoles): void
}

/** The detected columns of a file, and the role of each. */
export function OwnColumns({ file, roles, onRoles }: OwnColumnsProps) {
  const word = useWord()
  const format = useFormat()
  const wide = useWide()
  const roleOf = (at: number): OwnRole | '' => OWN_ROLES.find((role) => roles[role] === at) ?? ''
  const give = (at: number, role: string): void => {
    const left = Object.entries(roles).filter(([name, place]) => place !== at && name !== role)
    onRoles({ ...(Object.fromEntries(left) as OwnRoles), ...(role === '' ? {} : { [role]: at }) })
  }
  const roleSelect = (column: string, at: number) => (
    <ToolSelect
      label="own.roleOf"
      values={{ column }}
      value={roleOf(at)}
      options={OWN_ROLES.map((value) => ({ value, label: word(`own.role.${value}`) }))}
      onChange={(role) => give(at, role)}
    >
      <option value="">{word('own.role.none')}</option>
    </ToolSelect>
  )
  return (
    <Panel title={<FormattedMessage id="own.columns" />}>
      <Small text="own.columnsLead" />
      <Scrolled label={word('own.columns')}>
        <Table className={styles.lefts} data-testid="own-columns">
          <ColumnHeadings
            ids={['own.column', 'own.kind', ...(wide ? ['own.example', 'own.filled'] : []), 'own.role']}
          />
          <tbody>
            {file.columns.map((column, at) => (
              <tr key={column.column}>
                <th scope="row">{column.name}</th>
                <td>
                  <FormattedMessage id={`own.kind.${column.kind}`} />
                  {column.odd === 0 ? null : (
                    <Small as="div">
                      <FormattedMessage
                        id="own.odd"
                        values={{ count: column.odd, line: format.integer(column.oddLine ?? 0) }}
                      />
                    </Small>
                  )}
                </td>
                {wide ? <td>{column.example}</td> : null}
                {wide ? <td>{format.percent(column.filled / file.rows, 0)}</td> : null}
                <td>{roleSelect(column.name, at)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Scrolled>
    </Panel>
  )
}
