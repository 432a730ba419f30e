import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { FEED_KINDS, FeedReport } from '../contract/api/feed.ts'
import { envelope } from '../contract/api/envelope.ts'
import { seedOf, seededRandom } from '../domain/random.ts'
import { dayIn } from '../domain/region.ts'
import { END_OF_TIME, planRaceDay, type DayEvent } from '../server/ingest/demo/race-day.ts'
import { simulateRace } from '../server/ingest/demo/race-simulator.ts'
import { DEMO_REGIONS } from '../server/ingest/demo/regions.ts'
import { shuffled, type DemoRunner } from '../server/ingest/demo/stable.ts'
import { takeBatch } from '../server/ingest/feed.ts'
import { makeOperatorToken } from '../server/services/viewer.ts'
import { auditLocks } from '../server/scoring/audit.ts'
import type { Database } from '../server/db/database.ts'
import { openDatabase } from '../server/db/open.ts'
import { quantile } from './engine.ts'
import { FileWatch } from './race-day-files.ts'
import { readAlerts, seedFollowers, type AlertsReport } from './race-day-followers.ts'
import { startPushProcess } from './race-day-push.ts'
import { Reader } from './race-day-reader.ts'
import { startPostgresql } from '../tests/support/postgresql-server.ts'
import { seedCustomer } from '../tests/support/seed-customer.ts'
import {
  every,
  residentMegabytes,
  startServerProcess,
  type ServerProcess,
} from '../tests/support/server-process.ts'

const RACES = 12
const HORSES = 14
const READERS = 200
const BOARD_EVERY_MS = 10_000
/** Interval at which each user requests a list. */
const READ_EVERY_MS = 5000
const MEMORY_EVERY_MS = 5000
/** Slightly more than the time before post time in which nothing is predicted. */
const CLOSED_BEFORE_MS = 17_000
/** Pause before a batch is sent again that a busy server refused. */
const RESEND_MS = 1000
/** Wait after the last batch for its consequences. */
const REST_MS = 20_000

interface Spread {
  count: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  maxMs: number
}

export interface RaceDayReport {
  database: 'pglite' | 'postgresql'
  seasons: number
  speed: number
  seconds: number
  /** Number of times the worker process was killed. */
  workersKilled: number
  batches: number
  /** Time from the request to its response. */
  responseMs: Spread
  /** Time from the request to the message at the last entitled user. */
  oddsHeard: Spread
  tipHeard: Spread
  resultHeard: Spread
  /** Time from the request with a result until the published dataset files have the settled race. */
  inFiles: Spread & { missing: number }
  lists: Spread & { failed: number }
  /**
   * The alerts are written in the transaction of their batch, so they are there when `responseMs` says that it is answered.
   * `delivered`: from the batch to the delivery of each notification that it caused.
   */
  alerts: Omit<AlertsReport, 'deliveryMs'> & { delivered: Spread }
  /** Messages that should have arrived but did not. */
  missed: number
  megabytes: { first: number; last: number; most: number }
  /** Stored rows afterwards, compared with what was sent. */
  stored: { ticks: number; sentTicks: number; finished: number; settled: number; brokenLocks: number }
}

const spreadOf = (times: readonly number[]): Spread => {
  const at = (share: number): number => Math.round(quantile(times, share))
  return { count: times.length, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: at(1) }
}

/**
 * Simulates a race day of twelve races with fourteen horses each, from card to settlement, sent over HTTP to the real
 * server process while 200 users are connected, half of them VIPs. `data`: an existing data folder of the embedded
 * database to start from. `killEverySeconds`: the interval at which the worker process is killed. `followers`: customers who follow
 * a race and a horse of the day each, and are notified.
 */
