import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { OpenedDataset } from '../../analytics/engine-api.ts'
import type { IndexRequest } from '../../analytics/panel-index.ts'
import type { Request } from '../../analytics/request.ts'
import { prepareWorker } from './browser-stand-ins.ts'
import { PreparedConnector } from './prepared-connector.ts'
import { facet, figuresReady, MANIFEST, openRecord, PICKS, tile } from './record.tsx'
import { address, part } from './render.tsx'

/** The record with an engine on the device: what a gesture shows at once, and what it waits for. */

const OPENED: OpenedDataset = {
  asOf: MANIFEST.asOf,
  demonstration: false,
  regionId: '100000',
  history: true,
  details: false,
  sections: false,
  files: 1,
  bytes: 1,
  fetchedBytes: 1,
  offline: false,
  from: null,
  to: null,
  model: 'market-baseline',
  since: null,
}

const connector = new PreparedConnector({ predictions: PICKS, named: () => [] })
/** Every index that was requested. */
const indexes: IndexRequest[] = []
/** Requests that the engine refuses. */
let isRefused: (request: Request) => boolean = () => false

/** A page's engine starts once, so that all tests have the same; its answers are those of prepared tables. */
async function openWithEngine() {
  isRefused = () => false
  indexes.length = 0
  prepareWorker('analytics.worker', {
    onProgress: () => undefined,
    prepare: () => undefined,
    warmUp: () => undefined,
    cancel: () => undefined,
    open: () => ({ ok: true, dataset: OPENED }),
    index: (request: IndexRequest) => {
      indexes.push(request)
      return { ok: false, error: { code: 'query-cancelled', details: {} } }
    },
    run: async (request: Request) =>
      isRefused(request)
        ? { ok: false, error: { code: 'internal', details: {} } }
        : { ok: true, answer: { ...(await connector.run(request)), computed: 'local' } },
  })
  const opened = await openRecord({ words: 'p=bars:racecourse' })
  await waitFor(() => expect(document.querySelector('[data-engine=ready]')).not.toBeNull())
  return opened
}

const box = (dim: string, name: RegExp): HTMLInputElement =>
  within(facet(dim)).getByRole('checkbox', { name })
const isOfFigures = (request: Request): boolean => 'linked' in request && request.linked.intervals !== true

test('a clicked value has its new state at once, and every later one, before their figures are there', async () => {
  await openWithEngine()
  const before = address()
  const release = connector.hold(isOfFigures)
  fireEvent.click(box('going', /^Good/))
  expect(box('going', /^Good/).checked).toBe(true)
  expect(within(facet('going')).getByRole('button', { name: /^Going/ }).textContent).toBe('Going1')
  // Nothing else is drawn yet.
  expect([address(), tile('Predictions').value]).toEqual([before, '200'])
  const win = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Win' })
  const wasChecked = win.checked
  fireEvent.click(win)
  expect(win.checked).toBe(!wasChecked)
  fireEvent.click(box('going', /^Good/))
  expect(box('going', /^Good/).checked).toBe(false)
  fireEvent.click(box('going', /^Yielding/))
  expect(box('going', /^Yielding/).checked).toBe(true)
  await act(async () => release())
  await waitFor(() => expect(tile('Predictions').value).toBe('80'))
  await figuresReady()
  expect(address()).toContain('going:yielding')
  expect([box('going', /^Good/).checked, box('going', /^Yielding/).checked]).toEqual([false, true])
})

test('after a reply that fails, the values are those of the address, also after a step back', async () => {
  await openWithEngine()
  isRefused = (request) => isOfFigures(request) && JSON.stringify(request).includes('"good"')
  fireEvent.click(box('going', /^Good/))
  expect(box('going', /^Good/).checked).toBe(true)
  await screen.findByRole('alert')
  expect(address()).toContain('going:good')
  history.back()
  await waitFor(() => expect(address()).not.toContain('going'))
  await waitFor(() => expect(box('going', /^Good/).checked).toBe(false))
})

