import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVip, userInfo } from '../../contract/api/account.ts'
import * as calls from '../../contract/api/trade.ts'
import { closeLateOrders, refundOrder } from '../../server/services/payments.ts'
import { TestServer } from '../support/api.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { newTokenOf } from '../support/customers.ts'
import { describeOnBoth, newDatabase } from '../support/databases.ts'

const MINUTE = 60_000
const DAY = 86_400_000

describeOnBoth('orders and the sandbox on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let time = new Date('2026-11-21T04:00:00.000Z')
  beforeAll(async () => {
    server = await TestServer.start(await newDatabase(kind), { time: () => time })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })
  const order = (token: string, planId = '1') => server.ask(calls.createOrder, { token, body: { planId } })
  const stateOf = async (token: string, id: string) =>
    (await server.ask(calls.queryOrder, { token, query: { id } })).state
  const newToken = async (): Promise<string> => (await seedCustomer(server.database, { at: time })).token

  test('plans and the smallest discount', async () => {
    const plans = await server.ask(calls.queryVipList, { query: { category: 1 }, language: 'zh-Hant' })
    expect(
      plans.map(({ name, length, sellingPrice, monthlyPrice }) => [name, length, sellingPrice, monthlyPrice]),
    ).toEqual([
      ['月度會員', 1, '98.00', '98.00'],
      ['季度會員', 3, '268.00', '89.33'],
      ['半年會員', 6, '498.00', '83.00'],
      ['年度會員', 12, '898.00', '74.83'],
    ])
    expect(await server.ask(calls.getVipDiscount)).toBe(Math.min(...plans.map(({ discount }) => discount)))
  })

  test('an order has the server’s price, whatever the client says; the second click is the same order', async () => {
    const token = await newToken()
    const body = { planId: '4', transactionAmount: '0.01', price: 1 }
    const first = await server.ask(calls.createOrder, { token, body })
    expect(first).toMatchObject({ transactionAmount: '898.00', originalPrice: '1536.00' })
    const clicks = await Promise.all([order(token, '4'), order(token, '4'), order(token, '4')])
    expect(new Set(clicks.map(({ orderId }) => orderId))).toEqual(new Set([first.orderId]))
    expect(new Set(clicks.map(({ payUrl }) => payUrl))).toEqual(new Set([first.payUrl]))
    expect(await server.call(calls.createOrder, { token, body: { planId: 'none' } })).toMatchObject({
      status: 200,
      ok: false,
      error: 'no-such-plan',
    })
    const missing = await server.call(calls.createOrder, { token, body: { planId: '' } })
    expect(missing).toMatchObject({ status: 400 })
    if (!missing.ok) expect(missing.refusal.result.fields![0]!.message).toBe('Please select VIP plan.')
  })

  test('the sandbox can let an order time out: it is closed, and the way back says so', async () => {
    const token = await newToken()
    const { orderId, payUrl } = await order(token)
    const late = await server.decide(payUrl, 'timeout')
    expect(late.headers.get('location')).toBe(`/#/pages/race/vippayresult?order=${orderId}&result=timeout`)
    expect(await stateOf(token, orderId)).toBe('closed')
    expect((await server.decide(payUrl, 'approve')).status).not.toBe(303)
    expect(await server.ask(userInfo, { token })).toMatchObject({ isVip: 0 })
  })

  test('approved: VIP from now, its log row, once however often it is told', async () => {
    const token = await newToken()
    const { orderId, payUrl } = await order(token, '2')
    const page = await fetch(new URL(payUrl, server.base), { headers: { 'accept-language': 'zh-Hant' } })
    expect(await page.text()).toMatch(/lang="zh-Hant"[^]*HK\$268\.00[^]*批准付款/)
    const decided = await Promise.all(Array.from({ length: 8 }, () => server.decide(payUrl, 'approve')))
    expect(decided.map(({ status }) => status)).toEqual(Array(8).fill(303))
    expect(decided[0]!.headers.get('location')).toBe(
      `/#/pages/race/vippayresult?order=${orderId}&result=success`,
    )
    expect(await stateOf(token, orderId)).toBe('accountPaid')
    const info = await server.ask(userInfo, { token })
    expect(info).toMatchObject({
      isVip: 1,
      customerType: 3,
      vipStartTime: '2026-11-21T04:00:00.000Z',
      vipEndTime: '2027-02-21T04:00:00.000Z',
    })
    const log = await server.ask(calls.vipActivationLog, { token })
    expect(log.total).toBe(1)
    expect(log.records[0]).toMatchObject({ orderId, length: 3, cancelled: false })
  })

  test('bought again it goes on from its end; months are clamped to their last day', async () => {
    time = new Date('2027-01-31T02:00:00.000Z')
    const { id, token: first } = await seedCustomer(server.database, { at: time })
    let token = first
    await server.buy(token, '1')
    expect((await server.ask(checkVip, { token })).vipEndTime).toBe('2027-02-28T02:00:00.000Z')
    await server.buy(token, '2')
    expect((await server.ask(checkVip, { token })).vipEndTime).toBe('2027-05-28T02:00:00.000Z')
    expect((await server.ask(userInfo, { token })).vipStartTime).toBe('2027-01-31T02:00:00.000Z')
    time = new Date('2027-05-28T02:00:00.000Z')
    token = await newTokenOf(server.database, id, time)
    expect((await server.ask(checkVip, { token })).isVip).toBe(0)
    await server.buy(token, '1')
    expect(await server.ask(checkVip, { token })).toEqual({
      isVip: 1,
      vipEndTime: '2027-06-28T02:00:00.000Z',
    })
  })

  test('declined it stays open; cancelled or after 30 minutes it closes, and can be paid no more', async () => {
    const token = await newToken()
    const { orderId, payUrl } = await order(token)
    expect((await server.decide(payUrl, 'decline')).headers.get('location')).toContain('result=failed')
    expect(await stateOf(token, orderId)).toBe('obligation')
    expect((await server.decide(payUrl, 'whatever')).status).toBe(400)

    time = new Date(time.getTime() + 30 * MINUTE)
    expect(await stateOf(token, orderId)).toBe('closed')
    const late = await server.decide(payUrl, 'approve')
    expect(await late.json()).toMatchObject({ success: false, result: { error: 'order-not-open' } })
    expect((await server.ask(checkVip, { token })).isVip).toBe(0)
    expect(await server.call(calls.cancelOrder, { token, body: { id: orderId } })).toMatchObject({
      ok: false,
      error: 'order-not-open',
    })
    expect(await closeLateOrders(server.context.service)).toBeGreaterThan(0)
    expect(await stateOf(token, orderId)).toBe('closed')

    const next = await order(token)
    expect(next.orderId).not.toBe(orderId)
    await server.ask(calls.cancelOrder, { token, body: { id: next.orderId } })
    expect(await (await server.decide(next.payUrl, 'approve')).json()).toMatchObject({ success: false })
    expect(await server.ask(calls.queryOrderMainStatus, { token })).toEqual({
      obligation: 0,
      accountPaid: 0,
      closed: 2,
      refunded: 0,
    })
    const closed = await server.ask(calls.orderPage, { token, query: { state: 'closed' } })
    expect(closed.records.map(({ id }) => id)).toEqual([next.orderId, orderId])
  })

  test('another’s order is not there', async () => {
    const mine = await newToken()
    const { orderId } = await order(mine)
    const token = await newToken()
    for (const reply of [
      await server.call(calls.queryOrder, { token, query: { id: orderId } }),
      await server.call(calls.cancelOrder, { token, body: { id: orderId } }),
    ])
      expect(reply).toMatchObject({ ok: false, status: 404 })
    expect(await stateOf(mine, orderId)).toBe('obligation')
    expect((await server.ask(calls.orderPage, { token })).total).toBe(0)
  })

  test('a refund takes its months away, and later ones move up', async () => {
    time = new Date('2028-03-10T00:00:00.000Z')
    const token = await newToken()
    const first = await server.buy(token, '1')
    time = new Date(time.getTime() + 5 * DAY)
    await server.buy(token, '2')
    expect((await server.ask(checkVip, { token })).vipEndTime).toBe('2028-07-10T00:00:00.000Z')
    await refundOrder(server.context.service, first)
    expect(await server.ask(checkVip, { token })).toEqual({
      isVip: 1,
      vipEndTime: '2028-06-15T00:00:00.000Z',
    })
    expect(await stateOf(token, first)).toBe('refunded')
    await expect(refundOrder(server.context.service, first)).rejects.toMatchObject({ code: 'order-not-paid' })
    const log = await server.ask(calls.vipActivationLog, { token })
    expect(log.records.map(({ cancelled }) => cancelled)).toEqual([false, true])
  })

  test('a customer who deleted his account is not brought back by a late payment', async () => {
    const { id, token } = await seedCustomer(server.database, { at: time })
    const { payUrl, orderId } = await order(token)
    await server.database.rows('update customer set deleted_at = $2 where id = $1::uuid', [
      id,
      time.toISOString(),
    ])
    expect((await server.decide(payUrl, 'approve')).status).toBe(303)
    const [row] = await server.database.rows<{ state: string; vip: string | null }>(
      'select o.state, c.vip_end as vip from vip_order o join customer c on c.id = o.customer_id where o.id = $1::uuid',
      [orderId],
    )
    expect(row).toEqual({ state: 'accountPaid', vip: null })
  })
})
