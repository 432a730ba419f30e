import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FEED_KINDS } from '../contract/api/feed.ts'
import { queryRacePage } from '../contract/api/racing.ts'
import { buildDataset } from '../server/dataset/build.ts'
import { examine } from '../server/commands/doctor.ts'
import { readSettings } from '../server/process/env.ts'
import { ensureDemonstration } from '../server/ingest/demo/demonstration.ts'
import { doJobs } from '../server/jobs/do-jobs.ts'
import type { NewJob } from '../server/drafts/job-kinds.ts'
import { scoreStaleRaces } from '../server/scoring/score.ts'
import { trainMissing } from '../server/scoring/train.ts'
import { tokenHash } from '../server/db/keys.ts'
import { makeOperatorToken } from '../server/services/viewer.ts'
import type { Database } from '../server/db/database.ts'
import { openDatabase } from '../server/db/open.ts'
import { bumpRevisions } from '../server/db/revisions.ts'
import { logPlans, PLANS_CONFIGURATION, readPlans, type Statement } from './scale-plans.ts'
import { startPostgresql } from '../tests/support/postgresql-server.ts'
import { CallBench, type Askers, type CallLine, type Things } from './scale-calls.ts'
import { fillDatabase, MAX_REGIONS, type Scale } from './scale-rows.ts'
import { FROZEN } from '../tests/support/frozen-rules.ts'
import { askWrites } from './scale-writes.ts'
import { seedCustomer } from '../tests/support/seed-customer.ts'
import { residentMegabytes, startServerProcess, WITHOUT_WORKER } from '../tests/support/server-process.ts'
import { benchSockets, type SocketReport } from './sockets.ts'

/** Calls with a longer median are reported individually. */
const QUICK_MS = 20
/** The service's periodic tasks all run within a minute. */
const CHORES_MS = 65_000
const DAY_MS = 86_400_000
const MAX_STATEMENTS = 25
const STATEMENT_LENGTH = 220

export interface ScaleReport {
  scale: Scale & { sockets: number }
  rows: Record<string, number>
  gigabytes: number
  secondsToFill: number
  /** Calls slower than `QUICK_MS`, measured without plan logging. */
  slowCalls: CallLine[]
  calls: { count: number; medianMs: number; p95Ms: number; left: string[]; refused: CallLine[] }
  jobs: { kind: string; seconds: number }[]
  doctorSeconds: number
  /** Statements of the service and the jobs that read a whole growing table. */
  wholeReads: Pick<Statement, 'text' | 'longestMs' | 'wholeReads'>[]
  longest: Pick<Statement, 'text' | 'longestMs' | 'rowsRead' | 'times'>[]
  megabytes: { afterCalls: number }
  sockets: SocketReport | null
}

/**
 * A large installation on its own PostgreSQL: fills it, calls every endpoint of the contract as each kind of user, runs
 * the jobs of a race day, and reports the statements that read a whole growing table; then opens many sockets to one
 * process.
 */
