import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { numberOf, textOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { analyticsQuery, useScope } from '../../data/analytics/use-analytics.ts'
import { keyOf } from '../../data/client/call.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { requestedColumns } from './list-columns.tsx'
import { USUAL_COLUMNS } from '../state/list-columns.ts'
import { Meetings } from '../parts/meetings.tsx'
import type { PredictionsListProps } from './predictions-grid.tsx'
import { betTypeOf, combinationText, oddsText, outcomeOf, pageRequest, profitText } from '../query/rows.ts'
import { Small } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import meetings from '../parts/meetings.module.css'

const PAGE_ROWS = 20

/** The predictions for narrow screens, by meeting; more are loaded on request. */
export function PredictionsCards({ where, sort, onOpen }: PredictionsListProps) {
  const scope = useScope()
  const client = useQueryClient()
  const columns = requestedColumns(USUAL_COLUMNS)
  const pages = useInfiniteQuery({
    queryKey: keyOf('cards', scope.regionId, scope.asOf, scope.history, scope.member, where, sort),
    initialPageParam: 0,
    queryFn: async ({ pageParam }) =>
      (
        await client.fetchQuery(
          analyticsQuery(scope, pageRequest(where, columns, sort, pageParam, PAGE_ROWS)),
        )
      ).rows,
    getNextPageParam: (last, all) => (last.length < PAGE_ROWS ? undefined : all.length * PAGE_ROWS),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const rows = pages.data?.pages.flat() ?? []
  return (
    <>
      {pages.error ? <ErrorNotice error={pages.error} onRetry={() => void pages.refetch()} /> : null}
      {pages.isPending ? <Skeleton height={320} /> : null}
      {pages.data && rows.length === 0 ? <FormattedMessage id="record.empty" tagName="p" /> : null}
      <Meetings rows={rows}>
        {(row) => (
          <Line
            key={`${textOf(row, 'race_id')} ${numberOf(row, 'bet_type')} ${numberOf(row, 'rank')}`}
            row={row}
            onOpen={onOpen}
          />
        )}
      </Meetings>
      {rows.length > 0 ? (
        <LoadMore
          hasMore={pages.hasNextPage}
          loading={pages.isFetchingNextPage}
          loadMore={async () => {
            const { data } = await pages.fetchNextPage()
            return (data?.pages.at(-1)?.length ?? 0) > 0
          }}
        />
      ) : null}
    </>
  )
}

function Line({ row, onOpen }: { row: AnswerRow; onOpen(raceId: string): void }) {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  const raceId = textOf(row, 'race_id')
  const outcome = textOf(row, 'outcome')
  const tone = outcome === 'hit' ? texts.gain : outcome === 'miss' ? '' : texts.soft
  return (
    <li>
      <a
        className={meetings.line}
        href={`#/pages/race/HorseRace?id=${raceId}`}
        onClick={(event) => {
          event.preventDefault()
          onOpen(raceId)
        }}
      >
        <span className={meetings.race}>
          <FormattedMessage id="workspace.raceLetter" values={{ number: numberOf(row, 'race_no') }} />
        </span>
        <span className={meetings.main}>
          <span className={meetings.ellipsis}>{combinationText(row, language)}</span>
          <Small as="span">
            {betTypeOf(intl, row)} · {format.percent(numberOf(row, 'probability'), 1)} ·{' '}
            {oddsText(row, format)}
          </Small>
        </span>
        <span className={meetings.end}>
          <span className={tone}>{outcomeOf(intl, row)}</span>
          <Small as="span">
            {profitText(intl.formatMessage({ id: 'record.unknownShort' }), row, format)}
          </Small>
        </span>
      </a>
    </li>
  )
}
