import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import type { LabGroup } from '../../../analytics/lab-api.ts'
import type { Model } from '../../../analytics/model.ts'
import { MODELS } from '../../../analytics/models.ts'
import { offeredDimensions } from '../../../analytics/offered.ts'
import { FEW_BETS, type Interval } from '../../../domain/statistics.ts'
import type { LabConnection } from '../../data/analytics/lab.ts'
import { keyOf } from '../../data/client/call.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Hidden, Skeleton } from '../../ui/panel.tsx'
import { Whisker } from '../../ui/whisker.tsx'
import { HeadedPanel } from '../parts/headed-panel.tsx'
import { Note } from '../parts/note.tsx'
import { Scrolled } from '../parts/scrolled.tsx'
import { SortHeading } from '../../ui/sort-heading.tsx'
import { compareGroups } from '../query/panel-data.ts'
import { dimensionOf } from '../../../analytics/view/dimension-of.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import { intervalText, rangeText } from '../words/range-text.ts'
import { toneOf } from '../../../analytics/view/totals.ts'
import { ChoiceRow } from './range-row.tsx'
import { FIRST_SETTINGS } from './lab-settings.ts'
import panelStyles from '../parts/panel.module.css'
import tables from '../parts/table.module.css'
import texts from '../../ui/text.module.css'

interface LabBreakdownProps {
  lab: LabConnection
  /** Number of the run that made the bets. */
  run: number
  /** Whose tuning seasons are marked. */
  model: string
  where: Filter
  by: string
  onBy(by: string): void
}

/**
 * Not offered: types of predictions overlap, and an outcome has its return by definition. Nor can a bet be placed by how its race
 * was run.
 */
const NOT_OFFERED = new Set(['prediction_type', 'outcome'])

/** Groups that are listed before a button shows all. */
const FIRST_GROUPS = 40

/** The figures that groups are sorted by, with the message ids of their headings. */
const SORTS = {
  bets: 'lab.figure.bets',
  hitRate: 'record.hitRate',
  returned: 'record.return',
  profit: 'record.profit',
  staked: 'lab.figure.stakedShort',
} as const
type SortBy = keyof typeof SORTS

const hitRateOf = ({ bets, hits }: LabGroup): number | null => (bets === 0 ? null : hits / bets)

function figureOf(group: LabGroup, by: SortBy): number | null {
  if (by === 'hitRate') return hitRateOf(group)
  if (by === 'bets' || by === 'staked') return group[by]
  if (!group.certain) return null
  return by === 'profit' ? group.profit : (group.returned?.ratio ?? null)
}

/** Groups in the order of the dimension, or the largest figure first; those without one are the last. */
function inOrder(groups: readonly LabGroup[], dim: string, sort: SortBy | null): LabGroup[] {
  const { order } = dimensionOf(dim)
  const figure = sort ?? (order === 'count' ? 'bets' : null)
  const byValue = compareGroups(dim)
  return groups.toSorted((a, b) =>
    figure === null
      ? byValue(a.value, b.value)
      : (figureOf(b, figure) ?? -Infinity) - (figureOf(a, figure) ?? -Infinity),
  )
}

