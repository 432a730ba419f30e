/** What a job needs to know. All of it is JSON, and jobs that wait with the same of it are one job. */
export interface Payloads {
  /** Brings the demonstration to today; nothing where races are imported. */
  demonstration: Followed
  import: {
    format: string
    paths: string[]
    replaceDemonstration: boolean
    train: boolean
    /** The machine that has the files: no other may do it. */
    host: string
  }
  /** Fits the models that are missing. */
  train: Followed
  /** Predicts, locks and settles what changed. */
  score: Record<string, never>
  /** The same, and then the dataset files: races are over. */
  settle: Followed
  /** Builds the dataset files that lag behind. */
  build: Followed
}

interface Followed {
  /** Dataset files are read and compared with their hashes, instead of only being there. */
  verify: boolean
}

export type JobKind = keyof Payloads

/** A job that somebody asks for. */
export type NewJob = { [Kind in JobKind]: { kind: Kind; payload: Payloads[Kind] } }[JobKind]

/** Jobs of one lane never run at the same time, on however many machines; those of different lanes do. */
export const LANES = ['heavy', 'score', 'build'] as const
export type Lane = (typeof LANES)[number]

/** A training takes minutes, and odds are scored within seconds meanwhile. */
export const LANE_OF: Record<JobKind, Lane> = {
  demonstration: 'heavy',
  import: 'heavy',
  train: 'heavy',
  score: 'score',
  settle: 'score',
  build: 'build',
}

export const JOB_KINDS = Object.keys(LANE_OF) as JobKind[]

/** What follows once a job is done; after one that was given up, too, where that needs nothing of it. */
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
      // Races are predicted by the models that there are.
      return { next: [{ kind: 'settle', payload: job.payload }], evenIfDead: true }
    case 'settle':
      return { next: [{ kind: 'build', payload: job.payload }], evenIfDead: false }
    case 'score':
    case 'build':
      return { next: [], evenIfDead: false }
  }
}
