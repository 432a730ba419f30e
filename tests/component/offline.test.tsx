// @module-tag rest
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AnalyticsGate } from '../../src/features/dataset/analytics-gate.tsx'
import { WinLossRecordScreen } from '../../src/screens/win-loss-record/win-loss-record-screen.tsx'
import { Workspace } from '../../src/workspace/workspace.tsx'
import { prepareWorker } from './browser-stand-ins.ts'
import { PreparedConnector } from './prepared-connector.ts'
import { figuresReady, MANIFEST, PICKS } from './record.tsx'
import { part, renderPart, server } from './render.tsx'

/** The record without a server; in a file of its own, because a page's engine starts once. */

const button = (name: string): HTMLElement => screen.getByRole('button', { name })

for (const [language, words, again] of [
  ['en', 'There is no connection', 'Try again'],
  ['zh-Hant', '沒有網絡連線', '再試一次'],
  ['zh-Hans', '没有网络连接', '再试一次'],
] as const)
  test(`without the server a visitor is told so, and can try again: ${language}`, async () => {
    server.manifest = MANIFEST
    prepareWorker('analytics.worker', {
      onProgress: () => undefined,
      prepare: () => undefined,
      open: () => ({ ok: false, error: { code: 'offline', details: {} } }),
    })
    const connector = new PreparedConnector({ predictions: PICKS, named: () => [], scope: 'public' })
    const { user } = await renderPart(
      <AnalyticsGate>
        <Workspace />
      </AnalyticsGate>,
      { language, parts: ['workspace'], path: '/pages/race/WinLossRecord' },
    )
    // The engine starts with the first gesture, and finds no files either.
    await waitFor(() => expect(document.querySelector('aside')).toBeTruthy())
    await user.keyboard('{Shift}')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain(words)
    // The queries that found no server are expected here.
    server.unexpected.length = 0
    server.connect(connector)
    await user.click(button(again))
    await figuresReady()
    expect(part('record-tiles').querySelector('dd')!.textContent).toBe('200')
  })

test('the record has its heading, too, where not even the list of files is there', async () => {
  server.isOffline = true
  const { user } = await renderPart(<WinLossRecordScreen />, {
    parts: ['workspace'],
    path: '/pages/race/WinLossRecord',
  })
  await screen.findByRole('alert')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Record')
  server.isOffline = false
  server.manifest = MANIFEST
  server.connect(new PreparedConnector({ predictions: PICKS, named: () => [], scope: 'public' }))
  server.unexpected.length = 0
  await user.click(button('Try again'))
  await figuresReady()
})
