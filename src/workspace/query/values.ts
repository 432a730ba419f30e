import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { allOf, conjuncts, type Filter } from '../../../analytics/filter.ts'
import type { Scalar } from '../../../analytics/model.ts'
import { MODELS } from '../../../analytics/models.ts'
import type { Aggregate, Linked, Request } from '../../../analytics/request.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { analyticsQuery, useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { dimensionOf, isShort } from '../../../analytics/view/dimension-of.ts'
import {
  groupedRows,
  namesRequest,
  ORIGINS_REQUEST,
  rowsByView,
  whereFor,
  type Slice,
} from '../../../analytics/view/requests.ts'
import type { SliceAnswer } from './use-slice.ts'

/** Values of one dimension at most: more than there are horses in ten seasons. */
const MOST = 5000

/** The values of a dimension in a slice, whichever of them it selects, those with the most predictions first. */
const valuesRequest = (slice: Slice, dim: string): { aggregate: Aggregate } => ({
  aggregate: {
    model: slice.subject,
    by: [dim],
    measures: [MODELS[slice.subject].rows],
    where: whereFor(slice, [dim]),
    sort: [{ by: MODELS[slice.subject].rows, descending: true }],
    limit: MOST,
  },
})

/** The values of a dimension in a slice with their predictions; `null` until they are known. */
export function useValues(slice: SliceAnswer, dim: string): readonly AnswerRow[] | null {
  const request = useMemo(() => valuesRequest(slice.slice, dim), [slice.slice, dim])
  const { data } = useAnalytics(request, { priority: 'visible' })
  // Those of the slice before stay; those of another dimension would be nonsense.
  return data && 'aggregate' in data.request && data.request.aggregate.by[0] === dim ? data.rows : null
}

/** Dimensions whose many values are searched for by name. A pair is found by either of its people. */
const NAMED = ['racecourse', 'horse', 'jockey', 'trainer']

/** A value of a dimension with its row. */
export interface FoundValue {
  dim: string
  value: Scalar
  row: AnswerRow
}

/**
 * Every value that a slice can be filtered by: those of dimensions with few, and those with names. `offered`: dimensions
 * that the reader may filter by. `isComplete`: whether all have been answered.
 */
export function useEveryValue(slice: SliceAnswer, offered: readonly string[]) {
  const scope = useScope()
  const short = useMemo(() => offered.filter((dim) => isShort(dim) && !NAMED.includes(dim)), [offered])
  const linked = useMemo(
    (): { linked: Linked } => ({
      linked: {
        model: slice.slice.subject,
        panels: short.map((dim) => ({ by: [dim], where: whereFor(slice.slice, [dim]) })),
        measures: [MODELS[slice.slice.subject].rows],
      },
    }),
    [slice.slice, short],
  )
  const asked: Request = short.length === 0 ? ORIGINS_REQUEST : linked
  const few = useAnalytics(asked, { priority: 'visible', enabled: short.length > 0 })
  const dims = useMemo(() => NAMED.filter((dim) => offered.includes(dim)), [offered])
  const named = useQueries({
    queries: dims.map((dim) => analyticsQuery(scope, valuesRequest(slice.slice, dim), 'visible')),
    combine: (all) => ({
      rows: all.map(({ data }) => data?.rows),
      isPending: all.some((each) => each.isPending),
    }),
  })
  const { data } = few
  const values = useMemo((): FoundValue[] => {
    const fewRows = data && 'linked' in data.request ? rowsByView(data) : []
    const panels = data && 'linked' in data.request ? data.request.linked.panels : []
    const rowsOf = [
      ...panels.map(({ by }, at) => [by[0]!, groupedRows(fewRows[at] ?? [], by, slice.names)] as const),
      ...dims.map((dim, at) => [dim, named.rows[at] ?? []] as const),
    ]
    return rowsOf.flatMap(([dim, rows]) =>
      rows.flatMap((row): FoundValue[] => {
        const value = row[dim] ?? null
        return value === null ? [] : [{ dim, value, row }]
      }),
    )
  }, [data, dims, named.rows, slice.names])
  return { values, isComplete: !named.isPending && (short.length === 0 || !few.isPending) }
}

/** The dimensions with names that a filter uses, each with its values there. */
function namedValues(filters: readonly (Filter | null)[]): Map<string, Set<Scalar>> {
  const found = new Map<string, Set<Scalar>>()
  for (const part of filters.flatMap(conjuncts)) {
    const clause = 'not' in part ? part.not : part
    if (!('in' in clause) || !dimensionOf(clause.dim).names) continue
    const values = found.get(clause.dim) ?? new Set()
    for (const value of clause.in) values.add(value)
    found.set(clause.dim, values)
  }
  return found
}

/**
 * Names of the values that filters select, by dimension and value: `known` and those that are missing there, which are
 * asked for. `of`: the rows that have them.
 */
export function useFilterNames(
  filters: readonly (Filter | null)[],
  of: Pick<Slice, 'subject' | 'base'>,
  known: ReadonlyMap<string, AnswerRow>,
): ReadonlyMap<string, AnswerRow> {
  const { subject, base } = of
  const scope = useScope()
  const requests = useMemo(
    () =>
      [...namedValues(filters)].flatMap(([dim, values]) => {
        const missing = [...values].filter((value) => !known.has(`${dim} ${String(value)}`))
        if (missing.length === 0) return []
        const { aggregate } = namesRequest({ subject, base }, dim)
        return [{ aggregate: { ...aggregate, where: allOf(aggregate.where, { dim, in: missing }) } }]
      }),
    [filters, subject, base, known],
  )
  const rows = useQueries({
    queries: requests.map((request) => analyticsQuery(scope, request, 'visible')),
    combine: (all) => all.map(({ data }) => data),
  })
  return useMemo(() => {
    const answered = rows.flatMap((data) =>
      data && 'aggregate' in data.request ? data.rows.map((row) => [data.request, row] as const) : [],
    )
    if (answered.length === 0) return known
    const names = new Map(known)
    for (const [request, row] of answered) {
      const [dim = ''] = 'aggregate' in request ? request.aggregate.by : []
      names.set(`${dim} ${String(row[dim])}`, row)
    }
    return names
  }, [rows, known])
}
