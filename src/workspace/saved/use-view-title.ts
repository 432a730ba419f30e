import { useEffect, useMemo } from 'react'
import { conjuncts, type Filter } from '../../../analytics/filter.ts'
import type { AnswerRow } from '../../../analytics/cells.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useWord } from '../../i18n/use-word.ts'
import { useFilterNames } from '../query/values.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { appliedFilter, FIRST_VIEW, readView, type WorkspaceView } from '../../../analytics/view/view.ts'
import { writeView } from '../state/write-view.ts'
import { useWorkspace } from '../state/workspace-context.ts'
import { useClauseText } from '../words/filter-text.ts'
import { useSavedViews } from './use-saved-views.ts'

const NO_NAMES: ReadonlyMap<string, AnswerRow> = new Map()

/** The words of a view without what changes nothing of it: the race that stands beside the list, and the model's default. */
const wordsOf = (view: WorkspaceView): string => writeView({ ...view, race: null }).toString()

/**
 * What the page is called: the name under which the view was `opened` or is saved, otherwise what it selects; `null` for the
 * whole record. The window has the same title.
 */
export function useViewTitle(opened: string | null, base: Filter, answer: SliceAnswer | null): string | null {
  const word = useWord()
  const { regionId } = useScope()
  const { view, basis } = useWorkspace()
  const views = useSavedViews(regionId).data
  const names = useMemo(
    () =>
      new Map(
        (views ?? []).map(({ name, address }) => [wordsOf(readView(new URLSearchParams(address))), name]),
      ),
    [views],
  )
  const { subject } = basis
  const filter = useMemo(() => appliedFilter({ subject, filter: view.filter }), [subject, view.filter])
  const filters = useMemo(() => [filter], [filter])
  const { valuesOf } = useClauseText(
    basis.model,
    useFilterNames(filters, { subject, base }, answer?.names ?? NO_NAMES),
  )
  const named = opened ?? names.get(wordsOf(view))
  const values = conjuncts(filter).map((part) =>
    'dim' in part
      ? valuesOf(part)
      : 'not' in part && 'dim' in part.not
        ? word('workspace.not', { clause: valuesOf(part.not) })
        : null,
  )
  const isWhole =
    JSON.stringify(filter) === JSON.stringify(appliedFilter({ subject, filter: FIRST_VIEW.filter }))
  const sentence =
    values.length === 0 || values.includes(null) ? word('workspace.untitled') : values.join(' · ')
  const title = named ?? (isWhole ? null : sentence)
  const record = word('record.title')
  const rows = subject === 'predictions' ? null : word(`workspace.subject.${subject}`)
  useEffect(() => {
    // The frame's effect runs after this one and names only the screen.
    queueMicrotask(() => {
      document.title = [title, rows, record, 'Furlong'].filter(Boolean).join(' · ')
    })
  }, [title, rows, record])
  return title
}
