// @module-tag rest
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANALYTICS_PATH } from '../../contract/api/analytics.ts'
import { freezeRules } from '../../contract/api/frozen.ts'
import { buildDataset } from '../../server/dataset/build.ts'
import { recordFrozenBets } from '../../server/dataset/frozen-rules.ts'
import { grantPeriod } from '../../server/services/payments.ts'
import { heavyOf, p95, panelsOf, underFlood, type Flood } from '../support/analytics-flood.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import type { TestDatabase } from '../support/databases.ts'
import { DEMO_DAY, newDemonstration } from '../support/demo-data.ts'
import { FROZEN } from '../support/frozen-rules.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { startServerProcess, WITHOUT_WORKER, type ServerProcess } from '../support/server-process.ts'

/**
 * What floods of questions do to others, on the real server as a process: for how many questions of a flood somebody else
 * waits. `npm run bench -- flood` measures how long that is, on ten seasons.
 */

const ATTACKER = '203.0.113.9'
/** A question that just about is let through. */
const LARGEST = 15
/**
 * How many questions of a flood may be answered while somebody else waits: the one that runs, the one whose turn is next,
 * and one that the answer crosses on its way. First come, first served, it would be all that wait.
 */
const TURNS = 3

const address = (index: number): string => `203.0.113.${1 + (index % 250)}`

const FLOODS: Flood[] = [
  {
    name: 'one address, sixty questions of 48 panels at the same time',
    question: (index) => panelsOf(48, index),
    inAir: 60,
    from: () => ({ address: ATTACKER }),
  },
  {
    name: 'one address, the largest questions that are let through',
    question: (index) => panelsOf(LARGEST, index),
    inAir: 60,
    from: () => ({ address: ATTACKER }),
  },
  {
    name: 'addresses of one network, the largest questions',
    question: (index) => panelsOf(LARGEST, index),
    inAir: 60,
    from: (index) => ({ address: address(index) }),
  },
  {
    name: 'addresses of many networks, the largest questions',
    question: (index) => panelsOf(LARGEST, index),
    inAir: 60,
    from: (index) => ({ address: `10.${index % 200}.7.1` }),
  },
]

const isOneNetwork = ({ from }: Flood): boolean =>
  [1, 2, 3].every((index) => from(index).address?.startsWith('203.0.113.'))

