import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as calls from '../../contract/api/account.ts'
import { newAddress, newPhone, newSmallSeason, PASSWORD, randomUuid, TestServer } from '../support/api.ts'
import { noteAttempt } from '../../server/store/accounts/attempt-store.ts'
import { describeOnBoth } from '../support/databases.ts'

const MINUTE = 60_000
const OTHER_PASSWORD = 'another1word'

describeOnBoth('accounts on %s', { usual: 'postgresql' }, (kind) => {
  let server: TestServer
  let laterMs = 0
  beforeAll(async () => {
    server = await TestServer.start(await newSmallSeason(kind), {
      time: () => new Date(Date.now() + laterMs),
    })
  })
  afterAll(async () => {
    await server.close()
    await server.place.close()
  })

  const form = (over: object = {}) => ({
    phone: newPhone(),
    captcha: '123456',
    nickname: 'Reader',
    gender: 1,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    agreement: true,
    ...over,
  })

  test('a new account starts with its vouchers and the phone as its name', async () => {
    const phone = newPhone()
    const { token, userInfo } = await server.register({ phone, nickname: '跑馬' })
    expect(userInfo.username).toBe(phone)
    const info = await server.ask(calls.userInfo, { token })
    expect(info).toMatchObject({
      account: phone,
      nickname: '跑馬',
      everyDayFreeNum: 1,
      subscribeFreeNum: 3,
      isVip: 0,
      customerType: 1,
      income: '0.00',
    })
  })

  test.each([
    ['en', 'nickname', { nickname: '' }, '1 to 20 characters.'],
    ['zh-Hant', 'password', { password: 'short1', confirmPassword: 'short1' }, '8 至 64 個字元'],
    ['zh-Hans', 'agreement', { agreement: false }, '请接受用户协议'],
    ['en', 'phone', { phone: '12345' }, 'mainland number'],
    ['en', 'gender', { gender: 7 }, 'male, female or prefer not to say'],
    ['en', 'captcha', { captcha: '12' }, '6 digits'],
    ['en', 'confirmPassword', { confirmPassword: 'different1' }, 'differ'],
    ['en', 'password', { password: 'lettersonly', confirmPassword: 'lettersonly' }, 'a letter and a digit'],
    ['en', 'nickname', { nickname: 'line\nbreak' }, 'invisible'],
    ['en', 'nickname', { nickname: 'Chan\u202Enahc' }, 'invisible'],
    ['en', 'nickname', { nickname: 'Ch\u200Ban' }, 'invisible'],
  ])('in %s a wrong %s is told at its field', async (language, field, over, words) => {
    const reply = await server.call(calls.register, { body: form(over), language, address: newAddress() })
    expect(reply.status).toBe(400)
    const fields = reply.ok ? [] : (reply.refusal.result.fields ?? [])
    expect(fields.find((each) => each.field === field)?.message).toContain(words)
  })

  test('the owner of a share link is named by its id, never by account or phone, nor once gone', async () => {
    const owner = await server.register()
    const { id, username } = owner.userInfo
    expect(await server.ask(calls.queryInviter, { query: { id } })).toEqual({ nickname: 'Reader' })
    expect(await server.call(calls.queryInviter, { query: { id: username } })).toMatchObject({ status: 400 })
    await server.database.rows('update customer set deleted_at = now() where id = $1', [id])
    expect(await server.call(calls.queryInviter, { query: { id } })).toMatchObject({ status: 404 })
  })

  test('the inviter tells nobody which accounts and phones there are', async () => {
    const phone = newPhone()
    const known = await server.register()
    const reply = (inviter: string, captcha: string) =>
      server.call(calls.register, { body: form({ phone, inviter, captcha }), address: newAddress() })
    const inviters = [known.userInfo.username, 'nobody-at-all', newPhone()]
    for (const inviter of inviters)
      expect(await reply(inviter, '000000')).toMatchObject({ status: 200, ok: false, error: 'wrong-code' })
    const captcha = await server.codeFor(phone, 'register')
    // A share link's id reveals no account, so a wrong id is reported at its field and does not use up the code.
    const wrong = await reply(randomUuid(), captcha)
    expect(wrong).toMatchObject({ status: 400, error: 'bad-parameters' })
    if (!wrong.ok)
      expect(wrong.refusal.result.fields).toEqual([
        { field: 'inviter', message: 'There is no such inviter.' },
      ])
    // An unknown account name is answered like a known one.
    expect((await reply('nobody-at-all', captcha)).ok).toBe(true)
  })

  test('every wrong field is told at once, and a refusal names its field', async () => {
    const body = form({
      phone: 'x',
      agreement: false,
      gender: 9,
      nickname: '',
      confirmPassword: 'different1',
    })
    const reply = await server.call(calls.register, { body, address: newAddress() })
    const fields = reply.ok ? [] : (reply.refusal.result.fields ?? []).map(({ field }) => field)
    expect(fields.toSorted()).toEqual(['agreement', 'confirmPassword', 'gender', 'nickname', 'phone'])
    const wrong = await server.call(calls.register, {
      body: form(),
      address: newAddress(),
      language: 'zh-Hans',
    })
    expect(wrong).toMatchObject({ status: 200, ok: false, error: 'wrong-code' })
    if (!wrong.ok)
      expect(wrong.refusal.result.fields).toEqual([{ field: 'captcha', message: wrong.refusal.message }])
  })

  test('a phone registers once, also twice at the same moment', async () => {
    const phone = newPhone()
    await server.register({ phone })
    laterMs += 2 * MINUTE
    const captcha = await server.codeFor(phone, 'register')
    const reply = await server.call(calls.register, { body: form({ phone, captcha }), address: newAddress() })
    expect(reply).toMatchObject({ ok: false, status: 200, error: 'phone-taken' })
    const other = newPhone()
    const code = await server.codeFor(other, 'register')
    const both = await Promise.all(
      [1, 2].map(() =>
        server.call(calls.register, { body: form({ phone: other, captcha: code }), address: newAddress() }),
      ),
    )
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  })

  describe('a verification code', () => {
    test('comes once a minute, in the reader’s language', async () => {
      const mobile = newPhone()
      const body = { mobile, purpose: 'login' }
      await server.ask(calls.sendCode, { body, language: 'zh-Hant', address: newAddress() })
      await server.context.settled()
      expect(server.texts.at(-1)!.text).toContain('驗證碼')
      const again = await server.call(calls.sendCode, { body, address: newAddress() })
      expect(again).toMatchObject({ ok: false, status: 429, error: 'too-many' })
      expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(50)
      laterMs += MINUTE
      expect((await server.call(calls.sendCode, { body, address: newAddress() })).ok).toBe(true)
    })

    test('ends after five minutes, after five tries, and after its use', async () => {
      const { userInfo } = await server.register()
      const mobile = userInfo.username
      const signIn = (captcha: string) =>
        server.call(calls.phoneLogin, { body: { mobile, captcha }, address: newAddress() })
      const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

      laterMs += 2 * MINUTE
      const first = await server.codeFor(mobile, 'login')
      expect((await signIn(first)).ok).toBe(true)
      expect(await signIn(first)).toMatchObject({ ok: false, error: 'wrong-code' })

      laterMs += 2 * MINUTE
      const second = await server.codeFor(mobile, 'login')
      const address = newAddress()
      const signInFrom = (captcha: string) =>
        server.call(calls.phoneLogin, { body: { mobile, captcha }, address })
      for (let tries = 0; tries < 5; tries += 1)
        expect(await signInFrom(wrong(second))).toMatchObject({ error: 'wrong-code' })
      // The five tries of this network are used up.
      expect(await signInFrom(second)).toMatchObject({ ok: false, status: 429 })
      expect((await signIn(second)).ok).toBe(true)

      laterMs += 2 * MINUTE
      const guessed = await server.codeFor(mobile, 'login')
      for (let tries = 0; tries < 50; tries += 1) expect((await signIn(wrong(guessed))).ok).toBe(false)
      // After fifty failures from anywhere the code is void, so that it cannot be guessed.
      expect(await signIn(guessed)).toMatchObject({ ok: false, error: 'wrong-code' })

      laterMs += 2 * MINUTE
      const third = await server.codeFor(mobile, 'login')
      laterMs += 5 * MINUTE + 1
      expect(await signIn(third)).toMatchObject({ ok: false, error: 'wrong-code' })
    })

    test('of one purpose does not serve another', async () => {
      const { userInfo } = await server.register()
      laterMs += 2 * MINUTE
      const code = await server.codeFor(userInfo.username, 'login')
      const body = {
        mobile: userInfo.username,
        captcha: code,
        password: OTHER_PASSWORD,
        confirmPassword: OTHER_PASSWORD,
      }
      expect(await server.call(calls.forgotPassword, { body, address: newAddress() })).toMatchObject({
        ok: false,
        error: 'wrong-code',
      })
    })
  })

  test('the three sign-ins give tokens of the same account', async () => {
    const { userInfo } = await server.register()
    const body = { username: userInfo.username, password: PASSWORD }
    const address = newAddress()
    const a = await server.ask(calls.mLogin, { body, address })
    const b = await server.ask(calls.uniAppLogin, { body, address, query: { login: 'customer' } })
    laterMs += 2 * MINUTE
    const captcha = await server.codeFor(userInfo.username, 'login')
    const c = await server.ask(calls.phoneLogin, { body: { mobile: userInfo.username, captcha }, address })
    expect(new Set([a.token, b.token, c.token]).size).toBe(3)
    for (const { token } of [a, b, c])
      expect((await server.ask(calls.querySession, { token })).id).toBe(userInfo.id)
    const international = { username: `+852 ${userInfo.username}`, password: PASSWORD }
    expect((await server.ask(calls.mLogin, { body: international, address })).userInfo.id).toBe(userInfo.id)
  })

  test('an unknown account gets the answer and the work of a wrong password', async () => {
    const { userInfo } = await server.register()
    const sign = (username: string) =>
      server.call(calls.mLogin, { body: { username, password: 'wrong1word' }, address: newAddress() })
    const known = await sign(userInfo.username)
    const unknown = await sign(newPhone())
    expect(known.ok || unknown.ok).toBe(false)
    if (known.ok || unknown.ok) return
    expect({ ...unknown.refusal, timestamp: 0 }).toEqual({ ...known.refusal, timestamp: 0 })
    // The two kinds alternate, so that other load on the machine affects both; names differ, so that no limit applies.
    const accounts = await Promise.all(Array.from({ length: 15 }, () => server.register()))
    const times = { known: [] as number[], unknown: [] as number[] }
    for (const { userInfo: each } of accounts) {
      for (const [kind, name] of [
        ['known', each.username],
        ['unknown', newPhone()],
      ] as const) {
        const started = performance.now()
        await sign(name)
        times[kind].push(performance.now() - started)
      }
    }
    const median = (list: number[]): number => list.toSorted((x, y) => x - y)[7]!
    const ratio = median(times.unknown) / median(times.known)
    expect(ratio).toBeGreaterThan(1 / 3)
    expect(ratio).toBeLessThan(3)
  })

  test('five failures for an account, twenty for an address: wait, and be told how long', async () => {
    const { userInfo } = await server.register()
    const sign = (username: string, password: string, address: string) =>
      server.call(calls.mLogin, { body: { username, password }, address })
    const together = await Promise.all(
      Array.from({ length: 12 }, () => sign(userInfo.username, 'wrong1word', newAddress())),
    )
    const refused = together.filter((reply) => !reply.ok && reply.error === 'wrong-credentials').length
    // Attempts of one moment take turns: exactly five are checked, and the others told to wait.
    expect(refused).toBe(5)
    const right = await sign(userInfo.username, PASSWORD, newAddress())
    expect(right).toMatchObject({ ok: false, status: 429 })
    if (!right.ok) {
      expect(right.refusal.result.seconds).toBeGreaterThan(800)
      expect(right.refusal.message).toMatch(/Please wait \d+ second/)
    }
    laterMs += 15 * MINUTE
    expect((await sign(userInfo.username, PASSWORD, newAddress())).ok).toBe(true)

    const address = newAddress()
    const many: number[] = []
    for (let tries = 0; tries < 21; tries += 1)
      many.push((await sign(newPhone(), 'wrong1word', address)).status)
    expect(many.slice(0, 20).every((status) => status === 200)).toBe(true)
    expect(many[20]).toBe(429)
  })

  test('attempts of one moment count each other, whichever is dated later; those of a clock since set back do not', async () => {
    const now = Date.now()
    const note = async (at: number): Promise<number> => {
      const [day, instant] = [new Date(now - 86_400_000), new Date(at)]
      return (await noteAttempt(server.database, 'of one moment', 'subject', instant, day)).count
    }
    expect([await note(now), await note(now - 20), await note(now + 20)]).toEqual([1, 2, 3])
    expect(await note(now - 3_600_000)).toBe(1)
  })

  test('failures at one process count at the other', async () => {
    const other = await TestServer.start(server.place, { time: () => server.time() })
    const { userInfo } = await server.register()
    const sign = (at: TestServer, password: string) =>
      at.call(calls.mLogin, { body: { username: userInfo.username, password }, address: newAddress() })
    for (const at of [server, other, server, other, server])
      expect(await sign(at, 'wrong1word')).toMatchObject({ error: 'wrong-credentials' })
    expect(await sign(other, PASSWORD)).toMatchObject({ status: 429 })
    await other.close()
  })

  test('a password change ends the other sign-ins and keeps this one', async () => {
    const { token, userInfo } = await server.register()
    const body = { username: userInfo.username, password: PASSWORD }
    const other = await server.ask(calls.mLogin, { body, address: newAddress() })
    const change = { oldPassword: PASSWORD, password: OTHER_PASSWORD, confirmPassword: OTHER_PASSWORD }
    const wrong = { ...change, oldPassword: 'wrong1word' }
    expect(await server.call(calls.changePassword, { token, body: wrong })).toMatchObject({
      ok: false,
      error: 'wrong-old-password',
    })
    await server.ask(calls.changePassword, { token, body: change })
    expect((await server.call(calls.querySession, { token })).ok).toBe(true)
    expect(await server.call(calls.querySession, { token: other.token })).toMatchObject({
      status: 401,
      error: 'session-ended',
    })
    expect((await server.call(calls.mLogin, { body, address: newAddress() })).ok).toBe(false)
  })

  test('a forgotten password is set by code, and every sign-in ends', async () => {
    const { token, userInfo } = await server.register()
    laterMs += 2 * MINUTE
    const captcha = await server.codeFor(userInfo.username, 'reset')
    const body = {
      mobile: userInfo.username,
      captcha,
      password: OTHER_PASSWORD,
      confirmPassword: OTHER_PASSWORD,
    }
    await server.ask(calls.forgotPassword, { body, address: newAddress() })
    expect((await server.call(calls.querySession, { token })).status).toBe(401)
    const login = { username: userInfo.username, password: OTHER_PASSWORD }
    await server.ask(calls.mLogin, { body: login, address: newAddress() })
  })

  test('a token ends by logout, and 30 days after its last use', async () => {
    const first = await server.register()
    await server.ask(calls.logout, { token: first.token })
    expect((await server.call(calls.querySession, { token: first.token })).status).toBe(401)
    await server.ask(calls.logout, {})
    const second = await server.register()
    laterMs += 29 * 86_400_000
    expect((await server.call(calls.querySession, { token: second.token })).ok).toBe(true)
    laterMs += 29 * 86_400_000
    expect((await server.call(calls.querySession, { token: second.token })).ok).toBe(true)
    laterMs += 30 * 86_400_000 + 1
    expect((await server.call(calls.querySession, { token: second.token })).status).toBe(401)
  })

  test('the profile changes as far as it is given', async () => {
    const { token } = await server.register({ nickname: 'Before' })
    await server.ask(calls.editProfile, { token, body: { realName: 'Chan Tai Man', gender: 2 } })
    const info = await server.ask(calls.editProfile, { token, body: { nickname: 'After' } })
    expect(info).toMatchObject({ nickname: 'After', realName: 'Chan Tai Man', gender: 2 })
  })
})
