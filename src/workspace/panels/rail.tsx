import { ChevronDown, ChevronRight, Lock, Search } from 'lucide-react'
import { memo, useMemo, useState, type ReactNode } from 'react'
import { FormattedMessage } from 'react-intl'
import {
  excludedValues,
  pickedValues,
  toggled,
  withExcluded,
  withValues,
} from '../../../analytics/clauses.ts'
import { dimensionsOf, type Filter } from '../../../analytics/filter.ts'
import type { Model } from '../../../analytics/model.ts'
import { offeredDimensions } from '../../../analytics/offered.ts'
import { MODELS } from '../../../analytics/models.ts'
import { poolsOf } from '../../../domain/pool-rules.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useWord } from '../../i18n/use-word.ts'
import { AnyOf, OneOf } from '../../ui/fields/choices.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { ColumnsPanel } from './columns-panel.tsx'
import { Stale } from '../parts/stale.tsx'
import { compareGroups, useGroups } from '../query/panel-data.ts'
import { useLive, type ViewProps } from '../query/use-brush.ts'
import { panelOf } from '../../../analytics/view/panel-spec.ts'
import { ELSEWHERE, groupOf, RAIL_GROUPS, type RailGroup } from '../state/rail-groups.ts'
import type { RailState } from '../state/use-rail.ts'
import { useNewest, type ChangeFilter } from '../state/workspace-context.ts'
import { listed } from '../words/filter-text.ts'
import { isBanded, Values } from './values.tsx'
import styles from './rail.module.css'

const BET_TYPES = [1, 2, 3, 4, 5, 7, 6, 8, 9] as const
const PREDICTION_TYPES = [1, 2, 3, 0] as const

/** The filter with one prediction type; 0 stands for all of them. */
export const withPredictionType = (filter: Filter | null, type: number): Filter | null =>
  withValues(filter, 'prediction_type', type === 0 ? [] : [type])

interface RailProps extends ViewProps {
  filter: Filter | null
  state: RailState
  onFilter: ChangeFilter
}

/** Every dimension as a filter: its values with the number of rows as checkboxes, or a range. */
export const Rail = memo(function Rail(props: RailProps) {
  const { slice, onFilter } = props
  const word = useWord()
  const [sought, setSought] = useState('')
  const { subject, history, own: ownDimensions } = slice.slice
  const { dimensions }: Model = MODELS[subject]
  const offered = offeredDimensions(MODELS[subject], slice.where, history, ownDimensions)
  const isLocked = (dim: string): boolean => !history && !offered.includes(dim)
  const shown = Object.entries(dimensions).flatMap(([dim, { pinned, own }]) => {
    if (pinned || ELSEWHERE.includes(dim) || (own && !offered.includes(dim))) return []
    const name = word(`dimension.${dim}`)
    const found = name.toLowerCase().includes(sought.toLowerCase())
    return found ? [{ dim, name, group: groupOf(dim) }] : []
  })
  return (
    <div className={styles.rail}>
      {subject === 'predictions' ? <Types onFilter={onFilter} /> : null}
      <label className={styles.search}>
        <Search aria-hidden="true" size={16} />
        <input
          type="search"
          value={sought}
          placeholder={word('workspace.searchFilters')}
          aria-label={word('workspace.searchFilters')}
          onChange={(event) => setSought(event.target.value)}
        />
      </label>
      {RAIL_GROUPS.map((group) => {
        const dims = shown.filter((each) => each.group === group)
        return dims.length === 0 ? null : (
          <Group key={group} group={group} sought={sought !== ''} state={props.state} dims={dims}>
            {dims
              .filter(({ dim }) => !isLocked(dim))
              .map(({ dim, name }) => (
                <FacetSection key={dim} {...props} dim={dim} name={name} offered={offered.includes(dim)} />
              ))}
            <LockedFilters names={dims.filter(({ dim }) => isLocked(dim)).map(({ name }) => name)} />
          </Group>
        )
      })}
    </div>
  )
})

/** The filters of a group that are for VIP members, as one sentence. */
function LockedFilters({ names }: { names: readonly string[] }) {
  const word = useWord()
  return names.length === 0 ? null : (
    <p className={styles.locked}>
      <Lock aria-hidden="true" size={14} />
      <FormattedMessage id="workspace.lockedFilters" values={{ names: listed(word, names) }} tagName="span" />
    </p>
  )
}

interface GroupProps {
  group: RailGroup
  /** Whether filters are searched for: those that are found are shown, whatever is closed. */
  sought: boolean
  state: RailState
  dims: readonly { dim: string }[]
  children: ReactNode
}

