/** Payloads of jobs, as JSON. Waiting jobs of one kind with equal payloads are the same job. */
export interface Payloads {
  /** Brings the demonstration up to today; does nothing if races have been imported. */
  demonstration: Followed
  import: {
    format: string
    paths: string[]
    replaceDemonstration: boolean
    train: boolean
    /** Whether stored runners, dividends and results may be removed. */
    allowRemovals?: boolean
    /** Races that did have the strange result that the files say. */
    confirmed?: string[]
    /** The mapping that `format` is, as it is written in a file. */
    map?: { file: string; text: string }
    /** Host name of the machine with the files: only a worker there may run the job. */
    host: string
  }
  /** Fits the missing models. */
  train: Followed
  /** Predicts, locks and settles races whose data changed. */
  score: Record<string, never>
  /** Like `score`, followed by a build of the dataset files, because races have finished. */
  settle: Followed
  /** Builds outdated dataset files. */
  build: Followed
  /** Delivers the alerts that wait. */
  alerts: Record<string, never>
}

interface Followed {
  /** Whether dataset files are read and compared with their hashes, instead of only checked for existence. */
  verify: boolean
}

export type JobKind = keyof Payloads

/** A job to be enqueued. */
export type NewJob = { [Kind in JobKind]: { kind: Kind; payload: Payloads[Kind] } }[JobKind]

/** Jobs of one lane never run at the same time, on any number of machines; jobs of different lanes may. */
export const LANES = ['heavy', 'score', 'build', 'alerts'] as const
export type Lane = (typeof LANES)[number]

/** Training takes minutes, while new odds must be scored within seconds. */
export const LANE_OF: Record<JobKind, Lane> = {
  demonstration: 'heavy',
  import: 'heavy',
  train: 'heavy',
  score: 'score',
  settle: 'score',
  build: 'build',
  alerts: 'alerts',
}

export const JOB_KINDS = Object.keys(LANE_OF) as JobKind[]

/**
 * The jobs that follow when a job is done; with `evenIfDead` also when it was given up, because they do not
 * need its result.
 */
export function following(job: NewJob): { next: NewJob[]; evenIfDead: boolean } {
  switch (job.kind) {
    case 'demonstration':
      return { next: [{ kind: 'train', payload: { verify: job.payload.verify } }], evenIfDead: true }
    case 'import':
      return {
        next: [{ kind: job.payload.train ? 'train' : 'settle', payload: { verify: true } }],
        evenIfDead: false,
      }
    case 'train':
      // Races are scored with the existing models even if training failed.
      return { next: [{ kind: 'settle', payload: job.payload }], evenIfDead: true }
    case 'settle':
      return { next: [{ kind: 'build', payload: job.payload }], evenIfDead: false }
    case 'score':
    case 'build':
    case 'alerts':
      return { next: [], evenIfDead: false }
  }
}
