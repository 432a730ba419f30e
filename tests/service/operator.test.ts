// @module-tag rest
import { writeMessage } from '../../contract/api/message.ts'
import { chmodSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as account from '../../contract/api/account.ts'
import * as trade from '../../contract/api/trade.ts'
import { assemble } from '../../server/serving/assemble.ts'
import { readSettings } from '../../server/process/env.ts'
import { httpSms } from '../../server/gateways/sms.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { openDatabase } from '../../server/db/open.ts'
import { PASSWORD, newSmallSeason, newPhone, randomUuid, TestServer } from '../support/api.ts'
import { SEED_PASSWORD, seedCustomer } from '../support/seed-customer.ts'
import { furlong } from '../support/command.ts'
import { newTokenOf } from '../support/customers.ts'
import {
  describeOnBoth,
  newDatabase,
  newFolder,
  newPostgresqlUrl,
  type TestDatabase,
} from '../support/databases.ts'
import { startServerProcess, WITHOUT_WORKER } from '../support/server-process.ts'

const environmentOf = ({ dataFolder, databaseUrl }: TestDatabase): NodeJS.ProcessEnv => ({
  FURLONG_DATA: dataFolder,
  DATABASE_URL: databaseUrl ?? '',
})

/** Starts the service with the same secrets as the commands. */
const startBeside = (place: TestDatabase, time?: () => Date): Promise<TestServer> => {
  const settings = readSettings({ FURLONG_DATA: place.dataFolder })
  const { keys } = assemble(settings, place.database, null).service
  return TestServer.start(place, { effects: { keys }, ...(time ? { time } : {}) })
}

describe('what an operator does', () => {
  let place: TestDatabase
  let server: TestServer
  let environment: NodeJS.ProcessEnv
  beforeAll(async () => {
    place = await newSmallSeason('postgresql', new Date())
    server = await startBeside(place)
    environment = environmentOf(place)
  })
  afterAll(async () => {
    await server.close()
    await place.close()
  })
  const json = async <Result>(...args: string[]): Promise<Result> => {
    const ran = await furlong(environment, ...args, '--json')
    expect(ran.err).toBe('')
    return JSON.parse(ran.out) as Result
  }

  test('approves an application, pays and refuses withdrawals, reads the card to pay to', async () => {
    const long = new Date(Date.now() - 50 * 86_400_000)
    const { id, token } = await seedCustomer(place.database)
    await server.ask(trade.apply, {
      token,
      body: { account: 'a', nickname: 'b', name: 'Chan', phone: newPhone() },
    })
    const [application] = await json<{ id: string; name: string }[]>('applications', 'list')
    expect(application!.name).toBe('Chan')
    await json('applications', 'approve', application!.id)
    expect((await furlong(environment, 'applications', 'refuse', application!.id)).err).toContain(
      'decided before',
    )

    const before = await startBeside(place, () => long)
    const customer = await seedCustomer(place.database, { at: long, providerId: id })
    await before.buy(customer.token, '1')
    await before.close()
    const card = await server.ask(trade.addBankCard, {
      token,
      body: { name: 'Chan', bank: 'A Bank', cardNumber: '4242424242424242', password: SEED_PASSWORD },
    })
    for (const amount of ['10', '5'])
      await server.ask(trade.withdraw, {
        token,
        body: { cardId: card.id, amount, requestId: randomUuid(), password: SEED_PASSWORD },
      })
    const waiting = await json<{ id: string; amount: string }[]>('withdrawals', 'list')
    const ten = waiting.find(({ amount }) => amount === '10.00')!
    const five = waiting.find(({ amount }) => amount === '5.00')!
    expect(await json('withdrawals', 'card', ten.id)).toEqual({ id: ten.id, cardNumber: '4242424242424242' })
    await json('withdrawals', 'paid', ten.id)
    await json('withdrawals', 'refused', five.id)
    expect((await furlong(environment, 'withdrawals', 'card', ten.id)).code).toBe(1)
    expect(await server.ask(trade.queryMyCustomerTotal, { token })).toMatchObject({
      settled: '29.40',
      withdrawn: '10.00',
      waiting: '0.00',
      withdrawable: '19.40',
    })
  })

  test('refunds an order, gives VIP and vouchers', async () => {
    const { id, token, account: name } = await seedCustomer(place.database)
    const orderId = await server.buy(token)
    await json('orders', 'refund', orderId)
    expect((await server.ask(account.checkVip, { token })).isVip).toBe(0)
    expect(await json<object[]>('orders', 'list', name)).toMatchObject([{ id: orderId, state: 'refunded' }])
    await json('grant-vip', id, '--months', '3')
    expect(await server.ask(account.userInfo, { token })).toMatchObject({ isVip: 1, customerType: 3 })
    await json('grant-vouchers', name, '7')
    expect((await server.ask(account.userInfo, { token })).subscribeFreeNum).toBe(10)
    const nobody = await furlong(environment, 'grant-vip', 'nobody', '--months', '1')
    expect([nobody.code, nobody.err]).toEqual([1, 'furlong: There is no account nobody.\n'])
    for (const months of ['0', '-1', 'x', '1.5'])
      expect((await furlong(environment, 'grant-vip', name, '--months', months)).code).not.toBe(0)
  })

  test('lists the messages that wait, with where to answer, and marks them as answered', async () => {
    const { token } = await server.register()
    const { id } = await server.ask(writeMessage, {
      token,
      body: { content: 'Race 5\nis missing', answerTo: 'me@example.org' },
    })
    const { out } = await furlong(environment, 'messages', 'list')
    expect(out).toContain('answer to me@example.org')
    expect(out).toContain('  Race 5\n  is missing\n')
    await json('messages', 'answered', id)
    expect(await json<object[]>('messages', 'list')).toEqual([])
    expect(await json<object[]>('messages', 'list', '--all')).toMatchObject([
      { id, content: 'Race 5\nis missing' },
    ])
    expect((await furlong(environment, 'messages', 'answered', id)).code).toBe(1)
  })

  test('sets settings, banners and plans, and the site shows them', async () => {
    await json('config', 'set', 'shareReward', '5')
    expect(await json('config', 'list')).toMatchObject({ shareReward: '5', registerFreeNum: '3' })
    expect((await furlong(environment, 'config', 'set', 'shareReward', 'many')).code).toBe(1)
    const ad = await json<{ id: string }>('ads', 'add', '/banner.webp', '--link', '#/pages/race/viplist')
    for (const other of [
      'javascript:alert(1)',
      'https://elsewhere.example/x.png',
      '//elsewhere.example/x.png',
    ])
      expect((await furlong(environment, 'ads', 'add', other)).code).not.toBe(0)
    expect(await json<object[]>('ads', 'list')).toHaveLength(1)
    await json('ads', 'remove', ad.id)
    const names = ['--name-en', 'Week', '--name-hant', '一', '--name-hans', '一']
    const prices = ['--months', '2', '--price', '200', '--selling-price', '150.50']
    await json('plans', 'set', '9', ...names, ...prices)
    // The server may answer from its cache for a second.
    const ninth = async () => (await server.ask(trade.queryVipList, {})).find(({ id }) => id === '9')
    await expect.poll(ninth).toMatchObject({ sellingPrice: '150.50', discount: 0.7525 })
    const dear = await furlong(
      environment,
      'plans',
      'set',
      '9',
      ...names,
      '--months',
      '2',
      '--price',
      '1',
      '--selling-price',
      '2',
    )
    expect(dear.code).toBe(1)
  })

  test('demonstration links are made for the demonstration only', async () => {
    const other = await newDatabase('postgresql')
    expect((await furlong(environmentOf(other), 'demo-links')).err).toContain(
      'does not hold the demonstration',
    )
    await other.close()
  })
})

describe('the doctor', () => {
  test('finds everything in order, then what is wrong', async () => {
    const place = await newSmallSeason('postgresql', new Date())
    const environment = environmentOf(place)
    const look = async (over: NodeJS.ProcessEnv = {}) => {
      const ran = await furlong({ ...environment, ...over }, 'doctor', '--json')
      const findings = JSON.parse(ran.out) as { check: string; ok: boolean; detail: string }[]
      return { code: ran.code, bad: findings.filter(({ ok }) => !ok).map(({ check }) => check), findings }
    }
    expect((await look()).bad).toEqual(['dataset'])
    await buildDataset(place.database, place.dataFolder)
    const server = await startBeside(place)
    const { token } = await seedCustomer(place.database)
    const body = {
      name: 'Chan',
      bank: 'A Bank',
      cardNumber: '4242424242424242',
      password: SEED_PASSWORD,
    }
    await server.ask(trade.addBankCard, { token, body })
    const good = await look()
    expect([good.code, good.bad]).toEqual([0, []])
    expect(good.findings.map(({ check }) => check)).toEqual([
      'database',
      'secrets',
      'dataset',
      'clock',
      'repeated races',
      'held results',
      'bank cards',
      'backup',
      'texts',
      'payment',
    ])

    const folder = join(place.dataFolder, 'dataset')
    const file = readdirSync(folder).find((name) => name.endsWith('.duckdb'))!
    writeFileSync(join(folder, file), 'damaged', { flag: 'a' })
    chmodSync(join(place.dataFolder, 'secret'), 0o644)
    await place.database.rows("update push_event set created_at = created_at + interval '1 day'")
    const bad = await look()
    expect([bad.code, bad.bad]).toEqual([1, ['secrets', 'dataset', 'clock']])
    expect(bad.findings.find(({ check }) => check === 'clock')!.detail).toMatch(
      /^something was written at \S+: this clock went back$/,
    )
    expect((await look({ FURLONG_CARD_KEY: 'another key of thirty-two letters' })).bad).toContain(
      'bank cards',
    )
    expect((await look({ NODE_ENV: 'production' })).bad).toEqual(
      expect.arrayContaining(['secrets', 'texts', 'payment']),
    )
    expect((await look({ NODE_ENV: 'production', FURLONG_SMS: 'console' })).bad).not.toContain('texts')
    expect((await look({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' })).bad).toContain('database')
    await server.close()
    await place.close()
  })
})

describe('a PostgreSQL client of another version', () => {
  /** A folder with programs that say they are of a version, and write nothing. */
  const clientOf = (version: number): string => {
    const folder = newFolder()
    for (const name of ['pg_dump', 'pg_restore'])
      writeFileSync(join(folder, name), `#!/bin/sh\necho '${name} (PostgreSQL) ${version}.1'\n`, {
        mode: 0o755,
      })
    return `${folder}:${process.env['PATH']}`
  }

  test('is found by the doctor, and refused by a backup and a restore, which say what to install', async () => {
    const place = await newSmallSeason('postgresql', new Date())
    const [row] = await place.database.rows<{ major: string }>(
      `select current_setting('server_version_num')::int / 10000 as major`,
    )
    const major = Number(row!.major)
    const environment = environmentOf(place)
    const whole = join(newFolder(), 'whole')
    expect((await furlong(environment, 'backup', whole)).code).toBe(0)
    const target = { FURLONG_DATA: newFolder(), DATABASE_URL: await newPostgresqlUrl() }
    // Older as in the first image, and newer.
    for (const version of [major - 2, major + 2]) {
      const PATH = clientOf(version)
      const said = `of version ${version}, and the server of version ${major}: install postgresql-client-${major}`
      const doctor = await furlong({ ...environment, PATH }, 'doctor', '--json')
      const findings = JSON.parse(doctor.out) as { check: string; ok: boolean; detail: string }[]
      expect(findings.find(({ check }) => check === 'backup')).toEqual({
        check: 'backup',
        ok: false,
        detail: `pg_dump is ${said}`,
      })
      const folder = join(newFolder(), 'backup')
      const made = await furlong({ ...environment, PATH }, 'backup', folder)
      expect(made.code).toBe(1)
      expect(made.err).toContain(`pg_dump is ${said}`)
      expect(existsSync(join(folder, 'backup.json'))).toBe(false)
      const restored = await furlong({ ...target, PATH }, 'restore', whole)
      expect(restored.code).toBe(1)
      expect(restored.err).toContain(`pg_restore is ${said}`)
    }
    expect((await furlong(target, 'restore', whole)).code).toBe(0)
    await place.close()
  })
})

describeOnBoth('backup and restore on %s', { usual: 'postgresql' }, (kind) => {
  test('brings back accounts, money and sealed cards into an empty place, and overwrites nothing', async () => {
    const place = await newSmallSeason(kind, new Date())
    const server = await startBeside(place)
    const { userInfo } = await server.register({ nickname: 'Kept' })
    const token = await newTokenOf(place.database, userInfo.id, new Date())
    const order = await server.buy(token)
    await server.ask(trade.addBankCard, {
      token,
      body: { name: 'Chan', bank: 'A Bank', cardNumber: '4242424242424242', password: PASSWORD },
    })
    await server.close()
    if (kind === 'pglite') {
      const busy = await furlong(environmentOf(place), 'backup', join(newFolder(), 'b'))
      expect(busy.err).toContain('Stop it first')
      await place.database.close()
    }
    const folder = join(newFolder(), 'backup')
    const made = await furlong(environmentOf(place), 'backup', folder)
    expect([made.code, made.err]).toEqual([0, ''])
    for (const name of readdirSync(folder).filter((each) => each !== 'backup.json'))
      expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0)
    expect((await furlong(environmentOf(place), 'backup', folder)).err).toContain('holds one already')
    expect((await furlong(environmentOf(place), 'restore', folder)).code).toBe(1)

    const target = {
      dataFolder: newFolder(),
      databaseUrl: kind === 'postgresql' ? await newPostgresqlUrl() : undefined,
    }
    const environment = { FURLONG_DATA: target.dataFolder, DATABASE_URL: target.databaseUrl ?? '' }
    const restored = await furlong(environment, 'restore', folder)
    expect([restored.code, restored.err]).toEqual([0, ''])
    const built = await furlong(environment, 'build', '--json')
    expect(built.code).toBe(0)
    const doctor = await furlong(environment, 'doctor')
    expect(doctor.out).not.toContain('BAD')

    const database = await openDatabase(target)
    const again = await startBeside({ ...place, ...target, database })
    expect(await again.ask(account.userInfo, { token })).toMatchObject({ nickname: 'Kept', isVip: 1 })
    expect((await again.ask(trade.queryOrder, { token, query: { id: order } })).state).toBe('accountPaid')
    const [card] = await database.rows<{ id: string; sealed: string }>(
      'select id, number_sealed as sealed from bank_card',
    )
    expect(again.context.service.keys.unseal(`bank card ${card!.id}`, card!.sealed)).toBe('4242424242424242')
    await again.close()
    await database.close()
    rmSync(folder, { recursive: true })
    expect((await furlong(environment, 'restore', folder)).err).toContain('is no backup')
    if (kind === 'postgresql') await place.close()
  })
})

test('the http gateway posts the text with its token, and a refusal is an error', async () => {
  const heard: { authorization: string | undefined; body: string }[] = []
  let status = 200
  const gateway = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      heard.push({ authorization: request.headers.authorization, body })
      response.writeHead(status).end()
    })
  })
  const port = await new Promise<number>((resolve) =>
    gateway.listen(0, '127.0.0.1', () => resolve((gateway.address() as { port: number }).port)),
  )
  const sms = httpSms({ url: `http://127.0.0.1:${port}/send`, token: 'key' })
  const message = { phone: '+85261234567', text: 'hello', code: '123456', language: 'en' } as const
  await sms.send(message)
  expect(heard).toEqual([{ authorization: 'Bearer key', body: '{"phone":"+85261234567","text":"hello"}' }])
  status = 500
  await expect(sms.send(message)).rejects.toThrow('500')
  gateway.close()
})

