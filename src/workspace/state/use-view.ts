import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
  NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
  useSearchParams,
} from 'react-router-dom'
import { inModelOrder, pickedValues, withValues } from '../../../analytics/clauses.ts'
import type { Filter } from '../../../analytics/filter.ts'
import { createStore, type Store } from '../../data/client/create-store.ts'
import { EVERY } from '../../../analytics/view/dimension-of.ts'
import { readView, withoutUnknown, type WorkspaceView } from '../../../analytics/view/view.ts'
import { writeView } from './write-view.ts'

/** Changes the latest view, not the last rendered one: clicks may be faster than renders. */
export type ChangeView = (next: (view: WorkspaceView) => WorkspaceView) => void

type OnNext = (view: WorkspaceView) => Promise<void> | undefined

/** So long a gesture may show nothing: rendering once, with its figures, is faster than rendering twice. */
const SOON_MS = 80

/** The view of the last gesture, which the page may not show yet: controls have its state at once. */
export type NewestView = Pick<Store<WorkspaceView>, 'now' | 'use'>

export interface ViewState {
  view: WorkspaceView
  newest: NewestView
  /**
   * As `ChangeView`; `onNext` receives the next view before it is rendered. If it returns a promise, the view is rendered
   * with what that brings, or without it if that takes longer than a reader notices.
   */
  change(next: (view: WorkspaceView) => WorkspaceView, onNext?: OnNext): void
  /** Undoes the last gesture. */
  undo(): void
}

/** A view with the form of its filter that addresses and requests have. */
const inOrder = (view: WorkspaceView): WorkspaceView => ({
  ...view,
  filter: inModelOrder(EVERY, withoutUnknown(view.filter, view.subject)),
})

/** The view in the address. Each gesture is one entry in the browser's history. */
export function useWorkspaceView(): ViewState {
  const [params] = useSearchParams()
  const kind = useNavigationType()
  const navigate = useNavigate()
  const written = params.toString()
  const view = useMemo(() => readView(new URLSearchParams(written)), [written])
  const { state } = useLocation()
  /** Number of gestures since the user opened the page; a link has none. */
  const made = (state as { gestures?: number } | null)?.gestures
  const latest = useRef({ view, gestures: made ?? 0 })
  const [newest] = useState(() => createStore(view))
  /** Renders the newest view, which waits for its figures; `null` if it is rendered. */
  const waiting = useRef<(() => void) | null>(null)
  useEffect(() => {
    // The next gesture begins with what this one shows, as fields have their values from the address.
    const renderNow = (): void => waiting.current?.()
    const kinds = ['keydown', 'pointerdown', 'click'] as const
    for (const kind of kinds) document.addEventListener(kind, renderNow, { capture: true })
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, renderNow, { capture: true })
      // A page that is left does not come back by a gesture on it.
      waiting.current = null
    }
  }, [])
  useEffect(() => {
    // Changes made here are already known; a step back or a link is a different view.
    const known = kind !== NavigationType.Pop && made !== undefined
    if (known && writeView(latest.current.view).toString() !== written) return
    latest.current = { view, gestures: made ?? 0 }
    newest.set(view)
  }, [kind, made, newest, view, written])
  const change = useCallback<ViewState['change']>(
    (next, onNext) => {
      const before = latest.current
      const ordered = inOrder(next(before.view))
      const address = writeView(ordered).toString()
      if (address === writeView(before.view).toString()) return
      const gestures = before.gestures + 1
      latest.current = { view: ordered, gestures }
      newest.set(ordered)
      // A gesture before this one that still waits: its entry in the history comes first.
      waiting.current?.()
      const ready = onNext?.(ordered)
      const { href } = window.location
      const render = (): void => {
        if (waiting.current !== render) return
        waiting.current = null
        // The reader has gone elsewhere meanwhile, for example with the second click of two.
        if (window.location.href !== href) return
        // Synchronously: a click must not wait for other updates.
        void navigate(`?${address}`, { preventScrollReset: true, flushSync: true, state: { gestures } })
      }
      waiting.current = render
      if (ready === undefined) return render()
      const late = setTimeout(render, SOON_MS)
      void ready.finally(() => {
        clearTimeout(late)
        render()
      })
    },
    [navigate, newest],
  )
  const undo = useCallback(() => {
    waiting.current?.()
    if (latest.current.gestures > 0) void navigate(-1)
  }, [navigate])
  return { view, newest, change, undo }
}

/**
 * `change`, calling the last rendered `onNext` with the next view before that is drawn. Its identity is that of
 * `change`: panels compare it, and what `onNext` depends on changes with every opened facet.
 */
export function usePrefetchingChange(change: ViewState['change'], onNext: OnNext): ChangeView {
  const latest = useRef(onNext)
  useEffect(() => {
    latest.current = onNext
  }, [onNext])
  return useCallback<ChangeView>((next) => change(next, (view) => latest.current(view)), [change])
}

/** Calls the last rendered `onView` with the view that a gesture would bring, without making it. */
export function useForesight(newest: NewestView, onView: (view: WorkspaceView) => void): ChangeView {
  const latest = useRef(onView)
  useEffect(() => {
    latest.current = onView
  }, [onView])
  return useCallback<ChangeView>((next) => latest.current(inOrder(next(newest.now()))), [newest])
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
          (next, dim) => withValues(next, dim, pickedValues(filter, dim)),
          null,
        ),
      }))
    }
    last.current = regionId
  })
}
