import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AnalyticsGate } from '../../src/features/dataset/analytics-gate.tsx'
import { Workspace } from '../../src/workspace/workspace.tsx'
import { prepareWorker } from './browser-stand-ins.ts'
import { PreparedConnector } from './prepared-connector.ts'
import { figuresReady, MANIFEST, PICKS } from './record.tsx'
import { part, renderPart, server } from './render.tsx'

/** The record while the server has too many questions; in a file of its own, because a page's engine starts once. */

const REFUSED = '您的帳戶或網絡有太多查詢正在輪候。請在 20 秒後再查詢。'

test('a page asks again by itself after a short pause', async () => {
  server.manifest = MANIFEST
  prepareWorker('analytics.worker', {
    onProgress: () => undefined,
    prepare: () => undefined,
    open: () => ({ ok: false, error: { code: 'offline', details: {} } }),
  })
  server.connect(new PreparedConnector({ predictions: PICKS, named: () => [], scope: 'public' }))
  server.busy = { times: 2, message: REFUSED, seconds: 0.05 }
  await renderPart(
    <AnalyticsGate>
      <Workspace />
    </AnalyticsGate>,
    { language: 'zh-Hant', parts: ['workspace'], path: '/pages/race/WinLossRecord' },
  )
  await figuresReady()
  expect(server.busy.times).toBe(0)
  expect(part('record-tiles').querySelector('dd')!.textContent).toBe('200')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a refusal that names a long pause is shown in the reader’s language', async () => {
  server.manifest = MANIFEST
  server.connect(new PreparedConnector({ predictions: PICKS, named: () => [], scope: 'public' }))
  server.busy = { times: 1000, message: REFUSED, seconds: 20 }
  const { user } = await renderPart(
    <AnalyticsGate>
      <Workspace />
    </AnalyticsGate>,
    { language: 'zh-Hant', parts: ['workspace'], path: '/pages/race/WinLossRecord' },
  )
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(REFUSED)
  server.busy.times = 0
  await user.click(screen.getByRole('button', { name: '再試一次' }))
  await figuresReady()
})