export async function benchRaceDay(
  kind: 'pglite' | 'postgresql',
  speed: number,
  data: string | null,
  killEverySeconds: number | null,
  followers: number,
): Promise<RaceDayReport> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'furlong-race-day-'))
  if (data !== null) cpSync(data, dataFolder, { recursive: true })
  const postgresql = kind === 'postgresql' ? await startPostgresql({ durable: true }) : null
  const place = { dataFolder, databaseUrl: postgresql?.url }
  const push = await startPushProcess(followers)
  let server: ServerProcess | null = null
  const readers: Reader[] = []
  try {
    const day = dayIn(DEMO_REGIONS[0]!.rules.timeZone, new Date())
    const races = racesOf(day)
    const database = await openDatabase(place)
    const { token, people, seasons } = await seed(database)
    // A server that starts on an empty database creates the demonstration.
    const [cards] = planRaceDay(races, { beginsAt: new Date(), speed, boardEveryMs: BOARD_EVERY_MS })
    await takeBatch(
      database,
      { ...(cards as Extract<DayEvent, { kind: 'cards' }>), source: 'bench', key: 'cards' },
      new Date(),
    )
    const horses = await database.rows<{ horseId: string }>(
      'select distinct horse_id from runner where race_id = any($1::text[]) order by horse_id',
      [races.map(({ race }) => race.id)],
    )
    await seedFollowers(database, push.browsers, {
      races: races.map(({ race }) => race.id),
      horses: horses.map(({ horseId }) => horseId),
    })
    await database.close()
    server = await startServerProcess(
      {
        FURLONG_DATA: dataFolder,
        DATABASE_URL: place.databaseUrl ?? '',
        FURLONG_PUSH_SERVICES: push.origin,
      },
      /\nready\n/,
    )
    for (const { id, token: theirs, isVip } of people)
      readers.push(new Reader(server.base, id, theirs, isVip))
    await Promise.all(readers.map((reader) => reader.opened))
    const pace = { beginsAt: new Date(Date.now() + 1000), speed, boardEveryMs: BOARD_EVERY_MS }
    const events = planRaceDay(races, pace)
    const files = new FileWatch(
      server.base,
      readers.find(({ isVip }) => isVip)!.token,
      day,
      races.map(({ race }) => race),
    )
    const measured = await drive(server, token, events, readers, files, killEverySeconds)
    const { alerts, ...stored } = await afterwards(server, place, day, events, async (ended) =>
      readAlerts(ended, followers, await push.arrived()),
    )
    server = null
    const { deliveryMs, ...counted } = alerts
    return {
      database: kind,
      seasons,
      speed,
      ...measured,
      alerts: { ...counted, delivered: spreadOf(deliveryMs) },
      stored,
    }
  } finally {
    for (const reader of readers) reader.close()
    await server?.kill()
    push.close()
    await postgresql?.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

function racesOf(day: string) {
  const region = DEMO_REGIONS[0]!
  // No horse of the real seasons has these brands: a later bearer of a brand makes the server learn its history anew.
  const horses = shuffled(region.horses, seededRandom(seedOf(`race day ${day}`))).map(
    (horse, index): DemoRunner => ({ ...horse, brand: `Z${String(index).padStart(3, '0')}`, gear: '--' }),
  )
  return Array.from({ length: RACES }, (_, index) =>
    simulateRace(
      region,
      day,
      index + 1,
      0,
      horses.slice(index * HORSES, (index + 1) * HORSES),
      { run: true, closely: true },
      END_OF_TIME,
    ),
  )
}

async function seed(database: Database) {
  const { token } = await makeOperatorToken(database, 'bench', FEED_KINDS, new Date())
  const people: { id: string; token: string; isVip: boolean }[] = []
  for (let count = 0; count < READERS; count += 1) {
    const person = await seedCustomer(database)
    const isVip = count % 2 === 0
    if (isVip)
      await database.rows(`update customer set vip_end = now() + interval '1 day' where id = $1::uuid`, [
        person.id,
      ])
    people.push({ ...person, isVip })
  }
  const [row] = await database.rows<{ seasons: number }>('select count(distinct season) as seasons from race')
  return { token, people, seasons: row!.seasons }
}

async function drive(
  server: ServerProcess,
  token: string,
  events: readonly DayEvent[],
  readers: readonly Reader[],
  files: FileWatch,
  killEverySeconds: number | null,
) {
  const started = performance.now()
  const responseMs: number[] = []
  const posts: Post[] = []
  const memory: number[] = []
  const lists = { times: [] as number[], failed: 0 }
  const work = new AbortController()
  setMaxListeners(0, work.signal)
  const background = [
    files.watch(work.signal),
    every(MEMORY_EVERY_MS, work.signal, async () => void memory.push(residentMegabytes(server.process.pid!))),
    ...readers.map(async (reader, index) => {
      await pause((index / readers.length) * READ_EVERY_MS)
      await every(READ_EVERY_MS, work.signal, () => readList(server.base, reader.token, lists))
    }),
  ]
  let workersKilled = 0
  const killing = setInterval(
    () => {
      for (const pid of workersOf(server)) process.kill(pid, 'SIGKILL')
      workersKilled += 1
    },
    (killEverySeconds ?? 1e6) * 1000,
  )
  const sends: Promise<void>[] = []
  for (const [index, event] of events.entries()) {
    await pause(Math.max(0, event.at.getTime() - Date.now()))
    posts.push({ event, at: performance.now() })
    // Each batch is sent without waiting for the previous response.
    sends.push(send(server.base, token, index, event).then((ms) => void responseMs.push(ms)))
  }
  await Promise.all(sends)
  clearInterval(killing)
  await pause(REST_MS)
  work.abort()
  await Promise.all(background)
  const odds = heardAfter(posts, readers, 'odds', ['odds'], true)
  const tips = heardAfter(postsWithTips(posts, events), readers, 'tip', ['odds', 'withdrawals'], true)
  const results = heardAfter(posts, readers, 'result', ['results'], false)
  const finished = posts.filter(({ event }) => event.kind === 'results')
  const inFiles = finished.flatMap(({ event, at }) => {
    const first = files.firstAt.get(event.body.races[0]!.raceId)
    return first === undefined ? [] : [first - at]
  })
  return {
    seconds: Math.round((performance.now() - started) / 1000),
    workersKilled,
    batches: events.length,
    responseMs: spreadOf(responseMs),
    oddsHeard: spreadOf(odds.times),
    tipHeard: spreadOf(tips.times),
    resultHeard: spreadOf(results.times),
    inFiles: { ...spreadOf(inFiles), missing: finished.length - inFiles.length },
    lists: { ...spreadOf(lists.times), failed: lists.failed },
    missed: odds.missed + results.missed,
    megabytes: { first: memory[0] ?? 0, last: memory.at(-1) ?? 0, most: Math.max(...memory) },
  }
}

/** A batch and when it was sent. */
interface Post {
  event: DayEvent
  at: number
}

/** The batches that may change a tip: before predictions close, and after the race's first odds. */
function postsWithTips(posts: readonly Post[], events: readonly DayEvent[]): Post[] {
  // Predictions close shortly before post time: odds are still sent, and the locked predictions stay.
  const offs = new Map(
    events.flatMap(({ kind, body }) =>
      kind === 'cards'
        ? body.races.map(({ raceId, startsAt }) => [raceId, Date.parse(startsAt)] as const)
        : [],
    ),
  )
  const isOpen = ({ at, body }: DayEvent): boolean =>
    at.getTime() < offs.get(body.races[0]!.raceId)! - CLOSED_BEFORE_MS
  // A race without odds has no tip yet, so a withdrawal before the first board changes none.
  const priced = new Map<string, number>()
  for (const { event, at } of posts)
    if (event.kind === 'odds') {
      const { raceId } = event.body.races[0]!
      priced.set(raceId, Math.min(at, priced.get(raceId) ?? at))
    }
  return posts.filter(({ event, at }) => isOpen(event) && at >= priced.get(event.body.races[0]!.raceId)!)
}

/** Process ids of the server's own workers. */
function workersOf(server: ServerProcess): number[] {
  const { pid } = server.process
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '' && readFileSync(`/proc/${child}/cmdline`, 'utf8').endsWith('\0work\0'))
    .map(Number)
}

