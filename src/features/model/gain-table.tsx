import { FormattedMessage } from 'react-intl'
import type { PairedGain } from '../../../domain/paired-gain.ts'
import type { Interval } from '../../../domain/statistics.ts'
import { useFormat } from '../../i18n/format.ts'
import { DataTable } from '../../ui/data-table.tsx'
import styles from './model.module.css'

/** One line of the table: a season's name, or that of all of them. */
interface GainLine {
  key: string
  name: string
  gain: PairedGain
}

interface GainTableProps {
  /** Message id of the table's name. */
  label: string
  lines: readonly GainLine[]
}

/** What one model gains on another, in nats a race and in R², each with its 95% interval below. */
export function GainTable({ label, lines }: GainTableProps) {
  const format = useFormat()
  const figure = (gain: number, { low, high }: Interval) => (
    <>
      {format.signedDecimal(gain, 4)}
      <span className={styles.interval}>
        <FormattedMessage
          id="challenge.interval"
          values={{ low: format.signedDecimal(low, 4), high: format.signedDecimal(high, 4) }}
        />
      </span>
    </>
  )
  return (
    <DataTable
      label={label}
      rows={lines}
      keyOf={({ key }) => key}
      columns={[
        { id: 'challenge.season', render: ({ name }) => name, kind: 'name' },
        { id: 'model.races', render: ({ gain }) => format.integer(gain.races) },
        { id: 'challenge.nats', render: ({ gain }) => figure(gain.nats.gain, gain.nats.interval) },
        { id: 'challenge.r2', render: ({ gain }) => figure(gain.gain, gain.interval) },
      ]}
    />
  )
}
