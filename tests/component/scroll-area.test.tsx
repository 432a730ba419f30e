import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ScrollArea } from '../../src/ui/layout.tsx'
import { renderPart } from './render.tsx'

/** Sizes as the browser would lay them out, told to the observers that are connected. */
function laidOut(sizes: { scrollWidth: number; clientWidth: number }): () => void {
  const observers = new Set<() => void>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      private readonly tell: () => void
      constructor(tell: () => void) {
        this.tell = tell
      }
      observe(): void {
        observers.add(this.tell)
      }
      disconnect(): void {
        observers.delete(this.tell)
      }
    },
  )
  for (const side of ['scrollWidth', 'clientWidth'] as const)
    vi.spyOn(HTMLElement.prototype, side, 'get').mockImplementation(() => sizes[side])
  return () => act(() => observers.forEach((tell) => tell()))
}

test('a scroll area is a tab stop only while its content is larger than it', async () => {
  const sizes = { scrollWidth: 600, clientWidth: 600 }
  const tell = laidOut(sizes)
  await renderPart(
    <ScrollArea name="Runners">
      <p>content</p>
    </ScrollArea>,
  )
  const area = screen.getByRole('region', { name: 'Runners' })
  tell()
  expect(area.hasAttribute('tabindex')).toBe(false)
  sizes.clientWidth = 400
  tell()
  expect(area.tabIndex).toBe(0)
  sizes.clientWidth = 700
  tell()
  expect(area.hasAttribute('tabindex')).toBe(false)
  vi.restoreAllMocks()
})
