import type { ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import type { Interval } from '../../../domain/statistics.ts'
import { intervalOf, numberOf, numberOrNull, textOf } from '../../data/analytics/cells.ts'
import type { AnswerRow, Rows } from '../../data/analytics/decode.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { PANELS, intervalRequest, panelRows } from './record-requests.ts'
import { judge } from './totals.ts'
import styles from './record.module.css'

/** A colour only where the interval is clear of zero: chance must not look like skill. */
export function toneOf(interval: Interval | null): string {
  if (interval === null) return ''
  if (interval.low > 0) return styles.gain!
  return interval.high < 0 ? styles.loss! : ''
}

interface RecordTilesProps {
  where: Filter
  answer: Rows
  /** The figures are of the filter before. */
  stale: boolean
}

export function RecordTiles({ where, answer, stale }: RecordTilesProps) {
  // Asked once the tiles have theirs, so that the figures come first.
  const intervals = useAnalytics(intervalRequest(where), { priority: 'visible', enabled: !stale })
  const found = stale || intervals.isPlaceholderData ? undefined : intervals.data?.rows[0]
  const row = panelRows(answer, PANELS.total)[0]
  if (!row) return null
  const days = panelRows(answer, PANELS.days).map((day) => textOf(day, 'key'))
  return (
    <dl
      className={`${styles.tiles} ${stale ? styles.stale : ''}`}
      data-testid="record-tiles"
      data-source={answer.source}
      data-computed={answer.computed}
      data-engine-ms={answer.milliseconds.toFixed(2)}
      aria-busy={stale}
    >
      <PredictionsTile row={row} days={days} />
      <HitsTile row={row} interval={found ? intervalOf(found, 'hit_rate') : null} />
      <ProfitTile row={row} interval={found ? intervalOf(found, 'return') : null} />
      <ReturnTile row={row} interval={found ? intervalOf(found, 'return') : null} />
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

function PredictionsTile({ row, days }: { row: AnswerRow; days: readonly string[] }) {
  const format = useFormat()
  const { asOf } = useScope()
  const sorted = days.toSorted()
  return (
    <Tile label="record.predictions" figure={format.integer(numberOf(row, 'predictions'))}>
      {sorted.length > 0 ? (
        <>
          <FormattedMessage
            id="record.between"
            values={{ from: format.day(sorted[0]!), to: format.day(sorted.at(-1)!) }}
          />
          <br />
        </>
      ) : null}
      <FormattedMessage id="record.voids" values={{ voids: numberOf(row, 'voids') }} />
      <br />
      <FormattedMessage id="record.asOf" values={{ instant: format.instant(asOf) }} />
    </Tile>
  )
}

function HitsTile({ row, interval }: { row: AnswerRow; interval: Interval | null }) {
  const format = useFormat()
  const { played } = judge(row)
  const rate = numberOrNull(row, 'hit_rate')
  const chance = numberOrNull(row, 'chance_rate')
  return (
    <Tile label="record.hitRate" figure={rate === null ? '–' : format.percent(rate)}>
      <FormattedMessage
        id="record.hitsOf"
        values={{ hits: format.integer(numberOf(row, 'hits')), bets: format.integer(played) }}
      />
      {interval ? (
        <>
          <br />
          <FormattedMessage
            id="record.interval"
            values={{ low: format.percent(interval.low), high: format.percent(interval.high) }}
          />
        </>
      ) : null}
      {chance === null ? null : (
        <>
          <br />
          <FormattedMessage id="record.random" values={{ rate: format.percent(chance) }} />
        </>
      )}
    </Tile>
  )
}

interface MoneyTileProps {
  row: AnswerRow
  interval: Interval | null
}

/** The lowest and the highest that unknown dividends leave possible; `null` where all are known, or bounds were not asked. */
function boundsOf(row: AnswerRow, of: 'profit' | 'return'): { low: number; high: number } | null {
  if (!(`${of}_worst` in row) || numberOf(row, 'unknown') === 0) return null
  const low = numberOrNull(row, `${of}_worst`)
  const high = numberOrNull(row, `${of}_best`)
  return low === null || high === null ? null : { low, high }
}

function Bounds({ bounds, show }: { bounds: { low: number; high: number }; show(value: number): string }) {
  return <FormattedMessage id="record.bounds" values={{ low: show(bounds.low), high: show(bounds.high) }} />
}

function ProfitTile({ row, interval }: MoneyTileProps) {
  const format = useFormat()
  const { trust, told } = judge(row)
  const bounds = boundsOf(row, 'profit')
  return (
    <Tile
      label="record.profit"
      figure={
        told ? (
          format.signedMoney(numberOf(row, 'profit'))
        ) : bounds ? (
          <span className={styles.range}>
            <Bounds bounds={bounds} show={format.signedMoney} />
          </span>
        ) : (
          <FormattedMessage id="record.notTold" />
        )
      }
      tone={told && trust === 'sound' ? toneOf(interval) : styles.muted!}
    >
      <FormattedMessage id="record.staked" values={{ stake: format.money(numberOf(row, 'staked')) }} />
      <br />
      <FormattedMessage
        id={trust === 'incomplete' ? 'record.unknownHits' : 'record.unknown'}
        values={{ unknown: numberOf(row, 'unknown'), hits: numberOf(row, 'unknown_hits') }}
      />
      {told && bounds ? (
        <>
          <br />
          <FormattedMessage
            id="record.boundsTold"
            values={{ low: format.signedMoney(bounds.low), high: format.signedMoney(bounds.high) }}
          />
        </>
      ) : null}
    </Tile>
  )
}

function ReturnTile({ row, interval }: MoneyTileProps) {
  const format = useFormat()
  const { bets, trust, told } = judge(row)
  const bounds = boundsOf(row, 'return')
  const share = numberOrNull(row, 'return')
  return (
    <Tile
      label="record.return"
      figure={
        told && share !== null ? (
          format.signedPercent(share)
        ) : bounds ? (
          <span className={styles.range}>
            <Bounds bounds={bounds} show={format.signedPercent} />
          </span>
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
