import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CONSOLE_KEY } from '../../src/data/client/device-work.ts'
import { documentOf, readDocument, writeDocument } from '../../src/workspace/console/document.ts'
import { useConsoleState } from '../../src/workspace/console/console-state.ts'
import { renderPart } from './render.tsx'

/** What the console keeps on the device. */

function Console() {
  const { state, edit, add, follow, chooseModels } = useConsoleState('SELECT 1')
  return (
    <>
      <p>{state.tabs.map((tab) => `[${writeDocument(tab)}]`).join('')}</p>
      <button type="button" onClick={() => edit(() => documentOf('SELECT 2'))}>
        write
      </button>
      <p>{state.models.join()}</p>
      <button type="button" onClick={() => chooseModels(['network', 'blended'])}>
        choose
      </button>
      <button type="button" onClick={() => add(DOCUMENT)}>
        add
      </button>
      <button type="button" onClick={() => follow(DOCUMENT)}>
        follow a document
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
  expect(stored()).toEqual({
    tabs: [{ id: 1, ...documentOf('SELECT 2') }],
    active: 1,
    past: [],
    models: [],
  })
})

test('statements of earlier versions, which were no documents, are still there', async () => {
  localStorage.setItem(
    CONSOLE_KEY,
    JSON.stringify({ tabs: [{ id: 3, sql: 'SELECT 3' }], active: 3, past: [] }),
  )
  await renderPart(<Console />)
  expect(screen.getByText('[SELECT 3]')).toBeTruthy()
})

const DOCUMENT = '-- %% document Draw\n-- %% text\n-- By draw\n-- %% sql q1\nFROM race\n;\n'

test('a document is stored with its cells, and a link to it shows the tab that has it', async () => {
  const { user, unmount } = await renderPart(<Console />)
  await user.click(screen.getByRole('button', { name: 'add' }))
  unmount()
  expect(stored()).toMatchObject({ active: 2, tabs: [{ id: 1 }, { id: 2, ...readDocument(DOCUMENT) }] })
  const again = await renderPart(<Console />)
  await again.user.click(screen.getByRole('button', { name: 'follow a document' }))
  expect((stored() as { tabs: unknown[] }).tabs).toHaveLength(2)
})

test('what is no document is left out of what was stored', async () => {
  const cell = { kind: 'sql', id: 1, name: 'a', sql: 'FROM race' }
  const tabs = [
    null,
    { id: 1 },
    { id: 2, cells: [] },
    { id: 3, title: 5, cells: [cell, { kind: 'text', id: 2 }, 7] },
  ]
  localStorage.setItem(CONSOLE_KEY, JSON.stringify({ tabs, active: 1, past: 'x' }))
  const { user } = await renderPart(<Console />)
  await user.click(screen.getByRole('button', { name: 'choose' }))
  expect(stored()).toEqual({
    tabs: [{ id: 3, title: '', cells: [cell] }],
    active: 3,
    past: [],
    models: ['blended', 'network'],
  })
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
