import type { ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import type { LabBoxes, LabFan, LabResult } from '../../../analytics/lab-api.ts'
import type { StakePlan } from '../../../domain/staking.ts'
import { FEW_BETS, type Interval } from '../../../domain/statistics.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Between } from '../parts/between.tsx'
import { Note } from '../parts/note.tsx'
import { rangeText } from '../words/range-text.ts'
import { toneOf } from '../../../analytics/view/totals.ts'
import figures from '../parts/figures.module.css'
import styles from './lab.module.css'

const DAY_MS = 86_400_000

interface ResultFiguresProps {
  result: LabResult
  /** `null` until it is simulated. */
  fan: LabFan | null
  plan: StakePlan
  onMonth(month: string): void
}

/** The figures of a result, its risks where a bankroll can be lost, and which chosen bets were not placed. */
export function ResultFigures({ result, fan, plan, onMonth }: ResultFiguresProps) {
  const format = useFormat()
  return (
    <>
      <dl className={`${figures.strip} ${styles.figures}`} data-testid="lab-figures">
        <Figure label="lab.figure.bets" value={format.integer(result.bets)}>
          <FormattedMessage
            id="lab.figure.betsHint"
            values={{ races: format.integer(result.races), hits: format.integer(result.hits) }}
          />
        </Figure>
        <Returns result={result} />
        <Losses result={result} onMonth={onMonth} />
        {result.boxes === null ? null : <Winners of={result.boxes} />}
        {plan.bankroll === null ? null : <Risks chances={fan?.chances ?? null} />}
      </dl>
      {result.boxes === null || result.boxes.without === 0 ? null : (
        <Note text="lab.box.without" values={{ races: result.boxes.without }} />
      )}
      <WithoutLargest of={result.withoutLargest} />
      <Unstaked result={result} plan={plan} />
    </>
  )
}

/** What is left without the largest wins: how much of the result hangs on a few long shots. */
function WithoutLargest({ of }: { of: LabResult['withoutLargest'] }) {
  const format = useFormat()
  if (of === null) return null
  const { wins, profit, staked } = of
  return (
    <p className={styles.note} data-testid="lab-without-largest">
      <FormattedMessage
        id="lab.withoutLargest"
        values={{
          wins,
          profit: format.signedMoney(profit),
          returned: format.signedPercent(profit / staked),
        }}
      />
    </p>
  )
}

interface FigureProps {
  label: string
  value: ReactNode
  tone?: 'gain' | 'loss' | 'plain' | 'muted'
  children: ReactNode
}

const Figure = ({ label, value, tone = 'plain', children }: FigureProps) => (
  <div className={figures.cell} data-figure={label}>
    <FormattedMessage id={label} tagName="dt" />
    <dd className={`${figures.value} ${figures[tone]}`}>{value}</dd>
    <dd className={`${figures.small} ${styles.small}`}>{children}</dd>
  </div>
)

/** A figure where only its bounds are known; one number where they are the same. */
const Range = ({ interval: { low, high }, show }: { interval: Interval; show(value: number): string }) =>
  low === high ? (
    show(low)
  ) : (
    <span className={styles.range}>
      <Between interval={{ low, high }} show={show} />
    </span>
  )

/** Profit and return of all bets; only their bounds where too many winners have no dividend. */
function Returns({ result }: { result: LabResult }) {
  const format = useFormat()
  const { returned, certain, bounds } = result
  const interval = certain ? (returned?.interval ?? null) : null
  const tone = result.bets < FEW_BETS || !certain ? 'muted' : toneOf(interval)
  const staked = <FormattedMessage id="lab.figure.staked" values={{ staked: format.money(result.staked) }} />
  const unknown = <FormattedMessage id="record.unknownHits" values={{ hits: result.unknownHits }} />
  if (!certain && bounds !== null)
    return (
      <>
        <Figure
          label="lab.figure.profit"
          value={<Range interval={bounds.profit} show={format.signedMoney} />}
          tone={tone}
        >
          {unknown}
        </Figure>
        <Figure
          label="record.return"
          value={
            bounds.returned === null ? '–' : <Range interval={bounds.returned} show={format.signedPercent} />
          }
          tone={tone}
        >
          {unknown}
        </Figure>
      </>
    )
  return (
    <>
      <Figure label="lab.figure.profit" value={format.signedMoney(result.profit)} tone={tone}>
        {bounds === null ? (
          staked
        ) : (
          <FormattedMessage
            id="lab.figure.unknownDividends"
            values={{
              low: format.signedMoney(bounds.profit.low),
              high: format.signedMoney(bounds.profit.high),
            }}
          />
        )}
      </Figure>
      <Figure
        label="record.return"
        value={returned === null ? '–' : format.signedPercent(returned.ratio)}
        tone={tone}
      >
        {interval ? (
          <FormattedMessage
            id="record.interval"
            values={{ low: format.signedPercent(interval.low), high: format.signedPercent(interval.high) }}
          />
        ) : (
          '–'
        )}
      </Figure>
    </>
  )
}

/** The deepest drawdown, the longest losing run and the worst month; bounds where the profit has only bounds. */
function Losses({ result, onMonth }: Pick<ResultFiguresProps, 'result' | 'onMonth'>) {
  const format = useFormat()
  const word = useWord()
  const { drawdown } = result
  const bounds = result.certain ? null : result.bounds
  const worst = bounds === null ? result.worstMonth : bounds.worstMonth
  const profitText = (profit: number | Interval): string =>
    typeof profit === 'number' ? format.signedMoney(profit) : rangeText(word, profit, format.signedMoney)
  return (
    <>
      <Figure
        label="lab.figure.drawdown"
        value={
          bounds === null ? (
            format.money(drawdown.depth)
          ) : (
            <Range interval={bounds.drawdown} show={format.money} />
          )
        }
      >
        {bounds !== null ? (
          <FormattedMessage id="record.unknownHits" values={{ hits: result.unknownHits }} />
        ) : drawdown.from === null || drawdown.lowest === null ? (
          '–'
        ) : (
          <FormattedMessage
            id="lab.figure.drawdownHint"
            values={{
              days: Math.round((Date.parse(drawdown.lowest) - Date.parse(drawdown.from)) / DAY_MS),
              now: format.money(drawdown.now),
            }}
          />
        )}
      </Figure>
      <Figure
        label="lab.figure.losingRun"
        value={
          bounds === null ? (
            format.integer(result.losingRun)
          ) : (
            <Range interval={bounds.losingRun} show={format.integer} />
          )
        }
      >
        {worst === null ? (
          '–'
        ) : (
          <button type="button" className={styles.link} onClick={() => onMonth(worst.month)}>
            <FormattedMessage
              id="lab.figure.worstMonth"
              values={{ month: format.month(worst.month), profit: profitText(worst.profit) }}
            />
          </button>
        )}
      </Figure>
    </>
  )
}

/** How many combinations of the boxes won, against how many were expected to. */
function Winners({ of: { combinations, winners, expected } }: { of: LabBoxes }) {
  const format = useFormat()
  return (
    <Figure label="lab.figure.winners" value={format.integer(winners)}>
      <FormattedMessage
        id="lab.figure.winnersHint"
        values={{
          combinations: format.integer(combinations),
          expected: format.decimal(expected, 1),
          ratio: expected > 0 ? format.decimal(winners / expected, 2) : '–',
        }}
      />
    </Figure>
  )
}

/** How likely the bankroll is lost, by the simulated courses. */
function Risks({ chances }: { chances: LabFan['chances'] }) {
  const format = useFormat()
  const word = useWord()
  const text = (range: Interval): string => rangeText(word, range, format.percent)
  const [half, most, nearly] = chances?.falls.map(text) ?? []
  return (
    <>
      <Figure label="lab.figure.fall" value={half ?? '…'}>
        {most === undefined || nearly === undefined ? (
          '–'
        ) : (
          <FormattedMessage id="lab.figure.fallHint" values={{ most, nearly }} />
        )}
      </Figure>
      <Figure label="lab.figure.ruin" value={chances === null ? '…' : text(chances.stopped)}>
        {chances === null ? (
          '–'
        ) : (
          <FormattedMessage id="lab.figure.doubled" values={{ share: text(chances.doubled) }} />
        )}
      </Figure>
    </>
  )
}

/** Which chosen bets got no stake, and when and why betting stopped. */
function Unstaked({ result, plan }: { result: LabResult; plan: StakePlan }) {
  const format = useFormat()
  const word = useWord()
  const { stopped, certain } = result
  const { unwanted, rounded } = result.unstaked
  const money = format.money(plan.unit)
  const unit = result.boxes === null ? money : word('lab.box.unit', { unit: money })
  const atWorst = certain ? null : (
    <>
      <FormattedMessage id="lab.atWorst" />{' '}
    </>
  )
  return (
    <>
      {stopped === null ? null : (
        <p
          {...(stopped.final ? { role: 'alert', className: styles.ruined } : { className: styles.note })}
          data-testid="lab-stopped"
        >
          {atWorst}
          {stopped.day === null ? (
            <FormattedMessage id="lab.neverStaked" />
          ) : (
            <FormattedMessage
              id="lab.lastStake"
              values={{ day: format.longDay(stopped.day), later: stopped.later, unit }}
            />
          )}{' '}
          {stopped.left === null ? null : (
            <FormattedMessage
              id={stopped.final ? 'lab.leftNothing' : 'lab.left'}
              values={{ left: format.money(stopped.left), unit }}
            />
          )}
        </p>
      )}
      {unwanted + rounded === 0 ? null : (
        <p className={styles.note} data-testid="lab-unstaked">
          {atWorst}
          {rounded === 0 ? null : <FormattedMessage id="lab.rounded" values={{ bets: rounded, unit }} />}{' '}
          {unwanted === 0 ? null : result.column === null ? (
            <FormattedMessage id="lab.unwanted" values={{ bets: unwanted }} />
          ) : (
            <FormattedMessage id="lab.column.unstaked" values={result.column} />
          )}
        </p>
      )}
    </>
  )
}
