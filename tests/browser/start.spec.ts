import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { ROOT } from '../support/server-process.ts'
import { operatingLine } from '../support/operating.ts'

test('a server without a worker starts as the operating page says, serves the page, and stops', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const dataFolder = mkdtempSync(join(tmpdir(), 'furlong-start-'))
  const server = spawn('sh', ['-c', operatingLine('FURLONG_WORKER=none')], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: '', DATABASE_URL: '', FURLONG_DATA: dataFolder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  // The output closes with the last process of the group, which is the server.
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()))
  let base = ''
  try {
    await expect.poll(() => printed, { timeout: 150_000 }).toMatch(/\nready\n/)
    base = /Furlong is at (\S+)/.exec(printed)![1]!
    await page.goto(base)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  } finally {
    process.kill(-server.pid!, 'SIGTERM')
    await ended
    rmSync(dataFolder, { recursive: true, force: true })
  }
  expect(
    await fetch(base).then(
      () => 'answered',
      () => 'refused',
    ),
  ).toBe('refused')
})
