// @module-tag longer
import fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Endpoint } from '../../contract/api/endpoint.ts'
import { queryDayMarket } from '../../contract/api/market.ts'
import * as racing from '../../contract/api/racing.ts'
import { raceSubscribe } from '../../contract/api/subscription.ts'
import * as model from '../../contract/api/model.ts'
import * as report from '../../contract/api/report.ts'
import { queryTrial } from '../../contract/api/trial.ts'
import { addDays } from '../../domain/region.ts'
import { groupBy } from '../../domain/group-by.ts'
import type { Connection } from '../../server/services/push.ts'
import { PushHub } from '../../server/services/push.ts'
import { tokenHash } from '../../server/db/keys.ts'
import { insertEvents } from '../../server/store/operation/site-store.ts'
import { newSmallSeason, TestServer } from '../support/api.ts'
import { seedCustomer } from '../support/seed-customer.ts'
import { newTokenOf } from '../support/customers.ts'
import { testSampled } from '../support/sampled.ts'
import { SOAK } from '../support/soak.ts'

/**
 * Random histories of subscribing, buying and waiting. After each step every person makes every call that carries
 * predictions and listens to the socket; no probability may reach a person to whom the table of decisions section 3
 * does not grant it. A probability is a number of 17 digits, so it identifies its prediction. The permitted set is
 * computed here from the tables and the clock, without the gate.
 */
interface Fact {
  raceId: string
  gameplayClass: number
  rank: number
}
interface Race {
  id: string
  regionId: string
  date: string
  status: string
  position: number
}

/** `npm test` takes the quicker database, the soak the embedded one. */
const KIND = SOAK ? 'pglite' : 'postgresql'

let server: TestServer
let races: Map<string, Race>
let facts: Map<number, Fact[]>
let time = new Date()
const START = new Date('2026-11-21T04:00:00Z')

beforeAll(async () => {
  server = await TestServer.start(await newSmallSeason(KIND), { time: () => time })
  const rows = await server.database.rows<Race & { starts: string; stadium: string; no: number }>(
    `select id, region_id, race_date as date, status, starts_at as starts, stadium_id as stadium,
       race_no as no from race`,
  )
  races = new Map()
  for (const day of groupBy(rows, ({ regionId, date }) => `${regionId} ${date}`).values()) {
    const order = day.toSorted((a, b) =>
      `${a.starts}${a.stadium}${String(a.no).padStart(2, '0')}`.localeCompare(
        `${b.starts}${b.stadium}${String(b.no).padStart(2, '0')}`,
      ),
    )
    for (const [index, race] of order.entries()) races.set(race.id, { ...race, position: index + 1 })
  }
  for (const { regionId, status, date } of races.values())
    if (status === 'final' && date > (lastDays.get(regionId) ?? '')) lastDays.set(regionId, date)
  const predictions = await server.database.rows<Fact & { probability: number }>(
    'select race_id, gameplay_class, rank, probability from prediction',
  )
  // A certainty, such as the first four of four runners, has fewer than 17 digits and identifies nothing.
  const telling = predictions.filter(({ probability }) => String(probability).length > 10)
  facts = groupBy(telling, ({ probability }) => probability)
})
afterAll(async () => {
  await server.close()
  await server.place.close()
})

/** Each region's last day with results, on which the free days end. */
const lastDays = new Map<string, string>()

interface Person {
  id: string | null
  subscribed: Set<string>
  vipUntil: Date | null
}

const dayNow = (): string => new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
/** Sydney is three hours ahead of Hong Kong in its summer, when these histories take place. */
const dayOf = (regionId: string): string =>
  regionId === '100036' ? new Date(time.getTime() + 11 * 3_600_000).toISOString().slice(0, 10) : dayNow()

function maySee(person: Person, { raceId, gameplayClass, rank }: Fact): boolean {
  if (person.vipUntil !== null && person.vipUntil > time) return true
  if (person.subscribed.has(raceId)) return true
  const race = races.get(raceId)!
  const today = dayOf(race.regionId)
  if (race.status === 'final') return race.date >= addDays(lastDays.get(race.regionId)!, -6)
  return race.date >= today && race.position <= 3 && gameplayClass === 1 && rank === 1
}

