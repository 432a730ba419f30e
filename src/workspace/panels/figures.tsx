import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import { fansOut } from '../../../analytics/source.ts'
import { intervalOf, numberOf, numberOrNull, textOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { useFormat } from '../../i18n/format.ts'
import { Hidden } from '../../ui/panel.tsx'
import { Between } from '../parts/between.tsx'
import { DAYS, orderRequest, TOTAL } from '../query/requests.ts'
import { Sparkline } from '../parts/sparkline.tsx'
import { boundsOf, judge, toneOf } from '../query/totals.ts'
import { useIntervals, type SliceAnswer } from '../query/use-slice.ts'
import figures from '../parts/figures.module.css'
import styles from './figures.module.css'

interface FiguresProps {
  slice: SliceAnswer
  /** Whether the figures are those of the previous slice. */
  stale: boolean
  /** Totals while something is brushed, otherwise `undefined`. */
  live: AnswerRow | undefined
  /** Whether the tab below shows other figures: a phone has no room for both. */
  aside: boolean
}

/** The figures of the slice in one strip; on a phone two by two, and the rest beside them. */
export function Figures({ slice, stale, live, aside }: FiguresProps) {
  const intl = useIntl()
  const wide = useWide()
  const { answer, where } = slice
  const { history } = slice.slice
  const intervals = useIntervals(slice, NO_DIMS)
  const found = live ? undefined : intervals?.[0]
  const row = live ?? slice.rows[TOTAL]?.[0]
  const days = slice.rows[DAYS]
  if (!row) return null
  const interval = (measure: string) => (found ? intervalOf(found, measure) : null)
  const quiet = stale || live !== undefined
  const tones = [figures.strip, stale ? styles.stale : '', aside ? styles.aside : ''].join(' ')
  return (
    <>
      <div
        className={styles.pages}
        // Only six figures are wider than a phone and scroll.
        {...(wide || !history
          ? {}
          : { tabIndex: 0, role: 'group', 'aria-label': intl.formatMessage({ id: 'workspace.figures' }) })}
      >
        <dl
          className={tones}
          data-testid="record-tiles"
          data-source={answer.source}
          data-computed={answer.computed}
          data-engine-ms={answer.milliseconds.toFixed(2)}
          aria-busy={stale}
          data-figures={history ? 6 : 4}
        >
          <Predictions row={row} days={days} fanOut={fansOut(PREDICTIONS, [], where)} />
          <HitRate row={row} interval={interval('hit_rate')} />
          {history ? <MarketRatio row={row} interval={interval('ae_market')} /> : null}
          <Profit row={row} interval={interval('return')} days={live ? undefined : days} />
          <Return row={row} interval={interval('return')} />
          {history ? <Runs where={where} quiet={quiet} /> : null}
        </dl>
      </div>
      <Announcement row={row} interval={interval('hit_rate')} quiet={quiet} />
    </>
  )
}

const NO_DIMS: readonly string[] = []

interface FigureProps {
  label: string
  figure: ReactNode
  tone?: string
  spark?: ReactNode
  children?: ReactNode
}

function Figure({ label, figure, tone = '', spark, children }: FigureProps) {
  return (
    <div className={figures.cell}>
      <dt>
        <FormattedMessage id={label} />
      </dt>
      <dd className={`${figures.value} ${tone}`}>
        {figure}
        {spark}
      </dd>
      <dd className={figures.small}>{children}</dd>
    </div>
  )
}

interface PartProps {
  row: AnswerRow
  interval?: { low: number; high: number } | null
  days?: readonly AnswerRow[] | undefined
}

function Predictions({ row, days, fanOut }: PartProps & { fanOut: boolean }) {
  const format = useFormat()
  const keys = (days ?? []).map((day) => textOf(day, 'key')).toSorted()
  return (
    <Figure
      label="record.predictions"
      figure={format.integer(numberOf(row, 'predictions'))}
      spark={fanOut ? <PerHorse /> : null}
    >
      {keys.length > 0 ? (
        <FormattedMessage
          id="workspace.daysFrom"
          values={{ days: keys.length, from: format.day(keys[0]!), to: format.day(keys.at(-1)!) }}
        />
      ) : null}
      {numberOf(row, 'voids') > 0 ? (
        <>
          {' · '}
          <FormattedMessage id="workspace.voids" values={{ voids: numberOf(row, 'voids') }} />
        </>
      ) : null}
    </Figure>
  )
}

/** Beside the number, where it moves nothing: a combination counts once for each of its horses. */
function PerHorse() {
  const intl = useIntl()
  const hint = intl.formatMessage({ id: 'record.fanOut' })
  return (
    <span className={styles.perHorse} title={hint}>
      <FormattedMessage id="record.perHorse" />
      <Hidden>{hint}</Hidden>
    </span>
  )
}

function HitRate({ row, interval }: PartProps) {
  const format = useFormat()
  const rate = numberOrNull(row, 'hit_rate')
  const chance = numberOrNull(row, 'chance_rate')
  return (
    <Figure label="record.hitRate" figure={rate === null ? '–' : format.percent(rate)}>
      {interval ? (
        <>
          <Between interval={interval} show={(value) => format.percent(value)} />
          {' · '}
        </>
      ) : null}
      {chance === null ? null : (
        <FormattedMessage id="workspace.chance" values={{ rate: format.percent(chance) }} />
      )}
    </Figure>
  )
}

function MarketRatio({ row, interval }: PartProps) {
  const format = useFormat()
  const ratio = numberOrNull(row, 'ae_market')
  const show = (value: number): string => format.decimal(value, 2)
  return (
    <Figure label="workspace.ae" figure={ratio === null ? '–' : show(ratio)}>
      {interval ? (
        <>
          <Between interval={interval} show={show} />
          {' · '}
        </>
      ) : null}
      <FormattedMessage
        id="workspace.expectedHits"
        values={{
          hits: format.integer(numberOf(row, 'market_hits')),
          expected: format.decimal(numberOf(row, 'expected_market'), 1),
        }}
      />
    </Figure>
  )
}

function Profit({ row, interval, days }: PartProps) {
  const format = useFormat()
  const { trust, reported } = judge(row)
  const bounds = boundsOf(row, 'profit')
  const staked = numberOf(row, 'staked')
  return (
    <Figure
      label="record.profit"
      figure={
        reported ? (
          format.signedMoney(numberOf(row, 'profit'))
        ) : bounds ? (
          <span className={styles.range}>
            <Between interval={bounds} show={format.signedMoney} />
          </span>
        ) : (
          <FormattedMessage id="record.notAvailable" />
        )
      }
      tone={reported && trust === 'sound' ? figures[toneOf(interval ?? null)] : figures.muted!}
      spark={reported && days ? <Sparkline days={days} /> : null}
    >
      {numberOf(row, 'unknown_hits') > 0 && !reported ? (
        <FormattedMessage id="record.unknownHits" values={{ hits: numberOf(row, 'unknown_hits') }} />
      ) : staked > 0 ? (
        <FormattedMessage id="workspace.staked" values={{ stake: format.money(staked) }} />
      ) : (
        <FormattedMessage id="workspace.noBets" />
      )}
    </Figure>
  )
}

function Return({ row, interval }: PartProps) {
  const format = useFormat()
  const { trust, reported, bets } = judge(row)
  const bounds = boundsOf(row, 'return')
  const value = numberOrNull(row, 'return')
  return (
    <Figure
      label="record.return"
      figure={
        reported && value !== null ? (
          format.signedPercent(value)
        ) : bounds ? (
          <span className={styles.range}>
            <Between interval={bounds} show={format.signedPercent} />
          </span>
        ) : (
          '–'
        )
      }
      tone={reported && trust === 'sound' ? figures[toneOf(interval ?? null)] : figures.muted!}
    >
      {reported && interval ? (
        <>
          <Between interval={interval} show={format.signedPercent} />
          {' · '}
        </>
      ) : null}
      {bets > 0 ? (
        <FormattedMessage id={`record.trust.${trust}`} values={{ bets: format.integer(bets) }} />
      ) : null}
    </Figure>
  )
}

function Runs({ where, quiet }: { where: Filter; quiet: boolean }) {
  const format = useFormat()
  const answer = useAnalytics(orderRequest(where), { priority: 'idle', enabled: !quiet })
  const found = quiet || answer.isPlaceholderData ? undefined : answer.data?.rows[0]
  const run = found ? numberOrNull(found, 'losing_run') : null
  const drawdown = found ? numberOrNull(found, 'drawdown') : null
  return (
    <Figure label="workspace.losingRun" figure={run === null ? '–' : format.integer(run)}>
      {drawdown === null ? null : (
        <FormattedMessage id="workspace.drawdown" values={{ amount: format.money(drawdown) }} />
      )}
    </Figure>
  )
}

/** The slice is announced to screen readers after this time without a change. */
const QUIET_MS = 700

function Announcement({ row, interval, quiet }: Pick<PartProps, 'row' | 'interval'> & { quiet: boolean }) {
  const intl = useIntl()
  const format = useFormat()
  const [said, setSaid] = useState('')
  const rate = numberOrNull(row, 'hit_rate')
  const text = useMemo(
    () =>
      intl.formatMessage(
        { id: interval ? 'workspace.announceInterval' : 'workspace.announce' },
        {
          count: format.integer(numberOf(row, 'predictions')),
          rate: rate === null ? '–' : format.percent(rate),
          low: interval ? format.percent(interval.low, 0) : '',
          high: interval ? format.percent(interval.high, 0) : '',
        },
      ),
    [intl, format, row, rate, interval],
  )
  useEffect(() => {
    if (quiet) return undefined
    const timer = setTimeout(() => setSaid(text), QUIET_MS)
    return () => clearTimeout(timer)
  }, [text, quiet])
  return (
    <Hidden>
      <span aria-live="polite" data-testid="announcement">
        {said}
      </span>
    </Hidden>
  )
}
