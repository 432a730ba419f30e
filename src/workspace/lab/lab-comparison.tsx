import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import type { LabComparison, LabFigures, LabPlan, LabResult } from '../../../analytics/lab-api.ts'
import type { Interval } from '../../../domain/statistics.ts'
import type { LabConnection } from '../../data/analytics/lab.ts'
import { keyOf } from '../../data/client/call.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { ColumnHeadings } from '../../ui/layout.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { Figure } from '../parts/figure-cell.tsx'
import { FailedAnswer } from '../parts/failed-answer.tsx'
import { HeadedPanel } from '../parts/headed-panel.tsx'
import { Note } from '../parts/note.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import { rangeText } from '../words/range-text.ts'
import { planText, type ComparedPlan } from './lab-settings.ts'
import { useOwnMix } from './use-lab.ts'
import { usePlanWords } from './use-plan-words.ts'
import panelStyles from '../parts/panel.module.css'
import tables from '../parts/table.module.css'

/** Another plan over the bets of a lab, beside that of its last run; nothing where there is no other plan. */
export function useComparison(lab: LabConnection, result: LabResult, against: ComparedPlan | null) {
  const own = useOwnMix(against?.own ?? null)
  const text = against === null ? null : planText(against)
  const plan = (): LabPlan => {
    const { rules, plan, box } = against!
    return { rules, plan, own, box: lab.universe === 'boxes' ? box : null }
  }
  const found = useQuery({
    queryKey: keyOf('lab-comparison', lab.number, result.number, text),
    // With the run's own figures, so that the columns are of one moment while a newer run is compared.
    queryFn: async () => ({ own: result, ...(await lab.compare(plan())) }),
    enabled: against !== null,
    placeholderData: keepPreviousData,
    // The worker has only the latest run, so older ones are not cached.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const comparison = against === null ? null : (found.data ?? null)
  return { comparison, error: against === null ? null : found.error, isBusy: found.isFetching }
}

interface ComparisonPanelProps {
  /** Whether the plans are of boxes. */
  isBox: boolean
  plan: ComparedPlan
  against: ComparedPlan
  found: ReturnType<typeof useComparison>
  onSwap(): void
  onEnd(): void
}

/** Two plans over the same races: their figures, and by how much the profit and the return of one are higher. */
export function ComparisonPanel({ isBox, plan, against, found, onSwap, onEnd }: ComparisonPanelProps) {
  const word = useWord()
  const words = usePlanWords()
  const { comparison, error, isBusy } = found
  return (
    <HeadedPanel
      heading="lab.compare"
      data-testid="lab-compare"
      aria-busy={isBusy}
      beside={
        <div className={panelStyles.tools}>
          <Button onClick={onSwap} text="lab.compare.swap" />
          <Button onClick={onEnd} text="lab.compare.end" />
        </div>
      }
    >
      {error ? <FailedAnswer error={error} /> : null}
      {comparison === null ? (
        error ? null : (
          <Skeleton height={240} />
        )
      ) : (
        <Scrolled label={word('lab.compare')}>
          <Figures comparison={comparison} />
        </Scrolled>
      )}
      <Note text="lab.compare.own" values={{ plan: words(plan, isBox) }} />
      <Note text="lab.compare.with" values={{ plan: words(against, isBox) }} />
      {planText(plan) === planText(against) ? (
        <Note text="lab.compare.same" />
      ) : comparison === null ? null : (
        <Note
          text={isBox ? 'lab.compare.commonRaces' : 'lab.compare.common'}
          values={{ bets: comparison.common }}
        />
      )}
    </HeadedPanel>
  )
}

function Figures({ comparison }: { comparison: LabComparison & { own: LabFigures } }) {
  const word = useWord()
  const format = useFormat()
  const { own, other, difference } = comparison
  const range = (interval: Interval | null | undefined, show: (value: number) => string): string =>
    interval ? rangeText(word, interval, show) : '–'
  const profit = ({ certain, profit: single, bounds }: LabFigures): string =>
    certain ? format.signedMoney(single) : range(bounds?.profit, format.signedMoney)
  const returned = ({ certain, returned: single, bounds }: LabFigures): ReactNode =>
    certain ? (
      <Figure value={single?.ratio ?? null} interval={single?.interval ?? null} show={format.signedPercent} />
    ) : (
      range(bounds?.returned, format.signedPercent)
    )
  const drawdown = ({ certain, drawdown: { depth }, bounds }: LabFigures): string =>
    certain ? format.money(depth) : range(bounds?.drawdown, format.money)
  const losingRun = ({ certain, losingRun: single, bounds }: LabFigures): string =>
    certain ? format.integer(single) : range(bounds?.losingRun, format.integer)
  const points = difference.returned
  const rows: [id: string, of: (plan: LabFigures) => ReactNode, difference: ReactNode][] = [
    ['lab.figure.bets', ({ bets }) => format.integer(bets), null],
    ['record.hits', ({ hits }) => format.integer(hits), null],
    ['lab.figure.stakedShort', ({ staked }) => format.money(staked), null],
    ['record.profit', profit, range(difference.profit, format.signedMoney)],
    [
      'record.return',
      returned,
      points !== null && points.value.low === points.value.high ? (
        <Figure
          key="return"
          value={points.value.low}
          interval={points.interval}
          show={format.signedPercent}
        />
      ) : (
        range(points?.value, format.signedPercent)
      ),
    ],
    ['lab.figure.drawdown', drawdown, null],
    ['lab.figure.losingRun', losingRun, null],
  ]
  return (
    <table className={tables.table}>
      <ColumnHeadings
        ids={['lab.compare.figure', 'lab.compare.this', 'lab.compare.other', 'lab.compare.difference']}
      />
      <tbody>
        {rows.map(([id, of, by]) => (
          <tr key={id} data-key={id}>
            <th scope="row">
              <FormattedMessage id={id} />
            </th>
            <td>{of(own)}</td>
            <td>{of(other)}</td>
            <td>{by}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
