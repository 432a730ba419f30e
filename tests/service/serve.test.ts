import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendCode } from '../../contract/api/account.ts'
import { newSmallSeason } from '../support/api.ts'
import { newFolder, newPostgresqlUrl } from '../support/databases.ts'
import { startServerProcess, WITHOUT_WORKER } from '../support/server-process.ts'

const SECRETS = {
  NODE_ENV: 'production',
  FURLONG_SECRET: 'a secret of thirty-two characters',
  FURLONG_CARD_KEY: 'a card key of thirty-two letters',
}

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

test(
  'in production it does not start where texts go nowhere, before it opens the database',
  { tags: ['rest'] },
  async () => {
    const folder = newFolder()
    const environment = { ...SECRETS, FURLONG_DATA: folder }
    await expect(startServerProcess(environment)).rejects.toThrow(
      /FURLONG_SMS_URL \(or FURLONG_SMS=console\)/,
    )
    expect(existsSync(join(folder, 'pglite'))).toBe(false)
  },
)

test(
  'in production no code and no link is printed, and it warns of a proxy without a name',
  { tags: ['rest'] },
  async () => {
    const place = await newSmallSeason('postgresql', new Date())
    const server = await startServerProcess(
      {
        ...SECRETS,
        ...WITHOUT_WORKER,
        FURLONG_DATA: place.dataFolder,
        DATABASE_URL: place.databaseUrl!,
        FURLONG_SMS: 'console',
        FURLONG_LOG_LEVEL: 'debug',
      },
      /\nready\n/,
    )
    const phone = '+85261234567'
    await fetch(new URL(sendCode.path, server.base), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.1.2.3' },
      body: JSON.stringify({ mobile: phone, purpose: 'login' }),
    })
    const file = join(place.dataFolder, 'texts')
    await expect.poll(() => existsSync(file)).toBe(true)
    const [, code] = /(\d{6})/.exec(readFileSync(file, 'utf8').split(phone)[1]!)!
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(await server.stop()).toBe(0)
    const printed = server.printed()
    expect(printed).not.toContain(code)
    expect(printed).not.toContain(phone)
    expect(printed).not.toContain('link=')
    expect(printed).toContain('npm run admin -- demo-links')
    expect(printed.match(/"setting":"FURLONG_TRUST_PROXY"/g)).toHaveLength(2)
    expect(printed).toContain('"setting":"FURLONG_HTTPS"')
    await place.close()
  },
)