/** The bets of the plan by any dimension: how many, and what was staked and won. */
export function LabBreakdown({ lab, run, model, where, by, onBy }: LabBreakdownProps) {
  const word = useWord()
  const offered = useMemo(
    () =>
      offeredDimensions(MODELS[lab.subject], where, true).filter(
        (name) =>
          // A box has several horses, and its rows are of races.
          !NOT_OFFERED.has(name) &&
          dimensionOf(name).sections !== true &&
          (lab.universe !== 'boxes' || dimensionOf(name).level === 'race'),
      ),
    [lab, where],
  )
  const dim = offered.includes(by) ? by : FIRST_SETTINGS.by
  const groups = useQuery({
    queryKey: keyOf('lab-groups', lab.number, run, dim),
    queryFn: async () => ({ dim, groups: await lab.groups(dim) }),
    placeholderData: keepPreviousData,
    // The worker has only the latest run, so older ones are not cached.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const found = groups.data?.dim === dim ? groups.data.groups : null
  const isFanOut = lab.subject === 'predictions' && dimensionOf(dim).level === 'horse'
  return (
    <HeadedPanel
      heading="lab.breakdown"
      data-testid="lab-breakdown"
      data-by={dim}
      aria-busy={groups.isFetching}
      beside={
        <div className={panelStyles.tools}>
          <ChoiceRow
            label="lab.breakdown.by"
            value={dim}
            options={offered.map((name) => ({ value: name, label: word(`dimension.${name}`) }))}
            onChange={onBy}
          />
        </div>
      }
    >
      {isFanOut ? <Note text="lab.breakdown.fanOut" /> : null}
      {groups.error ? (
        <ErrorNotice error={groups.error} onRetry={() => void groups.refetch()} />
      ) : found === null ? (
        <Skeleton height={240} />
      ) : found.length === 0 ? (
        <FormattedMessage id="lab.breakdown.none" tagName="p" />
      ) : (
        <Groups key={dim} dim={dim} groups={found} model={model} of={MODELS[lab.subject]} />
      )}
    </HeadedPanel>
  )
}

interface GroupsProps {
  dim: string
  groups: readonly LabGroup[]
  model: string
  of: Model
}

/** Half the width of the whiskers' axis, as a return: so wide that sound intervals fit, at most 100%. */
function whiskerEdge(groups: readonly LabGroup[]): number {
  const reach = groups.flatMap(({ bets, certain, returned }) =>
    certain && bets >= FEW_BETS && returned?.interval ? [returned.interval.low, returned.interval.high] : [],
  )
  return Math.min(1, Math.max(0.25, ...reach.map(Math.abs)) * 1.1)
}

function Groups({ dim, groups, model, of }: GroupsProps) {
  const word = useWord()
  const format = useFormat()
  const valueText = useDimensionText(model, of)
  const [sort, setSort] = useState<SortBy | null>(null)
  const [all, setAll] = useState(false)
  const rows = useMemo(() => inOrder(groups, dim, sort), [groups, dim, sort])
  const edge = useMemo(() => whiskerEdge(groups), [groups])
  const listed = all ? rows : rows.slice(0, FIRST_GROUPS)
  const name = word(`dimension.${dim}`)
  const heading = (of: SortBy) => (
    <SortHeading
      order={sort === of ? 'descending' : 'none'}
      onToggle={() => setSort(sort === of ? null : of)}
    >
      <FormattedMessage id={SORTS[of]} />
    </SortHeading>
  )
  return (
    <>
      <Scrolled label={name}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">{name}</th>
              {heading('bets')}
              {heading('hitRate')}
              <th scope="col" className={tables.whiskerCell}>
                <Hidden>{word('workspace.interval')}</Hidden>
              </th>
              {heading('returned')}
              {heading('profit')}
              {heading('staked')}
            </tr>
          </thead>
          <tbody>
            {listed.map((group) => (
              <GroupRow
                key={String(group.value[dim])}
                group={group}
                text={valueText(dim, group.value)}
                edge={edge}
              />
            ))}
          </tbody>
        </table>
      </Scrolled>
      {listed.length < rows.length ? (
        <Button onClick={() => setAll(true)}>
          {word('lab.breakdown.more', { groups: format.integer(rows.length) })}
        </Button>
      ) : null}
    </>
  )
}

/** One group; bounds of its profit and return where too many of its winners have no dividend. */
function GroupRow({ group, text, edge }: { group: LabGroup; text: string; edge: number }) {
  const word = useWord()
  const format = useFormat()
  const { bets, staked, profit, certain, returned, bounds, unknownHits } = group
  const hitRate = hitRateOf(group)
  const few = bets < FEW_BETS
  const interval = certain ? (returned?.interval ?? null) : null
  const told = (
    single: string,
    range: Interval | null | undefined,
    show: (value: number) => string,
  ): string => (certain ? single : range ? rangeText(word, range, show) : '–')
  return (
    <tr
      className={few ? texts.soft : undefined}
      title={certain ? undefined : word('record.unknownHits', { hits: unknownHits })}
    >
      <th scope="row">{text}</th>
      <td>{format.integer(bets)}</td>
      <td>{hitRate === null ? '–' : format.percent(hitRate)}</td>
      <td className={tables.whiskerCell}>
        {certain && returned !== null ? (
          <>
            <Whisker
              value={returned.ratio}
              from={-edge}
              to={edge}
              interval={interval}
              tone={few ? 'plain' : toneOf(interval)}
            />
            {interval ? <Hidden>{intervalText(word, interval, format.signedPercent)}</Hidden> : null}
          </>
        ) : null}
      </td>
      <td>
        {told(
          returned === null ? '–' : format.signedPercent(returned.ratio),
          bounds?.returned,
          format.signedPercent,
        )}
      </td>
      <td className={certain ? undefined : tables.range}>
        {told(format.signedMoney(profit), bounds?.profit, format.signedMoney)}
      </td>
      <td>{format.money(staked)}</td>
    </tr>
  )
}
