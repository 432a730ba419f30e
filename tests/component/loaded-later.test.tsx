import { render, screen } from '@testing-library/react'
import { Component, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { loadedLater } from '../../src/ui/behaviour/loaded-later.tsx'

const Part = ({ name }: { name: string }) => <p>Part {name}</p>
const later = (load: () => Promise<{ default: typeof Part }>) => loadedLater(load, <p>Waiting</p>)

/** Shows what was thrown. */
class Caught extends Component<{ children: ReactNode }, { thrown: string | null }> {
  override state = { thrown: null }
  static getDerivedStateFromError(error: Error) {
    return { thrown: error.message }
  }
  override render() {
    return this.state.thrown ?? this.props.children
  }
}

test('a part is loaded once it is shown, and drawn when it is there', async () => {
  let loads = 0
  const Later = later(() => {
    loads += 1
    return Promise.resolve({ default: Part })
  })
  expect(loads).toBe(0)
  const { rerender } = render(<Later name="one" />)
  expect(screen.getByText('Waiting')).toBeTruthy()
  expect(await screen.findByText('Part one')).toBeTruthy()
  rerender(<Later name="two" />)
  expect(screen.getByText('Part two')).toBeTruthy()
  expect(loads).toBe(1)
})

test('a part that was loaded ahead is drawn at once', async () => {
  const Later = later(() => Promise.resolve({ default: Part }))
  await Later.load()
  render(<Later name="one" />)
  expect(screen.getByText('Part one')).toBeTruthy()
})

test('what cannot be loaded is thrown, and loaded anew the next time', async () => {
  let isConnected = false
  const Later = later(() =>
    isConnected ? Promise.resolve({ default: Part }) : Promise.reject(new Error('no connection')),
  )
  const { unmount } = render(
    <Caught>
      <Later name="one" />
    </Caught>,
  )
  expect(await screen.findByText('no connection')).toBeTruthy()
  unmount()
  isConnected = true
  render(<Later name="one" />)
  expect(await screen.findByText('Part one')).toBeTruthy()
})
