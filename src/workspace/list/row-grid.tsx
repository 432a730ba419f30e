import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import type { Sort } from '../../../analytics/check.ts'
import type { Filter } from '../../../analytics/filter.ts'
import { withValues } from '../../../analytics/clauses.ts'
import { MODELS } from '../../../analytics/models.ts'
import { fansOut } from '../../../analytics/source.ts'
import { textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { analyticsQuery, useAnalytics, useScope } from '../../data/analytics/use-analytics.ts'
import { useGridLocale } from '../../i18n/grid-locale.ts'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import type { GridRequest } from '../../widgets/grid/data-grid.tsx'
import { DataGrid } from '../../widgets/grid/grid.tsx'
import { useDimensionText } from '../words/dimension-text.ts'
import { subjectWords } from '../words/subject-words.ts'
import { useClauseText } from '../words/filter-text.ts'
import {
  requestedColumns,
  isGroup,
  isTotals,
  sameInAll,
  useListColumns,
  type ListRow,
} from './list-columns.tsx'
import type { Subject } from '../../../analytics/view/view.ts'
import { pageRequest, useNoteNames } from '../query/rows.ts'
import { BOUNDS, countOf, totalsOf } from '../../../analytics/view/totals.ts'
import { Small } from '../../ui/layout.tsx'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** In pixels. */
export const HEIGHT = 520
/** Maximum number of groups in a list. */
const MAX_GROUPS = 1000

export interface GridProps {
  subject: Subject
  where: Filter
  model: string
  /** Names of values, by dimension and value. */
  names: ReadonlyMap<string, AnswerRow>
  /** Totals of the same rows; `null` if unavailable. */
  totals: AnswerRow | null
  columns: readonly string[]
  sort: readonly Sort[]
  group: string | null
  onSort(sort: Sort[]): void
  onOpen(raceId: string): void
  onInspect(raceId: string): void
  /** Race in the inspector beside the list. */
  race: string | null
  stepRef: { current: ((by: 1 | -1) => void) | null }
}

/** The columns that are shown, and those that are left out because every row has the same value of them. */
function useChosenColumns({ columns, where }: Pick<GridProps, 'columns' | 'where'>) {
  const same = useMemo(() => sameInAll(columns, where), [columns, where])
  const chosen = useMemo(
    () => columns.filter((each) => same.every(({ column }) => column !== each)),
    [columns, same],
  )
  return { same, chosen }
}

/** The rows as a table of any length; when grouped, a group's rows are loaded when it is expanded. */
export function RowGrid(props: GridProps) {
  const { subject, where, model, totals, sort, group, onSort, onOpen, onInspect } = props
  const intl = useIntl()
  const locale = useGridLocale()
  const { textOf: clauseText } = useClauseText(model, props.names)
  const { regionId, asOf, history, member } = useScope()
  const [failure, setFailure] = useState<unknown>(null)
  const { same, chosen } = useChosenColumns(props)
  const columns = useListColumns(subject, chosen, model)
  const listed = useLoader({ subject, where, columns: chosen, group }, model, setFailure)
  const firstSort = useRef(sort)
  // The rows are fewer than the total counts, because each is listed once.
  const fanOut = fansOut(MODELS[subject], [], where)
  const view = useCallback(
    ({ sort: next }: Pick<GridRequest, 'sort'>) => {
      const nextSort = next.map(({ column, descending }) => ({ by: column, descending }))
      if (JSON.stringify(nextSort) !== JSON.stringify(firstSort.current)) {
        firstSort.current = nextSort
        onSort(nextSort)
      }
    },
    [onSort],
  )
  if (!locale.ready) return <Skeleton height={HEIGHT} />
  return (
    <>
      {failure ? <ErrorNotice error={failure} /> : null}
      {same.length === 0 ? null : (
        <Small>
          <FormattedMessage
            id="workspace.sameInAll"
            values={{
              values: same
                .map(({ column, value }) => clauseText({ dim: column, in: [value] }))
                .join(BETWEEN_FACTS),
            }}
          />
        </Small>
      )}
      <Suspense fallback={<Skeleton height={HEIGHT} />}>
        <DataGrid<ListRow>
          label={intl.formatMessage({ id: subjectWords(subject).list })}
          columns={columns}
          load={listed.load}
          rowCount={listed.count ?? (totals && !fanOut ? countOf(totals) : null)}
          source={JSON.stringify([
            subject,
            regionId,
            asOf,
            history,
            member,
            where,
            group,
            chosen,
            intl.locale,
          ])}
          revision={listed.revision}
          totals={totals ? { totals } : null}
          locale={locale.texts}
          height={HEIGHT}
          sort={sort.map(({ by, descending }) => ({ column: by, descending }))}
          onView={view}
          stepRef={props.stepRef}
          subjectOf={(row) => (isTotals(row) || isGroup(row) ? null : textOf(row, 'race_id'))}
          inspected={props.race}
          onRow={(row, how) => {
            if (isTotals(row)) return
            if (isGroup(row)) listed.toggle(row.group)
            else if (how === 'open') onOpen(textOf(row, 'race_id'))
            else onInspect(textOf(row, 'race_id'))
          }}
        />
      </Suspense>
      {totals === null || fanOut ? (
        <Small text={totals === null ? 'workspace.noTotals' : 'workspace.totalPerHorse'} />
      ) : null}
    </>
  )
}

/** A group in the list: its heading row, and its rows if it is expanded. */
interface Segment {
  row: AnswerRow
  isOpen: boolean
  first: number
  size: number
}

/** Rows of a group that are fewer than its count, by the group's key. */
const NO_SIZES: Readonly<Record<string, number>> = {}

function segmentsOf(
  rows: readonly AnswerRow[],
  group: string,
  open: readonly string[],
  sizes: Readonly<Record<string, number>>,
): Segment[] {
  let first = 0
  return rows.map((row) => {
    const key = String(row[group])
    const isOpen = open.includes(key) && (row[group] ?? null) !== null
    const listed = isOpen ? Math.min(countOf(row), sizes[key] ?? Infinity) : 0
    const segment = { row, isOpen, first, size: 1 + listed }
    first += segment.size
    return segment
  })
}

/** What the list shows: the rows of a filter, or its groups by a dimension. */
type ListQuery = Pick<GridProps, 'subject' | 'where' | 'columns' | 'group'>

/** The groups of the list, which can be expanded, as segments of its lines. */
function useGroupSegments({ subject, where, group }: ListQuery) {
  const { regionId, asOf, history, member } = useScope()
  const [open, setOpen] = useState<readonly string[]>([])
  const groups = useAnalytics(
    {
      aggregate: {
        model: subject,
        by: [group ?? 'season'],
        measures: [...totalsOf(subject), ...(history ? BOUNDS : []), 'hit_rate'],
        where,
        limit: MAX_GROUPS,
      },
    },
    { priority: 'visible', enabled: group !== null },
  )
  const rows = group === null || groups.isPlaceholderData ? undefined : groups.data?.rows
  const ofGroups = JSON.stringify([subject, regionId, asOf, history, member, where, group])
  // Counts per horse, because a group or a filter is about horses, exceed the rows, which are listed once.
  const [shorter, setShorter] = useState({ of: '', sizes: NO_SIZES })
  const sizes = shorter.of === ofGroups ? shorter.sizes : NO_SIZES
  const segments = useMemo(
    () => (group === null || !rows ? null : segmentsOf(rows, group, open, sizes)),
    [group, rows, open, sizes],
  )
  /** Corrects the number of a group's rows. */
  const onSize = useCallback(
    (key: string, size: number): void =>
      setShorter((known) => ({
        of: ofGroups,
        sizes: { ...(known.of === ofGroups ? known.sizes : NO_SIZES), [key]: size },
      })),
    [ofGroups],
  )
  const toggle = (row: AnswerRow): void => {
    const key = String(row[group ?? ''])
    setOpen((keys) => (keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key]))
  }
  const revision = group === null ? '' : JSON.stringify([open, rows?.length ?? null, sizes])
  return { segments, onSize, toggle, revision }
}

