import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newFolder, newPostgresqlUrl } from '../support/databases.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface Started {
  printed: string
  process: ChildProcess
}

/** Starts the server and waits for what `until` matches in its output. */
function startServer(environment: NodeJS.ProcessEnv, until: RegExp): Promise<Started> {
  const server = spawn(process.execPath, ['--import', 'tsx', 'server/cli.ts', 'serve'], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
  })
  return new Promise((resolve, reject) => {
    let printed = ''
    const read = (chunk: Buffer): void => {
      printed += chunk.toString()
      if (until.test(printed)) resolve({ printed, process: server })
    }
    server.stdout.on('data', read)
    server.stderr.on('data', read)
    server.once('exit', (code) => reject(new Error(`ended with ${code}: ${printed}`)))
  })
}

const stop = (server: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    server.removeAllListeners('exit')
    server.once('exit', (code) => resolve(code))
    server.kill('SIGTERM')
  })

test('a first start makes the demonstration, takes the next free port and prints a link; a second has nothing to do', async () => {
  const busy = createServer()
  const port = await new Promise<number>((resolve) => {
    busy.listen(0, '127.0.0.1', () => resolve((busy.address() as { port: number }).port))
  })
  const environment = {
    FURLONG_DATA: newFolder(),
    DATABASE_URL: await newPostgresqlUrl(),
    PORT: String(port),
  }
  const first = await startServer(environment, /link=\S+/)
  expect(first.printed).toContain('demonstration season made')
  expect(first.printed).toContain(`port ${port} is taken, using `)
  const address = /Furlong is at (\S+)/.exec(first.printed)![1]!
  expect((await fetch(`${address}readyz`)).status).toBe(200)
  expect(await stop(first.process)).toBe(0)

  const second = await startServer(environment, /link=\S+/)
  expect(second.printed).not.toContain('demonstration season made')
  expect(/link=(\S+)/.exec(second.printed)![1]).not.toBe(/link=(\S+)/.exec(first.printed)![1])
  expect(await stop(second.process)).toBe(0)
  busy.close()
})
