import { platform } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { Lane } from '../../server/drafts/job-kinds.ts'

/** Niceness of a new thread after it yielded the processor, and that of the process that started it. */
const nicenessOf = (
  lane: Lane,
  databaseUrl: string | undefined,
): Promise<{ thread: number; process: number }> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(
      `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(async ({ register }) => {
         register()
         const { yieldProcessor } = await import(${JSON.stringify(new URL('../../server/jobs/niceness.ts', import.meta.url).href)})
         const { workerData, parentPort } = require('node:worker_threads')
         const { readFileSync } = require('node:fs')
         // The 19th field, counted after the name in brackets, which may contain spaces.
         const read = (of) => Number(readFileSync('/proc/' + of + '/stat', 'utf8').replace(/^.*\\) /, '').split(' ')[16])
         yieldProcessor(workerData.lane, workerData.databaseUrl)
         parentPort.postMessage({ thread: read('thread-self'), process: read('self') })
       })`,
      { eval: true, workerData: { lane, databaseUrl } },
    )
    thread.once('message', resolve)
    thread.once('error', reject)
  })

test.skipIf(platform() !== 'linux')(
  'threads of long jobs and of alerts yield the processor, except on the embedded database',
  async () => {
    const before = (await nicenessOf('score', 'postgres://a/b')).process
    expect(await nicenessOf('heavy', 'postgres://a/b')).toEqual({ thread: 19, process: before })
    const ofAlerts = (await nicenessOf('alerts', 'postgres://a/b')).thread
    expect(ofAlerts).toBeGreaterThan(before)
    expect((await nicenessOf('build', 'postgres://a/b')).thread).toBeGreaterThan(ofAlerts)
    expect((await nicenessOf('score', 'postgres://a/b')).thread).toBe(before)
    expect((await nicenessOf('heavy', undefined)).thread).toBe(before)
  },
)