describe('under a flood', () => {
  let place: TestDatabase
  let server: ServerProcess
  let vip: string
  let otherVip: string
  const members: string[] = []

  const newVip = async (): Promise<string> => {
    const { id, token } = await seedCustomer(place.database)
    await place.database.transaction((queries) =>
      grantPeriod(queries, id, { months: 1, customerType: 2 }, null, new Date()),
    )
    return token
  }

  beforeAll(async () => {
    place = await newDemonstration('postgresql')
    vip = await newVip()
    otherVip = await newVip()
    for (let count = 0; count < 5; count += 1) members.push((await seedCustomer(place.database)).token)
    server = await startServerProcess(
      {
        FURLONG_DATA: place.dataFolder,
        DATABASE_URL: place.databaseUrl!,
        FURLONG_TRUST_PROXY: 'loopback',
        FURLONG_READS_PER_MINUTE: '3000',
        ...WITHOUT_WORKER,
      },
      /\nready\n/,
    )
    // The files are opened meanwhile.
    const calm = { ...FLOODS[0]!, inAir: 0 }
    await underFlood(server.base, calm, { vip, seconds: 4 })
  })
  afterAll(async () => {
    expect(await server.stop()).toBe(0)
    await place.close()
  })

  test.each(FLOODS)('$name: a VIP’s simple question does not wait for them', async (flood) => {
    const noticed = await underFlood(server.base, flood, { vip, seconds: 6 })
    expect(noticed.refused).toEqual([])
    expect(noticed.vip.answered.length).toBeGreaterThan(0)
    expect(p95(noticed.vip.answered)).toBeLessThanOrEqual(TURNS)
    // A visitor from elsewhere waits for one question of a network, not for all of them.
    if (isOneNetwork(flood)) expect(p95(noticed.visitor.answered)).toBeLessThanOrEqual(TURNS)
    // The flood is refused by name, never as a fault of the server.
    expect(
      Object.keys(noticed.flood).filter((status) => !['200', '413', '429', '503'].includes(status)),
    ).toEqual([])
  })

  test.each([
    [
      'en',
      /^Too many questions from your account or network are waiting. Please ask again in \d+ seconds?\.$/,
    ],
    ['zh-Hant', /^您的帳戶或網絡有太多查詢正在輪候。請在 \d+ 秒後再查詢。$/],
    ['zh-Hans', /^您的账户或网络有太多查询正在排队。请在 \d+ 秒后再查询。$/],
  ])('who has too many questions waiting is told when to ask again: %s', async (language, words) => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const response = await fetch(new URL(ANALYTICS_PATH, server.base), {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'accept-language': language,
            'x-forwarded-for': `203.0.113.${language.length}`,
          },
          body: JSON.stringify({ regionId: '100000', request: panelsOf(LARGEST, 5000 + index) }),
        })
        const body = (await response.json()) as {
          message: string
          result: { error?: string; seconds?: number }
        }
        return { status: response.status, after: response.headers.get('retry-after'), ...body }
      }),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    for (const { message, after, result } of refused) {
      expect(message).toMatch(words)
      expect(result.error).toBe('too-many-questions')
      expect(Number(after)).toBe(result.seconds)
      expect(result.seconds).toBeGreaterThan(0)
    }
    // The others were answered in turn.
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(13)
  })

  test('members without a membership wait for each other', async () => {
    const flood: Flood = {
      name: 'members',
      question: (index) => panelsOf(LARGEST, index),
      inAir: 40,
      from: (index) => ({ token: members[index % members.length]!, address: ATTACKER }),
    }
    const noticed = await underFlood(server.base, flood, { vip, seconds: 6 })
    expect(noticed.refused).toEqual([])
    expect(p95(noticed.vip.answered)).toBeLessThanOrEqual(TURNS)
  })

  test('slow questions of one VIP do not hold up a simple one of another', async () => {
    const flood: Flood = {
      name: 'a VIP',
      question: heavyOf,
      inAir: 30,
      from: () => ({ token: otherVip, address: ATTACKER }),
    }
    const noticed = await underFlood(server.base, flood, { vip, seconds: 6 })
    expect(noticed.refused).toEqual([])
    expect(noticed.vip.answered.length).toBeGreaterThan(noticed.flood[200] ?? 0)
    expect(p95(noticed.vip.answered)).toBeLessThanOrEqual(TURNS)
  })
})

test('frozen rules are recorded while more questions wait than may', async () => {
  const place = await newSmallSeason('postgresql')
  await buildDataset(place.database, place.dataFolder, DEMO_DAY)
  let time = DEMO_DAY
  const server = await TestServer.start(place, { time: () => time })
  const { token } = await seedCustomer(place.database, { at: DEMO_DAY })
  await server.buy(token)
  await server.ask(freezeRules, { token, body: FROZEN })
  const [race] = await place.database.rows<{ startsAt: string }>(
    `select starts_at from race where region_id = '100000' and status = 'scheduled' order by starts_at limit 1`,
  )
  time = new Date(Date.parse(race!.startsAt) - 60_000)
  const flood: Flood = {
    name: 'slow questions of a VIP, and large ones of visitors',
    question: (index) => (index % 2 === 0 ? heavyOf(index) : panelsOf(LARGEST, index)),
    inAir: 140,
    from: (index) => (index % 2 === 0 ? { token } : { address: `10.${index % 20}.1.1` }),
  }
  const flooded = underFlood(server.base, flood, { vip: token, seconds: 8 })
  await pause(3000)
  expect(await recordFrozenBets(server.context)).toBeGreaterThan(0)
  expect((await flooded).flood[429]).toBeGreaterThan(0)
  await server.close()
  await place.close()
})