/** Time from each batch until the last entitled user received its message. An unchanged tip is not sent again. */
function heardAfter(
  posts: readonly Post[],
  readers: readonly Reader[],
  type: string,
  kinds: readonly string[],
  vipsOnly: boolean,
): { times: number[]; missed: number } {
  const entitled = readers.filter(({ isVip }) => isVip || !vipsOnly)
  const times: number[] = []
  let missed = 0
  for (const { event, at } of posts) {
    if (!kinds.includes(event.kind)) continue
    const { raceId } = event.body.races[0]!
    const first = entitled.map(
      ({ heard }) => heard.find((one) => one.type === type && one.raceId === raceId && one.at >= at)?.at,
    )
    missed += first.filter((each) => each === undefined).length
    const last = Math.max(...first.map((each) => each ?? at))
    // A message later than the next odds batch belongs to that batch.
    if (last - at < BOARD_EVERY_MS) times.push(last - at)
  }
  return { times, missed }
}

/** Sends a batch until it is taken, as `docs/feed.md` asks senders to; returns the time until then, in milliseconds. */
async function send(base: string, token: string, index: number, { kind, body }: DayEvent): Promise<number> {
  const started = performance.now()
  for (;;) {
    const response = await fetch(new URL(`feed/${kind}`, base), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': `bench-${index}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status === 503) {
      await pause(RESEND_MS)
      continue
    }
    if (response.status !== 200) throw new Error(`${kind}: ${response.status} ${text}`)
    const { result } = envelope(FeedReport).parse(JSON.parse(text))
    if (result.rejected.length > 0) throw new Error(`${kind}: ${JSON.stringify(result.rejected)}`)
    return performance.now() - started
  }
}

