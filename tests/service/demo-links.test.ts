// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as account from '../../contract/api/account.ts'
import { ensureDemoAccounts, makeDemoLinks } from '../../server/demo/demo-accounts.ts'
import { removeDemonstration } from '../../server/store/racing/demonstration.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { DEMO_DAY } from '../support/demo-data.ts'
import { describeOnBoth } from '../support/databases.ts'

const now = DEMO_DAY

describeOnBoth('the demonstration’s accounts on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start(await newSmallSeason(kind), { time: () => now })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })
  test('sign in once as their account, also for two who come at the same moment; they end after a day', async () => {
    await ensureDemoAccounts(server.context.service)
    const links = await makeDemoLinks(server.context.service)
    expect(links.map((link) => link.account)).toEqual(['VIP', 'member', 'provider'])
    const signIn = (code: string) => server.call(account.linkSignIn, { body: { code }, address: '10.9.9.9' })
    for (const { code } of links) {
      const replies = await Promise.all([signIn(code), signIn(code), signIn(code)])
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
      const given = replies.find(({ ok }) => ok)!
      if (!given.ok) return
      const info = await server.ask(account.userInfo, { token: given.result.token })
      if (info.account === 'demo-vip') expect(info.isVip).toBe(1)
      if (info.account !== 'demo-provider') continue
      expect(Number(info.income)).toBeGreaterThan(50)
      // Its five customers came by its link: each is a row of the share history, and brought vouchers.
      const shares = await server.ask(account.shareLogPage, { token: given.result.token })
      expect(shares.total).toBe(5)
      expect(shares.records.map(({ recipient }) => recipient)).toEqual(['Lok', 'May', 'Kit', 'Ada', 'Wing'])
      expect(info.subscribeFreeNum).toBe(3 + 5 * 20)
      expect(shares.records[0]).toMatchObject({ rewardAmount: 20, beforeNum: 83, afterNum: 103 })
    }
    const yesterday = { ...server.context.service, now: () => new Date(now.getTime() - 25 * 3_600_000) }
    const [old] = await makeDemoLinks(yesterday)
    expect((await signIn(old!.code)).status).toBe(403)
    await ensureDemoAccounts(server.context.service)
    const [count] = await server.database.rows<{ count: number }>(
      'select count(*) as count from customer where demonstration',
    )
    expect(count!.count).toBe(8)
  })

  test('are one set, also when two processes make them at once or one was killed half way', async () => {
    const place = await newSmallSeason(kind)
    const [one, two] = await Promise.all([
      TestServer.start(place, { time: () => now }),
      TestServer.start(place, { time: () => new Date(now.getTime() + 5) }),
    ])
    await Promise.all([one, two].map(({ context }) => ensureDemoAccounts(context.service)))
    const counts = async () => {
      const [row] = await place.database.rows(
        `select (select count(*) from customer) as people, (select count(*) from vip_activation) as activations,
           (select count(*) from bank_card) as cards, (select count(*) from withdrawal where state = 'paid') as paid`,
      )
      return row
    }
    const whole = { people: 8, activations: 6, cards: 1, paid: 1 }
    expect(await counts()).toEqual(whole)
    await place.database.rows('delete from withdrawal')
    await place.database.rows('delete from bank_card')
    await ensureDemoAccounts(one.context.service)
    expect(await counts()).toEqual(whole)
    await one.close()
    await two.close()
    await place.close()
  })

  test('go with the demonstration; who registered stays', async () => {
    const { token } = await server.register({ nickname: 'Stays' })
    const [link] = await makeDemoLinks(server.context.service)
    await server.database.transaction((queries) => removeDemonstration(queries))
    const people = await server.database.rows<{ nickname: string }>('select nickname from customer')
    expect(people).toEqual([{ nickname: 'Stays' }])
    expect((await server.ask(account.userInfo, { token })).subscribeFreeNum).toBe(3)
    const reply = await server.call(account.linkSignIn, { body: { code: link!.code }, address: '10.9.9.8' })
    expect(reply).toMatchObject({ ok: false, status: 403, error: 'link-used' })
    await expect(makeDemoLinks(server.context.service)).rejects.toMatchObject({ code: 'not-demonstration' })
  })
})
