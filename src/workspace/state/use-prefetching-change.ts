import { useCallback, useEffect, useRef } from 'react'
import type { ChangeView, ViewState } from './use-view.ts'
import type { WorkspaceView } from './view.ts'

/**
 * `change`, calling the last rendered `onNext` with the next view before that is drawn. Its identity is that of
 * `change`: panels compare it, and what `onNext` depends on changes with every opened facet.
 */
export function usePrefetchingChange(
  change: ViewState['change'],
  onNext: (view: WorkspaceView) => void,
): ChangeView {
  const latest = useRef(onNext)
  useEffect(() => {
    latest.current = onNext
  }, [onNext])
  return useCallback<ChangeView>((next) => change(next, (view) => latest.current(view)), [change])
}
