import { useCallback, useEffect, useMemo, useRef, type PointerEvent, type SyntheticEvent } from 'react'
import type { Priority } from '../../../analytics/connector.ts'
import type { Linked } from '../../../analytics/request.ts'
import { answersHere } from '../../data/analytics/connector.ts'
import { openedNow } from '../../data/analytics/opened.ts'
import { ownSlotsNow } from '../../data/analytics/own-rows.ts'
import { engine } from '../../data/analytics/parts.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { indexFor, isUsable, viewOf, type Slice } from '../../../analytics/view/requests.ts'

/** The pointer rests this long in a view before its index is built: crossing a view builds none. */
const REST_MS = 50
/** The page is unchanged this long before the indexes of the other views are built. */
const QUIET_MS = 250
/** So many indexes are not requested again: the engine keeps them. */
const MOST_BUILT = 12
/** Elements of a view: the dimensions whose values are clicked in it. */
const VIEWS = '[data-by], [data-facet]'

/** The dimensions of the view that an element is in; `null` outside of views. */
function dimsAt(target: EventTarget): string[] | null {
  const view = target instanceof Element ? target.closest<HTMLElement>(VIEWS) : null
  return view === null ? null : (view.dataset['by'] ?? view.dataset['facet'])!.split('.')
}

/**
 * Builds the indexes that answer clicks: of a view that the pointer or the focus enters, and, if `ahead`, of all views of
 * the page while nothing else is asked. Returns the handlers of the element that the views are in.
 */
export function useIndex(slice: Slice, linked: Linked | null, stale: boolean, ahead: boolean) {
  const scope = useScope()
  const about = useRef({ linked, slice, scope, stale })
  useEffect(() => {
    about.current = { linked, slice, scope, stale }
  })
  /** The indexes that were requested last of the open data, the newest at the end. */
  const built = useRef<{ of: unknown; own: unknown; keys: readonly string[] }>({
    of: null,
    own: null,
    keys: [],
  })

  const build = useCallback(async (dims: readonly string[], priority: Priority): Promise<void> => {
    const { linked, slice, scope, stale } = about.current
    if (!linked || stale || viewOf(linked, dims) < 0 || !answersHere(openedNow(), scope, { linked })) return
    const request = indexFor(slice, linked, dims)
    const key = JSON.stringify(request)
    const [of, own] = [openedNow(), ownSlotsNow(scope.regionId)]
    if (built.current.of !== of || built.current.own !== own) built.current = { of, own, keys: [] }
    const { keys } = built.current
    if (keys.includes(key) || !isUsable(request)) return
    built.current = { of, own, keys: [...keys, key].slice(-MOST_BUILT) }
    try {
      await engine.now()?.buildIndex(request, priority)
    } catch {
      // Cancelled, or of sums that no index can hold: clicks are then answered as if there were none.
      built.current = { ...built.current, keys: built.current.keys.filter((each) => each !== key) }
    }
  }, [])

  useEffect(() => {
    if (!ahead || stale || linked === null) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      for (const { by } of linked.panels) {
        if (!isCurrent || document.hidden) return
        // The totals and the days are no views to click in.
        if (by.length > 0 && by[0] !== 'day') await build(by, 'idle')
      }
    }, QUIET_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [ahead, stale, linked, build])

  const resting = useRef<{ view: string; timer: ReturnType<typeof setTimeout> } | null>(null)
  useEffect(() => () => clearTimeout(resting.current?.timer), [])
  return useMemo(() => {
    const enter = ({ target }: Pick<SyntheticEvent, 'target'>, after: number): void => {
      const dims = dimsAt(target)
      const view = dims?.join('.') ?? ''
      if (resting.current?.view === view) return
      clearTimeout(resting.current?.timer)
      const timer = setTimeout(() => dims && void build(dims, 'visible'), after)
      resting.current = { view, timer }
    }
    return {
      // A finger is there only with its tap, whose figures would wait for the index.
      onPointerOver: (event: PointerEvent): void => {
        if (event.pointerType !== 'touch') enter(event, REST_MS)
      },
      onFocus: (event: SyntheticEvent): void => enter(event, 0),
    }
  }, [build])
}
