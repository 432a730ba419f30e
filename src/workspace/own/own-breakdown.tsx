import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { OwnFile } from '../../../analytics/own-api.ts'
import { OWN_ROLES, type OwnRoles } from '../../../domain/own-columns.ts'
import { FEW_BETS } from '../../../domain/statistics.ts'
import { keyOf } from '../../data/client/call.ts'
import type { OwnConnection } from '../../data/analytics/own.ts'
import { useFormat } from '../../i18n/format.ts'
import { ColumnHeadings, Small, Table, TextCell } from '../../ui/layout.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import texts from '../../ui/text.module.css'
import { Figure } from '../parts/figure-cell.tsx'
import { ownNumber } from '../words/measure-text.ts'
import { Scrolled } from '../parts/scrolled.tsx'
import type { SliceAnswer } from '../query/use-slice.ts'
import { raceFilterOf } from '../state/view.ts'
import { ownAnswers } from './own-answers.ts'
import { OwnProblem } from './own-problem.tsx'
import controls from '../parts/controls.module.css'
import { Stale } from '../parts/stale.tsx'

interface OwnBreakdownProps {
  /** Number of the match that the rows belong to. */
  number: number
  connection: OwnConnection
  slice: SliceAnswer
  file: OwnFile
  roles: OwnRoles
}

const KEYS = OWN_ROLES.filter((role) => role !== 'probability')

/** Results of the starters in each group of a column. */
export function OwnBreakdown(props: OwnBreakdownProps) {
  const { file, roles } = props
  const offered = file.columns.flatMap((column, at) =>
    KEYS.some((role) => roles[role] === at) || column.filled === 0 || column.kind === 'date'
      ? []
      : [{ ...column, at }],
  )
  const [chosen, setChosen] = useState<number | null>(null)
  const first = offered.find(({ kind }) => kind === 'number') ?? offered[0]
  const shown = offered.find(({ at }) => at === chosen) ?? first
  return shown === undefined ? null : (
    <Groups
      key={shown.at}
      {...props}
      offered={offered}
      at={shown.at}
      isNumber={shown.kind === 'number'}
      onChoose={setChosen}
    />
  )
}

interface GroupsProps extends OwnBreakdownProps {
  offered: readonly { name: string; at: number }[]
  at: number
  isNumber: boolean
  onChoose(at: number): void
}

function Groups({ number, connection, slice, offered, at, isNumber, onChoose }: GroupsProps) {
  const intl = useIntl()
  const format = useFormat()
  const where = raceFilterOf(slice.where)
  const { data, error, isPlaceholderData } = useQuery({
    ...ownAnswers,
    queryKey: keyOf('own-data', number, at, where),
    queryFn: () => connection.breakdown(at, where),
  })
  return (
    <Panel
      title={<FormattedMessage id="own.breakdown" />}
      actions={
        <select
          className={controls.select}
          aria-label={intl.formatMessage({ id: 'own.column' })}
          value={at}
          onChange={(event) => onChoose(Number(event.target.value))}
        >
          {offered.map((column) => (
            <option key={column.at} value={column.at}>
              {column.name}
            </option>
          ))}
        </select>
      }
    >
      <Small>
        <FormattedMessage id={isNumber ? 'own.fifths' : 'own.frequent'} />
      </Small>
      {error !== null ? (
        <OwnProblem error={error} />
      ) : data === undefined ? (
        <Skeleton height={200} />
      ) : (
        <Stale stale={isPlaceholderData}>
          <Scrolled label={intl.formatMessage({ id: 'own.breakdown' })}>
            <Table data-testid="own-groups">
              <ColumnHeadings
                ids={['own.group', 'own.starters', 'own.winRate', 'workspace.ae', 'record.return']}
              />
              <tbody>
                {data.map((group) => (
                  <tr key={group.label} className={group.starters < FEW_BETS ? texts.soft : ''}>
                    <TextCell scope="row" as="th">
                      {group.from === null || group.to === null
                        ? group.label
                        : `${ownNumber(format, group.from)} – ${ownNumber(format, group.to)}`}
                    </TextCell>
                    <td>{format.integer(group.starters)}</td>
                    <td>{format.percent(group.winners / group.starters)}</td>
                    <td>
                      {group.expectedMarket === null || group.expectedMarket === 0
                        ? '–'
                        : format.decimal(group.winners / group.expectedMarket, 2)}
                    </td>
                    <td>
                      <Figure
                        value={group.return?.ratio ?? null}
                        interval={group.return?.interval ?? null}
                        show={(share) => format.signedPercent(share)}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </Table>
          </Scrolled>
          <Small>
            <FormattedMessage id="record.greyed" values={{ bets: FEW_BETS }} />
          </Small>
        </Stale>
      )}
    </Panel>
  )
}
