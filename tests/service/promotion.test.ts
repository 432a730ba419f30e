// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteAccount, userInfo } from '../../contract/api/account.ts'
import { querySessions } from '../../contract/api/session.ts'
import * as calls from '../../contract/api/trade.ts'
import { hashPassword } from '../../server/services/passwords.ts'
import { refundOrder } from '../../server/services/payments.ts'
import { decideProvider, settleWithdrawal } from '../../server/services/promotion.ts'
import { makeProvider } from '../../server/store/accounts/promotion-store.ts'
import { newSmallSeason, newPhone, PASSWORD, randomUuid, TestServer } from '../support/api.ts'
import { SEED_PASSWORD, seedCustomer, type Seeded } from '../support/seed-customer.ts'
import { newTokenOf } from '../support/customers.ts'
import { describeOnBoth, newDatabase } from '../support/databases.ts'
import { WITHOUT_WORKER, startServerProcess } from '../support/server-process.ts'

const CARD = {
  name: 'Chan Tai Man',
  bank: 'A Bank',
  cardNumber: '4242 4242 4242 4242',
  password: SEED_PASSWORD,
}
const CARD_2 = { ...CARD, cardNumber: '5555 5555 5555 4444' }

describeOnBoth('promotion on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let time = new Date('2026-01-31T04:00:00Z')
  beforeAll(async () => {
    server = await TestServer.start(await newDatabase(kind), { time: () => time })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const provider = (): Promise<Seeded> => seedCustomer(server.database, { at: time, provider: true })
  const totals = (token: string) => server.ask(calls.queryMyCustomerTotal, { token })
  const withdraw = (token: string, cardId: string, amount: string, requestId = randomUuid()) =>
    server.call(calls.withdraw, { token, body: { cardId, amount, requestId, password: SEED_PASSWORD } })

  test('applied, approved, and only who registers afterwards is his customer', async () => {
    const { token, userInfo: me } = await server.register()
    const form = { account: me.username, nickname: 'P', name: 'Chan Tai Man', phone: newPhone() }
    expect(await server.ask(calls.applyStatus, { token })).toBeNull()
    const before = await server.register({ inviter: me.id })

    const [first, second] = await Promise.all(
      [1, 2].map(() => server.call(calls.apply, { token, body: form })),
    )
    expect([first!.ok, second!.ok].toSorted()).toEqual([false, true])
    const pending = (await server.ask(calls.applyStatus, { token }))!
    expect(pending).toMatchObject({ status: 'pending', name: 'Chan Tai Man' })
    await decideProvider(server.context.service, pending.id, 'refused')
    expect(await server.ask(calls.apply, { token, body: form })).toMatchObject({ status: 'pending' })
    const again = (await server.ask(calls.applyStatus, { token }))!
    await decideProvider(server.context.service, again.id, 'approved')
    await expect(decideProvider(server.context.service, again.id, 'refused')).rejects.toMatchObject({
      code: 'already-decided',
    })
    expect(await server.call(calls.apply, { token, body: form })).toMatchObject({ error: 'already-provider' })
    expect((await server.ask(userInfo, { token })).isPromotionServiceProvider).toBe(1)

    const after = await server.register({ inviter: me.id, nickname: 'After' })
    await server.buy(before.token)
    await server.buy(after.token)
    expect(await totals(token)).toMatchObject({ customers: 1, orders: 1, earned: '29.40' })
    const page = await server.ask(calls.customerPage, { token })
    expect(page.records).toMatchObject([{ nickname: 'After', orders: 1, paid: '98.00', fee: '29.40' }])
  })

  test('a quarter’s fee settles in three parts, the day after each month', async () => {
    const mine = await provider()
    const customer = await seedCustomer(server.database, { at: time, providerId: mine.id })
    await server.buy(customer.token, '2')
    let { token } = mine
    const plan = await server.ask(calls.settlementPage, { token })
    // HK$268.00 yields a fee of HK$80.40; VIP opened on 31 January.
    expect(plan.records.map(({ amount, settlesOn, state }) => [amount, settlesOn, state])).toEqual([
      ['26.80', '2026-03-01', 'waiting'],
      ['26.80', '2026-04-01', 'waiting'],
      ['26.80', '2026-05-01', 'waiting'],
    ])
    for (const [at, settled] of [
      ['2026-02-28T15:59:59Z', '0.00'],
      ['2026-02-28T16:00:00Z', '26.80'],
      ['2026-03-31T16:00:00Z', '53.60'],
      ['2026-04-30T16:00:00Z', '80.40'],
    ] as const) {
      time = new Date(at)
      token = await newTokenOf(server.database, mine.id, time)
      expect(await totals(token)).toMatchObject({ earned: '80.40', settled, withdrawable: settled })
    }
    expect((await server.ask(userInfo, { token })).income).toBe('80.40')
  })

  test('a refund takes back what is not settled, and leaves what is', async () => {
    time = new Date('2027-01-10T04:00:00Z')
    const mine = await provider()
    const customer = await seedCustomer(server.database, { at: time, providerId: mine.id })
    const order = await server.buy(customer.token, '3')
    time = new Date('2027-03-15T04:00:00Z')
    await refundOrder(server.context.service, order)
    const token = await newTokenOf(server.database, mine.id, time)
    const page = await server.ask(calls.settlementPage, { token })
    expect(page.records.map(({ state }) => state).toSorted()).toEqual([
      ...Array<string>(4).fill('cancelled'),
      ...Array<string>(2).fill('settled'),
    ])
    expect(await totals(token)).toMatchObject({ earned: '49.80', settled: '49.80' })
  })

  test('a bank card is stored sealed, shown as four digits, once, and is its owner’s', async () => {
    const { id, token } = await provider()
    const card = await server.ask(calls.addBankCard, { token, body: CARD })
    expect(card).toMatchObject({ name: CARD.name, cardNumber: '4242' })
    expect(await server.call(calls.addBankCard, { token, body: CARD })).toMatchObject({ error: 'card-known' })
    const wrong = await server.call(calls.addBankCard, {
      token,
      body: { ...CARD, cardNumber: '1234 5678 9012 3456' },
    })
    expect(wrong).toMatchObject({ status: 400 })
    const [row] = await server.database.rows<{ text: string; sealed: string }>(
      'select b::text as text, number_sealed as sealed from bank_card b where customer_id = $1::uuid',
      [id],
    )
    expect(row!.text).not.toContain('42424242')
    expect(server.context.service.keys.unseal(`bank card ${card.id}`, row!.sealed)).toBe('4242424242424242')
    const other = await provider()
    expect(await server.ask(calls.listBankCards, { token: other.token })).toEqual([])
    const remove = (whose: string) =>
      server.call(calls.removeBankCard, { token: whose, query: { id: card.id } })
    expect(await remove(other.token)).toMatchObject({ status: 404 })
    expect((await remove(token)).ok).toBe(true)
    expect(await server.ask(calls.listBankCards, { token })).toEqual([])
    await server.ask(calls.addBankCard, { token, body: CARD })
  })

  test('money leaves only with the password or a code of the phone', async () => {
    const { token, userInfo: me } = await server.register()
    await makeProvider(server.database, me.id, time)
    const { password: _, ...card } = CARD
    expect(await server.call(calls.addBankCard, { token, body: card })).toMatchObject({
      error: 'wrong-password',
    })
    expect(
      await server.call(calls.addBankCard, { token, body: { ...card, password: 'not-it-99' } }),
    ).toMatchObject({ error: 'wrong-password' })
    expect(
      await server.call(calls.addBankCard, { token, body: { ...card, captcha: '000000' } }),
    ).toMatchObject({ error: 'wrong-code' })
    time = new Date(time.getTime() + 120_000)
    const captcha = await server.codeFor(me.username, 'login')
    const stored = await server.ask(calls.addBankCard, { token, body: { ...card, captcha } })
    const requestId = randomUuid()
    const body = { cardId: stored.id, amount: '1', requestId }
    expect(await server.call(calls.withdraw, { token, body })).toMatchObject({ error: 'wrong-password' })
    const { events } = await server.ask(querySessions, { token })
    expect(events.map(({ kind }) => kind)).toEqual(['card-added'])
    await server.context.settled()
    expect(server.texts.at(-1)!.text).toContain('a bank card was added')
  })

  async function earner(): Promise<{ id: string; token: string; cardId: string; otherCard: string }> {
    const mine = await provider()
    for (let count = 0; count < 2; count += 1) {
      const customer = await seedCustomer(server.database, { at: time, providerId: mine.id })
      await server.buy(customer.token, '1')
    }
    time = new Date(time.getTime() + 40 * 86_400_000)
    const token = await newTokenOf(server.database, mine.id, time)
    const { id: cardId } = await server.ask(calls.addBankCard, { token, body: CARD })
    const { id: otherCard } = await server.ask(calls.addBankCard, { token, body: CARD_2 })
    return { id: mine.id, token, cardId, otherCard }
  }

  test('withdrawn: at most what is settled, waiting counts, refused comes back', async () => {
    const { token, cardId } = await earner()
    expect((await totals(token)).withdrawable).toBe('58.80')
    for (const amount of ['0', '0.00', '-5', '1.234', '1e2', 'all', ''])
      expect(await withdraw(token, cardId, amount), amount).toMatchObject({ status: 400 })
    const tooMuch = await withdraw(token, cardId, '58.81')
    expect(tooMuch).toMatchObject({ ok: false, status: 200, error: 'more-than-withdrawable' })
    if (!tooMuch.ok) expect(tooMuch.refusal.message).toContain('58.80')
    expect(await withdraw(token, randomUuid(), '1')).toMatchObject({ status: 404 })

    const first = await withdraw(token, cardId, '50')
    expect(first).toMatchObject({
      ok: true,
      result: { withdrawable: '8.80', withdrawal: { state: 'waiting', amount: '50.00' } },
    })
    expect(await withdraw(token, cardId, '8.81')).toMatchObject({ ok: false })
    const second = await withdraw(token, cardId, '8.80')
    if (!first.ok || !second.ok) throw new Error('refused')
    await settleWithdrawal(server.context.service, first.result.withdrawal.id, 'paid')
    await settleWithdrawal(server.context.service, second.result.withdrawal.id, 'refused')
    await expect(
      settleWithdrawal(server.context.service, first.result.withdrawal.id, 'refused'),
    ).rejects.toMatchObject({ code: 'already-decided' })
    expect(await totals(token)).toMatchObject({ withdrawn: '50.00', waiting: '0.00', withdrawable: '8.80' })
    const page = await server.ask(calls.withdrawalPage, { token })
    expect(page.records.map(({ state }) => state).toSorted()).toEqual(['paid', 'refused'])
    expect(page.records.map(({ cardNumber }) => cardNumber)).toEqual(['4242', '4242'])
  })

  test('a second click is the same request; many at one moment never exceed the balance', async () => {
    const { id, token, cardId, otherCard } = await earner()
    const requestId = randomUuid()
    const clicks = await Promise.all(
      Array.from({ length: 5 }, () => withdraw(token, cardId, '8.80', requestId)),
    )
    expect(clicks.every(({ ok }) => ok)).toBe(true)
    expect((await totals(token)).withdrawable).toBe('50.00')
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => withdraw(token, index % 2 ? cardId : otherCard, '12.50')),
    )
    expect(replies.filter(({ ok }) => ok)).toHaveLength(4)
    expect((await totals(token)).withdrawable).toBe('0.00')
    const [sum] = await server.database.rows<{ cents: number }>(
      'select sum(cents) as cents from withdrawal where customer_id = $1::uuid',
      [id],
    )
    expect(sum!.cents).toBe(5880)
    const stranger = await provider()
    expect(await withdraw(stranger.token, cardId, '1', requestId)).toMatchObject({ status: 403 })
    // The same request id with another amount or card is rejected.
    expect(await withdraw(token, cardId, '8.79', requestId)).toMatchObject({ error: 'request-differs' })
    expect(await withdraw(token, otherCard, '8.80', requestId)).toMatchObject({ error: 'request-differs' })
  })

  test('who deletes his account while a withdrawal waits gets it refused: its card is gone', async () => {
    const { id, token, cardId } = await earner()
    const requested = await withdraw(token, cardId, '5')
    if (!requested.ok) throw new Error('refused')
    await server.database.rows('update customer set password_hash = $2 where id = $1::uuid', [
      id,
      await hashPassword(PASSWORD, { address: '127.0.0.1' }),
    ])
    await server.ask(deleteAccount, { token, body: { password: PASSWORD } })
    const [row] = await server.database.rows<{ state: string; card: string | null }>(
      'select w.state, b.number_sealed as card from withdrawal w join bank_card b on b.id = w.card_id where w.id = $1::uuid',
      [requested.result.withdrawal.id],
    )
    expect(row).toEqual({ state: 'refused', card: null })
  })

  test('who is no provider sees zeros and no lists', async () => {
    const { token } = await seedCustomer(server.database, { at: time })
    expect(await totals(token)).toMatchObject({ customers: 0, earned: '0.00', withdrawable: '0.00' })
    for (const call of [calls.customerPage, calls.settlementPage, calls.withdrawalPage])
      expect(await server.call(call, { token })).toMatchObject({ status: 403, error: 'not-provider' })
    expect(await withdraw(token, randomUuid(), '1')).toMatchObject({ status: 403 })
  })
})

