import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CONSOLE_KEY } from '../../src/data/client/device-work.ts'
import { useConsoleState } from '../../src/workspace/console/console-state.ts'
import { renderPart } from './render.tsx'

/** What the console keeps on the device. */

function Console() {
  const { state, write, follow, chooseModels } = useConsoleState('SELECT 1')
  return (
    <>
      <p>{state.tabs.map(({ sql }) => `[${sql}]`).join('')}</p>
      <button type="button" onClick={() => write('SELECT 2')}>
        write
      </button>
      <p>{state.models.join()}</p>
      <button type="button" onClick={() => chooseModels(['network', 'blended'])}>
        choose
      </button>
      <button type="button" onClick={() => follow(null)}>
        follow nothing
      </button>
    </>
  )
}

const stored = (): unknown => JSON.parse(localStorage.getItem(CONSOLE_KEY) ?? 'null')

test('who changed nothing has nothing on the device; the first change is kept', async () => {
  const { user } = await renderPart(<Console />)
  await user.click(screen.getByRole('button', { name: 'follow nothing' }))
  expect(screen.getByText('[SELECT 1]')).toBeTruthy()
  expect(stored()).toBeNull()
  await user.click(screen.getByRole('button', { name: 'write' }))
  await screen.findByText('[SELECT 2]')
  expect(stored()).toEqual({ tabs: [{ id: 1, sql: 'SELECT 2' }], active: 1, past: [], models: [] })
})

test('what was kept is there at the next visit', async () => {
  localStorage.setItem(
    CONSOLE_KEY,
    JSON.stringify({ tabs: [{ id: 3, sql: 'SELECT 3' }], active: 3, past: [] }),
  )
  await renderPart(<Console />)
  expect(screen.getByText('[SELECT 3]')).toBeTruthy()
})

test('chosen models stay on the device, and unknown ones are left out', async () => {
  const { user, unmount } = await renderPart(<Console />)
  await user.click(screen.getByRole('button', { name: 'choose' }))
  await screen.findByText('blended,network')
  unmount()
  const before = stored() as object
  expect(before).toMatchObject({ models: ['blended', 'network'] })
  localStorage.setItem(CONSOLE_KEY, JSON.stringify({ ...before, models: ['network', 'gone'] }))
  await renderPart(<Console />)
  expect(screen.getByText('network')).toBeTruthy()
})

test('what another window deleted is not written again by this one', async () => {
  const { user } = await renderPart(<Console />)
  await user.click(screen.getByRole('button', { name: 'write' }))
  await screen.findByText('[SELECT 2]')
  localStorage.removeItem(CONSOLE_KEY)
  globalThis.dispatchEvent(new StorageEvent('storage', { key: CONSOLE_KEY, newValue: null }))
  await screen.findByText('[]')
  expect(stored()).toBeNull()
})
