import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startPushService, type TestBrowser } from '../tests/support/alert-receivers.ts'

export type Browser = Pick<TestBrowser, 'endpoint' | 'keys'>

interface Opened {
  origin: string
  browsers: Browser[]
}

/** A push service in a process of its own, with the browsers that it decrypts for. */
export interface PushProcess extends Opened {
  /** How many notifications have arrived. */
  arrived(): Promise<number>
  close(): void
}

/**
 * Starts a push service with `count` browsers. Thousands of notifications that this process decrypted would hold up the
 * requests that it measures.
 */
export async function startPushProcess(count: number): Promise<PushProcess> {
  const child = fork(fileURLToPath(import.meta.url), [String(count)])
  const told = async (): Promise<unknown> => ((await once(child, 'message')) as [unknown])[0]
  const { origin, browsers } = (await told()) as Opened
  return {
    origin,
    browsers,
    arrived: async () => {
      child.send('arrived')
      return (await told()) as number
    },
    close: () => void child.kill(),
  }
}

async function serve(count: number): Promise<void> {
  const { origin, pushes, newBrowser } = await startPushService()
  const browsers = Array.from({ length: count }, () => {
    const { endpoint, keys } = newBrowser()
    return { endpoint, keys }
  })
  process.send!({ origin, browsers } satisfies Opened)
  process.on('message', () => process.send!(pushes.length))
  process.on('disconnect', () => process.exit())
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve(Number(process.argv[2]))