test('two processes on one PostgreSQL never pay more than the balance between them', async () => {
  const place = await newSmallSeason('postgresql', new Date())
  const long = new Date(Date.now() - 60 * 86_400_000)
  const before = await TestServer.start(place, { time: () => long })
  const mine = await seedCustomer(place.database, { at: long, provider: true })
  const customer = await seedCustomer(place.database, { at: long, providerId: mine.id })
  await before.buy(customer.token, '1')
  const token = await newTokenOf(place.database, mine.id, new Date())
  const card = await before.ask(calls.addBankCard, { token, body: CARD })
  await before.close()

  const environment = {
    FURLONG_DATA: place.dataFolder,
    DATABASE_URL: place.databaseUrl!,
    ...WITHOUT_WORKER,
  }
  const servers = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
  const replies = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const response = await fetch(`${servers[index % 2]!.base}trade/api/withdrawal`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-access-token': token },
        body: JSON.stringify({
          cardId: card.id,
          amount: '10.00',
          requestId: randomUuid(),
          password: SEED_PASSWORD,
        }),
      })
      return ((await response.json()) as { success: boolean }).success
    }),
  )
  // HK$29.40 is settled.
  expect(replies.filter(Boolean)).toHaveLength(2)
  for (const server of servers) expect(await server.stop()).toBe(0)
  await place.close()
})
