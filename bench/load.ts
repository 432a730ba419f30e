import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { ensureDemonstration } from '../server/ingest/demo/demonstration.ts'
import { scoreStaleRaces } from '../server/scoring/score.ts'
import { openDatabase } from '../server/db/open.ts'
import { startPostgresql } from '../tests/support/postgresql-server.ts'
import { seedCustomer } from '../tests/support/seed-customer.ts'
import { runCommand, startServerProcess, type ServerProcess } from '../tests/support/server-process.ts'

const CUSTOMERS = 200
const VOUCHERS = 1_000_000
/** Reads per subscribe call in the mixed run. */
const READS_A_SUBSCRIBE = 9

interface LoadLine {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  requests: number
  /** Broken connections and timeouts. */
  lost: number
  /** Responses other than success. */
  wrong: number
  /** 99th percentile by kind of call, each timed separately. */
  p99MsByKind: Record<string, number>
}

export interface LoadReport {
  database: 'pglite' | 'postgresql'
  seconds: number
  connections: number
  /** Times that all seasons were trained again meanwhile, the one that was going on at the end included. */
  rounds: number
  lists: LoadLine
  /** Lists as members see them, whose responses are not cached. */
  memberLists: LoadLine
  mixed: LoadLine
  /** Subscribe calls answered with success, and stored rows: the two must be equal. */
  subscribed: { acknowledged: number; stored: number }
}

/**
 * Runs the real server as a process; lists and subscribe calls over loopback, on PostgreSQL (durable) or the embedded
 * database. With `files`, a folder in the hk layout, its seasons are imported first, and are trained, predicted and
 * built again, over and over, while the calls are measured.
 */
