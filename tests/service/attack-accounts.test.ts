// @module-tag rest
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as calls from '../../contract/api/account.ts'
import { endOtherSessions, querySessions } from '../../contract/api/session.ts'
import { raceSubscribe } from '../../contract/api/subscription.ts'
import * as trade from '../../contract/api/trade.ts'
import { tidy } from '../../server/serving/tidy.ts'
import { SEED_PASSWORD, seedCustomer } from '../support/seed-customer.ts'
import { ledgerFaults } from '../support/customers.ts'
import { newAddress, newPhone, newSmallSeason, PASSWORD, TestServer } from '../support/api.ts'
import { KINDS } from '../support/databases.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** What an attack on the accounts of the first edition achieved, each with the limit that now applies. */
describe.each(KINDS)('accounts under attack on %s', (kind) => {
  let server: TestServer
  let laterMs = 0
  let races: string[]
  beforeAll(async () => {
    const place = await newSmallSeason(kind, new Date())
    server = await TestServer.start(place, { time: () => new Date(Date.now() + laterMs) })
    races = (await place.database.rows<{ id: string }>('select id from race order by id')).map(({ id }) => id)
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })
  const info = (token: string) => server.ask(calls.userInfo, { token })
  const open = (token: string, raceId: string) => server.call(raceSubscribe, { token, query: { raceId } })

  test('a phone that registers again after deletion gets neither welcome nor daily vouchers again', async () => {
    const phone = newPhone()
    let opened = 0
    for (let round = 0; round < 4; round += 1) {
      const { token } = await server.register({ phone })
      for (const raceId of races.slice(0, 6)) if ((await open(token, raceId)).ok) opened += 1
      await server.ask(calls.deleteAccount, { token, body: { password: PASSWORD } })
      laterMs += 2 * MINUTE
    }
    // Three welcome vouchers and one daily voucher, once only.
    expect(opened).toBe(4)
    const { token } = await server.register({ phone })
    expect(await info(token)).toMatchObject({ subscribeFreeNum: 0, everyDayFreeNum: 0 })
    laterMs += DAY
    expect(await info(token)).toMatchObject({ subscribeFreeNum: 0, everyDayFreeNum: 1 })
    expect(await ledgerFaults(server.database)).toEqual([])
  })

  test('what was left of the day comes back with the phone, and an invitation rewards it no more', async () => {
    const inviter = await seedCustomer(server.database)
    const phone = newPhone()
    const first = await server.register({ phone })
    await server.ask(calls.deleteAccount, { token: first.token, body: { password: PASSWORD } })
    laterMs += 2 * MINUTE
    const again = await server.register({ phone, inviter: inviter.id })
    expect(await info(again.token)).toMatchObject({ subscribeFreeNum: 0, everyDayFreeNum: 1 })
    expect((await info(inviter.token)).subscribeFreeNum).toBe(3)
  })

  test('the pause between codes survives deletion', async () => {
    laterMs += 2 * MINUTE
    const phone = newPhone()
    const { token } = await server.register({ phone })
    await server.ask(calls.deleteAccount, { token, body: { password: PASSWORD } })
    const reply = await server.call(calls.sendCode, {
      body: { mobile: phone, purpose: 'register' },
      address: newAddress(),
    })
    expect(reply).toMatchObject({ status: 429 })
  })

  test('a VIP opens races at the pace of a person', async () => {
    const { token } = await seedCustomer(server.database)
    await server.buy(token)
    const replies = []
    for (const raceId of races.slice(0, 45)) replies.push(await open(token, raceId))
    expect(replies.filter(({ ok }) => ok)).toHaveLength(40)
    expect(replies.at(-1)).toMatchObject({ status: 429 })
    // An opened race stays open, and opening it again does not count towards the rate limit.
    expect((await open(token, races[0]!)).ok).toBe(true)
    laterMs += 11 * MINUTE
    expect((await open(token, races[44]!)).ok).toBe(true)
  })

  test('strangers who guess passwords, codes and resets do not keep an owner with a right code out', async () => {
    laterMs += 2 * MINUTE
    const phone = newPhone()
    const { userInfo } = await server.register({ phone })
    laterMs += 2 * MINUTE
    const captcha = await server.codeFor(phone, 'login')
    for (let guess = 0; guess < 8; guess += 1) {
      const address = newAddress()
      await server.call(calls.mLogin, {
        body: { username: userInfo.username, password: `wrong${guess}pass` },
        address,
      })
      await server.call(calls.phoneLogin, { body: { mobile: phone, captcha: '000000' }, address })
      await server.call(calls.forgotPassword, {
        body: { mobile: phone, captcha: '000000', password: PASSWORD, confirmPassword: PASSWORD },
        address,
      })
    }
    const byPassword = { username: userInfo.username, password: PASSWORD }
    expect(await server.call(calls.mLogin, { body: byPassword, address: newAddress() })).toMatchObject({
      status: 429,
    })
    const signedIn = await server.ask(calls.phoneLogin, {
      body: { mobile: phone, captcha },
      address: newAddress(),
    })
    await server.context.settled()
    expect(
      (await server.ask(querySessions, { token: signedIn.token })).events.map(({ kind: what }) => what),
    ).toContain('sign-in-failed')
    laterMs += 2 * MINUTE
    const reset = await server.codeFor(phone, 'reset')
    for (let guess = 0; guess < 8; guess += 1) {
      await server.call(calls.forgotPassword, {
        body: { mobile: phone, captcha: '000000', password: PASSWORD, confirmPassword: PASSWORD },
        address: newAddress(),
      })
    }
    const fresh = { password: 'another1word', confirmPassword: 'another1word' }
    await server.ask(calls.forgotPassword, {
      body: { mobile: phone, captcha: reset, ...fresh },
      address: newAddress(),
    })
    // The reset proves who the owner is: the password is accepted again.
    const { token } = await server.ask(calls.mLogin, {
      body: { username: userInfo.username, password: 'another1word' },
      address: newAddress(),
    })
    expect((await server.ask(querySessions, { token })).sessions).toHaveLength(1)
  })

  test('common passwords are refused where one is chosen', async () => {
    const phone = newPhone()
    laterMs += 2 * MINUTE
    const captcha = await server.codeFor(phone, 'register')
    const body = {
      phone,
      captcha,
      nickname: 'Reader',
      gender: 0,
      password: 'Password1',
      confirmPassword: 'Password1',
      agreement: true,
    }
    const reply = await server.call(calls.register, { body, address: newAddress() })
    expect(reply).toMatchObject({ status: 400 })
    if (!reply.ok)
      expect(reply.refusal.result.fields).toEqual([
        { field: 'password', message: 'This password is too common. Choose another one.' },
      ])
  })

  test('the owner sees every sign-in, ends the others, and is told of changed credentials', async () => {
    const { userInfo, token } = await server.register()
    const login = { username: userInfo.username, password: PASSWORD }
    const other = await server.ask(calls.mLogin, { body: login, address: newAddress() })
    const { sessions } = await server.ask(querySessions, { token })
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    expect(sessions).toHaveLength(2)
    expect(await server.ask(endOtherSessions, { token })).toEqual({ ended: 1 })
    expect(await server.call(calls.userInfo, { token: other.token })).toMatchObject({ status: 401 })
    const passwords = { oldPassword: PASSWORD, password: 'another1word', confirmPassword: 'another1word' }
    await server.ask(calls.changePassword, { token, body: passwords })
    await server.context.settled()
    expect(server.texts.at(-1)!.text).toContain('your password was changed')
    const { events } = await server.ask(querySessions, { token })
    expect(events.map(({ kind: what }) => what).toSorted()).toEqual(['password-changed', 'sessions-ended'])
  })

  test('orders and cards have a limit', async () => {
    const { token } = await seedCustomer(server.database)
    const orders = []
    for (let index = 0; index < 25; index += 1)
      orders.push(await server.call(trade.createOrder, { token, body: { planId: '1' } }))
    expect(orders.filter(({ ok }) => ok)).toHaveLength(20)
    expect(orders.at(-1)).toMatchObject({ status: 429 })
    const cards = []
    for (let index = 0; index < 12; index += 1) {
      const body = {
        name: 'Chan',
        bank: `Bank ${index}`,
        cardNumber: '4242424242424242',
        password: SEED_PASSWORD,
      }
      cards.push(await server.call(trade.addBankCard, { token, body }))
    }
    expect(cards.at(-1)).toMatchObject({ status: 429 })
  })

  test('account data is stored nowhere', async () => {
    const { token } = await seedCustomer(server.database)
    for (const call of [calls.userInfo, querySessions, trade.orderPage]) {
      const response = await server.fetch(call, { token })
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('a clock that was set back blocks no code, and one set forward deletes no token for good', async () => {
    const phone = newPhone()
    laterMs += 90 * DAY
    await server.codeFor(phone, 'register')
    laterMs -= 90 * DAY
    await server.codeFor(phone, 'register')
    const { id, token } = await seedCustomer(server.database)
    const count = async (): Promise<number> =>
      (
        await server.database.rows<{ count: number }>(
          'select count(*) as count from access_token where customer_id = $1::uuid',
          [id],
        )
      )[0]!.count
    await tidy(server.context.service)
    laterMs += 400 * DAY
    await tidy(server.context.service)
    laterMs += MINUTE
    await tidy(server.context.service)
    expect(await count()).toBe(1)
    laterMs -= 400 * DAY + MINUTE
    expect((await info(token)).id).toBe(id)
    // A clock that runs evenly lets old rows be purged.
    laterMs += 400 * DAY
    for (let hour = 0; hour <= 25; hour += 1) {
      laterMs += 59 * MINUTE
      await tidy(server.context.service)
    }
    expect(await count()).toBe(0)
  })
})