export async function benchScale(
  scale: Scale,
  sockets: number,
  onProgress: (text: string) => void,
): Promise<ScaleReport> {
  if (scale.regions > MAX_REGIONS) throw new Error(`--regions: at most ${MAX_REGIONS}`)
  const dataFolder = mkdtempSync(join(tmpdir(), 'furlong-scale-'))
  const postgresql = await startPostgresql({
    configuration: {
      ...PLANS_CONFIGURATION,
      shared_buffers: '2GB',
      maintenance_work_mem: '512MB',
      max_wal_size: '8GB',
      random_page_cost: '1.1',
    },
  })
  const { url, data } = postgresql
  const place = { dataFolder, databaseUrl: url, standbyUrl: undefined, bucket: undefined }
  try {
    const database = await openDatabase(place)
    const askers = await seedSeason(database, dataFolder)
    const secondsToFill = await fill(database, url, scale, askers, onProgress)
    onProgress('asking')
    const server = await startServerProcess(
      {
        FURLONG_DATA: dataFolder,
        DATABASE_URL: url,
        FURLONG_SOCKETS_PER_ADDRESS: '20000',
        ...WITHOUT_WORKER,
      },
      /\nready\n/,
    )
    try {
      const things = await thingsOf(database, askers, server.printed)
      const calls = await askCalls(server.base, things, url)
      onProgress('chores')
      await pause(CHORES_MS)
      const afterCalls = residentMegabytes(server.process.pid!)
      onProgress('jobs')
      const jobs = await raceDayJobs(database, place)
      const examined = Date.now()
      await examine(readSettings({ FURLONG_DATA: dataFolder, DATABASE_URL: url }))
      const doctorSeconds = (Date.now() - examined) / 1000
      await logPlans(url, false)
      const statements = await readPlans(data, url)
      onProgress('sockets')
      const opened = sockets === 0 ? null : await openSockets(database, server, scale, sockets, things)
      return {
        scale: { ...scale, sockets },
        ...(await sizesOf(database)),
        secondsToFill,
        ...calls,
        jobs,
        doctorSeconds,
        ...longStatements(statements),
        megabytes: { afterCalls },
        sockets: opened,
      }
    } finally {
      await server.kill()
      await database.close()
    }
  } finally {
    await postgresql.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

/** Creates the demonstration, trained and built, and the customers that make the calls. */
async function seedSeason(database: Database, dataFolder: string): Promise<Askers> {
  await ensureDemonstration(database)
  await trainMissing(database, () => {})
  await scoreStaleRaces(database)
  await buildDataset(database, dataFolder)
  const askers: Askers = {
    member: await seedCustomer(database, { vouchers: 1000 }),
    busy: await seedCustomer(database, { vouchers: 1000 }),
    vip: await seedCustomer(database),
    provider: await seedCustomer(database, { provider: true }),
  }
  await database.rows(`update customer set vip_end = now() + interval '1 year' where id = $1::uuid`, [
    askers.vip.id,
  ])
  return askers
}

/** Fills the database up to the scale. Returns the seconds that it took. */
async function fill(
  database: Database,
  url: string,
  scale: Scale,
  { busy, provider }: Askers,
  onProgress: (text: string) => void,
): Promise<number> {
  const started = Date.now()
  const rules = (['filter', 'rules', 'plan'] as const).map((name) => JSON.stringify(FROZEN[name]))
  await fillDatabase(
    url,
    scale,
    { reader: busy.id, provider: provider.id },
    rules as [string, string, string],
    onProgress,
  )
  const seconds = (Date.now() - started) / 1000
  // Old rows are purged only if the clock is known to run evenly.
  await database.rows(
    `insert into setting (name, value) values ('clock', $1) on conflict (name) do update set value = excluded.value`,
    [JSON.stringify({ since: Date.now() - 2 * DAY_MS, last: Date.now() })],
  )
  return seconds
}

/** Makes every call twice: first timed, then with its plans logged. */
async function askCalls(
  base: string,
  things: Things,
  url: string,
): Promise<Pick<ScaleReport, 'slowCalls' | 'calls'>> {
  const timed = new CallBench(base, things)
  await timed.reads()
  await logPlans(url, true)
  await pause(1000)
  const explained = new CallBench(base, things)
  await explained.reads()
  await askWrites(explained)
  const lines = timed.lines()
  const medians = lines.map(({ p50Ms }) => p50Ms).toSorted((a, b) => a - b)
  return {
    slowCalls: lines.filter(({ p50Ms }) => p50Ms > QUICK_MS),
    calls: {
      count: lines.length,
      medianMs: medians[Math.floor(medians.length / 2)]!,
      p95Ms: medians[Math.floor(medians.length * 0.95)]!,
      left: explained.left(),
      refused: explained.lines().filter(({ refused }) => Object.keys(refused).length > 0),
    },
  }
}

function longStatements(statements: readonly Statement[]): Pick<ScaleReport, 'wholeReads' | 'longest'> {
  const cut = ({ text }: { text: string }): string => text.slice(0, STATEMENT_LENGTH)
  return {
    wholeReads: statements
      .filter(({ wholeReads }) => wholeReads.length > 0)
      .map(({ longestMs, wholeReads, ...rest }) => ({ text: cut(rest), longestMs, wholeReads })),
    longest: statements.slice(0, MAX_STATEMENTS).map(({ longestMs, rowsRead, times, ...rest }) => ({
      text: cut(rest),
      longestMs,
      rowsRead,
      times,
    })),
  }
}

async function thingsOf(database: Database, askers: Askers, printed: () => string): Promise<Things> {
  const { token: operator } = await makeOperatorToken(database, 'bench', FEED_KINDS, new Date())
  const races = await database.rows<{ regionId: string; day: string; past: string; coming: string }>(
    `select region_id, max(race_date) filter (where status = 'final')::text as day,
       max(id) filter (where status = 'final') as past, max(id) filter (where status = 'scheduled') as coming
     from race where status in ('final', 'scheduled') group by region_id having count(*) filter (where status = 'scheduled') > 0
     order by region_id limit 12`,
  )
  const places = []
  for (const race of races) {
    const [ran, other] = await database.rows<{ id: string }>(
      'select horse_id as id from runner where race_id = $1 order by horse_no limit 2',
      [race.past],
    )
    places.push({ ...race, horseId: ran!.id, otherId: other!.id })
  }
  const leaving = await seedCustomer(database)
  const phone = '+85261230002'
  await database.rows('update customer set phone = $2 where id = $1::uuid', [leaving.id, phone])
  for (const { coming } of places)
    await database.rows(
      `insert into subscription values ($1::uuid, $2, 'daily', now()) on conflict do nothing`,
      [askers.busy.id, coming],
    )
  const [home, ...copies] = places
  return {
    askers,
    operator,
    places: copies.length > 0 ? copies : places,
    today: new Date().toISOString().slice(0, 10),
    home: home!,
    leaving: { token: leaving.token, phone },
    printed,
  }
}

/** The jobs of a race day's end: coming races are predicted again, a day is settled, its season's files are built. */
async function raceDayJobs(
  database: Database,
  place: Parameters<typeof doJobs>[1],
): Promise<{ kind: string; seconds: number }[]> {
  const done: { kind: string; seconds: number }[] = []
  const stop = AbortSignal.timeout(600_000)
  const timed = async (kind: 'score' | 'settle', stale: string): Promise<void> => {
    const ids = (
      await database.rows<{ id: string }>(`update race set scoring = 'stale' where ${stale} returning id`)
    ).map(({ id }) => id)
    await bumpRevisions(database, ids)
    const started = Date.now()
    const job: NewJob = kind === 'score' ? { kind, payload: {} } : { kind, payload: { verify: false } }
    await doJobs(database, place, job, { alone: false, onProgress: () => {}, stop })
    done.push({
      kind: `${kind}, ${ids.length} races${kind === 'settle' ? ', and the files of their season' : ''}`,
      seconds: (Date.now() - started) / 1000,
    })
  }
  await timed('score', `region_id = '100000' and status = 'scheduled'`)
  await timed(
    'settle',
    `region_id = '100000' and race_date = (select max(race_date) from race where region_id = '100000' and status = 'final')`,
  )
  return done
}

/** Opens sockets for the first customers, who are given tokens; every second one is a VIP. */
async function openSockets(
  database: Database,
  server: Awaited<ReturnType<typeof startServerProcess>>,
  { customers }: Scale,
  count: number,
  { home, operator, places }: Things,
): Promise<SocketReport> {
  const people = await database.rows<{ id: string; i: number }>(
    'select id::text, i::int from scale_customer order by i desc limit $1',
    [Math.min(count, customers)],
  )
  const withTokens = people.map(({ id, i }) => ({ id, token: `s${i}`.padEnd(43, 'x') }))
  const ids = withTokens.map(({ id }) => id)
  await database.rows(
    `insert into access_token (token_hash, customer_id, created_at, last_used_at)
     select t.hash, t.id::uuid, now(), now() from unnest($1::text[], $2::text[]) as t (hash, id)`,
    [withTokens.map(({ token }) => tokenHash(token)), ids],
  )
  const vips = ids.filter((_, index) => index % 2 === 0)
  await database.rows(`update customer set vip_end = null where id = any($1::uuid[])`, [ids])
  await database.rows(`update customer set vip_end = now() + interval '1 day' where id = any($1::uuid[])`, [
    vips,
  ])
  const tell = async (): Promise<void> => {
    const odds = [1, 2, 3].map((horseNo) => ({ horseNo, odds: 3.5 + horseNo }))
    const answer = await fetch(new URL('feed/odds', server.base), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${operator}`,
        'idempotency-key': 'sockets',
      },
      body: JSON.stringify({ races: [{ raceId: home.coming, seenAt: new Date().toISOString(), odds }] }),
    })
    if (answer.status !== 200) throw new Error(await answer.text())
  }
  const page = new URL(queryRacePage.path.slice(1), server.base)
  page.searchParams.set('countryRegionId', places[0]!.regionId)
  page.searchParams.set('today', places[0]!.day)
  const list = async (): Promise<void> => {
    const answer = await fetch(page)
    await answer.arrayBuffer()
  }
  return benchSockets(server, withTokens, vips.length, tell, list)
}

async function sizesOf(database: Database): Promise<Pick<ScaleReport, 'rows' | 'gigabytes'>> {
  const tables = await database.rows<{ name: string; rows: number }>(
    `select relname as name, reltuples::float8 as rows from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 1000 and relname <> 'scale_customer' order by reltuples desc`,
  )
  const [size] = await database.rows<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  )
  return {
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, Math.round(rows)])),
    gigabytes: Math.round(size!.bytes / 1e8) / 10,
  }
}
