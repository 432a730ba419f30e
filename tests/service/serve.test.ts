import { expect, test } from 'vitest'
import { newFolder, newPostgresqlUrl } from '../support/databases.ts'
import { startServerProcess } from '../support/server-process.ts'

test('in production it does not start without secrets, and says which', async () => {
  const environment = {
    FURLONG_DATA: newFolder(),
    DATABASE_URL: await newPostgresqlUrl(),
    NODE_ENV: 'production',
    FURLONG_SECRET: '',
    FURLONG_CARD_KEY: '',
  }
  await expect(startServerProcess(environment)).rejects.toThrow(/FURLONG_SECRET, FURLONG_CARD_KEY/)
})