export async function benchLoad(
  kind: 'pglite' | 'postgresql',
  seconds: number,
  connections: number,
  files: string | null = null,
): Promise<LoadReport> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'furlong-load-'))
  const postgresql = kind === 'postgresql' ? await startPostgresql({ durable: true }) : null
  const databaseUrl = postgresql?.url
  const environment = { FURLONG_DATA: dataFolder, DATABASE_URL: databaseUrl ?? '' }
  const stop = new AbortController()
  let jobs: Promise<number> | null = null
  let server: ServerProcess | null = null
  try {
    if (files !== null) await runCommand(environment, ['import', '--format', 'hk', files])
    const database = await openDatabase({ dataFolder, databaseUrl })
    if (files === null) {
      await ensureDemonstration(database)
      await scoreStaleRaces(database)
    }
    const tokens: string[] = []
    for (let count = 0; count < CUSTOMERS; count += 1)
      tokens.push((await seedCustomer(database, { vouchers: VOUCHERS })).token)
    const races = (await database.rows<{ id: string }>('select id from race order by id')).map(({ id }) => id)
    await database.close()
    server = await startServerProcess(environment, /\nready\n/)
    if (files !== null) {
      jobs = trainUntil(environment, stop.signal)
      jobs.catch(() => undefined)
    }
    const fire = (make: (index: number) => Call): Promise<LoadLine & { successes: Map<string, number> }> =>
      run(server!.base, seconds, connections, make)
    await run(server.base, 2, connections, listCall)
    const lists = await fire(listCall)
    const memberLists = await fire((index) => ({ ...listCall(index), token: tokens[index % tokens.length]! }))
    const mixed = await fire((index) => mixedCall(index, tokens, races))
    stop.abort()
    const rounds = (await jobs) ?? 0
    await server.stop()
    server = null
    const again = await openDatabase({ dataFolder, databaseUrl })
    const [stored] = await again.rows<{ count: number }>('select count(*) as count from subscription')
    await again.close()
    const { successes: _, ...mixedLine } = mixed
    const { successes: _lists, ...listLine } = lists
    const { successes: _members, ...memberLine } = memberLists
    return {
      database: kind,
      seconds,
      connections,
      rounds,
      lists: listLine,
      memberLists: memberLine,
      mixed: mixedLine,
      subscribed: { acknowledged: mixed.successes.get('subscribe') ?? 0, stored: stored!.count },
    }
  } finally {
    stop.abort()
    await jobs?.catch(() => undefined)
    await server?.stop()
    await postgresql?.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

/** Trains all seasons again until it is stopped, which predicts and builds again what follows from them. */
async function trainUntil(environment: NodeJS.ProcessEnv, stop: AbortSignal): Promise<number> {
  let rounds = 0
  while (!stop.aborted) {
    rounds += 1
    for (const words of [['score', 'train', '--again'], ['build']])
      if (!stop.aborted) await runCommand(environment, words, undefined, stop)
  }
  return rounds
}

interface Call {
  kind: string
  path: string
  token?: string
}

const REGIONS = ['100000', '100036']
const DAY_MS = 86_400_000

/** Lists as many users request them: two regions, three pages, several days. */
function listCall(index: number): Call {
  const today = new Date(Date.now() - (index % 5) * DAY_MS).toISOString().slice(0, 10)
  const place = `countryRegionId=${REGIONS[index % 2]}&today=${today}&pageNo=${1 + (index % 3)}&pageSize=10`
  const calls = [
    `race/api/queryRacePage?${place}`,
    `race/api/queryRacePageDesc?${place}`,
    `race/api/queryRacePredictionAccuracy?${place}`,
    `race/api/queryRaceTips?${place}`,
    `race/api/queryRaceHorse?${place}`,
  ]
  return { kind: 'list', path: calls[index % calls.length]! }
}

/** Nine reads, then a member subscribes to a race that they have not opened yet. */
function mixedCall(index: number, tokens: readonly string[], races: readonly string[]): Call {
  if (index % (READS_A_SUBSCRIBE + 1) !== 0) return listCall(index)
  const number = index / (READS_A_SUBSCRIBE + 1)
  const token = tokens[number % tokens.length]!
  const race = races[Math.floor(number / tokens.length) % races.length]!
  return { kind: 'subscribe', path: `race/api/raceSubscribe?raceId=${race}`, token }
}

/** Sends calls for a fixed time over connections with one call in flight each, and checks every response. */
async function run(
  base: string,
  seconds: number,
  connections: number,
  make: (index: number) => Call,
): Promise<LoadLine & { successes: Map<string, number> }> {
  const successes = new Map<string, number>()
  let next = 0
  let wrong = 0
  const started = new WeakMap<object, Call & { at: number }>()
  const times = new Map<string, number[]>()
  const result = await autocannon({
    url: base,
    connections,
    duration: seconds,
    timeout: 20,
    requests: [
      {
        setupRequest: (request, context) => {
          const call = make(next)
          next += 1
          started.set(context, { ...call, at: performance.now() })
          const headers = { ...request.headers, ...(call.token ? { 'x-access-token': call.token } : {}) }
          if (!call.token) delete headers['x-access-token']
          return { ...request, path: `/${call.path}`, headers }
        },
        onResponse: (status, body, context) => {
          const call = started.get(context)
          const ok = status === 200 && body.startsWith('{"success":true') && body.endsWith('}')
          if (call) {
            const list = times.get(call.kind) ?? []
            list.push(performance.now() - call.at)
            times.set(call.kind, list)
          }
          if (!ok || !call) wrong += 1
          else successes.set(call.kind, (successes.get(call.kind) ?? 0) + 1)
        },
      },
    ],
  })
  return {
    requestsPerSecond: Math.round(result.requests.average),
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    maxMs: result.latency.max,
    requests: result.requests.total,
    lost: result.errors + result.timeouts,
    wrong,
    p99MsByKind: Object.fromEntries([...times].map(([kind, list]) => [kind, p99(list)])),
    successes,
  }
}

const p99 = (list: number[]): number => {
  const sorted = list.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0)
}
