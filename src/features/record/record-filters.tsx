import { FormattedMessage, useIntl } from 'react-intl'
import { pickedValues, toggled, withValues } from '../../../analytics/clauses.ts'
import type { Filter } from '../../../analytics/filter.ts'
import { ORIGINS } from '../../../contract/record-vocabulary.ts'
import { isTuned } from '../../../domain/tuning.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { AnyOf, OneOf } from '../../ui/choices.tsx'
import { DateField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Button } from '../../ui/button.tsx'
import { FacetFilters } from './facet-filters.tsx'
import {
  FIRST_VIEW,
  PERIODS,
  tuningDays,
  type ChangeView,
  type RecordView,
  type Subject,
} from './record-view.ts'
import styles from './record.module.css'

const CLASSES = [1, 2, 3, 4, 5, 7, 6, 8, 9] as const
const TYPES = [1, 2, 3, 0] as const

interface RecordFiltersProps {
  view: RecordView
  subject: Subject
  /** What is asked for the view. */
  where: Filter
  onChange: ChangeView
}

export function RecordFilters({ view, subject, where, onChange }: RecordFiltersProps) {
  const intl = useIntl()
  const format = useFormat()
  const { region } = useRegion()
  const { from, to } = useScope()
  const set = (part: Partial<RecordView>): void => onChange((newest) => ({ ...newest, ...part }))
  const pick = (next: (filter: Filter | null) => Filter | null): void =>
    onChange((newest) => ({ ...newest, filter: next(newest.filter) }))
  const days = region === null || !isTuned(subject.model) ? null : tuningDays(region)
  // Only where there are races of those seasons.
  const tuning = days !== null && from !== null && from <= days.to ? days : null
  const word = (id: string): string => intl.formatMessage({ id })
  return (
    <Panel
      title={<FormattedMessage id="record.filters" />}
      actions={
        <Button onClick={() => onChange(() => FIRST_VIEW)}>
          <FormattedMessage id="record.clearFilters" />
        </Button>
      }
    >
      <div className={styles.filters}>
        <div className={styles.row}>
          <span className={styles.rowLabel}>{word('record.model')}</span>
          <OneOf
            legend={word('record.model')}
            value={subject.model}
            choices={subject.models.map((value) => ({ value, label: word(`source.${value}`) }))}
            onChange={(model) => set({ model: subject.models.find((id) => id === model) ?? '' })}
          />
        </div>
        <div className={styles.row}>
          <span className={styles.rowLabel}>{word('origin.legend')}</span>
          <OneOf
            legend={word('origin.legend')}
            value={subject.origin}
            choices={ORIGINS.filter((each) => each !== 'changed' || subject.origins.includes(each)).map(
              (value) => ({ value, label: word(`origin.${value}`) }),
            )}
            onChange={(origin) => set({ origin: ORIGINS.find((each) => each === origin) ?? '' })}
          />
        </div>
        {tuning === null ? null : (
          <div className={styles.row}>
            <span className={styles.rowLabel}>{word('record.tuning')}</span>
            <OneOf
              legend={word('record.tuning')}
              value={view.tuning ? 'with' : 'without'}
              choices={(['without', 'with'] as const).map((value) => ({
                value,
                label: word(`record.tuning.${value}`),
              }))}
              onChange={(value) => set({ tuning: value === 'with' })}
            />
            <span className={styles.small}>
              <FormattedMessage
                id="record.tuningTold"
                values={{ from: format.day(tuning.from), to: format.day(tuning.to) }}
              />
            </span>
          </div>
        )}
        <div className={styles.row}>
          <span className={styles.rowLabel}>{word('record.period')}</span>
          <OneOf
            legend={word('record.period')}
            value={view.period}
            choices={PERIODS.map((value) => ({ value, label: word(`record.period.${value}`) }))}
            onChange={(period) => set({ period: PERIODS.find((each) => each === period) ?? 'all' })}
          />
          {view.period === 'own' ? (
            <>
              <DateField
                label={word('record.from')}
                value={view.from}
                min={from ?? undefined}
                max={to ?? undefined}
                onChange={(day) => set({ from: day })}
              />
              <DateField
                label={word('record.to')}
                value={view.to}
                min={from ?? undefined}
                max={to ?? undefined}
                onChange={(day) => set({ to: day })}
              />
            </>
          ) : null}
        </div>
        <div className={styles.row}>
          <span className={styles.rowLabel}>{word('record.betType')}</span>
          <AnyOf
            legend={word('record.betType')}
            values={pickedValues(view.filter, 'bet_type').map(String)}
            choices={CLASSES.map((id) => ({ value: String(id), label: word(`gameplay.${id}`) }))}
            onToggle={(id) => pick((filter) => toggled(filter, 'bet_type', Number(id)))}
          />
        </div>
        <div className={styles.row}>
          <span className={styles.rowLabel}>{word('record.type')}</span>
          <OneOf
            legend={word('record.type')}
            value={String(pickedValues(view.filter, 'prediction_type')[0] ?? 0)}
            choices={TYPES.map((id) => ({ value: String(id), label: word(`predictionType.${id}`) }))}
            onChange={(type) =>
              pick((filter) => withValues(filter, 'prediction_type', type === '0' ? [] : [Number(type)]))
            }
          />
        </div>
        <FacetFilters filter={view.filter} where={where} model={subject.model} onPick={pick} />
      </div>
    </Panel>
  )
}
