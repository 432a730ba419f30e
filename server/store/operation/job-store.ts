import type { ErrorCode, ErrorDetails } from '../../../domain/errors.ts'
import { JOB_KINDS, LANE_OF, type JobKind, type Lane, type NewJob } from '../../drafts/job-kinds.ts'
import { isAny, type Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'

/** Why an attempt failed. */
export interface JobError {
  code: ErrorCode
  details: ErrorDetails
}

export interface StoredJob {
  id: string
  kind: JobKind
  lane: Lane
  payload: NewJob['payload']
  state: 'waiting' | 'running' | 'done' | 'dead' | 'cancelled'
  attempts: number
  failures: number
  createdAt: string
  dueAt: string
  startedAt: string | null
  finishedAt: string | null
  worker: string | null
  progress: string | null
  result: unknown
  /** Ids of the jobs that this one enqueued. */
  next: string[]
  error: JobError | null
}

/** One attempt at a job: it ends if another worker takes the job over. */
export type Attempt = Pick<StoredJob, 'id' | 'attempts'>

/** A job that a worker runs. */
export type ClaimedJob = NewJob & Attempt

const JOB = `id::text, kind, lane, payload, state, attempts, failures, created_at, due_at,
  started_at, finished_at, worker, progress, result, next, error`

const OF_ATTEMPT = `id = $1::uuid and attempts = $2 and state = 'running'`

/**
 * Enqueues a job, due now or after `delayMs`, and returns its id; if an identical job is already waiting,
 * returns that job's id. A waiting job that failed before keeps its retry time, unless a caller waits for it
 * (`now`).
 */
export async function enqueueJob(
  { rows }: Queries,
  { kind, payload }: NewJob,
  { delayMs = 0, now = false }: { delayMs?: number; now?: boolean } = {},
): Promise<string> {
  // Updating the waiting row locks it, so that no worker claims it before this transaction commits.
  const [job] = await rows<{ id: string }>(
    `insert into job (id, kind, lane, payload, state, due_at)
     values ($1::uuid, $2, $3, $4::jsonb, 'waiting', clock_timestamp() + $5 * interval '1 millisecond')
     on conflict (kind, md5(payload::text)) where state = 'waiting'
       do update set due_at = case when job.failures = 0 or $6 then least(job.due_at, excluded.due_at) else job.due_at end
     returning job.id::text as id`,
    [newId(), kind, LANE_OF[kind], JSON.stringify(payload), delayMs, now],
  )
  return job!.id
}

/** The worker that claims, and the jobs that it may get. */
export interface Claim {
  worker: string
  lanes: readonly Lane[]
  /** Host name of the machine, for jobs that read its files. */
  host: string
  leaseMs: number
  /** Claim only jobs with these ids; `null`: any job. */
  only: readonly string[] | null
}

/**
 * Assigns a due job to a worker: of a kind that this build knows, in a lane without a running job. `null` if
 * there is none, or another worker was faster.
 */
export async function claimJob({ rows }: Queries, claim: Claim): Promise<StoredJob | null> {
  try {
    const [job] = await rows<StoredJob>(
      `update job set state = 'running', attempts = attempts + 1, worker = $1, started_at = clock_timestamp(),
         lease_until = clock_timestamp() + $3 * interval '1 millisecond', progress = null
       where id = (
         select id from job as next
         where state = 'waiting' and due_at <= clock_timestamp() and lane = any($2::text[]) and kind = any($5::text[])
           and ($4::uuid[] is null or id = any($4::uuid[]))
           and coalesce(payload->>'host', $6) = $6
           and not exists (select from job as busy where busy.lane = next.lane and busy.state = 'running')
         order by due_at, id limit 1 for update skip locked
       ) returning ${JOB}`,
      [claim.worker, claim.lanes, claim.leaseMs, claim.only, JOB_KINDS, claim.host],
    )
    return job ?? null
  } catch (error) {
    // Two workers claimed a job of the same lane concurrently.
    if (isDoubled(error)) return null
    throw error
  }
}

/** Whether a statement failed because of a unique constraint. */
export const isDoubled = (error: unknown): boolean => (error as { code?: unknown }).code === '23505'

/**
 * Renews the leases of a worker's jobs and stores their progress. Returns the ids of jobs that the worker has
 * lost, because they were taken over or cancelled.
 */
export async function renewLeases(
  queries: Queries,
  attempts: readonly (Attempt & { progress: string | null })[],
  leaseMs: number,
): Promise<string[]> {
  const lost: string[] = []
  for (const { id, attempts: attempt, progress } of attempts) {
    const renewed = await queries.rows(
      `update job set lease_until = clock_timestamp() + $3 * interval '1 millisecond', progress = $4
       where ${OF_ATTEMPT} returning id`,
      [id, attempt, leaseMs, progress],
    )
    if (renewed.length === 0) lost.push(id)
  }
  return lost
}

/** Completes a successful attempt; `false` if the worker no longer held the job. */
export const finishJob = (queries: Queries, { id, attempts }: Attempt, result: unknown): Promise<boolean> =>
  isAny(
    queries,
    `update job set state = 'done', finished_at = clock_timestamp(), lease_until = null, error = null,
       result = $3::jsonb
     where ${OF_ATTEMPT} returning id`,
    [id, attempts, JSON.stringify(result ?? null)],
  )

/** Records which jobs followed from one. */
export async function noteNext({ rows }: Queries, id: string, next: readonly string[]): Promise<void> {
  await rows('update job set next = $2::jsonb where id = $1::uuid', [id, JSON.stringify(next)])
}

/**
 * Why an attempt ended without success: it failed, or its worker stopped (`null`). `lateOnly`: apply only if
 * the lease is still expired, because the worker may have renewed it meanwhile.
 */
export interface Failure {
  error: JobError | null
  lateOnly?: boolean
}

const IF_LATE = `(not $3 or lease_until < clock_timestamp())`

/** Marks a job as dead after a failed attempt; `false` if the worker no longer held the job. */
export const giveUpJob = (
  queries: Queries,
  { id, attempts }: Attempt,
  { error, lateOnly = false }: Failure,
): Promise<boolean> =>
  isAny(
    queries,
    `update job set state = 'dead', failures = failures + 1, finished_at = clock_timestamp(), lease_until = null,
       error = $4::jsonb
     where ${OF_ATTEMPT} and ${IF_LATE} returning id`,
    [id, attempts, lateOnly, JSON.stringify(error)],
  )

/**
 * Makes a job wait again for `waitMs`. If an identical job was enqueued meanwhile, that one waits instead: it
 * takes over the failure count and is recorded as the job's successor. `false` if the worker no longer held
 * the job.
 */
export async function putBackJob(
  { rows }: Queries,
  { id, attempts }: Attempt,
  { error, lateOnly = false }: Failure,
  waitMs: number,
): Promise<boolean> {
  const parameters = [id, attempts, lateOnly, error && JSON.stringify(error), waitMs]
  const set = `failures = job.failures + case when $4::jsonb is null then 0 else 1 end, error = coalesce($4::jsonb, job.error)`
  const due = `clock_timestamp() + $5 * interval '1 millisecond'`
  const replaced = await rows(
    `with mine as (select * from job where ${OF_ATTEMPT} and ${IF_LATE} for update),
       twin as (
         update job set failures = mine.failures + case when $4::jsonb is null then 0 else 1 end,
           error = coalesce($4::jsonb, mine.error), due_at = ${due}
         from mine where job.state = 'waiting' and job.kind = mine.kind and job.payload = mine.payload
         returning job.id as twin_id, mine.id as mine_id
       )
     update job set state = 'cancelled', finished_at = clock_timestamp(), lease_until = null,
       next = jsonb_build_array(twin_id::text), ${set}
     from twin where job.id = mine_id returning job.id`,
    parameters,
  )
  if (replaced.length > 0) return true
  const ended = await rows(
    `update job set state = 'waiting', lease_until = null, progress = null, due_at = ${due}, ${set}
     where ${OF_ATTEMPT} and ${IF_LATE} returning id`,
    parameters,
  )
  return ended.length > 0
}

/**
 * Makes every running job wait again. Only for a process with exclusive access to the embedded database,
 * which proves that no worker is alive.
 */
export async function releaseJobs(queries: Queries): Promise<void> {
  for (const job of await runningJobs(queries)) await putBackJob(queries, job, { error: null }, 0)
}

/** Deletes dead jobs of the same kind and payload, once such a job has succeeded. */
export async function forgetDead({ rows }: Queries, { kind, payload }: NewJob): Promise<void> {
  await rows(`delete from job where state = 'dead' and kind = $1 and payload = $2::jsonb`, [
    kind,
    JSON.stringify(payload),
  ])
}

export type RunningJob = Pick<StoredJob, 'id' | 'kind' | 'payload' | 'attempts' | 'failures' | 'worker'> & {
  /** Whether its lease has expired. */
  late: boolean
}

/** Running jobs of the kinds that this build knows. */
export const runningJobs = ({ rows }: Queries): Promise<RunningJob[]> =>
  rows(
    `select id::text, kind, payload, attempts, failures, worker, lease_until < clock_timestamp() as late
     from job where state = 'running' and kind = any($1::text[])`,
    [JOB_KINDS],
  )

/** Jobs by id, in no particular order. */
export const readJobs = ({ rows }: Queries, ids: readonly string[]): Promise<StoredJob[]> =>
  rows(`select ${JOB} from job where id = any($1::uuid[])`, [ids])

/** Waiting and running jobs first, then the most recently finished. */
export const listJobs = ({ rows }: Queries, limit: number): Promise<StoredJob[]> =>
  rows(`select ${JOB} from job order by finished_at desc nulls first, due_at, id limit $1`, [limit])

/**
 * Cancels a waiting, running or dead job; the worker of a running one notices at its next lease renewal.
 * `false` if there is no such job.
 */
export const cancelJob = (queries: Queries, id: string): Promise<boolean> =>
  isAny(
    queries,
    `update job set state = 'cancelled', finished_at = clock_timestamp(), lease_until = null
     where id::text = $1 and state in ('waiting', 'running', 'dead') returning id`,
    [id],
  )

const LATELY = `state = 'done' and finished_at > clock_timestamp() - interval '10 minutes'`

export interface JobFigures {
  kind: JobKind
  waiting: number
  running: number
  dead: number
  /** Seconds for which the oldest waiting job has been overdue. */
  oldest: number
  /** Median and longest time in seconds from creation to end of jobs done in the last ten minutes. */
  median: number | null
  longest: number | null
}

/** Job figures for `/metrics`, by kind. */
export const readJobFigures = ({ rows }: Queries): Promise<JobFigures[]> =>
  rows(
    `select kind, count(*) filter (where state = 'waiting') as waiting,
       count(*) filter (where state = 'running') as running, count(*) filter (where state = 'dead') as dead,
       coalesce(extract(epoch from clock_timestamp() - min(due_at) filter (
         where state = 'waiting' and due_at <= clock_timestamp())), 0)::float8 as oldest,
       (percentile_cont(0.5) within group (order by extract(epoch from finished_at - created_at)) filter (where ${LATELY}))::float8
         as median,
       (max(extract(epoch from finished_at - created_at)) filter (where ${LATELY}))::float8 as longest
     from job where state in ('waiting', 'running', 'dead') or finished_at > clock_timestamp() - interval '10 minutes'
     group by kind order by kind`,
  )

/**
 * Deletes jobs that ended before `before`; scoring jobs, of which a race day has thousands, before
 * `scoredBefore`. Dead jobs stay until an operator retries or cancels them.
 */
export async function sweepJobs({ rows }: Queries, before: Date, scoredBefore: Date): Promise<void> {
  await rows(
    `delete from job where state in ('done', 'cancelled')
       and finished_at < case when kind = 'score' then $2::timestamptz else $1::timestamptz end`,
    [before, scoredBefore],
  )
}

/** Enqueues a recurring job, unless one of its kind was created within `everyMs`. */
export async function enqueueEvery(queries: Queries, job: NewJob, everyMs: number): Promise<void> {
  const recent = await queries.rows(
    `select 1 from job where kind = $1 and created_at > clock_timestamp() - $2 * interval '1 millisecond' limit 1`,
    [job.kind, everyMs],
  )
  if (recent.length === 0) await enqueueJob(queries, job)
}

/** Retries a dead job. Returns the id of the new waiting job; `null` if there is no such dead job. */
export async function retryJob(queries: Queries, id: string): Promise<string | null> {
  const [dead] = await queries.rows<NewJob>(
    `delete from job where id::text = $1 and state = 'dead' returning kind, payload`,
    [id],
  )
  return dead ? enqueueJob(queries, dead) : null
}
