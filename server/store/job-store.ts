import type { ErrorCode, ErrorDetails } from '../../domain/errors.ts'
import { LANE_OF, type JobKind, type Lane, type NewJob } from '../jobs/kinds.ts'
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

/** Has a job done soon. Answers its id: that of the same job where one waits already. */
export async function enqueueJob({ rows }: Queries, { kind, payload }: NewJob): Promise<string> {
  // Touching the row that waits keeps workers from it until what it is about is committed.
  const [job] = await rows<{ id: string }>(
    `insert into job (id, kind, lane, payload, state) values ($1::uuid, $2, $3, $4::jsonb, 'waiting')
     on conflict (kind, md5(payload::text)) where state = 'waiting'
       do update set due_at = least(job.due_at, excluded.due_at)
     returning job.id::text as id`,
    [newId(), kind, LANE_OF[kind], JSON.stringify(payload)],
  )
  return job!.id
}

/**
 * Gives a job that is due, of a kind that this build knows, in a lane where none runs, to a worker for `leaseMs`; `null`
 * where there is none. Answers
 * `null`, too, where another worker was quicker. `only`: no other than these.
 */
export async function claimJob(
  { rows }: Queries,
  worker: string,
  lanes: readonly Lane[],
  leaseMs: number,
  only: readonly string[] | null = null,
): Promise<StoredJob | null> {
  try {
    const [job] = await rows<StoredJob>(
      `update job set state = 'running', attempts = attempts + 1, worker = $1, started_at = clock_timestamp(),
         lease_until = clock_timestamp() + $3 * interval '1 millisecond', progress = null, error = null
       where id = (
         select id from job as next
         where state = 'waiting' and due_at <= clock_timestamp() and lane = any($2::text[]) and kind = any($5::text[])
           and ($4::text[] is null or id::text = any($4::text[]))
           and not exists (select from job as busy where busy.lane = next.lane and busy.state = 'running')
         order by due_at, id limit 1 for update skip locked
       ) returning ${JOB}`,
      [worker, lanes, leaseMs, only, Object.keys(LANE_OF)],
    )
    return job ?? null
  } catch (error) {
    // Two workers at the same moment, in one lane.
    if ((error as { code?: unknown }).code === '23505') return null
    throw error
  }
}

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
    `update job set state = 'done', finished_at = clock_timestamp(), lease_until = null, result = $3::jsonb
     where ${OF_ATTEMPT} returning id`,
    [id, attempts, JSON.stringify(result ?? null)],
  )
  return ended.length > 0
}

/** Notes which jobs followed from one. */
export async function noteNext({ rows }: Queries, id: string, next: readonly string[]): Promise<void> {
  await rows('update job set next = $2::jsonb where id = $1::uuid', [id, JSON.stringify(next)])
}

/** Gives a job up after a failed attempt; `false` where the attempt was no longer the worker's. */
export async function giveUpJob(
  { rows }: Queries,
  { id, attempts }: Attempt,
  error: JobError,
): Promise<boolean> {
  const ended = await rows(
    `update job set state = 'dead', failures = failures + 1, finished_at = clock_timestamp(), lease_until = null,
       error = $3::jsonb
     where ${OF_ATTEMPT} returning id`,
    [id, attempts, JSON.stringify(error)],
  )
  return ended.length > 0
}

/**
 * Lets a job wait again for `waitMs`, after a failure or, for `null`, because its worker ends; it is cancelled in favour of
 * the same job that was asked for meanwhile. `false` where the attempt was no longer the worker's.
 */
export async function putBackJob(
  { rows }: Queries,
  { id, attempts }: Attempt,
  error: JobError | null,
  waitMs: number,
): Promise<boolean> {
  const ended = await rows(
    `update job set lease_until = null, progress = null,
       due_at = clock_timestamp() + $3 * interval '1 millisecond',
       failures = failures + case when $4::jsonb is null then 0 else 1 end,
       error = coalesce($4::jsonb, error),
       finished_at = case when twin.waits then clock_timestamp() end,
       state = case when twin.waits then 'cancelled' else 'waiting' end
     from (select exists (
       select from job as other join job as mine on mine.id = $1::uuid
       where other.state = 'waiting' and other.kind = mine.kind and other.payload = mine.payload
     ) as waits) as twin where ${OF_ATTEMPT} returning job.id`,
    [id, attempts, waitMs, error && JSON.stringify(error)],
  )
  return ended.length > 0
}

export type RunningJob = Pick<StoredJob, 'id' | 'kind' | 'payload' | 'attempts' | 'failures' | 'worker'> & {
  /** Its lease is over. */
  late: boolean
}

/** Jobs that run. */
export async function runningJobs({ rows }: Queries): Promise<RunningJob[]> {
  return rows(
    `select id::text, kind, payload, attempts, failures, worker, lease_until < clock_timestamp() as late
     from job where state = 'running'`,
  )
}

/** Jobs by id, in no order. */
export async function readJobs({ rows }: Queries, ids: readonly string[]): Promise<StoredJob[]> {
  return rows(`select ${JOB} from job where id::text = any($1::text[])`, [ids])
}

/** What waits and runs, then what ended last. */
export async function listJobs({ rows }: Queries, limit: number): Promise<StoredJob[]> {
  return rows(`select ${JOB} from job order by finished_at desc nulls first, due_at, id limit $1`, [limit])
}

/** How many jobs wait for their first attempt or run, of some kinds. */
export async function countUnfinished({ rows }: Queries, kinds: readonly JobKind[]): Promise<number> {
  const [row] = await rows<{ count: number }>(
    `select count(*) as count from job
     where kind = any($1::text[]) and (state = 'running' or (state = 'waiting' and attempts = 0))`,
    [kinds],
  )
  return row!.count
}

/** Keeps a job that waits or runs from being done; its worker notices at the next renewal. `false` where there is none. */
export async function cancelJob({ rows }: Queries, id: string): Promise<boolean> {
  const ended = await rows(
    `update job set state = 'cancelled', finished_at = clock_timestamp(), lease_until = null
     where id::text = $1 and state in ('waiting', 'running') returning id`,
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
