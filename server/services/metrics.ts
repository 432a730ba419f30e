import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { FeedReport } from '../../contract/api/feed.ts'
import type { JobFigures } from '../store/operation/job-store.ts'

/** Values that are read only when the metrics are requested. */
export interface Readings {
  /** Races whose predictions or settlement are out of date. */
  staleRaces(): Promise<number>
  /** Seconds since the dataset files were built; `null` if there are none. */
  datasetAge(): number | null
  /** Listed dataset files that do not match their hash. */
  damagedFiles(): number
  /** Figures of jobs that wait, run and were completed outside this process. */
  jobs(): Promise<JobFigures[]>
  /** Alerts of the last day, by channel and state. */
  alerts(): Promise<{ channel: string; state: string; count: number; oldest: number }[]>
  /** Connections of the database's pool; `null` for the embedded database. */
  connections(): { open: number; idle: number; waiting: number } | null
  /** Lag of the standby in milliseconds, `null` while nothing is read from it; absent without a standby. */
  standbyLag?: (() => number | null) | undefined
}

export type Metrics = ReturnType<typeof makeMetrics>

/** Metrics for Prometheus. Routes are labelled by their pattern, so that no id or token becomes a label. */
export function makeMetrics(readings: Readings) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const counter = (name: string, help: string, ...labelNames: string[]): Counter =>
    new Counter({ name, help, labelNames, registers })
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
  const batches = counter(
    'furlong_feed_batches_total',
    'Batches of the feed, by kind; repeated ones changed nothing',
    'kind',
    'outcome',
  )
  const rejections = counter(
    'furlong_feed_rejections_total',
    'Races and lines of the feed that were left out',
    'kind',
    'reason',
  )
  const answers = counter(
    'furlong_answers_total',
    'Answers that are the same for many, by whether they were kept',
    'outcome',
  )
  addGauges(registry, readings)
  addJobGauges(registry, readings)
  addAlertGauges(registry, readings)
  return {
    registry,
    request: (method: string, route: string, status: number, seconds: number): void =>
      requests.observe({ method, route, status: String(status) }, seconds),
    /** Records the duration of a periodic task, by name and outcome. */
    chore: (name: string, ok: boolean, seconds: number): void =>
      chores.observe({ name, outcome: ok ? 'done' : 'failed' }, seconds),
    /** Counts a feed batch that was answered. */
    feedBatch: ({ kind, repeated, rejected }: FeedReport): void => {
      batches.inc({ kind, outcome: repeated ? 'repeated' : 'taken' })
      if (!repeated) for (const { reason } of rejected) rejections.inc({ kind, reason })
    },
    /** Counts a response by whether it was cached. */
    cachedAnswer: (known: boolean): void => answers.inc({ outcome: known ? 'kept' : 'made' }),
    sockets: new Gauge({ name: 'furlong_sockets', help: 'Open sockets', registers }),
    securityEvents: counter(
      'furlong_security_events_total',
      'Failed sign-ins and changes of credentials',
      'kind',
    ),
    engineErrors: counter(
      'furlong_engine_errors_total',
      'Errors of the engine in browsers whose readers agreed to report them, by code',
      'code',
    ),
    backgroundFailures: counter(
      'furlong_background_failures_total',
      'Background work that failed, by name',
      'name',
    ),
  }
}

/** Adds a gauge whose values are read when the metrics are requested. */
function addGauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  read: (gauge: Gauge) => void | Promise<void>,
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect: () => read(gauge),
  })
}

/** While the database does not respond, the number of stale races is NaN. */
function addGauges(
  registry: Registry,
  { staleRaces, datasetAge, damagedFiles, connections, standbyLag }: Readings,
): void {
  addGauge(
    registry,
    'furlong_stale_races',
    'Races whose predictions or settlement lag behind what is stored',
    [],
    async (gauge) => gauge.set(await staleRaces().catch(() => Number.NaN)),
  )
  addGauge(
    registry,
    'furlong_dataset_age_seconds',
    'Time since the dataset files were built',
    [],
    (gauge) => {
      const seconds = datasetAge()
      if (seconds !== null) gauge.set(seconds)
    },
  )
  addGauge(
    registry,
    'furlong_damaged_files',
    'Dataset files that do not match their hash and are not served',
    [],
    (gauge) => gauge.set(damagedFiles()),
  )
  // With a label, the gauges of the standby have no value at all if there is none.
  const standby = { database: 'standby' }
  addGauge(
    registry,
    'furlong_standby_lag_seconds',
    'How far the standby is behind at most; not a number while nothing is read from it',
    ['database'],
    (gauge) => {
      const milliseconds = standbyLag?.()
      if (milliseconds !== undefined) gauge.set(standby, (milliseconds ?? Number.NaN) / 1000)
    },
  )
  addGauge(
    registry,
    'furlong_standby_read',
    '1 while lists are read from the standby, 0 while it is away or too far behind',
    ['database'],
    (gauge) => {
      if (standbyLag) gauge.set(standby, standbyLag() === null ? 0 : 1)
    },
  )
  addGauge(
    registry,
    'furlong_database_connections',
    'Connections to PostgreSQL, and requests that wait for one',
    ['state'],
    (gauge) => {
      for (const [state, count] of Object.entries(connections() ?? {})) gauge.set({ state }, count)
    },
  )
}

/** Adds the gauges of jobs. While the database does not respond, they have no values. */
function addJobGauges(registry: Registry, { jobs }: Readings): void {
  let reading: Promise<JobFigures[]> | null = null
  // All gauges share one query per scrape.
  const figures = (): Promise<JobFigures[]> =>
    (reading ??= jobs()
      .catch(() => [])
      .finally(() => (reading = null)))
  const add = (
    name: string,
    help: string,
    label: string,
    valuesOf: (figures: JobFigures) => Record<string, number | null>,
  ): void =>
    addGauge(registry, name, help, ['kind', label], async (gauge) => {
      const all = await figures()
      gauge.reset()
      for (const one of all)
        for (const [key, value] of Object.entries(valuesOf(one)))
          if (value !== null) gauge.set({ kind: one.kind, [label]: key }, value)
    })
  add('furlong_jobs', 'Jobs that wait, run, or were given up', 'state', ({ waiting, running, dead }) => ({
    waiting,
    running,
    dead,
  }))
  const due = 'How long the oldest job that waits has been due'
  add('furlong_job_oldest_seconds', due, 'state', ({ oldest }) => ({ waiting: oldest }))
  const took = 'Time from asking for a job to its end, of those that ended in the last ten minutes'
  add('furlong_job_seconds', took, 'of', ({ median, longest }) => ({ median, longest }))
}

/** Adds the gauges of alerts. While the database does not respond, they have no values. */
function addAlertGauges(registry: Registry, { alerts }: Readings): void {
  addGauge(
    registry,
    'furlong_alerts',
    'Alerts of the last day, and older ones that wait, by channel and how they stand',
    ['channel', 'state'],
    async (gauge) => {
      const figures = await alerts().catch(() => [])
      gauge.reset()
      for (const { channel, state, count } of figures) gauge.set({ channel, state }, count)
    },
  )
  addGauge(
    registry,
    'furlong_alert_oldest_seconds',
    'How long the oldest alert that waits has been due',
    [],
    async (gauge) => {
      const figures = await alerts().catch(() => null)
      const waiting = (figures ?? []).flatMap(({ state, oldest }) => (state === 'waiting' ? [oldest] : []))
      gauge.set(figures === null ? Number.NaN : Math.max(0, ...waiting))
    },
  )
}
