import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { OwnFile } from '../../../analytics/own-api.ts'
import { OWN_ROLES, type OwnRoles } from '../../../domain/reading/own-columns.ts'
import { FEW_BETS } from '../../../domain/statistics.ts'
import { keyOf } from '../../data/client/call.ts'
import type { OwnConnection } from '../../data/analytics/own.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { ColumnHeadings, Small, Table, TextCell } from '../../ui/layout.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import texts from '../../ui/text.module.css'
import { ToolSelect } from '../parts/controls.tsx'
import { RatioFigure } from '../parts/figure-cell.tsx'
import { ownNumber } from '../words/measure-text.ts'
import { ABBREVIATED, Scrolled } from '../parts/scrolled.tsx'
import type { SliceAnswer } from '../query/use-slice.ts'
import { raceFilterOf } from '../../../analytics/view/view.ts'
import { ownAnswers, OwnProblem } from './own-answers.tsx'
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
  const word = useWord()
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
        <ToolSelect
          label="own.column"
          value={String(at)}
          options={offered.map((column) => ({ value: String(column.at), label: column.name }))}
          onChange={(value) => onChoose(Number(value))}
        />
      }
    >
      <Small text={isNumber ? 'own.fifths' : 'own.frequent'} />
      {error !== null ? (
        <OwnProblem error={error} />
      ) : data === undefined ? (
        <Skeleton height={200} />
      ) : (
        <Stale stale={isPlaceholderData}>
          <Scrolled label={word('own.breakdown')}>
            <Table data-testid="own-groups">
              <ColumnHeadings
                ids={['own.group', 'own.starters', 'own.winRate', 'workspace.ae', 'record.return']}
                hints={ABBREVIATED}
              />
              <tbody>
                {data.map((group) => (
                  <tr key={group.label ?? ''} className={group.starters < FEW_BETS ? texts.soft : ''}>
                    <TextCell scope="row" as="th">
                      {group.label === null
                        ? word('dimension.noValue')
                        : group.from === null || group.to === null
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
                      <RatioFigure ratio={group.return} show={format.signedPercent} />
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