/** Loads pages of rows, or of groups with the rows of the expanded ones in between. */
function useLoader(query: ListQuery, model: string, onFailure: (error: unknown) => void) {
  const { subject, where, columns, group } = query
  const scope = useScope()
  const client = useQueryClient()
  const textOfGroup = useDimensionText(model)
  const noteNames = useNoteNames(subject)
  const { segments, onSize, toggle, revision } = useGroupSegments(query)
  const load = useCallback(
    async ({ offset, limit, sort }: GridRequest): Promise<ListRow[]> => {
      const order = sort.map(({ column, descending }) => ({ by: column, descending }))
      const rowsOf = async (filter: Filter, from: number, count: number): Promise<AnswerRow[]> => {
        const request = pageRequest(subject, filter, requestedColumns(subject, columns), order, from, count)
        const { rows } = await client.fetchQuery(analyticsQuery(scope, request, 'visible'))
        noteNames(rows)
        return rows
      }
      /** The lines of a group on this page: its heading, and its rows if it is expanded. */
      const linesOf = async ({ row, isOpen, first, size }: Segment, dim: string): Promise<ListRow[]> => {
        const heading: ListRow[] =
          first >= offset ? [{ group: row, open: isOpen, text: textOfGroup(dim, row) }] : []
        const from = Math.max(0, offset - first - 1)
        const upTo = Math.min(size - 1, offset + limit - first - 1)
        if (upTo <= from) return heading
        const found = await rowsOf(withValues(where, dim, [row[dim]!])!, from, upTo - from)
        if (found.length < upTo - from) onSize(String(row[dim]), from + found.length)
        return [...heading, ...found]
      }
      const shown = (segments ?? []).filter(
        ({ first, size }) => first < offset + limit && first + size > offset,
      )
      try {
        const lines =
          group === null
            ? await rowsOf(where, offset, limit)
            : (await Promise.all(shown.map((segment) => linesOf(segment, group)))).flat()
        onFailure(null)
        return lines
      } catch (error) {
        onFailure(error)
        throw error
      }
    },
    [client, scope, subject, columns, where, group, segments, textOfGroup, onSize, noteNames, onFailure],
  )
  const last = segments?.at(-1)
  return { load, toggle, revision, count: segments && (last ? last.first + last.size : 0) }
}