/** Collects every number of a response. */
function numbersOf(value: unknown, into: number[] = []): number[] {
  if (typeof value === 'number') into.push(value)
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) numbersOf(each, into)
  return into
}

/** Predictions that a response reveals although the person may not see them. */
function leaks(person: Person, answer: unknown): Fact[] {
  return numbersOf(answer).flatMap((number) => {
    const named = facts.get(number)
    // A number shared by several predictions is a leak only if none of them may be seen.
    return named === undefined || named.some((fact) => maySee(person, fact)) ? [] : named.slice(0, 1)
  })
}

/** Returns tips that show a horse whose number must be hidden. */
function hidden(
  person: Person,
  tips: readonly (typeof racing.queryRaceTips.result)['_output'][number][],
): string[] {
  return tips.flatMap((tip) => {
    const numbers = [tip.raceCompetitor2Num, tip.raceCompetitor3Num, tip.raceCompetitor4Num]
    const shown = numbers.flatMap((number, index) =>
      number !== null && !maySee(person, { raceId: tip.raceId, gameplayClass: 1, rank: index + 2 })
        ? [`${tip.raceId} number ${index + 2}`]
        : [],
    )
    return shown.concat(
      tip.topCompetitors.flatMap(({ ranking, horseNumber, horseId, name, silks, odds, edge, result }) => {
        const may = maySee(person, { raceId: tip.raceId, gameplayClass: 1, rank: ranking })
        // Silks, odds and places are public, and would say which horse has a hidden rank.
        const told = [horseNumber, horseId, name, silks, odds, edge, result || null]
        return !may && told.some((each) => each !== null) ? [`${tip.raceId} ${ranking}`] : []
      }),
    )
  })
}

type Step =
  | { kind: 'subscribe'; who: number; race: number }
  | { kind: 'buy'; who: number; plan: '1' | '2' }
  | { kind: 'wait'; hours: number }

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('subscribe' as const), who: fc.nat(2), race: fc.nat(500) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('buy' as const),
        who: fc.nat(2),
        plan: fc.constantFrom('1' as const, '2' as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('wait' as const),
        hours: fc.constantFrom(1, 9, 24, 100, 750),
      }),
    },
  ) satisfies fc.Arbitrary<Step>,
  { minLength: 3, maxLength: 9 },
)

/** Histories whose calls and probabilities are counted below. */
const COUNTED_HISTORIES = 12

