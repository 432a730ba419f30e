import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { cardFigures, isAscending, orderedCard, type CardOrder } from '../../../domain/racecard.ts'
import type { Competitor, RaceInfo } from '../../data/calls/racing-calls.ts'
import { SelectField } from '../../ui/fields/field.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import layout from '../../ui/layout.module.css'
import { CardLine } from './card-line.tsx'
import { CardRow } from './card-row.tsx'
import styles from './racecard.module.css'

/** Minimum width of the table with all columns, in pixels. */
const TABLE = 900

interface RacecardProps {
  race: RaceInfo
  runners: readonly Competitor[]
  /** Whether the user has access to the predictions of the race. */
  open: boolean
  /** Whether to compare the model's prediction for each horse with the result (when coming from results). */
  judged: boolean
}

interface Sort {
  order: CardOrder
  reversed: boolean
}

/**
 * The runners of a race: a table on wide screens, two lines per horse on phones; each expands to
 * its last runs and reasons.
 */
export function Racecard({ race, runners, open, judged }: RacecardProps) {
  const intl = useIntl()
  const wide = useWide(TABLE)
  // After an official result, runners are in finishing order.
  const final = race.status === 'final'
  const [sort, setSort] = useState<Sort>({ order: final ? 'finish' : 'number', reversed: false })
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const rows = orderedCard(runners, sort.order, sort.reversed)
  const most = Math.max(...runners.map(({ probability }) => probability ?? 0), 0.0001)
  const known = runners.some(({ probability }) => probability !== null)
  const edges = cardFigures(runners).some(({ edge }) => edge !== null)
  const columns: readonly CardOrder[] = [
    ...(final ? (['finish'] as const) : []),
    'number',
    'draw',
    'weight',
    'rating',
    'odds',
    ...(known ? (['model', 'fair'] as const) : []),
    ...(known && edges ? (['edge'] as const) : []),
  ]
  const toggle = (horseId: string): void => {
    const next = new Set(shown)
    if (!next.delete(horseId)) next.add(horseId)
    setShown(next)
  }
  const label = (order: CardOrder): string => intl.formatMessage({ id: `race.card.${order}` })
  const common = { race, final, open, judged, most }
  if (!wide)
    return (
      <div className={layout.tight}>
        <SelectField
          label={<FormattedMessage id="race.sortBy" />}
          value={sort.order}
          options={columns.map((order) => ({ value: order, label: label(order) }))}
          onChange={(order) => setSort({ order: order as CardOrder, reversed: false })}
        />
        <ul className={layout.list} data-testid="racecard">
          {rows.map((row) => (
            <CardLine
              key={row.runner.horseId}
              {...common}
              {...row}
              shown={shown.has(row.runner.horseId)}
              onToggle={() => toggle(row.runner.horseId)}
            />
          ))}
        </ul>
      </div>
    )
  const head = (order: CardOrder) => {
    const active = sort.order === order
    const ascending = isAscending(order, sort.reversed)
    const Arrow = ascending ? ArrowUp : ArrowDown
    return (
      <th key={order} scope="col" aria-sort={active ? (ascending ? 'ascending' : 'descending') : undefined}>
        <button
          type="button"
          className={styles.sort}
          onClick={() => setSort({ order, reversed: active && !sort.reversed })}
        >
          {label(order)}
          {active ? <Arrow aria-hidden="true" size={14} /> : null}
        </button>
      </th>
    )
  }
  const [first, ...figures] = columns.filter((order) => order !== 'number')
  const before = final ? first! : null
  const after = final ? figures : [first!, ...figures]
  return (
    <table className={styles.table} data-testid="racecard">
      <thead>
        <tr>
          {before === null ? null : head(before)}
          {head('number')}
          {(['race.horse', 'race.jockey', 'race.trainer'] as const).map((id) => (
            <th key={id} scope="col" className={styles.text}>
              <FormattedMessage id={id} />
            </th>
          ))}
          {after.map(head)}
        </tr>
      </thead>
      {rows.map((row) => (
        <CardRow
          key={row.runner.horseId}
          {...common}
          {...row}
          columns={after}
          width={columns.length + 3}
          shown={shown.has(row.runner.horseId)}
          onToggle={() => toggle(row.runner.horseId)}
        />
      ))}
    </table>
  )
}
