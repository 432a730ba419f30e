import { FormattedMessage, useIntl } from 'react-intl'
import type { FacetRow } from '../../../contract/queries.ts'
import { ORIGINS, type Origin } from '../../../contract/record-vocabulary.ts'
import { isTuned } from '../../../domain/tuning.ts'
import { useEngineQuery, useOpened } from '../../data/use-engine.ts'
import { useRegion } from '../../data/use-region.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { localName } from '../../i18n/names.ts'
import { AnyOf, OneOf } from '../../ui/choices.tsx'
import { DateField, SelectField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Button } from '../../ui/button.tsx'
import { FIRST_VIEW, PERIODS, tuningDays, type RecordView, type Subject } from './record-view.ts'
import styles from './record.module.css'

const CLASSES = [1, 2, 3, 4, 5, 7, 6, 8, 9] as const
const TYPES = [1, 2, 3, 0] as const

interface RecordFiltersProps {
  view: RecordView
  subject: Subject
  onChange(change: Partial<RecordView>): void
}

export function RecordFilters({ view, subject, onChange }: RecordFiltersProps) {
  const intl = useIntl()
  const format = useFormat()
  const { region } = useRegion()
  const { history, from, to } = useOpened()
  const days = region === null || !isTuned(subject.modelId) ? null : tuningDays(region)
  // Only where there are races of those seasons.
  const tuning = days !== null && from !== null && from <= days.to ? days : null
  const word = (id: string): string => intl.formatMessage({ id })
  return (
    <Panel
      title={<FormattedMessage id="record.filters" />}
      actions={
        <Button onClick={() => onChange({ ...FIRST_VIEW })}>
          <FormattedMessage id="record.clearFilters" />
        </Button>
      }
    >
      <div className={styles.filters}>
        <div className={styles.row}>
          <span className={styles.rowLabel}>{word('record.model')}</span>
          <OneOf
            legend={word('record.model')}
            value={subject.modelId}
            choices={subject.models.map((value) => ({ value, label: word(`source.${value}`) }))}
            onChange={(model) => onChange({ model })}
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
            onChange={(origin) => onChange({ origin: origin as Origin })}
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
              onChange={(value) => onChange({ tuning: value === 'with' })}
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
            onChange={(period) => onChange({ period: period as RecordView['period'] })}
          />
          {view.period === 'own' ? (
            <>
              <DateField
                label={word('record.from')}
                value={view.from}
                min={from ?? undefined}
                max={to ?? undefined}
                onChange={(day) => onChange({ from: day })}
              />
              <DateField
                label={word('record.to')}
                value={view.to}
                min={from ?? undefined}
                max={to ?? undefined}
                onChange={(day) => onChange({ to: day })}
              />
            </>
          ) : null}
        </div>
        <div className={styles.row}>
          <span className={styles.rowLabel}>{word('record.betType')}</span>
          <AnyOf
            legend={word('record.betType')}
            values={view.gameplayClasses.map(String)}
            choices={CLASSES.map((id) => ({ value: String(id), label: word(`gameplay.${id}`) }))}
            onChange={(values) => onChange({ gameplayClasses: values.map(Number).toSorted((a, b) => a - b) })}
          />
        </div>
        <div className={styles.row}>
          <span className={styles.rowLabel}>{word('record.type')}</span>
          <OneOf
            legend={word('record.type')}
            value={String(view.predictionType)}
            choices={TYPES.map((id) => ({ value: String(id), label: word(`predictionType.${id}`) }))}
            onChange={(type) => onChange({ predictionType: Number(type) })}
          />
        </div>
        {history ? <RaceFilters view={view} onChange={onChange} /> : null}
      </div>
    </Panel>
  )
}

function RaceFilters({ view, onChange }: Omit<RecordFiltersProps, 'subject'>) {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  const stadiums = useEngineQuery('stadiums', {}).data?.rows ?? []
  const facets = useEngineQuery('facets', {}).data?.rows ?? []
  const word = (id: string): string => intl.formatMessage({ id })
  const all = { value: '', label: word('record.all') }
  const valuesOf = (facet: FacetRow['facet']): FacetRow[] => facets.filter((row) => row.facet === facet)
  return (
    <div className={styles.selects}>
      <SelectField
        label={word('record.stadium')}
        value={String(view.stadiumKeys[0] ?? '')}
        options={[
          all,
          ...stadiums.map((row) => ({
            value: String(row.stadium_key),
            label: localName(language, row)?.text ?? String(row.stadium_key),
          })),
        ]}
        onChange={(key) => onChange({ stadiumKeys: key ? [Number(key)] : [] })}
      />
      <SelectField
        label={word('record.track')}
        value={view.track}
        options={[all, ...valuesOf('track').map(({ value }) => ({ value, label: word(`track.${value}`) }))]}
        onChange={(track) => onChange({ track })}
      />
      <SelectField
        label={word('record.going')}
        value={view.going}
        options={[all, ...valuesOf('going').map(({ value }) => ({ value, label: word(`going.${value}`) }))]}
        onChange={(going) => onChange({ going })}
      />
      <SelectField
        label={word('record.distance')}
        value={String(view.distanceM ?? '')}
        options={[
          all,
          ...valuesOf('distance')
            .toSorted((a, b) => Number(a.value) - Number(b.value))
            .map(({ value }) => ({
              value,
              label: intl.formatMessage({ id: 'record.metres' }, { metres: format.integer(Number(value)) }),
            })),
        ]}
        onChange={(metres) => onChange({ distanceM: metres ? Number(metres) : null })}
      />
    </div>
  )
}
