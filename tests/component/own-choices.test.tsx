// @module-tag rest
import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { NO_CHOICES, type OwnChoices, type OwnFile, type OwnSource } from '../../analytics/own-api.ts'
import { ownTableNow, setOwnTable } from '../../src/data/analytics/own-rows.ts'
import { OWN_CHOICES_KEY } from '../../src/data/client/device-work.ts'
import { prepareWorker } from './browser-stand-ins.ts'
import { openRecord } from './record.tsx'
import { part } from './render.tsx'

/** What becomes of a file of one's own, and of its copy on the device, when it cannot be read as its reader chose. */

const READ: OwnFile = {
  rows: 2,
  columns: [],
  roles: {},
  encoding: 'gb18030',
  sign: { decimal: '.', by: 'proved', example: null },
  notes: [],
}

const refusal = (encoding: string) => ({
  ok: false,
  error: { code: 'own-file', details: { problem: 'encoding', line: 2, encoding } },
})

/**
 * A file on the device whose bytes are in none of the encodings `refused`; `null`: as it suggests itself. In the encoding
 * `held`, it is read until that is cancelled.
 */
async function openStored(refused: readonly OwnChoices['encoding'][], held?: OwnChoices['encoding']) {
  const stored = new Map([['ratings.csv', new File(['x'], 'ratings.csv')]])
  const directory = {
    entries: async function* entries() {
      for (const [name, file] of stored) yield [name, { kind: 'file', getFile: async () => file }]
    },
    removeEntry: async (name: string) => void stored.delete(name),
  }
  // jsdom has no such storage.
  Object.defineProperty(navigator, 'storage', {
    configurable: true,
    value: { getDirectory: async () => ({ getDirectoryHandle: async () => directory }) },
  })
  const readings: OwnChoices[] = []
  let cancel: (reply: unknown) => void = () => undefined
  const cancelled = new Promise((resolve) => {
    cancel = resolve
  })
  prepareWorker('own.worker', {
    open: () => ({ ok: true, dataset: {} }),
    cancel: () => cancel({ ok: false, error: { code: 'query-cancelled', details: {} } }),
    read: (_: OwnSource, choices: OwnChoices) => {
      readings.push(choices)
      if (held !== undefined && choices.encoding === held) return cancelled
      return refused.includes(choices.encoding)
        ? refusal(choices.encoding ?? 'utf-8')
        : { ok: true, file: { ...READ, encoding: choices.encoding ?? READ.encoding } }
    },
  })
  prepareWorker('analytics.worker', {
    onProgress: () => undefined,
    prepare: () => undefined,
    open: () => ({ ok: false, error: { code: 'offline', details: {} } }),
  })
  const opened = await openRecord({ words: 'tab=own' })
  return { ...opened, readings, stored }
}

afterEach(() => void Reflect.deleteProperty(navigator, 'storage'))

/** What is wrong with how the file was read, if anything is. */
const problem = (): HTMLElement | undefined =>
  screen.queryAllByTestId('own-problem').find(({ dataset }) => dataset['problem'] === 'encoding')

const encodings = (readings: readonly OwnChoices[]) => readings.map(({ encoding }) => encoding)

test('an encoding that does not suit is told, and the file stays as it was read before', async () => {
  const { user, readings, stored } = await openStored(['big5', 'shift_jis'])
  await waitFor(() => expect(part('own').dataset['state']).toBe('read'))
  const choose = (encoding: string): Promise<void> =>
    user.selectOptions(screen.getByRole('combobox', { name: 'Encoding' }), encoding)
  await choose('utf-8')
  await waitFor(() => expect(readings).toHaveLength(2))
  await waitFor(() => expect(part('own').dataset['state']).toBe('read'))
  for (const encoding of ['big5', 'shift_jis']) {
    await choose(encoding)
    await waitFor(() => expect(problem()?.textContent).toContain(encoding.toUpperCase()))
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Encoding' }).value).toBe('utf-8')
    expect([...stored.keys()]).toEqual(['ratings.csv'])
    expect(part('own-file').textContent).toContain('Kept on this device')
    expect(JSON.parse(localStorage.getItem(OWN_CHOICES_KEY) ?? '{}')).toMatchObject({
      ...NO_CHOICES,
      encoding: 'utf-8',
    })
  }
  expect(encodings(readings)).toEqual([null, 'utf-8', 'big5', 'utf-8', 'shift_jis', 'utf-8'])
  // A choice that suits leaves nothing to tell.
  await choose('gb18030')
  await waitFor(() => expect(encodings(readings).at(-1)).toBe('gb18030'))
  await waitFor(() => expect(part('own').dataset['state']).toBe('read'))
  expect(problem()).toBeUndefined()
  // The session has the file no more: the next test starts with that of its device.
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(part('own').dataset['state']).toBe('none'))
})

