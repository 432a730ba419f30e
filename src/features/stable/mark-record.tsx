import { useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { queryMarkRecord, type MarkRecord as Line } from '../../../contract/api/mark.ts'
import { queryFor } from '../../data/client/call.ts'
import { useToken } from '../../data/client/session.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { ColumnHeadings, ScrollRegion, Small, Stack, Table, TextCell } from '../../ui/layout.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'

const HEADINGS = ['marks.group', 'marks.runs', 'marks.wins', 'marks.placed', 'marks.ratio', 'marks.profit']
const LEFT = new Set(['marks.group'])

const GROUPS = {
  shortlisted: 'marks.shortlistedGroup',
  'highest-rated': 'marks.highestRatedGroup',
  value: 'marks.valueGroup',
} as const

/** Of the record before it is known. */
const HEIGHT = 120

/** How the runners did that the user marked before their races, by mark. */
export function MarkRecord() {
  const token = useToken()
  const { region } = useRegion()
  const { data, error, refetch } = useQuery({
    ...queryFor(queryMarkRecord, region && token !== null ? { countryRegionId: region.id } : null, token),
    refetchOnMount: 'always',
    retry: 1,
  })
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={HEIGHT} />
  if (data.length === 0) return <Small text="marks.none" />
  return (
    <Stack tight>
      <ScrollRegion label="marks.record">
        <Table>
          <ColumnHeadings ids={HEADINGS} left={LEFT} />
          <tbody>
            {data.map((line) => (
              <RecordLine key={line.group} line={line} />
            ))}
          </tbody>
        </Table>
      </ScrollRegion>
      <Small text="marks.explained" />
    </Stack>
  )
}

function RecordLine({ line }: { line: Line }) {
  const intl = useIntl()
  const format = useFormat()
  const { group, runs, wins, placed, expected, profitCents } = line
  const unknown = intl.formatMessage({ id: 'record.unknownShort' })
  return (
    <tr>
      <TextCell as="th" scope="row">
        <FormattedMessage id={GROUPS[group]} />
      </TextCell>
      <td>{format.integer(runs)}</td>
      <td>{format.integer(wins)}</td>
      <td>{format.integer(placed)}</td>
      <td>{expected === null ? unknown : format.decimal(wins / expected, 2)}</td>
      <td>{profitCents === null ? unknown : format.signedMoney(profitCents)}</td>
    </tr>
  )
}
