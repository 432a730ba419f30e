import { createServer } from 'node:net'
import { freePort } from './postgresql-server.ts'

/** Occupies a free port until `release` is called. */
export async function occupyFreePort(): Promise<{ port: number; release(): Promise<void> }> {
  const port = await freePort()
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return { port, release: () => new Promise((resolve) => server.close(() => resolve())) }
}
