// @module-tag soak
import { expect, test } from 'vitest'
import { newFolder, newPostgresqlUrl } from '../support/databases.ts'
import { occupyFreePort } from '../support/occupied-port.ts'
import { startServerProcess } from '../support/server-process.ts'

/** `tests/browser/first-start.spec.ts` tests the same on the embedded database. */
test('on PostgreSQL a first start makes the demonstration, takes the next free port and prints links; a second has nothing to do', async () => {
  const { port, release } = await occupyFreePort()
  const environment = {
    FURLONG_DATA: newFolder(),
    DATABASE_URL: await newPostgresqlUrl(),
    PORT: String(port),
  }
  const first = await startServerProcess(environment, /\nready\n/)
  expect(first.printed()).toContain('demonstration season made')
  expect(first.printed()).toContain(`port ${port} is taken, using `)
  for (const role of ['VIP', 'member', 'provider'])
    expect(first.printed()).toMatch(new RegExp(`as its ${role}: http\\S+link=`))
  expect((await fetch(`${first.base}readyz`)).status).toBe(200)
  expect(await first.stop()).toBe(0)

  const second = await startServerProcess(environment, /\nready\n/)
  expect(second.printed()).not.toContain('demonstration season made')
  expect(/link=(\S+)/.exec(second.printed())![1]).not.toBe(/link=(\S+)/.exec(first.printed())![1])
  expect(await second.stop()).toBe(0)
  await release()
})