/** Filters of one kind below a heading that opens and closes them. */
function Group({ group, sought, state: { groups, onGroup }, dims, children }: GroupProps) {
  const isOpen = sought || groups.includes(group)
  const active = useNewest(({ filter }) => {
    const filtered = dimensionsOf(filter)
    return dims.filter(({ dim }) => filtered.has(dim)).length
  })
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <section className={styles.kind} data-group={group}>
      <h3>
        <button
          type="button"
          className={styles.heading}
          aria-expanded={isOpen}
          disabled={sought}
          onClick={() => onGroup(group)}
        >
          <Chevron aria-hidden="true" size={16} />
          <FormattedMessage id={`workspace.group.${group}`} tagName="span" />
          {active === 0 || isOpen ? null : <span className={styles.badge}>{active}</span>}
        </button>
      </h3>
      {isOpen ? children : null}
    </section>
  )
}

/** Bet types, and prediction types. */
function Types({ onFilter }: Pick<RailProps, 'onFilter'>) {
  const word = useWord()
  const filter = useNewest((view) => view.filter)
  const offered = poolsOf({ id: useScope().regionId })
  const picked = pickedValues(filter, 'bet_type').map(String)
  // A shared view may be of a pool that the region lacks.
  const pools = BET_TYPES.filter((id) => offered.includes(id) || picked.includes(String(id)))
  return (
    <>
      <section className={styles.group}>
        <h3>{word('record.betType')}</h3>
        <AnyOf
          legend={word('record.betType')}
          values={picked}
          choices={pools.map((id) => ({ value: String(id), label: word(`gameplay.${id}`) }))}
          onToggle={(id) =>
            onFilter((newest) => toggled(withExcluded(newest, 'bet_type', []), 'bet_type', Number(id)))
          }
        />
      </section>
      <section className={styles.group}>
        <h3>{word('record.type')}</h3>
        <PredictionTypes onFilter={onFilter} />
      </section>
    </>
  )
}

/** Which of the predictions of a race: one type, because they overlap. */
export function PredictionTypes({ onFilter }: { onFilter: ChangeFilter }) {
  const word = useWord()
  const filter = useNewest((view) => view.filter)
  return (
    <OneOf
      legend={word('record.type')}
      value={String(pickedValues(filter, 'prediction_type')[0] ?? 0)}
      choices={PREDICTION_TYPES.map((id) => ({ value: String(id), label: word(`predictionType.${id}`) }))}
      onChange={(type) => onFilter((newest) => withPredictionType(newest, Number(type)))}
    />
  )
}

interface FacetSectionProps extends RailProps {
  dim: string
  name: string
  /** Whether the slice can be filtered by the dimension. */
  offered: boolean
}

/** A dimension that can be expanded, with the number of its selected values. */
function FacetSection({ dim, name, offered, state, ...facet }: FacetSectionProps) {
  const word = useWord()
  const isOpen = offered && state.facets.includes(dim) && state.groups.includes(groupOf(dim))
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <section className={styles.facet} data-facet={dim}>
      <h4>
        <button
          type="button"
          className={styles.heading}
          aria-expanded={isOpen}
          disabled={!offered}
          title={offered ? undefined : word('workspace.unknownFilter')}
          onClick={() => state.onFacet(dim)}
        >
          <Chevron aria-hidden="true" size={16} />
          <span>{name}</span>
          <Badge dim={dim} />
        </button>
      </h4>
      {isOpen ? <Facet {...facet} dim={dim} /> : null}
    </section>
  )
}

/** How many values of a dimension are selected or left out; nothing if it is not filtered by. */
function Badge({ dim }: { dim: string }) {
  const count = useNewest(({ filter }) =>
    dimensionsOf(filter).has(dim)
      ? pickedValues(filter, dim).length || excludedValues(filter, dim).length || 1
      : 0,
  )
  return count === 0 ? null : <span className={styles.badge}>{count}</span>
}

interface FacetProps extends Omit<RailProps, 'state'> {
  dim: string
}

function Facet({ filter, dim, onFilter, ...shown }: FacetProps) {
  const spec = useMemo(() => panelOf('columns', [dim]), [dim])
  const groups = useGroups(shown.slice, spec.by, useLive())
  const rows = useMemo(() => {
    const known = (groups?.rows ?? []).filter((row) => (row[dim] ?? null) !== null)
    return known.toSorted(compareGroups(dim))
  }, [groups, dim])
  if (groups === null) return <Skeleton height={96} />
  if (!isBanded(dim))
    return (
      <Stale stale={groups.stale}>
        <Values model={shown.model} filter={filter} dim={dim} onFilter={onFilter} rows={rows} />
      </Stale>
    )
  return (
    <ColumnsPanel
      {...shown}
      spec={spec}
      height={48}
      onValues={(_, values) => onFilter((newest) => withValues(newest, dim, values))}
    />
  )
}