async function readList(
  base: string,
  token: string,
  lists: { times: number[]; failed: number },
): Promise<void> {
  const started = performance.now()
  const response = await fetch(
    new URL('race/api/queryRace?countryRegionId=100000&today=' + new Date().toISOString().slice(0, 10), base),
    {
      headers: { 'x-access-token': token },
    },
  )
  await response.arrayBuffer()
  if (response.ok) lists.times.push(performance.now() - started)
  else lists.failed += 1
}

/** Stops the server, counts the stored rows and reads what became of the alerts. */
async function afterwards(
  server: ServerProcess,
  place: { dataFolder: string; databaseUrl: string | undefined },
  day: string,
  events: readonly DayEvent[],
  alertsOf: (database: Database) => Promise<AlertsReport>,
): Promise<RaceDayReport['stored'] & { alerts: AlertsReport }> {
  await server.stop()
  const database = await openDatabase(place)
  const ids = [...new Set(events.flatMap(({ body }) => body.races.map(({ raceId }) => raceId)))]
  const [row] = await database.rows<{ ticks: number; finished: number; settled: number }>(
    `select (select count(*) from odds_tick where race_id = any($1::text[])) as ticks,
       (select count(*) from race where id = any($1::text[]) and status = 'final') as finished,
       (select count(distinct race_id) from settlement where race_id = any($1::text[])) as settled`,
    [ids],
  )
  const audit = await auditLocks(database, day, new Date())
  const alerts = await alertsOf(database)
  await database.close()
  const sentTicks = events.reduce(
    (sum, { kind, body }) =>
      sum + (kind === 'odds' ? body.races.reduce((n, { odds }) => n + odds.length, 0) : 0),
    0,
  )
  return { ...row!, alerts, sentTicks, brokenLocks: audit.broken.length + audit.brokenChains.length }
}