test('logs are structured, by route, without addresses, tokens, phones or texts of people', async () => {
  const place = await newSmallSeason('postgresql', new Date())
  const server = await startServerProcess({
    ...environmentOf(place),
    ...WITHOUT_WORKER,
    FURLONG_LOG_LEVEL: 'info',
    FURLONG_SMS_URL: 'http://127.0.0.1:9/',
    FURLONG_METRICS_TOKEN: 'metrics-token-of-the-test',
  })
  const { token } = await seedCustomer(place.database)
  await fetch(`${server.base}race/api/queryRaceTips?countryRegionId=100000&today=2026-11-21`, {
    headers: { 'x-access-token': token },
  })
  await fetch(`${server.base}sys/sms`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mobile: '61234567', purpose: 'login' }),
  })
  expect((await fetch(`${server.base}metrics`)).status).toBe(404)
  const metrics = await fetch(`${server.base}metrics`, {
    headers: { authorization: 'Bearer metrics-token-of-the-test' },
  })
  const text = await metrics.text()
  expect(text).toContain(
    'furlong_request_seconds_count{method="GET",route="/race/api/queryRaceTips",status="200"} 1',
  )
  await expect.poll(() => server.printed()).toContain('sms failed')
  expect(await server.stop()).toBe(0)
  const lines = server
    .printed()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as object)
  expect(lines).toContainEqual(
    expect.objectContaining({ method: 'GET', route: '/race/api/queryRaceTips', status: 200 }),
  )
  const requests = lines.filter((line) => 'route' in line)
  expect(JSON.stringify(requests)).not.toMatch(new RegExp(`127\\.0\\.0\\.1|${token}|2026-11-21`))
  expect(server.printed()).not.toContain(token)
  expect(server.printed()).not.toMatch(/61234567|verification code/)
  await place.close()
})
