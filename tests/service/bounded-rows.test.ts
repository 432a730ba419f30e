// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logout, mLogin } from '../../contract/api/account.ts'
import { createAnalyticsToken, revokeAnalyticsToken } from '../../contract/api/analytics.ts'
import { endFrozenRules, freezeRules, MAX_FROZEN, queryFrozenRules } from '../../contract/api/frozen.ts'
import { newId } from '../../server/db/id.ts'
import { tokenHash } from '../../server/db/keys.ts'
import { insertFrozenRule } from '../../server/store/accounts/frozen-store.ts'
import { insertToken, MAX_SESSIONS } from '../../server/store/accounts/token-store.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { describeOnBoth } from '../support/databases.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { FROZEN } from '../support/frozen-rules.ts'
import { SEED_PASSWORD, seedCustomer, type Seeded } from '../support/seed-customer.ts'

/** What one customer can store is bounded, also by calls that are repeated for ever. */

const REGION = '100000'

describeOnBoth('rows of one customer on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let laterMs = 0
  const at = (): Date => new Date(DEMO_DAY.getTime() + laterMs)
  const newCustomer = (): Promise<Seeded> => seedCustomer(server.database, { at: at() })
  beforeAll(async () => {
    server = await TestServer.start(await newSmallSeason(kind), { time: at })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const rowsOf = async (table: string, customerId: string): Promise<number> =>
    (await server.database.rows(`select 1 from ${table} where customer_id = $1::uuid`, [customerId])).length

  test('the least recently used sign-ins end when there are too many', async () => {
    const { id, token } = await newCustomer()
    const tokens = [token]
    for (let count = 0; count < MAX_SESSIONS + 5; count += 1) {
      laterMs += 60_000
      const one = newId()
      tokens.push(one)
      await server.database.transaction((queries) => insertToken(queries, tokenHash(one), id, at()))
    }
    expect(await rowsOf('access_token', id)).toBe(MAX_SESSIONS)
    const kept = await server.database.rows<{ tokenHash: string }>(
      'select token_hash from access_token where customer_id = $1::uuid',
      [id],
    )
    const newest = tokens.slice(-MAX_SESSIONS).map((each) => tokenHash(each))
    expect(new Set(kept.map((row) => row.tokenHash))).toEqual(new Set(newest))
  })

  test('signing in and out for ever leaves no rows', async () => {
    const { id, account } = await newCustomer()
    for (let count = 0; count < 8; count += 1) {
      const { token } = await server.ask(mLogin, { body: { username: account, password: SEED_PASSWORD } })
      await server.ask(logout, { token })
    }
    expect(await rowsOf('access_token', id)).toBeLessThanOrEqual(2)
  })

  test('personal access tokens that are made and revoked for ever leave no rows', async () => {
    const { id, token } = await newCustomer()
    for (let count = 0; count < 6; count += 1) {
      const made = await server.ask(createAnalyticsToken, { token, body: { name: `n${count}` } })
      await server.ask(revokeAnalyticsToken, { token, query: { id: made.id } })
    }
    expect(await rowsOf('analytics_token', id)).toBe(1)
  })

  test('frozen rules come in pages, active ones first', async () => {
    const { token } = await newCustomer()
    await server.buy(token)
    const freeze = (name: string) => server.ask(freezeRules, { token, body: { ...FROZEN, name } })
    const active = [await freeze('first'), await freeze('second')]
    for (let count = 0; count < 12; count += 1) {
      laterMs += 1000
      const { id } = await freeze(`ended ${count}`)
      await server.ask(endFrozenRules, { token, body: { id } })
    }
    const pageOf = (pageNo: number) =>
      server.ask(queryFrozenRules, { token, query: { countryRegionId: REGION, pageNo } })
    const pages = [await pageOf(1), await pageOf(2), await pageOf(3)]
    expect(pages.map((page) => page.length)).toEqual([10, 4, 0])
    const names = pages.flat().map(({ name }) => name)
    expect(new Set(names.slice(0, 2))).toEqual(new Set(active.map(({ name }) => name)))
    expect(names.slice(2)).toEqual(Array.from({ length: 12 }, (_, index) => `ended ${11 - index}`))
  })

  test('rules are frozen at a rate, and ended ones without a record make room', async () => {
    const { id, token } = await newCustomer()
    await server.buy(token)
    const statuses: number[] = []
    for (let count = 0; count < 62; count += 1) {
      const made = await server.call(freezeRules, { token, body: { ...FROZEN, name: 'again' } })
      statuses.push(made.status)
      if (made.ok) await server.ask(endFrozenRules, { token, body: { id: made.result.id } })
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(statuses.at(-1)).toBe(429)

    const maxEnded = 20
    const insert = (name: string) =>
      server.database.transaction((queries) =>
        insertFrozenRule(queries, {
          ...FROZEN,
          customerId: id,
          regionId: REGION,
          name,
          max: MAX_FROZEN,
          maxEnded,
          now: at(),
        }),
      )
    const end = (name: string) =>
      server.database.rows(
        'update frozen_rule set ended_at = $2 where customer_id = $1::uuid and name = $3',
        [id, at(), name],
      )
    const recordAll = () =>
      server.database.rows(
        `insert into frozen_check (rule_id, race_id, checked_at)
         select f.id, race.id, $2 from frozen_rule f, (select id from race limit 1) race
         where f.customer_id = $1::uuid and f.ended_at is not null on conflict do nothing`,
        [id, at()],
      )
    expect(await insert('one more')).not.toBeNull()
    expect(await rowsOf('frozen_rule', id)).toBe(maxEnded)
    // Ended rules with a record are not deleted for others.
    await recordAll()
    await end('one more')
    expect(await insert('the last')).not.toBeNull()
    expect(await rowsOf('frozen_rule', id)).toBe(maxEnded)
    await end('the last')
    await recordAll()
    expect(await insert('too many')).toBeNull()
    expect(await rowsOf('frozen_rule', id)).toBe(maxEnded)
  })
})