testSampled(
  'no history of %s gives anybody one number that the table does not',
  // Twelve take two minutes of a quiet machine.
  { few: 1, many: 12, timeout: 900_000 },
  async (parameters) => {
    const ids = [...races.keys()].toSorted()
    let requests = 0
    let seen = 0
    await fc.assert(
      fc.asyncProperty(steps, fc.infiniteStream(fc.nat(ids.length - 1)), async (history, picks) => {
        time = START
        const people: Person[] = [{ id: null, subscribed: new Set(), vipUntil: null }]
        for (let count = 0; count < 3; count += 1) {
          const { id } = await seedCustomer(server.database, { at: time, vouchers: 2 })
          people.push({ id, subscribed: new Set(), vipUntil: null })
        }
        for (const step of history) {
          if (step.kind === 'wait') time = new Date(time.getTime() + step.hours * 3_600_000)
          else {
            const person = people[step.who + 1]!
            const token = await newTokenOf(server.database, person.id!, time)
            if (step.kind === 'subscribe') {
              const raceId = ids[step.race % ids.length]!
              const reply = await server.call(raceSubscribe, { token, query: { raceId } })
              if (reply.ok) person.subscribed.add(raceId)
            } else {
              await server.buy(token, step.plan)
              const [row] = await server.database.rows<{ end: string }>(
                'select vip_end as end from customer where id = $1::uuid',
                [person.id!],
              )
              person.vipUntil = new Date(row!.end)
            }
          }
          const raceId = ids[picks.next().value]!
          for (const person of people) {
            const token = person.id === null ? undefined : await newTokenOf(server.database, person.id, time)
            const look = async (
              call: Endpoint,
              query: Record<string, string | number>,
              body?: object,
            ): Promise<unknown> => {
              const response = await server.fetch(call, { token, query, body })
              const answer: unknown = await response.json()
              requests += 1
              seen += numbersOf(answer).filter((number) => facts.has(number)).length
              expect(
                leaks(person, answer),
                `${call.path} ${JSON.stringify(query)} at ${time.toISOString()}`,
              ).toEqual([])
              return answer
            }
            const today = dayNow()
            for (const countryRegionId of ['100000', '100036']) {
              const tips = (await look(racing.queryRaceTips, { countryRegionId, today: '2026-11-15' })) as {
                result: (typeof racing.queryRaceTips.result)['_output']
              }
              expect(hidden(person, tips.result)).toEqual([])
              await look(racing.queryRacePredictionAccuracy, {
                countryRegionId,
                today: '2026-12-31',
                pageSize: 100,
              })
              await look(racing.queryRacePredictionAccuracy, {
                countryRegionId,
                today: '2026-11-05',
                pageSize: 50,
              })
              await look(racing.queryLastRacePredictionAccuracy, { countryRegionId, today })
              await look(racing.queryMeetingResults, { countryRegionId, today })
              await look(racing.queryRace, { countryRegionId, today })
              await look(queryDayMarket, { countryRegionId, today })
            }
            for (const each of [raceId, ...person.subscribed]) {
              await look(racing.queryRaceInfo, { raceId: each })
              await look(racing.queryRaceCompetitor, { raceId: each })
              await look(racing.queryRacePredictionCache, {
                raceId: each,
                gameplayClass: 1 + (picks.next().value % 9),
              })
              await look(racing.queryOddsTrack, { rprId: `${each}-1-2` })
              await look(racing.queryRaceMarket, { raceId: each })
              await look(report.queryRaceReport, { raceId: each })
              await look(queryTrial, {}, { raceId: each, changes: [] })
              await look(model.queryLockedForecasts, { raceId: each })
              await look(model.queryRaceLocks, { raceId: each })
              await look(racing.queryRacePredictionCache, {
                raceId: each,
                gameplayClass: 1,
                model: 'market-baseline',
              })
            }
          }
          await listen(people, raceId)
        }
      }),
      parameters,
    )
    // The property would also hold for a server that returns nothing.
    const part = parameters.numRuns / COUNTED_HISTORIES
    expect(requests).toBeGreaterThan(500 * part)
    expect(seen).toBeGreaterThan(2000 * part)
  },
)

/** All persons listen while events of one race are published. */
async function listen(people: readonly Person[], raceId: string): Promise<void> {
  const hub = new PushHub(server.context.service)
  const heard = people.map(() => [] as { type: string }[])
  for (const [index, { id }] of people.entries()) {
    const token = id === null ? null : await newTokenOf(server.database, id, time)
    const line: Connection = {
      tokenHash: token === null ? null : tokenHash(token),
      customerId: id,
      language: 'en',
      lastHeard: Date.now(),
      send: (message) => void heard[index]!.push(message),
      close: () => {},
    }
    await hub.add(line, null)
  }
  const kinds = ['tip', 'odds', 'result'] as const
  await insertEvents(
    server.database,
    kinds.map((kind) => ({ kind, raceId, customerId: null, body: '' })),
    time,
  )
  await hub.poll()
  await hub.stop()
  for (const [index, person] of people.entries()) {
    expect(leaks(person, heard[index]!), `socket, ${raceId}`).toEqual([])
    const all = maySee(person, { raceId, gameplayClass: 2, rank: 9 })
    const entitled = person.subscribed.has(raceId) || (person.vipUntil !== null && person.vipUntil > time)
    // Recent events of other races arrive as well; all messages are searched for leaks.
    const mine = heard[index]!.filter((message) => 'raceId' in message && message.raceId === raceId)
    const types = mine.map(({ type }) => type)
    expect(types.includes('odds')).toBe(entitled)
    expect(types.includes('result')).toBe(true)
    if (entitled) expect(types.includes('tip')).toBe(true)
    if (!all && races.get(raceId)!.position > 3) expect(types.includes('tip')).toBe(false)
  }
}
