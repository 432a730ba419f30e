import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { fileURLToPath } from 'node:url'
import { buildApp } from '../server/app.ts'
import { assemble } from '../server/assemble.ts'
import { readSettings } from '../server/env.ts'
import { randomToken, tokenHash } from '../server/services/keys.ts'
import { grantPeriod } from '../server/services/payments.ts'
import { insertCustomer } from '../server/store/customer-store.ts'
import { newId } from '../server/store/id.ts'
import { migrate } from '../server/store/migrate.ts'
import { openPglite } from '../server/store/pglite.ts'
import { insertToken } from '../server/store/token-store.ts'

export interface ServedData {
  app: FastifyInstance
  baseUrl: string
  /** A VIP's. */
  token: string
  close(): Promise<void>
}

/** The real service over a data folder's dataset files; its database is an empty one, which files do not need. */
export async function serveData(dataFolder: string): Promise<ServedData> {
  const database = await openPglite(null)
  await migrate(database)
  const siteFolder = fileURLToPath(new URL('../dist/site', import.meta.url))
  const secret = randomBytes(32).toString('hex')
  const settings = readSettings({
    FURLONG_DATA: dataFolder,
    FURLONG_SECRET: secret,
    FURLONG_CARD_KEY: secret,
  })
  const context = assemble(settings, database, siteFolder)
  const app = await buildApp(context, { logLevel: 'silent' })
  const baseUrl = `${await app.listen({ host: '127.0.0.1', port: 0 })}/`
  const token = randomToken()
  await database.transaction(async (queries) => {
    const [id, now] = [newId(), new Date()]
    await insertCustomer(
      queries,
      {
        id,
        account: 'bench',
        phone: '+85261234567',
        passwordHash: null,
        nickname: 'Bench',
        gender: 0,
        inviterId: null,
        providerId: null,
        demonstration: false,
      },
      now,
    )
    await insertToken(queries, tokenHash(token), id, now)
    await grantPeriod(queries, id, { months: 1, customerType: 2 }, null, now)
  })
  return {
    app,
    baseUrl,
    token,
    close: async () => {
      await app.close()
      await database.close()
    },
  }
}
