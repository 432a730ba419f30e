import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { fileURLToPath } from 'node:url'
import { buildApp } from '../server/serving/app.ts'
import { assemble } from '../server/serving/assemble.ts'
import { readSettings } from '../server/process/env.ts'
import { warmAnalytics } from '../server/routes/analytics.ts'
import { grantPeriod } from '../server/services/payments.ts'
import { migrate } from '../server/db/migrate.ts'
import { openPglite } from '../server/db/pglite.ts'
import { seedCustomer } from '../tests/support/seed-customer.ts'

export interface ServedData {
  app: FastifyInstance
  baseUrl: string
  /** Token of a VIP. */
  token: string
  /** Token of one more. */
  newVip(): Promise<string>
  close(): Promise<void>
}

/** The real service over a data folder's dataset files; its database is empty, since files do not need it. */
export async function serveData(
  dataFolder: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<ServedData> {
  const database = await openPglite(null)
  await migrate(database)
  const siteFolder = fileURLToPath(new URL('../dist/site', import.meta.url))
  const secret = randomBytes(32).toString('hex')
  const settings = readSettings({
    FURLONG_DATA: dataFolder,
    FURLONG_SECRET: secret,
    FURLONG_CARD_KEY: secret,
    ...environment,
  })
  const context = assemble(settings, database, siteFolder)
  const app = await buildApp(context)
  const baseUrl = `${await app.listen({ host: '127.0.0.1', port: 0 })}/`
  // The server does the same when it starts.
  await warmAnalytics(context)
  const newVip = async (): Promise<string> => {
    const { id, token } = await seedCustomer(database)
    await database.transaction((queries) =>
      grantPeriod(queries, id, { months: 1, customerType: 2 }, null, new Date()),
    )
    return token
  }
  return {
    app,
    baseUrl,
    token: await newVip(),
    newVip,
    close: async () => {
      await app.close()
      await context.settled()
      await database.close()
    },
  }
}
