import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkVip, userInfo } from '../../contract/api/account.ts'
import * as calls from '../../contract/api/trade.ts'
import { refundOrder } from '../../server/services/payments.ts'
import { closeExpired } from '../../server/store/order-store.ts'
import { STRIPE_PATH } from '../../server/routes/payment.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { newTokenOf, seedCustomer } from '../support/customers.ts'
import { KINDS, newDatabase } from '../support/databases.ts'
import { startServerProcess } from '../support/server-process.ts'
import { SECRET_KEY, StripeStandIn, WEBHOOK_SECRET } from '../support/stripe-stand-in.ts'

const MINUTE = 60_000
const DAY = 86_400_000

describe.each(KINDS)('orders and the sandbox on %s', (kind) => {
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

  test('approved: VIP from now, its log row, once however often it is told', async () => {
    const token = await newToken()
    const { orderId, payUrl } = await order(token, '2')
    const page = await fetch(new URL(payUrl, server.base), { headers: { 'accept-language': 'zh-Hant' } })
    expect(await page.text()).toMatch(/lang="zh-Hant"[^]*HK\$268\.00[^]*批准付款/)
    const told = await Promise.all(Array.from({ length: 8 }, () => server.decide(payUrl, 'approve')))
    expect(told.map(({ status }) => status)).toEqual(Array(8).fill(303))
    expect(told[0]!.headers.get('location')).toBe(
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
    expect(await closeExpired(server.database, time)).toBeGreaterThan(0)
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

describe.each(KINDS)('Stripe on %s', (kind) => {
  let server: TestServer
  let stripe: StripeStandIn
  beforeAll(async () => {
    stripe = await StripeStandIn.start()
    server = await TestServer.start(await newDatabase(kind), {
      settings: {
        STRIPE_SECRET_KEY: SECRET_KEY,
        STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
        STRIPE_API_URL: stripe.url,
      },
    })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
    stripe.close()
  })

  const send = ({ payload, signature }: { payload: string; signature: string }) =>
    fetch(new URL(STRIPE_PATH, server.base), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body: payload,
    })
  const paid = (id: string, session: string, over: object = {}) =>
    stripe.sign({
      id,
      type: 'checkout.session.completed',
      object: {
        id: session,
        object: 'checkout.session',
        payment_status: 'paid',
        payment_intent: `pi_${session}`,
        amount_total: 9800,
        currency: 'hkd',
        ...over,
      },
    })
  const isVip = async (token: string) => (await server.ask(checkVip, { token })).isVip
  const open = async () => {
    const { id, token } = await seedCustomer(server.database)
    const order = await server.ask(calls.createOrder, { token, body: { planId: '1' } })
    return { id, token, order, session: order.payUrl.split('/').at(-1)! }
  }

  test('the page is opened at the server’s price, with a key that makes a repeated call the same', async () => {
    const { order } = await open()
    expect(order.payUrl).toMatch(/^https:\/\/checkout\.test\/cs_test_/)
    const request = stripe.requests.findLast(({ path }) => path === '/v1/checkout/sessions')!
    expect(request.idempotencyKey).toBe(`order-${order.orderId}`)
    expect(request.authorization).toBe(`Bearer ${SECRET_KEY}`)
    expect(Object.fromEntries(request.form)).toMatchObject({
      client_reference_id: order.orderId,
      mode: 'payment',
      'line_items[0][price_data][unit_amount]': '9800',
      'line_items[0][price_data][currency]': 'hkd',
    })
    expect(request.form.get('success_url')).toContain(`/#/pages/race/vippayresult?order=${order.orderId}`)
  })

  test('an answer that Stripe fails to give is asked for again under the same key', async () => {
    const before = stripe.requests.length
    stripe.failures = 1
    const { order } = await open()
    const asked = stripe.requests.slice(before)
    expect(asked).toHaveLength(2)
    expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey))).toEqual(
      new Set([`order-${order.orderId}`]),
    )
  })

  test('a signed notice activates once, also many times at one moment', async () => {
    const { token, session, order } = await open()
    const notice = paid(`evt_${session}`, session)
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(notice)))
    const words = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { received: string }).received),
    )
    expect(words.filter((word) => word === 'done')).toHaveLength(1)
    expect(words.filter((word) => word === 'repeated')).toHaveLength(5)
    expect(await isVip(token)).toBe(1)
    const other = await send(paid(`evt_other_${session}`, session))
    expect(await other.json()).toEqual({ received: 'repeated' })
    expect((await server.ask(calls.vipActivationLog, { token })).total).toBe(1)
    expect((await server.ask(calls.queryOrder, { token, query: { id: order.orderId } })).paidPrice).toBe(
      '98.00',
    )
  })

  test.each([
    [
      'another secret',
      (notice: string) => stripe.sign(JSON.parse(notice) as never, { secret: 'whsec_of_somebody_else' }),
    ],
    [
      'an old signature, replayed',
      (notice: string) =>
        stripe.sign(JSON.parse(notice) as never, { at: new Date(Date.now() - 10 * MINUTE) }),
    ],
  ])('%s is refused', async (_, forge) => {
    const { token, session } = await open()
    const event = {
      id: `evt_forged_${session}`,
      type: 'checkout.session.completed',
      object: { id: session, payment_status: 'paid', amount_total: 9800, currency: 'hkd' },
    }
    const reply = await send(forge(JSON.stringify(event)))
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ result: { error: 'bad-signature' } })
    expect(await isVip(token)).toBe(0)
  })

  test('a body changed by one byte, no signature, another amount, another currency: refused', async () => {
    const { token, session } = await open()
    const notice = paid(`evt_x_${session}`, session)
    const changed = { ...notice, payload: notice.payload.replace('9800', '9801') }
    expect((await send(changed)).status).toBe(400)
    expect((await send({ ...notice, signature: '' })).status).toBe(400)
    for (const over of [{ amount_total: 1 }, { currency: 'usd' }]) {
      const reply = await send(paid(`evt_y_${session}_${Object.keys(over)[0]}`, session, over))
      expect(await reply.json()).toMatchObject({ result: { error: 'payment-mismatch' } })
    }
    expect(
      await (await send(paid(`evt_z_${session}`, session, { payment_status: 'unpaid' }))).json(),
    ).toEqual({
      received: 'ignored',
    })
    expect(await isVip(token)).toBe(0)
    expect(await (await send(notice)).json()).toEqual({ received: 'done' })
    expect(await isVip(token)).toBe(1)
  })

  test('a notice before its order is known is not taken for done: Stripe sends it again', async () => {
    expect((await send(paid('evt_early', 'cs_test_unknown'))).status).toBe(404)
  })

  test('cancelled, Stripe’s page closes; money that was paid just before is honoured', async () => {
    const { token, session, order } = await open()
    await server.ask(calls.cancelOrder, { token, body: { id: order.orderId } })
    await server.context.settled()
    expect(stripe.requests.some(({ path }) => path === `/v1/checkout/sessions/${session}/expire`)).toBe(true)
    await send(
      stripe.sign({ id: `evt_e_${session}`, type: 'checkout.session.expired', object: { id: session } }),
    )
    await send(paid(`evt_late_${session}`, session))
    expect(await isVip(token)).toBe(1)
  })

  test('a refund goes through Stripe once; one made there takes the membership away here', async () => {
    const first = await open()
    await send(paid(`evt_r_${first.session}`, first.session))
    await refundOrder(server.context.service, first.order.orderId)
    const request = stripe.requests.findLast(({ path }) => path === '/v1/refunds')!
    expect(request.idempotencyKey).toBe(`refund-${first.order.orderId}`)
    expect(request.form.get('payment_intent')).toBe(`pi_${first.session}`)
    expect(await isVip(first.token)).toBe(0)

    const second = await open()
    await send(paid(`evt_r_${second.session}`, second.session))
    const refunded = { id: 'ch_1', refunded: true, payment_intent: `pi_${second.session}` }
    const part = { ...refunded, refunded: false }
    await send(stripe.sign({ id: 'evt_part', type: 'charge.refunded', object: part }))
    expect(await isVip(second.token)).toBe(1)
    await send(stripe.sign({ id: `evt_c_${second.session}`, type: 'charge.refunded', object: refunded }))
    expect(await isVip(second.token)).toBe(0)
  })

  test('the sandbox’s page is not there where Stripe takes the money', async () => {
    expect((await fetch(new URL(`/trade/sandbox/${'x'.repeat(32)}`, server.base))).status).toBe(404)
  })
})

