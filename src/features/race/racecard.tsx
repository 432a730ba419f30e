import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { cardFigures, isAscending, orderedCard, type CardOrder } from '../../../domain/racecard.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { SelectField } from '../../ui/fields/select.tsx'
import { useWide } from '../../ui/behaviour/use-wide.ts'
import { List, Stack } from '../../ui/layout.tsx'
import { RunnerLine, RunnerRow } from './racecard-runner.tsx'
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

/** The columns by which rows can be ordered, in order: those without any value are left out. */
function columnsOf(runners: readonly Competitor[], final: boolean): readonly CardOrder[] {
  const known = runners.some(({ probability }) => probability !== null)
  const edges = cardFigures(runners).some(({ edge }) => edge !== null)
  return [
    ...(final ? (['finish'] as const) : []),
    'number',
    'draw',
    'weight',
    'rating',
    'odds',
    ...(known ? (['model', 'fair'] as const) : []),
    ...(known && edges ? (['edge'] as const) : []),
  ]
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
  const columns = columnsOf(runners, final)
  const toggle = (horseId: string): void => {
    const next = new Set(shown)
    if (!next.delete(horseId)) next.add(horseId)
    setShown(next)
  }
  const common = { race, final, open, judged, most }
  if (!wide)
    return (
      <Stack tight>
        <SelectField
          label={<FormattedMessage id="race.sortBy" />}
          value={sort.order}
          options={columns.map((order) => ({
            value: order,
            label: intl.formatMessage({ id: `race.card.${order}` }),
          }))}
          onChange={(order) => setSort({ order: order as CardOrder, reversed: false })}
        />
        <List data-testid="racecard">
          {rows.map((row) => (
            <RunnerLine
              key={row.runner.horseId}
              {...common}
              {...row}
              shown={shown.has(row.runner.horseId)}
              onToggle={() => toggle(row.runner.horseId)}
            />
          ))}
        </List>
      </Stack>
    )
  const [first, ...figures] = columns.filter((order) => order !== 'number')
  const before = final ? first! : null
  const after = final ? figures : [first!, ...figures]
  return (
    <table className={styles.table} data-testid="racecard">
      <thead>
        <tr>
          {before === null ? null : <SortHeading order={before} sort={sort} onSort={setSort} />}
          <SortHeading order="number" sort={sort} onSort={setSort} />
          {(['race.horse', 'race.jockey', 'race.trainer'] as const).map((id) => (
            <th key={id} scope="col" className={styles.text}>
              <FormattedMessage id={id} />
            </th>
          ))}
          {after.map((order) => (
            <SortHeading key={order} order={order} sort={sort} onSort={setSort} />
          ))}
        </tr>
      </thead>
      {rows.map((row) => (
        <RunnerRow
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

interface SortHeadingProps {
  order: CardOrder
  sort: Sort
  onSort(sort: Sort): void
}

/** A column's heading, which orders the rows by the column, and the other way if they already are. */
function SortHeading({ order, sort, onSort }: SortHeadingProps) {
  const active = sort.order === order
  const ascending = isAscending(order, sort.reversed)
  const Arrow = ascending ? ArrowUp : ArrowDown
  return (
    <th scope="col" aria-sort={active ? (ascending ? 'ascending' : 'descending') : undefined}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort({ order, reversed: active && !sort.reversed })}
      >
        <FormattedMessage id={`race.card.${order}`} />
        {active ? <Arrow aria-hidden="true" size={14} /> : null}
      </button>
    </th>
  )
}
