import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { allOf } from '../../../analytics/filter.ts'
import { numberOf, textOf } from '../../data/analytics/cells.ts'
import type { AnswerRow } from '../../data/analytics/decode.ts'
import { ANALYTICS_KEY, analyticsQuery, useScope } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { localName } from '../../i18n/names.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { More } from '../../ui/more.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { ExportButton } from './export-button.tsx'
import { OutcomeSelect } from './outcome-select.tsx'
import { RecentOnly, type RecordListProps } from './record-grid.tsx'
import { betTypeOf, combinationText, oddsText, outcomeOf, pageRequest, profitText } from './record-rows.ts'
import styles from './record.module.css'

const PAGE_ROWS = 10

interface RecordCardsProps extends Omit<RecordListProps, 'answer'> {
  onOpen(raceId: string): void
}

/** The record for narrow screens: a card a prediction, more of them on request. */
export function RecordCards({ where, filter, onPick, more, onOpen }: RecordCardsProps) {
  const scope = useScope()
  const client = useQueryClient()
  const pages = useInfiniteQuery({
    queryKey: [ANALYTICS_KEY, scope.regionId, scope.asOf, scope.history, 'cards', where, more],
    initialPageParam: 0,
    queryFn: async ({ pageParam }) =>
      (await client.fetchQuery(analyticsQuery(scope, pageRequest(where, more, [], pageParam, PAGE_ROWS))))
        .rows,
    getNextPageParam: (last, all) => (last.length < PAGE_ROWS ? undefined : all.length * PAGE_ROWS),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
  })
  const rows = pages.data?.pages.flat() ?? []
  return (
    <Panel
      title={<FormattedMessage id="record.list" />}
      actions={
        <div className={styles.gridTools}>
          <OutcomeSelect filter={filter} onPick={onPick} />
          <ExportButton where={allOf(where, more)!} sort={[]} />
        </div>
      }
    >
      <RecentOnly />
      {pages.error ? <ErrorNotice error={pages.error} onRetry={() => void pages.refetch()} /> : null}
      {pages.isPending ? <Skeleton height={320} /> : null}
      {pages.data && rows.length === 0 ? <FormattedMessage id="record.empty" tagName="p" /> : null}
      <ol className={styles.cards}>
        {rows.map((row) => (
          <Card
            key={`${textOf(row, 'race_id')} ${numberOf(row, 'bet_type')} ${numberOf(row, 'rank')}`}
            row={row}
            onOpen={onOpen}
          />
        ))}
      </ol>
      {rows.length > 0 ? (
        <More
          hasMore={pages.hasNextPage}
          loading={pages.isFetchingNextPage}
          onMore={async () => {
            const { data } = await pages.fetchNextPage()
            return (data?.pages.at(-1)?.length ?? 0) > 0
          }}
        />
      ) : null}
    </Panel>
  )
}

function Card({ row, onOpen }: { row: AnswerRow; onOpen(raceId: string): void }) {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  const raceId = textOf(row, 'race_id')
  const outcome = textOf(row, 'outcome')
  const tone = outcome === 'hit' ? styles.gain : outcome === 'miss' ? styles.loss : styles.muted
  return (
    <li className={styles.card}>
      <a
        className={`${styles.cardHead} ${styles.cardLink}`}
        href={`#/pages/race/HorseRace?id=${raceId}`}
        onClick={(event) => {
          event.preventDefault()
          onOpen(raceId)
        }}
      >
        {format.day(textOf(row, 'day'))} · {localName(language, row, 'racecourse')?.text ?? ''} ·{' '}
        <FormattedMessage id="record.raceNumber" values={{ number: numberOf(row, 'race_no') }} />
      </a>
      <span className={styles.right}>
        <span className={`${styles.badge} ${tone}`}>{outcomeOf(intl, row)}</span>
      </span>
      <span className={styles.combination}>{combinationText(row, language)}</span>
      <span className={styles.right}>
        {profitText(intl.formatMessage({ id: 'record.unknownShort' }), row, format)}
      </span>
      <span className={styles.small}>
        {betTypeOf(intl, row)} · {format.percent(numberOf(row, 'probability'), 2)}
      </span>
      <span className={`${styles.small} ${styles.right}`}>
        <FormattedMessage id="record.oddsAre" values={{ odds: oddsText(row, format) }} />
      </span>
    </li>
  )
}
