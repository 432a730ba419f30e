import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { BreakdownRow, RecordFilter } from '../../../contract/queries.ts'
import { BREAKDOWNS, type Breakdown } from '../../../contract/record-vocabulary.ts'
import { FEW_BETS } from '../../../domain/statistics.ts'
import { useEngineQuery, useOpened } from '../../data/use-engine.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { localName } from '../../i18n/names.ts'
import { Heads } from '../../ui/heads.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Panel, Skeleton } from '../../ui/panel.tsx'
import { judge, played } from './judgement.ts'
import { useSeasonName } from './season-name.ts'
import styles from './record.module.css'

/** What daily totals can tell without the whole history. */
const PUBLIC: readonly Breakdown[] = ['gameplay_class', 'month', 'season', 'prediction_type']
/** Groups in time or by size stay in order; the others begin with the most frequent. */
const ORDERED: readonly Breakdown[] = [
  'gameplay_class',
  'prediction_type',
  'probability',
  'distance',
  'field_size',
]
const NEWEST_FIRST: readonly Breakdown[] = ['month', 'season']

export function BreakdownPanel({ filter }: { filter: RecordFilter }) {
  const intl = useIntl()
  const { history } = useOpened()
  const [by, setBy] = useState<Breakdown>('season')
  const answer = useEngineQuery('record_breakdown', { filter, by })
  const offered = BREAKDOWNS.filter((each) => history || PUBLIC.includes(each))
  return (
    <Panel
      title={<FormattedMessage id="record.breakdown" />}
      actions={
        <SelectField
          label={intl.formatMessage({ id: 'record.breakdownBy' })}
          value={by}
          options={offered.map((value) => ({
            value,
            label: intl.formatMessage({ id: `breakdown.${value}` }),
          }))}
          onChange={(value) => setBy(value as Breakdown)}
        />
      }
    >
      {answer.error ? (
        <ErrorNotice error={answer.error} />
      ) : answer.data ? (
        <div className={answer.isPlaceholderData ? styles.stale : ''}>
          <BreakdownTable
            by={answer.isPlaceholderData ? null : by}
            rows={answer.data.rows}
            modelKey={filter.modelKey}
          />
        </div>
      ) : (
        <Skeleton height={280} />
      )}
    </Panel>
  )
}

interface BreakdownTableProps {
  by: Breakdown | null
  rows: BreakdownRow[]
  modelKey: number
}

function BreakdownTable({ by, rows, modelKey }: BreakdownTableProps) {
  const intl = useIntl()
  const format = useFormat()
  const nameOf = useGroupName(by, modelKey)
  if (rows.length === 0) return <FormattedMessage id="record.empty" tagName="p" />
  return (
    <div
      className={`${styles.scroll} ${styles.tall}`}
      tabIndex={0}
      role="region"
      aria-label={intl.formatMessage({ id: 'record.breakdown' })}
    >
      <table className={styles.table}>
        <Heads
          ids={[
            'record.group',
            'record.predictions',
            'record.hitRate',
            'record.randomRate',
            'record.profit',
            'record.return',
          ]}
        />
        <tbody>
          {(by === null ? rows : ordered(by, rows)).map((row) => {
            const bets = played(row)
            const { trust, told } = judge(row)
            return (
              <tr key={row.group_key}>
                <td>{nameOf(row)}</td>
                <td>{format.integer(row.predictions)}</td>
                <td>{bets === 0 ? '–' : format.percent(row.hits / bets)}</td>
                <td className={styles.muted}>{bets === 0 ? '–' : format.percent(row.random_hits / bets)}</td>
                <td className={trust === 'sound' ? '' : styles.muted}>
                  {told ? format.signedMoney(row.profit_cents) : '–'}
                </td>
                <td className={trust === 'sound' ? '' : styles.muted}>
                  {told ? format.signedPercent(row.profit_cents / row.stake_cents) : '–'}
                </td>
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

function ordered(by: Breakdown, rows: readonly BreakdownRow[]): BreakdownRow[] {
  if (NEWEST_FIRST.includes(by)) return rows.toSorted((a, b) => b.group_key.localeCompare(a.group_key))
  if (ORDERED.includes(by)) return rows.toSorted((a, b) => Number(a.group_key) - Number(b.group_key))
  return rows.toSorted((a, b) => b.predictions - a.predictions)
}

/** How a group is called in the reader's language. */
function useGroupName(by: Breakdown | null, modelKey: number): (row: BreakdownRow) => string {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  const seasonName = useSeasonName(modelKey)
  return (row) => {
    const key = row.group_key
    switch (by) {
      case 'gameplay_class':
        return intl.formatMessage({ id: `gameplay.${key}` })
      case 'prediction_type':
        return intl.formatMessage({ id: `predictionType.${key}` })
      case 'month':
        return format.month(key)
      case 'season':
        return seasonName(Number(key))
      case 'track':
        return intl.formatMessage({ id: `track.${key}` })
      case 'going':
        return intl.formatMessage({ id: `going.${key}` })
      case 'distance':
        return intl.formatMessage({ id: 'record.metres' }, { metres: format.integer(Number(key)) })
      case 'field_size':
        return intl.formatMessage({ id: 'record.runners' }, { count: Number(key) })
      case 'probability':
        return `${format.percent(Number(key) / 20, 0)} – ${format.percent((Number(key) + 1) / 20, 0)}`
      default:
        return localName(language, row)?.text ?? key
    }
  }
}
