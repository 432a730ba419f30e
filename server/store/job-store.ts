import type { ErrorCode, ErrorDetails } from '../../domain/errors.ts'
import { JOB_KINDS, LANE_OF, type JobKind, type Lane, type NewJob } from '../jobs/kinds.ts'
import type { Queries } from './database.ts'
import { newId } from './id.ts'

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
  /** Ids of the jobs that followed from it. */
  next: string[]
  error: JobError | null
}

/** An attempt: a job that another worker has taken over meanwhile is no longer this one's. */
export type Attempt = Pick<StoredJob, 'id' | 'attempts'>

const JOB = `id::text, kind, lane, payload, state, attempts, failures, created_at as "createdAt", due_at as "dueAt",
  started_at as "startedAt", finished_at as "finishedAt", worker, progress, result, next, error`

const OF_ATTEMPT = `id = $1::uuid and attempts = $2 and state = 'running'`

/**
 * Has a job done soon, or after `delayMs`. Answers its id: that of the same job where one waits already. One that failed
 * keeps waiting for its next attempt, however often it is asked for, unless somebody waits for it (`now`).
 */
export async function enqueueJob(
  { rows }: Queries,
  { kind, payload }: NewJob,
  { delayMs = 0, now = false }: { delayMs?: number; now?: boolean } = {},
): Promise<string> {
  // Touching the row that waits keeps workers from it until what it is about is committed.
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

/** The worker that claims, and the jobs that it may be given. */
export interface Claim {
  worker: string
  lanes: readonly Lane[]
  /** Name of the machine, for jobs that read its files. */
  host: string
  leaseMs: number
  /** Ids of the only jobs wanted; `null`: any. */
  only: readonly string[] | null
}

/**
 * Gives a job that is due to a worker: one of a kind that this build knows, in a lane where none runs. `null` where there
 * is none, and where another worker was quicker.
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
    // Two workers at the same moment, in one lane.
    if (isDoubled(error)) return null
    throw error
  }
}

/** Whether a statement met a row that a unique key forbids. */
export const isDoubled = (error: unknown): boolean => (error as { code?: unknown }).code === '23505'

/** Keeps jobs for their worker, and tells how far they are. Answers those that are no longer its own, or are cancelled. */
export async function renewLeases(
  queries: Queries,
  attempts: readonly (Attempt & { progress: string | null })[],
  leaseMs: number,
): Promise<string[]> {
  const lost: string[] = []
  for (const { id, attempts: attempt, progress } of attempts) {
    const kept = await queries.rows(
      `update job set lease_until = clock_timestamp() + $3 * interval '1 millisecond', progress = $4
       where ${OF_ATTEMPT} returning id`,
      [id, attempt, leaseMs, progress],
    )
    if (kept.length === 0) lost.push(id)
  }
  return lost
}

/** Ends an attempt that worked; `false` where it was no longer the worker's. */
export async function finishJob(
  { rows }: Queries,
  { id, attempts }: Attempt,
  result: unknown,
): Promise<boolean> {
  const ended = await rows(
    `update job set state = 'done', finished_at = clock_timestamp(), lease_until = null, error = null,
       result = $3::jsonb
     where ${OF_ATTEMPT} returning id`,
    [id, attempts, JSON.stringify(result ?? null)],
  )
  return ended.length > 0
}

/** Notes which jobs followed from one. */
export async function noteNext({ rows }: Queries, id: string, next: readonly string[]): Promise<void> {
  await rows('update job set next = $2::jsonb where id = $1::uuid', [id, JSON.stringify(next)])
}

/**
 * Why an attempt ends that did not work: it failed, or its worker ended (`null`). `lateOnly`: only if its lease is over
 * still, for its worker may have renewed it meanwhile.
 */
export interface Failure {
  error: JobError | null
  lateOnly?: boolean
}

const IF_LATE = `(not $3 or lease_until < clock_timestamp())`

/** Gives a job up after a failed attempt; `false` where the attempt was no longer the worker's. */
export async function giveUpJob(
  { rows }: Queries,
  { id, attempts }: Attempt,
  { error, lateOnly = false }: Failure,
): Promise<boolean> {
  const ended = await rows(
    `update job set state = 'dead', failures = failures + 1, finished_at = clock_timestamp(), lease_until = null,
       error = $4::jsonb
     where ${OF_ATTEMPT} and ${IF_LATE} returning id`,
    [id, attempts, lateOnly, JSON.stringify(error)],
  )
  return ended.length > 0
}

/**
 * Lets a job wait again for `waitMs`. Where the same job was asked for meanwhile, that one waits in its place, with its
 * failures, and is told as what follows from it. `false` where the attempt was no longer the worker's.
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

/** Lets every running job wait again: for who has the embedded database to himself, and so knows that no worker lives. */
export async function releaseJobs(queries: Queries): Promise<void> {
  for (const job of await runningJobs(queries)) await putBackJob(queries, job, { error: null }, 0)
}

/** Takes away what was given up, once the same has been done. */
export async function forgetDead({ rows }: Queries, { kind, payload }: NewJob): Promise<void> {
  await rows(`delete from job where state = 'dead' and kind = $1 and payload = $2::jsonb`, [
    kind,
    JSON.stringify(payload),
  ])
}

export type RunningJob = Pick<StoredJob, 'id' | 'kind' | 'payload' | 'attempts' | 'failures' | 'worker'> & {
  /** Its lease is over. */
  late: boolean
}

/** Jobs that run, of the kinds that this build knows. */
export async function runningJobs({ rows }: Queries): Promise<RunningJob[]> {
  return rows(
    `select id::text, kind, payload, attempts, failures, worker, lease_until < clock_timestamp() as late
     from job where state = 'running' and kind = any($1::text[])`,
    [JOB_KINDS],
  )
}

/** Jobs by id, in no order. */
export async function readJobs({ rows }: Queries, ids: readonly string[]): Promise<StoredJob[]> {
  return rows(`select ${JOB} from job where id = any($1::uuid[])`, [ids])
}

/** What waits and runs, then what ended last. */
export async function listJobs({ rows }: Queries, limit: number): Promise<StoredJob[]> {
  return rows(`select ${JOB} from job order by finished_at desc nulls first, due_at, id limit $1`, [limit])
}

/**
 * Keeps a job that waits or runs from being done, and takes away one that was given up; a worker notices at its next
 * renewal. `false` where there is none.
 */
export async function cancelJob({ rows }: Queries, id: string): Promise<boolean> {
  const ended = await rows(
    `update job set state = 'cancelled', finished_at = clock_timestamp(), lease_until = null
     where id::text = $1 and state in ('waiting', 'running', 'dead') returning id`,
    [id],
  )
  return ended.length > 0
}

const LATELY = `state = 'done' and finished_at > clock_timestamp() - interval '10 minutes'`

export interface JobFigures {
  kind: JobKind
  waiting: number
  running: number
  dead: number
  /** Seconds that the oldest has been due. */
  oldest: number
  /** Seconds from asking to the end of those that ended in the last ten minutes, in the median and at most. */
  median: number | null
  longest: number | null
}

/** What `/metrics` tells of the jobs, by kind. */
export async function readJobFigures({ rows }: Queries): Promise<JobFigures[]> {
  return rows(
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
}

/**
 * Removes the history of jobs that ended before an instant; scorings, of which a race day has thousands, before another.
 * Those that were given up stay until somebody has seen to them.
 */
export async function sweepJobs({ rows }: Queries, before: Date, scoredBefore: Date): Promise<void> {
  await rows(
    `delete from job where state in ('done', 'cancelled')
       and finished_at < case when kind = 'score' then $2::timestamptz else $1::timestamptz end`,
    [before.toISOString(), scoredBefore.toISOString()],
  )
}

/** Has a job done that repeats itself, unless it was asked for within `everyMs`. */
export async function enqueueEvery(queries: Queries, job: NewJob, everyMs: number): Promise<void> {
  const recent = await queries.rows(
    `select 1 from job where kind = $1 and created_at > clock_timestamp() - $2 * interval '1 millisecond' limit 1`,
    [job.kind, everyMs],
  )
  if (recent.length === 0) await enqueueJob(queries, job)
}

/** Tries a job again that was given up. Answers the id of the job that waits now; `null` where there is none. */
export async function retryJob(queries: Queries, id: string): Promise<string | null> {
  const [dead] = await queries.rows<NewJob>(
    `delete from job where id::text = $1 and state = 'dead' returning kind, payload`,
    [id],
  )
  return dead ? enqueueJob(queries, dead) : null
}
