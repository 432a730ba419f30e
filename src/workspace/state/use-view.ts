import { useCallback, useEffect, useMemo, useRef } from 'react'
import {
  useLocation,
  useNavigate,
  useNavigationType,
  useSearchParams,
  NavigationType,
} from 'react-router-dom'
import { inModelOrder, pickedValues, withValues } from '../../../analytics/clauses.ts'
import type { Filter } from '../../../analytics/filter.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import { readView, withoutUnknown, writeView, type WorkspaceView } from './view.ts'

/** Changes the latest view, not the last rendered one: clicks may be faster than renders. */
export type ChangeView = (next: (view: WorkspaceView) => WorkspaceView) => void

interface ViewState {
  view: WorkspaceView
  change: ChangeView
  /** Undoes the last gesture. */
  undo(): void
}

/**
 * The view in the address. Each gesture is one entry in the browser's history. `aheadRef` receives the
 * view before it is rendered.
 */
export function useWorkspaceView(aheadRef: { current: (view: WorkspaceView) => void }): ViewState {
  const [params, setParams] = useSearchParams()
  const kind = useNavigationType()
  const navigate = useNavigate()
  const written = params.toString()
  const view = useMemo(() => readView(new URLSearchParams(written)), [written])
  const newest = useRef(view)
  const setter = useRef(setParams)
  const { state } = useLocation()
  /** Number of gestures since the user opened the page; a link has none. */
  const made = (state as { gestures?: number } | null)?.gestures
  const gestures = useRef(made ?? 0)
  useEffect(() => {
    setter.current = setParams
    // Changes made here are already known; a step back or a link is a different view.
    const known = kind !== NavigationType.Pop && made !== undefined
    if (known && writeView(newest.current).toString() !== written) return
    newest.current = view
    gestures.current = made ?? 0
  }, [kind, made, view, written, setParams])
  const change = useCallback<ChangeView>(
    (next) => {
      const changed = next(newest.current)
      const ordered = { ...changed, filter: inModelOrder(PREDICTIONS, withoutUnknown(changed.filter)) }
      const address = writeView(ordered)
      if (address.toString() === writeView(newest.current).toString()) return
      newest.current = ordered
      gestures.current += 1
      aheadRef.current(ordered)
      // Synchronously: a click must not wait for other updates.
      setter.current(address, {
        preventScrollReset: true,
        flushSync: true,
        state: { gestures: gestures.current },
      })
    },
    [aheadRef],
  )
  const undo = useCallback(() => {
    if (gestures.current > 0) void navigate(-1)
  }, [navigate])
  return { view, change, undo }
}

/** Dimensions whose values have the same meaning in every region. */
const ANYWHERE = [
  'bet_type',
  'prediction_type',
  'rank',
  'outcome',
  'probability',
  'weekday',
  'race_no',
  'field_size',
]

/**
 * Another region has different racecourses, goings and horses, so values selected in one are
 * meaningless in the other.
 */
export function useViewOfRegion(regionId: string | null, change: ChangeView): void {
  const last = useRef(regionId)
  useEffect(() => {
    if (last.current !== null && regionId !== null && last.current !== regionId) {
      change(({ filter, ...view }) => ({
        ...view,
        filter: ANYWHERE.reduce<Filter | null>(
          (kept, dim) => withValues(kept, dim, pickedValues(filter, dim)),
          null,
        ),
      }))
    }
    last.current = regionId
  })
}
