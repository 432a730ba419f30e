import { FormattedMessage, useIntl } from 'react-intl'
import type { ExoticRecord } from '../../../contract/api/model.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { useFormat } from '../../i18n/format.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Small } from '../../ui/layout.tsx'
import { Interval } from './card-tables.tsx'
import { WideTable } from './wide-table.tsx'
import styles from './model.module.css'

type ClassRow = ExoticRecord['classes'][number]
type Calibration = ExoticRecord['calibration'][number]

interface ExoticRecordProps {
  /** The model's id. */
  model: string
  record: ExoticRecord
  seasonName(season: number): string
}

/** What a model's combinations were worth by both order rules: over the pooled seasons, by season, and by probability. */
export function ExoticRecordTables({ model, record, seasonName }: ExoticRecordProps) {
  const format = useFormat()
  const intl = useIntl()
  const name = intl.formatMessage({ id: `source.${model}` })
  const all = record.gains.find(({ season }) => season === null)
  return (
    <>
      {all === undefined ? null : (
        <p className={styles.part}>
          <FormattedMessage
            id="model.orderGain"
            values={{
              gain: format.signedDecimal(all.gain, 4),
              low: format.signedDecimal(all.interval.low, 4),
              high: format.signedDecimal(all.interval.high, 4),
              races: format.integer(all.races),
            }}
          />
        </p>
      )}
      <Small text="model.recordLead" />
      <ClassTable model={name} rows={record.classes.filter(({ season }) => season === null)} />
      <details className={styles.fold}>
        <FormattedMessage id="model.bySeason" tagName="summary" />
        <GainTable
          model={name}
          gains={record.gains.filter(({ season }) => season !== null)}
          seasonName={seasonName}
        />
        <ClassTable
          model={name}
          rows={record.classes.filter(({ season }) => season !== null)}
          seasonName={seasonName}
        />
      </details>
      <details className={styles.fold}>
        <FormattedMessage id="model.combinationCalibration" tagName="summary" />
        {[...groupBy(record.calibration, ({ gameplayClass }) => gameplayClass)].map(
          ([gameplayClass, rules]) => (
            <details key={gameplayClass} className={styles.fold}>
              <FormattedMessage id={`gameplay.${gameplayClass}`} tagName="summary" />
              {/* By the rule in use first. */}
              {rules
                .toSorted((a, b) => (a.rule < b.rule ? 1 : -1))
                .map((calibration) => (
                  <BinTable key={calibration.rule} model={name} calibration={calibration} />
                ))}
            </details>
          ),
        )}
      </details>
    </>
  )
}

function ClassTable({
  model,
  rows,
  seasonName,
}: {
  /** The model's name. */
  model: string
  rows: readonly ClassRow[]
  seasonName?: ExoticRecordProps['seasonName']
}) {
  const format = useFormat()
  const decimal = (value: number | undefined): string =>
    value === undefined ? '–' : format.decimal(value, 3)
  const season: Column<ClassRow>[] = seasonName
    ? [{ id: 'challenge.season', render: (row) => seasonName(row.season!), kind: 'name' }]
    : []
  return (
    <WideTable
      label={seasonName ? 'model.classSeasonTable' : 'model.classTable'}
      lead="model.topTen"
      values={{ model }}
      data-testid={seasonName ? 'exotics-by-season' : 'exotics-pooled'}
      rows={rows}
      keyOf={(row) => `${row.gameplayClass} ${row.season}`}
      columns={[
        ...season,
        {
          id: 'model.betType',
          render: ({ gameplayClass }) => <FormattedMessage id={`gameplay.${gameplayClass}`} />,
          kind: 'name',
        },
        { id: 'model.races', render: ({ races }) => format.integer(races) },
        { id: 'model.topTen', render: ({ top10 }) => decimal(top10.now) },
        { id: 'model.expectedTen', render: (row) => decimal(row.top10Expected.now) },
        { id: 'model.topTenBefore', render: ({ top10 }) => decimal(top10.before) },
        { id: 'model.expectedTenBefore', render: (row) => decimal(row.top10Expected.before) },
        { id: 'model.logLoss', render: ({ loss }) => decimal(loss?.now) },
        { id: 'model.logLossBefore', render: ({ loss }) => decimal(loss?.before) },
        { id: 'model.paidRaces', render: ({ pool }) => (pool ? format.integer(pool.races) : '–') },
        { id: 'model.paidLoss', render: ({ pool }) => decimal(pool?.loss.now) },
        { id: 'model.poolLoss', render: ({ pool }) => decimal(pool?.poolLoss) },
      ]}
    />
  )
}

/** What the order rule gained on stage exponents, by season. */
function GainTable({
  model,
  gains,
  seasonName,
}: Pick<ExoticRecordProps, 'model' | 'seasonName'> & { gains: ExoticRecord['gains'] }) {
  const format = useFormat()
  return (
    <DataTable
      label="model.gainTable"
      values={{ model }}
      rows={gains}
      keyOf={({ season }) => String(season)}
      columns={[
        { id: 'challenge.season', render: ({ season }) => seasonName(season!), kind: 'name' },
        { id: 'model.races', render: ({ races }) => format.integer(races) },
        {
          id: 'model.orderGains',
          render: ({ gain, interval }) => (
            <>
              {format.signedDecimal(gain, 4)}
              <Interval of={interval} text={(bound) => format.signedDecimal(bound, 4)} />
            </>
          ),
        },
      ]}
    />
  )
}

function BinTable({
  model,
  calibration: { gameplayClass, rule, bins },
}: {
  model: string
  calibration: Calibration
}) {
  const format = useFormat()
  const intl = useIntl()
  const percent = (value: number): string => format.percent(value, 2)
  return (
    <DataTable
      label="model.binTable"
      values={{
        model,
        betType: intl.formatMessage({ id: `gameplay.${gameplayClass}` }),
        rule: intl.formatMessage({ id: `model.rule.${rule}` }),
      }}
      rows={bins}
      keyOf={({ from }) => from}
      columns={[
        {
          id: `model.rule.${rule}`,
          render: ({ from, to }) => (
            <span className={styles.range}>
              {percent(from)}–{percent(to)}
            </span>
          ),
          kind: 'name',
        },
        { id: 'model.combinations', render: ({ combinations }) => format.integer(combinations) },
        { id: 'model.mean', render: ({ mean }) => percent(mean) },
        {
          id: 'model.won',
          render: ({ observed, interval }) => (
            <>
              {percent(observed)}
              <Interval of={interval} text={percent} />
            </>
          ),
        },
      ]}
    />
  )
}
