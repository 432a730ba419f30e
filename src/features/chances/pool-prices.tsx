import { useId, useMemo, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { GAMEPLAYS, type GameplayClass } from '../../../domain/gameplay.ts'
import { combinationProbabilities } from '../../../domain/harville.ts'
import { useFormat } from '../../i18n/format.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { Horse } from './horses.ts'
import type { StoredChances } from './stored-chances.ts'
import styles from './chances.module.css'

/** How many combinations are shown, the most probable ones. */
const MAX_SHOWN = 10

interface PoolPricesProps {
  horses: readonly Horse[]
  /** The user's win probabilities, in the order of the horses. */
  own: readonly number[]
  exponents: StoredChances['exponents']
  /** How many horses count as placed. */
  places: number
}

/** The probabilities and fair odds that the win probabilities imply for a bet type. */
export function PoolPrices({ horses, own, exponents, places }: PoolPricesProps) {
  const intl = useIntl()
  const format = useFormat()
  const id = useId()
  const [betType, setBetType] = useState<GameplayClass>(1)
  const combinations = useMemo(() => {
    const { [betType]: table } = combinationProbabilities(own, exponents, places)
    return table
      .all()
      .toSorted((a, b) => b.probability - a.probability)
      .slice(0, MAX_SHOWN)
      .map(({ horses: indexes, probability }) => ({
        numbers: indexes.map((index) => horses[index]!.number).join('-'),
        probability,
      }))
  }, [horses, own, exponents, places, betType])
  return (
    <div>
      <div className={styles.pool}>
        <label htmlFor={id}>
          <FormattedMessage id="record.betType" />
        </label>
        <select
          id={id}
          value={betType}
          onChange={(event) =>
            setBetType(GAMEPLAYS.find(({ class: each }) => each === Number(event.target.value))?.class ?? 1)
          }
        >
          {GAMEPLAYS.map(({ class: each }) => (
            <option key={each} value={each}>
              {intl.formatMessage({ id: `gameplay.${each}` })}
            </option>
          ))}
        </select>
      </div>
      <DataTable
        data-testid="own-pool"
        data-type={betType}
        rows={combinations}
        keyOf={({ numbers }) => numbers}
        columns={[
          { id: 'record.prediction', render: ({ numbers }) => numbers, kind: 'name' },
          { id: 'record.probability', render: ({ probability }) => format.percent(probability, 2) },
          { id: 'report.fairOdds', render: ({ probability }) => format.odds(1 / probability) },
        ]}
      />
      {combinations.length === 0 ? <FormattedMessage id="chances.noPool" tagName="p" /> : null}
    </div>
  )
}
