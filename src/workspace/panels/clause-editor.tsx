import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import {
  excludedValues,
  pickedRange,
  pickedValues,
  withExcluded,
  withRange,
  withValues,
  type Range,
} from '../../../analytics/clauses.ts'
import type { Dimension } from '../../../analytics/model.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useWord } from '../../i18n/use-word.ts'
import { DateField } from '../../ui/fields/date-field.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { OneOf } from '../../ui/fields/choices.tsx'
import { Skeleton } from '../../ui/panel.tsx'
import { Columns } from './columns-panel.tsx'
import { compareGroups } from '../query/panel-data.ts'
import type { ViewProps } from '../query/use-brush.ts'
import { useValues } from '../query/values.ts'
import { dimensionOf } from '../../../analytics/view/dimension-of.ts'
import { useNewest, useWorkspace, type ChangeFilter } from '../state/workspace-context.ts'
import { PredictionTypes } from './rail.tsx'
import { isBanded, Values } from './values.tsx'
import styles from './clause-editor.module.css'

/** How many of what a field shows is one of what is stored, for the displays of numbers that take a free range. */
const SCALES: Partial<Record<Dimension['display'], number>> = {
  integer: 1,
  decimal: 1,
  metres: 1,
  distance: 1,
  pounds: 1,
  weight: 1,
  days: 1,
  odds: 1,
  percent: 100,
  change: 100,
}

interface ClauseEditorProps extends ViewProps {
  dim: string
  /** Whether it takes the focus once its values are there. */
  focused?: boolean
}

/** What a slice is restricted to in one dimension: its values, bands of them, or a range of numbers or days. */
export default function ClauseEditor({ dim, focused = false, slice, brush, model }: ClauseEditorProps) {
  const word = useWord()
  const box = useRef<HTMLDivElement>(null)
  const { onFilter } = useWorkspace()
  const rows = useValues(slice, dim)
  const shown = useMemo(
    () => rows?.filter((row) => (row[dim] ?? null) !== null).toSorted(compareGroups(dim)) ?? null,
    [rows, dim],
  )
  const filter = useNewest((view) => view.filter)
  const [excluding, setExcluding] = useState(() => excludedValues(filter, dim).length > 0)
  const isThere = shown !== null
  useEffect(() => {
    if (focused && isThere) box.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [focused, isThere])
  const { display, type } = dimensionOf(dim)
  const exclude = (next: boolean): void => {
    setExcluding(next)
    onFilter((newest) =>
      next
        ? withExcluded(withValues(newest, dim, []), dim, pickedValues(newest, dim))
        : withValues(withExcluded(newest, dim, []), dim, excludedValues(newest, dim)),
    )
  }
  const scale = type === 'text' ? undefined : SCALES[display]
  return (
    <div
      ref={box}
      className={styles.editor}
      role="group"
      aria-label={word('workspace.editFilter', { filter: word(`dimension.${dim}`) })}
    >
      {dim === 'prediction_type' ? (
        <PredictionTypes onFilter={onFilter} />
      ) : dim === 'day' ? (
        <Days onFilter={onFilter} />
      ) : shown === null ? (
        <Skeleton height={160} />
      ) : isBanded(dim) ? (
        <Columns
          brush={brush}
          model={model}
          filter={slice.slice.filter}
          dim={dim}
          rows={shown}
          height={64}
          onValues={(_, values) => onFilter((newest) => withValues(newest, dim, values))}
        />
      ) : (
        <>
          <OneOf
            legend={word('workspace.condition')}
            value={excluding ? 'not' : 'is'}
            choices={(['is', 'not'] as const).map((value) => ({
              value,
              label: word(`workspace.condition.${value}`),
            }))}
            onChange={(how) => exclude(how === 'not')}
          />
          <Values
            model={model}
            filter={filter}
            dim={dim}
            excluding={excluding}
            onFilter={onFilter}
            rows={shown}
          />
        </>
      )}
      {scale === undefined ? null : <Numbers dim={dim} scale={scale} onFilter={onFilter} />}
    </div>
  )
}

const ENDS = ['from', 'to'] as const

/** The filter's range of a dimension, and what changes an end of it. */
function useRange(dim: string, onFilter: ChangeFilter) {
  const filter = useNewest((view) => view.filter)
  const range: Range = pickedRange(filter, dim) ?? {}
  const setEnd = (end: (typeof ENDS)[number], value: string | number | null): void =>
    onFilter((newest) => {
      const { [end]: _, ...other } = pickedRange(newest, dim) ?? {}
      const { from, to } = { ...other, ...(value === null ? {} : { [end]: value }) } as Range
      return withRange(withExcluded(newest, dim, []), dim, {
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      })
    })
  return { range, setEnd }
}

interface NumbersProps {
  dim: string
  scale: number
  onFilter: ChangeFilter
}

/** Both ends of a range of numbers, either of which may be empty. */
function Numbers({ dim, scale, onFilter }: NumbersProps) {
  const id = useId()
  const { range, setEnd } = useRange(dim, onFilter)
  const places = dimensionOf(dim).type === 'integer' ? 0 : 2
  return (
    <div className={styles.range}>
      {ENDS.map((end) => {
        const stored = range[end]
        return (
          <span key={end}>
            <label htmlFor={`${id}${end}`}>
              <FormattedMessage id={`record.${end}`} />
              {scale === 100 ? ' (%)' : ''}
            </label>
            <NumberField
              id={`${id}${end}`}
              value={typeof stored === 'number' ? Number((stored * scale).toFixed(4)) : null}
              places={places}
              onChange={(value) => setEnd(end, value === null ? null : Number((value / scale).toFixed(6)))}
            />
          </span>
        )
      })}
    </div>
  )
}

/** Both ends of a range of days. */
function Days({ onFilter }: { onFilter: ChangeFilter }) {
  const word = useWord()
  const { from, to } = useScope()
  const { range, setEnd } = useRange('day', onFilter)
  return (
    <div className={styles.range}>
      {ENDS.map((end) => (
        <DateField
          key={end}
          label={word(`record.${end}`)}
          value={range[end] === undefined ? null : String(range[end])}
          min={from ?? undefined}
          max={to ?? undefined}
          onChange={(day) => setEnd(end, day)}
        />
      ))}
    </div>
  )
}
