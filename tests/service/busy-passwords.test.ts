// @module-tag rest
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mLogin, register } from '../../contract/api/account.ts'
import { checkPassword } from '../../server/services/passwords.ts'
import { newAddress, newPhone, newSmallSeason, TestServer } from '../support/api.ts'

/** What a queue of password comparisons that is full for one network does to the owner of an account there. */

let server: TestServer
beforeAll(async () => {
  server = await TestServer.start(await newSmallSeason('postgresql'))
})
afterAll(async () => {
  await server.close()
  await server.place.close()
})

/** Fills the share of an address in the queue for as long as `work` takes. */
async function whileFull<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
  const over = new AbortController()
  const guess = async (): Promise<void> => {
    while (!over.signal.aborted) await checkPassword(null, 'wrong', { address }).catch(() => setTimeout(1))
  }
  const strangers = Array.from({ length: 60 }, guess)
  try {
    return await work()
  } finally {
    over.abort()
    await Promise.all(strangers)
  }
}

test('a registration that the queue refuses does not use up its code', async () => {
  const [address, phone] = [newAddress(), newPhone()]
  const captcha = await server.codeFor(phone, 'register')
  const body = { phone, captcha, nickname: 'Reader', gender: 0, password: 'horse4course' } as const
  const form = { ...body, confirmPassword: body.password, agreement: true }
  expect(await whileFull(address, () => server.call(register, { body: form, address }))).toMatchObject({
    error: 'too-many',
  })
  expect((await server.call(register, { body: form, address: newAddress() })).ok).toBe(true)
})

test('sign-ins that the queue refuses are no wrong passwords', async () => {
  const phone = newPhone()
  await server.register({ phone })
  const address = newAddress()
  const body = { username: phone, password: 'horse4course' }
  await whileFull(address, async () => {
    for (let number = 0; number < 7; number += 1)
      expect(await server.call(mLogin, { body, address })).toMatchObject({ error: 'too-many' })
  })
  expect((await server.call(mLogin, { body, address: newAddress() })).ok).toBe(true)
})