test('the first figures, the panels and the filters are drawn together, so that nothing is moved by what follows', async () => {
  const seen: string[][] = []
  const observer = new MutationObserver(() => {
    if (seen.length > 0 || document.querySelector('[data-testid=record-tiles]') === null) return
    seen.push(
      ['[role=tablist]', '[data-facet=going]'].filter((each) => document.querySelector(each) !== null),
    )
  })
  observer.observe(document.body, { childList: true, subtree: true })
  await openRecord({ words: 'p=bars:racecourse' })
  observer.disconnect()
  expect(seen).toEqual([['[role=tablist]', '[data-facet=going]']])
})

test('a tab that takes the whole width has neither filters nor figures beside it, and asks for none', async () => {
  const { user } = await openWithEngine()
  connector.requests.length = 0
  await user.click(screen.getByRole('tab', { name: 'Verify' }))
  // The tab is drawn with the frames after the click.
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Filters' })).toBeNull())
  await figuresReady()
  expect(screen.queryByTestId('record-tiles')).toBeNull()
  // What restricts the verified races can still be seen and taken back.
  expect(screen.getByRole('button', { name: 'Remove filter Bet type: Win' })).toBeTruthy()
  const dims = connector.requests.flatMap((each) =>
    'linked' in each ? each.linked.panels.flatMap(({ by }) => by) : [],
  )
  expect(dims).not.toContain('going')
  await user.click(screen.getByRole('tab', { name: 'Overview' }))
  await waitFor(() => expect(box('going', /^Good/)).toBeTruthy())
  expect(part('record-tiles').querySelector('dd')!.textContent).toBe('200')
})

test('the values of filters that are shut are neither asked for nor indexed, and come back with them', async () => {
  const { user } = await openWithEngine()
  const toggle = screen.getByRole('button', { name: 'Filters' })
  const built = (): Promise<void> =>
    // One that was cancelled, as all are here, may be asked for again.
    waitFor(() =>
      expect([...new Set(indexes.map(({ active }) => active.join('.')))]).toEqual(['month', 'racecourse']),
    )
  // Those of the open filters are asked for before they are shut.
  await waitFor(() => expect(indexes.some(({ active }) => active.join() === 'going')).toBe(true))
  indexes.length = 0
  await user.click(toggle)
  await figuresReady()
  await built()
  indexes.length = 0
  connector.requests.length = 0
  await user.click(screen.getByRole('button', { name: 'Last 12 months' }))
  await built()
  const asked = connector.requests.flatMap((each) =>
    'linked' in each && each.linked.intervals !== true ? [each.linked.panels] : [],
  )
  for (const panels of [...asked, ...indexes.map((each) => each.panels)])
    expect(panels.map(({ by }) => by.join('.'))).toEqual(['', 'day', 'month', 'racecourse'])
  expect(asked).toHaveLength(1)
  await user.click(toggle)
  await waitFor(() => expect(box('going', /^Good/)).toBeTruthy())
})

test('a mouse that rests on a bar asks for its figures, which then are there with the click', async () => {
  await openWithEngine()
  const figures = (): Request[] => connector.requests.filter(isOfFigures)
  const [before, asked] = [address(), figures().length]
  const bar = document.querySelector('[data-by=racecourse] tbody button')!
  fireEvent.pointerOver(bar, { pointerType: 'mouse' })
  fireEvent.pointerEnter(bar, { pointerType: 'mouse' })
  await waitFor(() => expect(figures()).toHaveLength(asked + 1))
  expect(JSON.stringify(figures().at(-1))).toContain('"dim":"racecourse"')
  expect(address()).toBe(before)
  const release = connector.hold(isOfFigures)
  fireEvent.click(bar)
  await waitFor(() => expect(address()).toContain('racecourse'))
  expect(figures()).toHaveLength(asked + 1)
  release()
})
