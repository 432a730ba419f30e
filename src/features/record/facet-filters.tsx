import { useState } from 'react'
import { useIntl } from 'react-intl'
import { pickedValues, without, withValues } from '../../../analytics/clauses.ts'
import { dimensionsOf, type Filter } from '../../../analytics/filter.ts'
import { offeredDimensions } from '../../../analytics/offered.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import type { Model, Scalar } from '../../../analytics/model.ts'
import type { Request } from '../../../analytics/request.ts'
import type { ModelId } from '../../../contract/model-ids.ts'
import { numberOf } from '../../data/analytics/cells.ts'
import { useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { SelectField } from '../../ui/field.tsx'
import { useDimensionText } from './dimension-text.ts'
import styles from './record.module.css'

/** Shown from the start; any other dimension can be added. */
const FIRST = ['racecourse', 'track', 'going', 'distance']
/** Filters that the screen has controls of their own for. */
const ELSEWHERE = ['bet_type', 'prediction_type', 'day', 'meeting']
const MAX_VALUES = 300

interface FacetFiltersProps {
  filter: Filter | null
  where: Filter
  model: ModelId
  onPick(next: (filter: Filter | null) => Filter | null): void
}

/** A control for each dimension that is filtered by, and one to add another. */
export function FacetFilters({ filter, where, model, onPick }: FacetFiltersProps) {
  const intl = useIntl()
  const { history } = useScope()
  const [added, setAdded] = useState<string[]>([])
  const offered = offeredDimensions(PREDICTIONS, where, history).filter((dim) => !ELSEWHERE.includes(dim))
  const picked = [...dimensionsOf(filter)]
  const shown = offered.filter((dim) => FIRST.includes(dim) || added.includes(dim) || picked.includes(dim))
  const others = offered.filter((dim) => !shown.includes(dim))
  if (offered.length === 0) return null
  return (
    <div className={styles.selects}>
      {shown.map((dim) => (
        <Facet key={dim} dim={dim} filter={filter} where={where} model={model} onPick={onPick} />
      ))}
      {others.length > 0 ? (
        <SelectField
          label={intl.formatMessage({ id: 'record.addFilter' })}
          value=""
          options={[
            { value: '', label: intl.formatMessage({ id: 'record.addFilterHint' }) },
            ...others.map((dim) => ({ value: dim, label: intl.formatMessage({ id: `dimension.${dim}` }) })),
          ]}
          onChange={(dim) => setAdded((list) => (dim === '' ? list : [...list, dim]))}
        />
      ) : null}
    </div>
  )
}

/** The values of a dimension with their predictions, whatever is picked of that dimension itself. */
export function facetRequest(model: Model, dim: string, where: Filter): Request {
  const { order } = model.dimensions[dim]!
  return {
    aggregate: {
      model: 'predictions',
      by: [dim],
      measures: ['predictions'],
      where: without(where, [dim]),
      limit: MAX_VALUES,
      ...(order === 'count' ? { sort: [{ by: 'predictions', descending: true }] } : {}),
    },
  }
}

function Facet({ dim, filter, where, model, onPick }: FacetFiltersProps & { dim: string }) {
  const intl = useIntl()
  const format = useFormat()
  const textOf = useDimensionText(model)
  const answer = useAnalytics(facetRequest(PREDICTIONS, dim, where), { priority: 'idle' })
  const rows = (answer.data?.rows ?? []).filter((row) => (row[dim] ?? null) !== null)
  const values = new Map(rows.map((row): [string, Scalar] => [String(row[dim]), row[dim] ?? '']))
  const [picked] = pickedValues(filter, dim)
  const options = rows.map((row) => ({
    value: String(row[dim]),
    label: intl.formatMessage(
      { id: 'record.facetValue' },
      { value: textOf(dim, row), count: format.integer(numberOf(row, 'predictions')) },
    ),
  }))
  // What is picked stays in the list, also while no prediction has it.
  const known = picked === undefined || values.has(String(picked))
  return (
    <SelectField
      label={intl.formatMessage({ id: `dimension.${dim}` })}
      value={picked === undefined ? '' : String(picked)}
      options={[
        { value: '', label: intl.formatMessage({ id: 'record.all' }) },
        ...(known ? [] : [{ value: String(picked), label: String(picked) }]),
        ...options,
      ]}
      onChange={(value) => {
        const chosen = values.get(value)
        onPick((newest) => withValues(newest, dim, chosen === undefined ? [] : [chosen]))
      }}
    />
  )
}
