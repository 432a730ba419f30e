import { afterAll, beforeAll, expect, test } from 'vitest'
import * as calls from '../../contract/api/account.ts'
import { addBankCard, createOrder } from '../../contract/api/trade.ts'
import { newPhone, PASSWORD, TestServer } from '../support/api.ts'
import { describeOnBoth, newDatabase } from '../support/databases.ts'

const MINUTE = 60_000

describeOnBoth('deletion on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let laterMs = 0
  beforeAll(async () => {
    server = await TestServer.start(await newDatabase(kind), { time: () => new Date(Date.now() + laterMs) })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  test('a deleted account loses its name everywhere, keeps its ledger, and its phone is free again', async () => {
    const phone = newPhone()
    const inviter = await server.register()
    const { token, userInfo } = await server.register({
      phone,
      nickname: 'Vanishing',
      inviter: inviter.userInfo.id,
    })
    await server.buy(token)
    await server.ask(addBankCard, {
      token,
      body: { name: 'Vanishing', bank: 'A Bank', cardNumber: '4242424242424242', password: PASSWORD },
    })
    const exported = await server.ask(calls.exportData, { token })
    expect(JSON.stringify(exported)).toContain('Vanishing')
    expect(Object.keys(exported)).toEqual(
      expect.arrayContaining(['account', 'vouchers', 'orders', 'bankCards']),
    )

    const open = await server.ask(createOrder, { token, body: { planId: '2' } })
    expect(await server.call(calls.deleteAccount, { token, body: { password: 'wrong1word' } })).toMatchObject(
      {
        ok: false,
        error: 'wrong-password',
      },
    )
    await server.ask(calls.deleteAccount, { token, body: { password: PASSWORD } })
    expect((await server.call(calls.querySession, { token })).status).toBe(401)
    const tables = await server.database.rows<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    for (const { name } of tables) {
      const [found] = await server.database.rows<{ count: number }>(
        `select count(*) as count from ${name} as t where t::text like '%Vanishing%' or t::text like '%' || $1 || '%'`,
        [phone],
      )
      expect(found!.count, name).toBe(0)
    }
    const [left] = await server.database.rows<{ orders: number; ledger: number }>(
      `select (select count(*) from vip_order where customer_id = $1::uuid) as orders,
         (select count(*) from voucher_ledger where customer_id = $1::uuid) as ledger`,
      [userInfo.id],
    )
    expect(left).toEqual({ orders: 2, ledger: 1 })
    expect(await (await server.decide(open.payUrl, 'approve')).json()).toMatchObject({ success: false })
    const shares = await server.ask(calls.shareLogPage, { token: inviter.token })
    expect(shares.records.map(({ recipient }) => recipient)).toEqual([''])

    laterMs += 2 * MINUTE
    await server.register({ phone, inviter: inviter.userInfo.id })
    expect((await server.ask(calls.userInfo, { token: inviter.token })).subscribeFreeNum).toBe(23)
  })
})
