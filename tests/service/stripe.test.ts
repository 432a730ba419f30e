import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVip } from '../../contract/api/account.ts'
import { raceSubscribe } from '../../contract/api/subscription.ts'
import * as calls from '../../contract/api/trade.ts'
import { refundOrder } from '../../server/services/payments.ts'
import { STRIPE_PATH } from '../../server/routes/payment.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { describeOnBoth, newDatabase } from '../support/databases.ts'
import { WITHOUT_WORKER, startServerProcess } from '../support/server-process.ts'
import { SECRET_KEY, StripeStandIn, WEBHOOK_SECRET } from '../support/stripe-stand-in.ts'

const MINUTE = 60_000

describeOnBoth('Stripe on %s', { usual: 'postgresql' }, (kind) => {
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
    expect(request.idempotencyKey).toBe(`order-${order.orderId}-en`)
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
    const sent = stripe.requests.slice(before)
    expect(sent).toHaveLength(2)
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey))).toEqual(
      new Set([`order-${order.orderId}-en`]),
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

  test('a page whose reference was never stored is found by the order that it names; others are not ours', async () => {
    const { token, order, session } = await open()
    await server.database.rows('update vip_order set gateway_reference = null where id = $1::uuid', [
      order.orderId,
    ])
    const metadata = { orderId: order.orderId }
    expect(await (await send(paid('evt_else', 'cs_test_of_another_shop'))).json()).toEqual({
      received: 'ignored',
    })
    expect(await isVip(token)).toBe(0)
    expect(await (await send(paid('evt_early', session, { metadata }))).json()).toEqual({ received: 'done' })
    expect(await isVip(token)).toBe(1)
  })

  test('a refusal of Stripe’s is told as ours, and its status is nobody’s', async () => {
    const { token } = await seedCustomer(server.database)
    stripe.failures = 9
    const reply = await server.call(calls.createOrder, { token, body: { planId: '1' } })
    expect(reply).toMatchObject({ status: 503, ok: false, error: 'gateway-failed' })
    stripe.failures = 0
    expect((await server.call(calls.createOrder, { token, body: { planId: '1' } })).ok).toBe(true)
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

  const refundOf = (session: string, id = `evt_refund_${session}`, metadata = {}) =>
    stripe.sign({
      id,
      type: 'charge.refunded',
      object: { id: 'ch_1', refunded: true, payment_intent: `pi_${session}`, metadata },
    })

  test.each([
    ['that names the order', true],
    ['that names nothing we know yet', false],
  ])('a refund notice %s, before the paid notice, leaves no VIP on refunded money', async (_, names) => {
    const { token, session, order } = await open()
    const refund = refundOf(session, undefined, names ? { orderId: order.orderId } : {})
    expect((await send(refund)).status).toBe(200)
    expect((await send(paid(`evt_after_${session}`, session))).status).toBe(200)
    expect(await isVip(token)).toBe(0)
    expect((await server.ask(calls.queryOrder, { token, query: { id: order.orderId } })).state).toBe(
      'refunded',
    )
    expect((await server.ask(calls.vipActivationLog, { token })).total).toBe(0)
    expect(await (await send(refund)).json()).toEqual({ received: 'repeated' })
  })

  test('a dispute that is lost takes VIP back, one that is won does not', async () => {
    const { token, session } = await open()
    await send(paid(`evt_p_${session}`, session))
    const dispute = (status: string) =>
      stripe.sign({
        id: `evt_dispute_${status}_${session}`,
        type: 'charge.dispute.closed',
        object: { id: 'dp_1', status, payment_intent: `pi_${session}` },
      })
    await send(dispute('won'))
    expect(await isVip(token)).toBe(1)
    await send(dispute('lost'))
    expect(await isVip(token)).toBe(0)
  })

  test('a refund closes the races that only its VIP had opened', async () => {
    const place = await newSmallSeason(kind, new Date())
    const own = await TestServer.start(place)
    const races = await place.database.rows<{ id: string }>('select id from race order by id limit 3')
    const [byVoucher, byVip, byOther] = races.map(({ id }) => id) as [string, string, string]
    const { id, token } = await seedCustomer(place.database)
    const openRace = (raceId: string) => own.ask(raceSubscribe, { token, query: { raceId } })
    await openRace(byVoucher)
    const order = await own.buy(token)
    expect((await openRace(byVip)).paidWith).toBe('vip')
    await refundOrder(own.context.service, order)
    const left = (): Promise<{ id: string }[]> =>
      place.database.rows('select race_id as id from subscription where customer_id = $1::uuid', [id])
    expect(await left()).toEqual([{ id: byVoucher }])
    // Races covered by another paid period stay open.
    const first = await own.buy(token)
    await own.buy(token)
    expect((await openRace(byOther)).paidWith).toBe('vip')
    await refundOrder(own.context.service, first)
    expect((await left()).map((row) => row.id).toSorted()).toEqual([byOther, byVoucher].toSorted())
    await own.close()
    await place.close()
  })

  test('the sandbox’s page is not there where Stripe takes the money', async () => {
    expect((await fetch(new URL(`/trade/sandbox/${'x'.repeat(32)}`, server.base))).status).toBe(404)
  })
})

test('two processes on one PostgreSQL activate a notice once between them', { tags: ['rest'] }, async () => {
  const place = await newSmallSeason('postgresql', new Date())
  const stripe = await StripeStandIn.start()
  const environment = {
    FURLONG_DATA: place.dataFolder,
    DATABASE_URL: place.databaseUrl!,
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
    ...WITHOUT_WORKER,
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
