import { useInfiniteQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import type { RecordFilter, RecordRow } from '../../../contract/queries.ts'
import { useEngineQuery, useOpened } from '../../data/use-engine.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { localName } from '../../i18n/names.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { More } from '../../ui/more.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { ExportButton } from './export-button.tsx'
import { OutcomeSelect } from './outcome-select.tsx'
import { oddsText, profitText, RecentOnly } from './record-grid.tsx'
import { betTypeOf, combinationText, outcomeOf } from './record-words.ts'
import { useOutcomeFilter } from './use-outcome-filter.ts'
import styles from './record.module.css'

const PAGE_ROWS = 10

/** The record for narrow screens: a card a prediction, more of them on request. */
export function RecordCards({ filter, onOpen }: { filter: RecordFilter; onOpen(raceId: string): void }) {
  const { regionId, asOf, history } = useOpened()
  const { outcome, setOutcome, grid } = useOutcomeFilter()
  const pages = useInfiniteQuery({
    queryKey: ['engine', regionId, asOf, history, 'record_cards', filter, grid],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const { runQuery } = await import('../../data/engine-client.ts')
      const parameters = { filter, grid, sort: [], offset: pageParam, limit: PAGE_ROWS }
      return (await runQuery('record_page', parameters, signal)).rows
    },
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
          <OutcomeSelect value={outcome} onChange={setOutcome} />
          <ExportButton filter={filter} grid={grid} sort={[]} />
        </div>
      }
    >
      <RecentOnly />
      {pages.error ? <ErrorNotice error={pages.error} onRetry={() => void pages.refetch()} /> : null}
      {pages.isPending ? <Skeleton height={320} /> : null}
      {pages.data && rows.length === 0 ? <FormattedMessage id="record.empty" tagName="p" /> : null}
      <ol className={styles.cards}>
        {rows.map((row) => (
          <Card key={`${row.race_id} ${row.gameplay_class} ${row.rank}`} row={row} onOpen={onOpen} />
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

function Card({ row, onOpen }: { row: RecordRow; onOpen(raceId: string): void }) {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  const stadiums = useEngineQuery('stadiums', {}).data?.rows
  const stadium = stadiums?.find(({ stadium_key }) => stadium_key === row.stadium_key)
  const tone = row.outcome === 'hit' ? styles.gain : row.outcome === 'miss' ? styles.loss : styles.muted
  return (
    <li className={styles.card}>
      <a
        className={`${styles.cardHead} ${styles.cardLink}`}
        href={`#/pages/race/HorseRace?id=${row.race_id}`}
        onClick={(event) => {
          event.preventDefault()
          onOpen(row.race_id)
        }}
      >
        {format.day(row.race_date)} · {stadium ? localName(language, stadium)?.text : ''} ·{' '}
        <FormattedMessage id="record.raceNumber" values={{ number: row.race_no }} />
      </a>
      <span className={styles.right}>
        <span className={`${styles.badge} ${tone}`}>{outcomeOf(intl, row)}</span>
      </span>
      <span className={styles.combination}>{combinationText(row, language)}</span>
      <span className={styles.right}>
        {profitText(intl.formatMessage({ id: 'record.unknownShort' }), row, format)}
      </span>
      <span className={styles.small}>
        {betTypeOf(intl, row)} · {format.percent(row.probability, 2)}
      </span>
      <span className={`${styles.small} ${styles.right}`}>
        <FormattedMessage id="record.oddsAre" values={{ odds: oddsText(row, format) }} />
      </span>
    </li>
  )
}
