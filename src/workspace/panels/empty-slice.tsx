import { useMemo } from 'react'
import { FormattedMessage } from 'react-intl'
import { without } from '../../../analytics/clauses.ts'
import { MODELS } from '../../../analytics/models.ts'
import { allOf, conjuncts, dimensionsOf, type Filter } from '../../../analytics/filter.ts'
import { useAnalytics } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/panel.tsx'
import { rowsByView } from '../../../analytics/view/requests.ts'
import { countOf } from '../../../analytics/view/totals.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { useFilterNames } from '../query/values.ts'
import { cleared, withoutUnknown, type Subject } from '../../../analytics/view/view.ts'
import { useWorkspace } from '../state/workspace-context.ts'
import { useClauseText } from '../words/filter-text.ts'
import styles from './empty-slice.module.css'

/** Ways on that are offered at most. */
const OFFERED = 3

/** A filter without one of its clauses. */
interface Wider {
  part: Filter
  dims: readonly string[]
  filter: Filter | null
}

/** The filter without each of its clauses; not without one that others need. */
function widerFilters(filter: Filter | null, subject: Subject): Wider[] {
  return conjuncts(filter).flatMap((part) => {
    const dims = [...dimensionsOf(part)]
    const wider = without(filter, dims)
    return JSON.stringify(withoutUnknown(wider, subject)) === JSON.stringify(wider)
      ? [{ part, dims, filter: wider }]
      : []
  })
}

/** The wider filters that some predictions match, those with the fewest first; `null` until they are known. */
function useNearest({ slice: { subject, base, filter } }: SliceAnswer) {
  const wider = useMemo(() => widerFilters(filter, subject), [filter, subject])
  const request = useMemo(
    () => ({
      linked: {
        model: subject,
        measures: [MODELS[subject].rows],
        panels: wider.map((each) => ({ by: [], where: allOf(base, each.filter)! })),
      },
    }),
    [subject, base, wider],
  )
  const { data, isPlaceholderData, isError } = useAnalytics(request, {
    priority: 'visible',
    enabled: wider.length > 0,
  })
  return useMemo(() => {
    if (wider.length === 0 || isError) return []
    if (!data || isPlaceholderData) return null
    const views = rowsByView(data)
    return wider
      .map((each, at) => ({ ...each, count: views[at]?.[0] ? countOf(views[at][0]) : 0 }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => a.count - b.count)
      .slice(0, OFFERED)
  }, [wider, data, isPlaceholderData, isError])
}

/** Of a slice without predictions: which single filter to leave out, with what matches then. */
export function EmptySlice({ slice }: { slice: SliceAnswer }) {
  const word = useWord()
  const format = useFormat()
  const { basis, onChange, onFilter } = useWorkspace()
  const { filter } = slice.slice
  const filters = useMemo(() => [filter], [filter])
  const { textOf } = useClauseText(basis.model, useFilterNames(filters, slice.slice, slice.names))
  const nearest = useNearest(slice)
  return (
    <Notice>
      <FormattedMessage id="record.empty" tagName="p" />
      <div className={styles.ways} data-testid="nearest-filters">
        {(nearest ?? []).map(({ part, dims, count }) => (
          <Button
            key={JSON.stringify(part)}
            onClick={() => onFilter((newest) => withoutUnknown(without(newest, dims), basis.subject))}
          >
            {word('workspace.withoutFilter', { filter: textOf(part), count: format.integer(count) })}
          </Button>
        ))}
        {nearest?.length === 0 ? (
          <Button onClick={() => onChange(cleared)} text="record.clearFilters" />
        ) : null}
      </div>
    </Notice>
  )
}
