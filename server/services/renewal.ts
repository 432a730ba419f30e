import { buildUnlessBusy } from '../dataset/build.ts'
import { Forecasters } from '../scoring/forecast.ts'
import { scoreStaleRaces } from '../scoring/score.ts'
import type { Database } from '../store/database.ts'

/** Runs `work` when asked, one run at a time; who asks during a run gets one more run after it. */
export class CoalescedRuns {
  private running: Promise<void> | null = null
  private again = false
  private readonly work: () => Promise<void>

  constructor(work: () => Promise<void>) {
    this.work = work
  }

  /** Ends when a run that began after this call has. Throws what the last run threw. */
  ask(): Promise<void> {
    this.again = true
    this.running ??= this.go()
    return this.running
  }

  private async go(): Promise<void> {
    let failed: { error: unknown } | null = null
    while (this.again) {
      this.again = false
      try {
        await this.work()
        failed = null
      } catch (error) {
        // Whoever asked meanwhile gets his run all the same.
        failed = { error }
      }
    }
    this.running = null
    if (failed !== null) throw failed.error
  }
}

/** What follows when races change while the server runs. */
export interface Renewal {
  /** Predicts and settles the races that changed. */
  score(): Promise<void>
  /** Builds the dataset files that lag behind. */
  build(): Promise<void>
}

interface RenewalOptions {
  now?: () => Date
  /** Called when dataset files were built. */
  onBuilt?: () => void
}

export function renewal(
  database: Database,
  dataFolder: string,
  { now = () => new Date(), onBuilt = () => {} }: RenewalOptions = {},
): Renewal {
  // A race day's odds come every second: what the models know of the past is read once.
  const forecasters = new Forecasters()
  const scoring = new CoalescedRuns(
    async () => void (await scoreStaleRaces(database, undefined, now, forecasters)),
  )
  const building = new CoalescedRuns(async () => {
    if ((await buildUnlessBusy(database, dataFolder, { now: now() })) !== null) onBuilt()
  })
  return { score: () => scoring.ask(), build: () => building.ask() }
}
