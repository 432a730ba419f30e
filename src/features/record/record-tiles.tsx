import { useMemo, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import type { RecordFilter, RecordTotalsRow } from '../../../contract/queries.ts'
import { returnInterval, wilsonInterval, type Interval } from '../../../domain/statistics.ts'
import { useEngineQuery, useOpened } from '../../data/use-engine.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { judge, played } from './judgement.ts'
import styles from './record.module.css'

/** A colour only where the interval is clear of zero: chance must not look like skill. */
export function toneOf(interval: Interval | null): string {
  if (interval === null) return ''
  if (interval.low > 0) return styles.gain!
  return interval.high < 0 ? styles.loss! : ''
}

export function RecordTiles({ filter }: { filter: RecordFilter }) {
  const totals = useEngineQuery('record_totals', { filter })
  // Asked only once the tiles have theirs, so that the figures come first.
  const days = useEngineQuery(
    'record_days',
    { filter },
    { enabled: totals.isSuccess && !totals.isPlaceholderData },
  )
  const interval = useMemo(
    () =>
      days.data && !days.isPlaceholderData
        ? returnInterval(
            days.data.rows.map((day) => ({ stakeCents: day.stake_cents, profitCents: day.profit_cents })),
          )
        : null,
    [days.data, days.isPlaceholderData],
  )
  if (totals.error) return <ErrorNotice error={totals.error} />
  const row = totals.data?.rows[0]
  if (!row) return <Skeleton height={104} />
  return (
    <dl
      className={`${styles.tiles} ${totals.isPlaceholderData ? styles.stale : ''}`}
      data-testid="record-tiles"
      data-source={totals.data?.source}
      data-engine-ms={totals.data?.milliseconds.toFixed(2)}
      aria-busy={totals.isPlaceholderData}
    >
      <PredictionsTile row={row} />
      <HitsTile row={row} />
      <ProfitTile row={row} interval={interval} />
      <ReturnTile row={row} interval={interval} />
    </dl>
  )
}

interface TileProps {
  label: string
  figure: ReactNode
  tone?: string
  children?: ReactNode
}

function Tile({ label, figure, tone = '', children }: TileProps) {
  return (
    <div className={styles.tile}>
      <dt>
        <FormattedMessage id={label} />
      </dt>
      <dd className={`${styles.figure} ${tone}`}>{figure}</dd>
      <dd className={styles.small}>{children}</dd>
    </div>
  )
}

function PredictionsTile({ row }: { row: RecordTotalsRow }) {
  const format = useFormat()
  const { asOf } = useOpened()
  return (
    <Tile label="record.predictions" figure={format.integer(row.predictions)}>
      {row.first_day && row.last_day ? (
        <>
          <FormattedMessage
            id="record.between"
            values={{ from: format.day(row.first_day), to: format.day(row.last_day) }}
          />
          <br />
        </>
      ) : null}
      <FormattedMessage id="record.voids" values={{ voids: row.voids }} />
      <br />
      <FormattedMessage id="record.asOf" values={{ instant: format.instant(asOf) }} />
    </Tile>
  )
}

function HitsTile({ row }: { row: RecordTotalsRow }) {
  const format = useFormat()
  const bets = played(row)
  const interval = wilsonInterval(row.hits, bets)
  return (
    <Tile label="record.hitRate" figure={bets === 0 ? '–' : format.percent(row.hits / bets)}>
      <FormattedMessage
        id="record.hitsOf"
        values={{ hits: format.integer(row.hits), bets: format.integer(bets) }}
      />
      {interval ? (
        <>
          <br />
          <FormattedMessage
            id="record.interval"
            values={{ low: format.percent(interval.low), high: format.percent(interval.high) }}
          />
          <br />
          <FormattedMessage id="record.random" values={{ rate: format.percent(row.random_hits / bets) }} />
        </>
      ) : null}
    </Tile>
  )
}

interface MoneyTileProps {
  row: RecordTotalsRow
  interval: Interval | null
}

function ProfitTile({ row, interval }: MoneyTileProps) {
  const format = useFormat()
  const { trust, told } = judge(row)
  return (
    <Tile
      label="record.profit"
      figure={told ? format.signedMoney(row.profit_cents) : <FormattedMessage id="record.notTold" />}
      tone={told && trust === 'sound' ? toneOf(interval) : styles.muted!}
    >
      <FormattedMessage id="record.staked" values={{ stake: format.money(row.stake_cents) }} />
      <br />
      <FormattedMessage
        id={trust === 'incomplete' ? 'record.unknownHits' : 'record.unknown'}
        values={{ unknown: row.unknown, hits: row.unknown_hits }}
      />
    </Tile>
  )
}

function ReturnTile({ row, interval }: MoneyTileProps) {
  const format = useFormat()
  const { bets, trust, told } = judge(row)
  return (
    <Tile
      label="record.return"
      figure={
        told ? (
          format.signedPercent(row.profit_cents / row.stake_cents)
        ) : (
          <FormattedMessage id="record.notTold" />
        )
      }
      tone={told && trust === 'sound' ? toneOf(interval) : styles.muted!}
    >
      {told && interval ? (
        <>
          <FormattedMessage
            id="record.interval"
            values={{ low: format.signedPercent(interval.low), high: format.signedPercent(interval.high) }}
          />
          <br />
        </>
      ) : null}
      <FormattedMessage id={`record.trust.${trust}`} values={{ bets: format.integer(bets) }} />
    </Tile>
  )
}
