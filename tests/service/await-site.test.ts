// @module-tag rest
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newSmallSeason } from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { FURLONG, ROOT, STILL, WITHOUT_WORKER } from '../support/server-process.ts'

/** Longer than a server needs to listen that waits for nothing. */
const NOT_LISTENING_MS = 4000

/** A server that `npm start` has begun while it builds the site. */
async function startEarly() {
  const place = await newSmallSeason('postgresql', DEMO_DAY)
  const server = spawn(process.execPath, [...FURLONG, 'serve', '--await-site'], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...STILL,
      ...WITHOUT_WORKER,
      NODE_ENV: '',
      PORT: '0',
      FURLONG_DATA: place.dataFolder,
      DATABASE_URL: place.databaseUrl!,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let printed = ''
  server.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  return { place, server, printed: () => printed }
}

test('a server that is started before the site is built listens when it is told that the site is there', async () => {
  const { place, server, printed } = await startEarly()
  await pause(NOT_LISTENING_MS)
  expect(printed()).not.toContain('Furlong is at')
  server.send('site', () => server.disconnect())
  await expect.poll(printed, { timeout: 60_000 }).toMatch(/Furlong is at [\s\S]*\nready\n/)
  server.kill('SIGTERM')
  expect((await once(server, 'exit'))[0]).toBe(0)
  await place.close()
})

test(
  'it ends if the site cannot be built, and when it is stopped meanwhile',
  { tags: ['rest'] },
  async () => {
    const failed = await startEarly()
    await pause(NOT_LISTENING_MS)
    const ended = once(failed.server, 'exit')
    failed.server.disconnect()
    expect((await ended)[0]).toBe(1)
    expect(failed.printed()).not.toContain('Furlong is at')

    const stopped = await startEarly()
    await pause(NOT_LISTENING_MS)
    stopped.server.kill('SIGTERM')
    // On a busy machine it may not have come to its own answer to the signal, which then ends it as any other process.
    expect([0, 'SIGTERM']).toContain((await once(stopped.server, 'exit')).find((each) => each !== null))
    await Promise.all([failed.place.close(), stopped.place.close()])
  },
)
