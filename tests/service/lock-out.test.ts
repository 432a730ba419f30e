// @module-tag rest
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as calls from '../../contract/api/account.ts'
import { endOtherSessions } from '../../contract/api/session.ts'
import { newAddress, newDevice, newPhone, PASSWORD, TestServer } from '../support/api.ts'
import { KINDS, newDatabase } from '../support/databases.ts'

const MINUTE = 60_000
const PURPOSES = ['register', 'login', 'reset'] as const
const NEW_PASSWORD = { password: 'another1word', confirmPassword: 'another1word' }

/** Strangers who ask for codes and guess, from as many networks as they like, do not keep an owner out. */
describe.each(KINDS)('no stranger locks an owner out on %s', (kind) => {
  let server: TestServer
  let laterMs = 0
  beforeAll(async () => {
    server = await TestServer.start(await newDatabase(kind), {
      time: () => new Date(Date.now() + laterMs),
      settings: { FURLONG_TEXTS_PER_HOUR: '200' },
    })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const sendCode = (mobile: string, purpose: string, device?: string, address = newAddress()) =>
    server.call(calls.sendCode, { body: { mobile, purpose }, address, ...(device && { device }) })
  const guess = (username: string) =>
    server.call(calls.mLogin, { body: { username, password: 'wrong4course' }, address: newAddress() })
  const signIn = (username: string, device?: string, password = PASSWORD) =>
    server.call(calls.mLogin, {
      body: { username, password },
      address: newAddress(),
      ...(device && { device }),
    })
  const textsTo = (phone: string) => server.texts.filter((text) => text.phone.endsWith(phone))
  const lastCode = async (phone: string): Promise<string> => {
    await server.context.settled()
    return textsTo(phone).at(-1)!.code
  }
  const signInByCode = (mobile: string, captcha: string, device?: string) =>
    server.call(calls.phoneLogin, {
      body: { mobile, captcha },
      address: newAddress(),
      ...(device && { device }),
    })
  /** An owner whose device is known, some time after registration. */
  const newOwner = async () => {
    const [phone, device] = [newPhone(), newDevice()]
    const { token, userInfo } = await server.register({ phone, device })
    laterMs += 61 * MINUTE
    return { phone, device, token, username: userInfo.username }
  }

  test('nine codes from nine networks and wrong passwords, as the attack did it', async () => {
    const { phone, device, username } = await newOwner()
    for (const purpose of PURPOSES) {
      for (let stranger = 0; stranger < 9; stranger += 1) {
        laterMs += MINUTE
        await sendCode(phone, purpose)
      }
    }
    for (let tries = 0; tries < 8; tries += 1) await guess(username)
    expect(await guess(username)).toMatchObject({ status: 429 })
    expect((await signIn(username, device)).ok).toBe(true)
    expect((await sendCode(phone, 'login', device)).ok).toBe(true)
    expect((await signInByCode(phone, await lastCode(phone), device)).ok).toBe(true)
    expect((await sendCode(phone, 'reset', device)).ok).toBe(true)
    const captcha = await lastCode(phone)
    // The attack goes on: another code, and wrong tries of the owner's one from twelve networks.
    await sendCode(phone, 'reset')
    const reset = (code: string, by?: string) =>
      server.call(calls.forgotPassword, {
        body: { mobile: phone, captcha: code, ...NEW_PASSWORD },
        address: newAddress(),
        ...(by && { device: by }),
      })
    for (let tries = 0; tries < 60; tries += 1) await reset('000000')
    expect((await reset(captcha, device)).ok).toBe(true)
    for (let tries = 0; tries < 8; tries += 1) await guess(username)
    expect((await signIn(username, device, NEW_PASSWORD.password)).ok).toBe(true)
  })

  test('a shared network’s limits do not hold for the owner’s device', async () => {
    const { phone, device, username } = await newOwner()
    const address = newAddress()
    for (let tries = 0; tries < 22; tries += 1)
      await server.call(calls.mLogin, { body: { username: newPhone(), password: 'wrong4course' }, address })
    for (let tries = 0; tries < 32; tries += 1) await sendCode(newPhone(), 'login', undefined, address)
    expect(await sendCode(newPhone(), 'login', undefined, address)).toMatchObject({ status: 429 })
    const body = { username, password: PASSWORD }
    expect(await server.call(calls.mLogin, { body, address })).toMatchObject({ status: 429 })
    expect((await server.call(calls.mLogin, { body, address, device })).ok).toBe(true)
    expect((await sendCode(phone, 'login', device, address)).ok).toBe(true)
  })

  test('an owner on a new device has a code that is valid, however many strangers ask, and few are texted', async () => {
    const { phone } = await newOwner()
    const before = textsTo(phone).length
    for (let minute = 0; minute < 60; minute += 1) {
      laterMs += MINUTE
      await Promise.all([sendCode(phone, 'login'), sendCode(phone, 'login')])
      if (minute % 7 === 6) {
        // Either a new code comes, or the phone has one that is valid.
        await sendCode(phone, 'login')
        expect((await signInByCode(phone, await lastCode(phone))).ok, `minute ${minute}`).toBe(true)
      }
    }
    // Five at once, and then one in five minutes.
    expect(textsTo(phone).length - before).toBeLessThanOrEqual(17)
  })

  test('what strangers can have texted within an hour has a bound, which the owner’s device does not share', async () => {
    const { phone, device } = await newOwner()
    const sent = []
    for (let text = 0; text < 210; text += 1) sent.push(await sendCode(newPhone(), 'register'))
    expect(sent.filter(({ ok }) => ok)).toHaveLength(200)
    expect(sent.at(-1)).toMatchObject({ status: 429 })
    expect((await sendCode(phone, 'login', device)).ok).toBe(true)
    laterMs += 61 * MINUTE
    expect((await sendCode(newPhone(), 'register')).ok).toBe(true)
  })

  test('a known device has limits too, and is one of its customer only', async () => {
    const owner = await newOwner()
    const other = await newOwner()
    for (let tries = 0; tries < 5; tries += 1)
      expect(await signIn(owner.username, owner.device, 'wrong4course')).toMatchObject({
        error: 'wrong-credentials',
      })
    expect(await signIn(owner.username, owner.device)).toMatchObject({ status: 429 })
    // Another customer's device is a stranger's.
    for (let tries = 0; tries < 5; tries += 1) await guess(owner.username)
    expect(await signIn(owner.username, other.device)).toMatchObject({ status: 429 })
    laterMs += 16 * MINUTE
    for (let code = 0; code < 10; code += 1) {
      expect((await sendCode(owner.phone, 'login', owner.device)).ok).toBe(true)
      laterMs += MINUTE
    }
    expect(await sendCode(owner.phone, 'login', owner.device)).toMatchObject({ status: 429 })
  })

  test('ending the other sign-ins and a new password forget the other devices', async () => {
    const { phone, device, token, username } = await newOwner()
    const second = newDevice()
    expect((await signIn(username, second)).ok).toBe(true)
    await server.ask(endOtherSessions, { token, device })
    for (let tries = 0; tries < 5; tries += 1) await guess(username)
    expect(await signIn(username, second)).toMatchObject({ status: 429 })
    expect((await signIn(username, device)).ok).toBe(true)
    laterMs += 16 * MINUTE
    expect((await signIn(username, second)).ok).toBe(true)
    laterMs += MINUTE
    await sendCode(phone, 'reset', device)
    const body = { mobile: phone, captcha: await lastCode(phone), ...NEW_PASSWORD }
    await server.ask(calls.forgotPassword, { body, address: newAddress(), device })
    for (let tries = 0; tries < 5; tries += 1) await guess(username)
    expect(await signIn(username, second, NEW_PASSWORD.password)).toMatchObject({ status: 429 })
    expect((await signIn(username, device, NEW_PASSWORD.password)).ok).toBe(true)
  })

  test('a device stays known after it signed out, and names in another form do not count', async () => {
    const { device, token, username } = await newOwner()
    await server.ask(calls.logout, { token, device })
    for (let tries = 0; tries < 5; tries += 1) await guess(username)
    expect(await signIn(username, `${device} `.repeat(2))).toMatchObject({ status: 429 })
    expect((await signIn(username, device)).ok).toBe(true)
  })

  test('of attempts at one moment as many pass as the limit has left', async () => {
    const { username } = await newOwner()
    const together = await Promise.all(Array.from({ length: 12 }, () => guess(username)))
    expect(together.filter((reply) => !reply.ok && reply.error === 'wrong-credentials')).toHaveLength(5)
    const { username: other } = await newOwner()
    for (let tries = 0; tries < 4; tries += 1) await guess(other)
    const last = await Promise.all([guess(other), guess(other)])
    expect(last.map(({ status }) => status).toSorted()).toEqual([200, 429])
  })
})