test('two processes on one PostgreSQL activate a notice once between them', async () => {
  const place = await newSmallSeason('postgresql', new Date())
  const stripe = await StripeStandIn.start()
  const environment = {
    FURLONG_DATA: place.dataFolder,
    DATABASE_URL: place.databaseUrl!,
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
  }
  const first = await startServerProcess(environment)
  const second = await startServerProcess(environment)
  const { id, token } = await seedCustomer(place.database)
  const made = await fetch(`${first.base}trade/api/createOrder`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-access-token': token },
    body: JSON.stringify({ planId: '1' }),
  })
  const { result } = (await made.json()) as { result: { payUrl: string } }
  const session = result.payUrl.split('/').at(-1)!
  const { payload, signature } = stripe.sign({
    id: 'evt_both',
    type: 'checkout.session.completed',
    object: {
      id: session,
      payment_status: 'paid',
      payment_intent: 'pi_1',
      amount_total: 9800,
      currency: 'hkd',
    },
  })
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      fetch(`${[first, second][index % 2]!.base}trade/webhook/stripe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        body: payload,
      }),
    ),
  )
  const activations = await place.database.rows(
    'select id from vip_activation where customer_id = $1::uuid',
    [id],
  )
  expect(activations).toHaveLength(1)
  expect(await first.stop()).toBe(0)
  expect(await second.stop()).toBe(0)
  stripe.close()
  await place.close()
})
