import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { fileURLToPath } from 'node:url'
import { buildApp } from '../server/app.ts'
import { makeToken } from '../server/services/right.ts'
import { migrate } from '../server/store/migrate.ts'
import { openPglite } from '../server/store/pglite.ts'

export interface ServedData {
  app: FastifyInstance
  baseUrl: string
  token: string
  close(): Promise<void>
}

/** The real service over a data folder's dataset files; its database is an empty one, which files do not need. */
export async function serveData(dataFolder: string): Promise<ServedData> {
  const database = await openPglite(null)
  await migrate(database)
  const secret = randomBytes(32).toString('hex')
  const siteFolder = fileURLToPath(new URL('../dist/site', import.meta.url))
  const app = await buildApp({ database, dataFolder, secret, siteFolder }, { log: false })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const expiresAt = new Date(Date.now() + 3_600_000)
  return {
    app,
    baseUrl: `${address}/`,
    token: makeToken(secret, { role: 'vip', expiresAt, demonstration: false }),
    close: async () => {
      await app.close()
      await database.close()
    },
  }
}
