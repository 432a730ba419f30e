import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { usePrefetchingChange, type ViewState } from '../../src/workspace/state/use-view.ts'
import { readView, type WorkspaceView } from '../../analytics/view/view.ts'

test('the change keeps its identity when what is prefetched changes, and prefetches by the newest', () => {
  const view = readView(new URLSearchParams())
  const change: ViewState['change'] = (next, onNext) => void onNext?.(next(view))
  const prefetched: string[] = []
  const prefetchAs = (name: string) => (next: WorkspaceView) => {
    prefetched.push(`${name} ${next.tab}`)
    return undefined
  }
  const { result, rerender } = renderHook(({ onNext }) => usePrefetchingChange(change, onNext), {
    initialProps: { onNext: prefetchAs('three facets') },
  })
  const first = result.current
  rerender({ onNext: prefetchAs('four facets') })
  expect(result.current).toBe(first)
  result.current((newest) => ({ ...newest, tab: 'models' }))
  expect(prefetched).toEqual(['four facets models'])
})