test('a stored choice that suits no more is given up, and a file that cannot be read at all is deleted', async () => {
  const size = 1
  localStorage.setItem(
    OWN_CHOICES_KEY,
    JSON.stringify({ name: 'ratings.csv', size, ...NO_CHOICES, encoding: 'big5' }),
  )
  const { readings, stored } = await openStored(['big5', null])
  await waitFor(() => expect(problem()).toBeDefined())
  await waitFor(() => expect(stored.size).toBe(0))
  expect(part('own').dataset['state']).toBe('none')
  expect(encodings(readings)).toEqual(['big5', null])
})

test('a choice whose reading is cancelled is not kept for the copy on the device', async () => {
  const { user, readings, stored } = await openStored([], 'big5')
  await waitFor(() => expect(part('own').dataset['state']).toBe('read'))
  const choose = (encoding: string): Promise<void> =>
    user.selectOptions(screen.getByRole('combobox', { name: 'Encoding' }), encoding)
  await choose('utf-8')
  await waitFor(() => expect(readings).toHaveLength(2))
  await waitFor(() => expect(part('own').dataset['state']).toBe('read'))
  await choose('big5')
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(part('own').dataset['state']).toBe('none'))
  expect([...stored.keys()]).toEqual(['ratings.csv'])
  expect(JSON.parse(localStorage.getItem(OWN_CHOICES_KEY) ?? '{}')).toMatchObject({ encoding: 'utf-8' })
  expect(encodings(readings)).toEqual([null, 'utf-8', 'big5'])
})

test('rows of a file that is read again stay, also when the reader leaves it before it is read', async () => {
  const rows = { regionId: '100000', bytes: new Uint8Array(), columns: [], numbers: [] }
  setOwnTable(rows)
  const { user } = await openStored([], null)
  await waitFor(() => expect(part('own').dataset['state']).toBe('reading'))
  expect(ownTableNow()).toBe(rows)
  await user.click(screen.getByRole('tab', { name: 'Overview' }))
  await waitFor(() => expect(screen.queryByTestId('own')).toBeNull())
  expect(ownTableNow()).toBe(rows)
  setOwnTable(null)
})

test('a second click on the removal takes nothing of the file that is chosen next', async () => {
  const refused: OwnChoices['encoding'][] = []
  const { user } = await openStored(refused)
  await waitFor(() => expect(part('own').dataset['state']).toBe('read'))
  const { storage } = navigator
  const removals: (() => void)[] = []
  Object.defineProperty(navigator, 'storage', {
    configurable: true,
    value: {
      getDirectory: () =>
        new Promise((resolve) => {
          removals.push(() => resolve(storage.getDirectory()))
        }),
    },
  })
  const remove = screen.getByRole('button', { name: 'Remove' })
  await user.click(remove)
  await user.click(remove)
  expect(removals).toHaveLength(2)
  removals[0]!()
  await waitFor(() => expect(part('own').dataset['state']).toBe('none'))
  refused.push(null)
  await user.upload(
    part('own').querySelector<HTMLInputElement>('input[type=file]')!,
    new File(['y'], 'next.csv'),
  )
  await waitFor(() => expect(problem()).toBeDefined())
  removals[1]!()
  // Long enough for all that the second removal awaits.
  await new Promise((resolve) => {
    setTimeout(resolve, 50)
  })
  expect(problem()).toBeDefined()
})
