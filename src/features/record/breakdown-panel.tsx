import { FormattedMessage, useIntl } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import { offeredDimensions } from '../../../analytics/offered.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { FEW_BETS } from '../../../domain/statistics.ts'
import { numberOf, numberOrNull } from '../../data/analytics/cells.ts'
import type { AnswerRow } from '../../data/analytics/decode.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { Heads } from '../../ui/heads.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { useDimensionText } from './dimension-text.ts'
import { FigureCell } from './figure-cell.tsx'
import { breakdownRequest } from './record-requests.ts'
import { judge } from './totals.ts'
import styles from './record.module.css'

interface BreakdownPanelProps {
  where: Filter
  model: ModelId
  by: string
  onBy(by: string): void
}

/** How the groups of one dimension compare. */
export function BreakdownPanel({ where, model, by, onBy }: BreakdownPanelProps) {
  const intl = useIntl()
  const { history } = useScope()
  const offered = offeredDimensions(PREDICTIONS, where, history).filter((dim) => dim !== 'day')
  const shown = offered.includes(by) ? by : 'season'
  const answer = useAnalytics(breakdownRequest(where, shown, history))
  // The answer before may be of another dimension.
  const rows = answer.data?.columns.some(({ name }) => name === shown) ? answer.data.rows : []
  return (
    <Panel
      title={<FormattedMessage id="record.breakdown" />}
      actions={
        <SelectField
          label={intl.formatMessage({ id: 'record.breakdownBy' })}
          value={shown}
          options={offered.map((value) => ({
            value,
            label: intl.formatMessage({ id: `dimension.${value}` }),
          }))}
          onChange={onBy}
        />
      }
    >
      {answer.error ? (
        <ErrorNotice error={answer.error} />
      ) : answer.data ? (
        <div className={answer.isPlaceholderData ? styles.stale : ''} aria-busy={answer.isPlaceholderData}>
          {answer.data.fanOut ? (
            <p className={styles.small}>
              <FormattedMessage id="record.fanOut" />
            </p>
          ) : null}
          <BreakdownTable by={shown} rows={rows} model={model} />
        </div>
      ) : (
        <Skeleton height={280} />
      )}
    </Panel>
  )
}

const HEADINGS = [
  'record.group',
  'record.predictions',
  'record.hitRate',
  'record.randomRate',
  'record.profit',
  'record.return',
]

function BreakdownTable({ by, rows, model }: { by: string; rows: AnswerRow[]; model: ModelId }) {
  const intl = useIntl()
  const format = useFormat()
  const textOf = useDimensionText(model)
  if (rows.length === 0) return <FormattedMessage id="record.empty" tagName="p" />
  return (
    <div
      className={`${styles.scroll} ${styles.tall}`}
      tabIndex={0}
      role="region"
      aria-label={intl.formatMessage({ id: 'record.breakdown' })}
    >
      <table className={styles.table} data-testid="breakdown" data-by={by}>
        <Heads ids={HEADINGS} />
        <tbody>
          {rows.map((row) => {
            const { trust, told } = judge(row)
            const muted = trust === 'sound' ? '' : styles.muted
            const chance = numberOrNull(row, 'chance_rate')
            return (
              <tr key={String(row[by])}>
                <td>{textOf(by, row)}</td>
                <td>{format.integer(numberOf(row, 'predictions'))}</td>
                <FigureCell row={row} measure="hit_rate" show={(share) => format.percent(share)} />
                <td className={styles.muted}>{chance === null ? '–' : format.percent(chance)}</td>
                <td className={muted}>{told ? format.signedMoney(numberOf(row, 'profit')) : '–'}</td>
                {told ? (
                  <FigureCell
                    row={row}
                    measure="return"
                    show={format.signedPercent}
                    muted={trust !== 'sound'}
                  />
                ) : (
                  <td className={muted}>{'–'}</td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className={styles.small}>
        <FormattedMessage id="record.greyed" values={{ bets: FEW_BETS }} />
      </p>
    </div>
  )
}
