import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { FeedReport } from '../../contract/api/feed.ts'
import type { JobFigures } from '../store/operation/job-store.ts'

/** Metrics for Prometheus. Routes are labelled by their pattern, so that no id or token becomes a label. */
export interface Metrics {
  registry: Registry
  request(method: string, route: string, status: number, seconds: number): void
  sockets: Gauge
  backgroundFailures: Counter
  securityEvents: Counter
  /** Engine errors that browsers reported, by code. */
  engineErrors: Counter
  /** Counts a feed batch that was answered. */
  feedBatch(report: FeedReport): void
  /** Records the duration of a periodic task, by name and outcome. */
  chore(name: string, ok: boolean, seconds: number): void
  /** Counts a response by whether it was cached. */
  cachedAnswer(known: boolean): void
}

/** Values that are read only when the metrics are requested. */
export interface Readings {
  /** Races whose predictions or settlement are out of date. */
  staleRaces(): Promise<number>
  /** Seconds since the dataset files were built; `null` if there are none. */
  datasetAge(): number | null
  /** Figures of jobs that wait, run and were completed outside this process. */
  jobs(): Promise<JobFigures[]>
  /** Connections of the database's pool; `null` for the embedded database. */
  connections(): { open: number; idle: number; waiting: number } | null
  /** Lag of the standby in milliseconds, `null` while nothing is read from it; absent without a standby. */
  standbyLag?: (() => number | null) | undefined
}

export function makeMetrics(readings: Readings): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    name: 'furlong_request_seconds',
    help: 'Time to answer, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  })
  const chores = new Histogram({
    name: 'furlong_chore_seconds',
    help: 'What is done from time to time, by name and outcome',
    labelNames: ['name', 'outcome'],
    buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300],
    registers,
  })
  const batches = new Counter({
    name: 'furlong_feed_batches_total',
    help: 'Batches of the feed, by kind; repeated ones changed nothing',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const rejections = new Counter({
    name: 'furlong_feed_rejections_total',
    help: 'Races and lines of the feed that were left out',
    labelNames: ['kind', 'reason'],
    registers,
  })
  const answers = new Counter({
    name: 'furlong_answers_total',
    help: 'Answers that are the same for many, by whether they were kept',
    labelNames: ['outcome'],
    registers,
  })
  addGauges(registry, readings)
  return {
    registry,
    request: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    chore: (name, ok, seconds) => chores.observe({ name, outcome: ok ? 'done' : 'failed' }, seconds),
    feedBatch: ({ kind, repeated, rejected }) => {
      batches.inc({ kind, outcome: repeated ? 'repeated' : 'taken' })
      if (!repeated) for (const { reason } of rejected) rejections.inc({ kind, reason })
    },
    cachedAnswer: (known) => answers.inc({ outcome: known ? 'kept' : 'made' }),
    sockets: new Gauge({ name: 'furlong_sockets', help: 'Open sockets', registers }),
    securityEvents: new Counter({
      name: 'furlong_security_events_total',
      help: 'Failed sign-ins and changes of credentials',
      labelNames: ['kind'],
      registers,
    }),
    engineErrors: new Counter({
      name: 'furlong_engine_errors_total',
      help: 'Errors of the engine in browsers whose readers agreed to report them, by code',
      labelNames: ['code'],
      registers,
    }),
    backgroundFailures: new Counter({
      name: 'furlong_background_failures_total',
      help: 'Background work that failed, by name',
      labelNames: ['name'],
      registers,
    }),
  }
}

/**
 * Adds the gauges that are read on request. While the database does not respond, the number of stale races is
 * NaN.
 */
function addGauges(
  registry: Registry,
  { staleRaces, datasetAge, connections, standbyLag, jobs }: Readings,
): void {
  const registers = [registry]
  addJobGauges(registry, jobs)
  const stale: Gauge = new Gauge({
    name: 'furlong_stale_races',
    help: 'Races whose predictions or settlement lag behind what is stored',
    registers,
    collect: async () => {
      const count = await staleRaces().catch(() => null)
      stale.set(count ?? Number.NaN)
    },
  })
  const age: Gauge = new Gauge({
    name: 'furlong_dataset_age_seconds',
    help: 'Time since the dataset files were built',
    registers,
    collect: () => {
      const seconds = datasetAge()
      if (seconds !== null) age.set(seconds)
    },
  })
  addStandbyGauges(registry, standbyLag)
  const pool: Gauge = new Gauge({
    name: 'furlong_database_connections',
    help: 'Connections to PostgreSQL, and requests that wait for one',
    labelNames: ['state'],
    registers,
    collect: () => {
      for (const [state, count] of Object.entries(connections() ?? {})) pool.set({ state }, count)
    },
  })
}

/** Adds the gauges of the standby. */
function addStandbyGauges(registry: Registry, read: Readings['standbyLag']): void {
  const registers = [registry]
  // With a label, the gauge has no value at all if there is no standby.
  const labelNames = ['database']
  const labels = { database: 'standby' }
  const lag: Gauge = new Gauge({
    name: 'furlong_standby_lag_seconds',
    help: 'How far the standby is behind at most; not a number while nothing is read from it',
    labelNames,
    registers,
    collect: () => {
      const milliseconds = read?.()
      if (milliseconds !== undefined)
        lag.set(labels, milliseconds === null ? Number.NaN : milliseconds / 1000)
    },
  })
  const used: Gauge = new Gauge({
    name: 'furlong_standby_read',
    help: '1 while lists are read from the standby, 0 while it is away or too far behind',
    labelNames,
    registers,
    collect: () => {
      if (read) used.set(labels, read() === null ? 0 : 1)
    },
  })
}

/** Adds the gauges of jobs. While the database does not respond, they have no values. */
function addJobGauges(registry: Registry, read: Readings['jobs']): void {
  let reading: Promise<JobFigures[]> | null = null
  // All gauges share one query per scrape.
  const figures = (): Promise<JobFigures[]> =>
    (reading ??= read()
      .catch(() => [])
      .finally(() => (reading = null)))
  const gauge = (
    name: string,
    help: string,
    label: string,
    valuesOf: (figures: JobFigures) => Record<string, number | null>,
  ): void => {
    const mine: Gauge = new Gauge({
      name,
      help,
      labelNames: ['kind', label],
      registers: [registry],
      collect: async () => {
        const all = await figures()
        mine.reset()
        for (const one of all)
          for (const [key, value] of Object.entries(valuesOf(one)))
            if (value !== null) mine.set({ kind: one.kind, [label]: key }, value)
      },
    })
  }
  gauge('furlong_jobs', 'Jobs that wait, run, or were given up', 'state', ({ waiting, running, dead }) => ({
    waiting,
    running,
    dead,
  }))
  gauge(
    'furlong_job_oldest_seconds',
    'How long the oldest job that waits has been due',
    'state',
    ({ oldest }) => ({
      waiting: oldest,
    }),
  )
  gauge(
    'furlong_job_seconds',
    'Time from asking for a job to its end, of those that ended in the last ten minutes',
    'of',
    ({ median, longest }) => ({ median, longest }),
  )
}
