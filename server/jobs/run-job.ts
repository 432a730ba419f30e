import type { Database } from '../db/database.ts'
import { enqueueJob, type Attempt, type ClaimedJob } from '../store/operation/job-store.ts'
import { isHalfWritten } from '../store/operation/pieces-store.ts'
import { countStale } from '../store/racing/scoring-store.ts'
import type { DatasetBucket } from '../dataset/dataset-bucket.ts'
import type { Place } from '../db/open.ts'
import { collectGarbage } from '../process/collect-garbage.ts'
import type { Forecasters } from '../scoring/forecast.ts'
import type { NewJob, Payloads } from '../drafts/job-kinds.ts'

const PASSED_OVER_MS = 5000

/** Dependencies of jobs. */
export interface JobContext {
  database: Database
  /** Without a bucket, dataset files are not published. */
  place: Pick<Place, 'dataFolder' | 'bucket' | 'alerts'>
  now: () => Date
  onProgress: (text: string) => void
}

/** Runs jobs in one thread, caching the models' forecasters from one scoring to the next. */
export class JobRunner {
  private forecasters: Forecasters | undefined
  private bucket: DatasetBucket | undefined
  private readonly context: JobContext

  constructor(context: JobContext) {
    this.context = context
  }

  /** Runs a job. Returns its report as JSON data; throws the error that prevented it. */
  async run(job: ClaimedJob): Promise<unknown> {
    const { database, place, now, onProgress } = this.context
    // Modules are loaded per kind of job: a thread that only scores never loads the dataset engine.
    switch (job.kind) {
      case 'demonstration': {
        const { ensureDemonstration } = await import('../ingest/demo/demonstration.ts')
        onProgress('making the demonstration season')
        return { made: await ensureDemonstration(database, now()) }
      }
      case 'import':
        return this.import(job.payload, job)
      case 'train': {
        // Models would be fitted to half of the data, and kept.
        if (await isHalfWritten(database)) {
          await enqueueJob(database, job, { delayMs: PASSED_OVER_MS })
          return []
        }
        const { trainMissing } = await import('../scoring/train.ts')
        const { measurePaceMaps } = await import('../services/pace-record.ts')
        const trained = await trainMissing(database, (what, done, total) =>
          onProgress(`training, ${what}: ${done} of ${total}`),
        )
        await measurePaceMaps(database, { again: false })
        return trained
      }
      case 'score':
      case 'settle': {
        const { scoreStaleRaces } = await import('../scoring/score.ts')
        const { Forecasters } = await import('../scoring/forecast.ts')
        this.forecasters ??= new Forecasters()
        const report = await scoreStaleRaces(
          database,
          (done, total) => onProgress(`predicting and settling: ${done} of ${total} races`),
          now,
          this.forecasters,
        )
        // Rows locked by another transaction were skipped: an import, a feed batch, or a process that died on
        // another machine. Of a half-written import nothing is scored; it is followed by a build itself.
        if ((await countStale(database)) > 0) {
          const next: NewJob = (await isHalfWritten(database)) ? { kind: 'score', payload: {} } : job
          await enqueueJob(database, next, { delayMs: PASSED_OVER_MS })
        }
        return report
      }
      case 'alerts': {
        const { deliverWaiting } = await import('../alerts/alert-delivery.ts')
        return deliverWaiting(database, place.alerts, now)
      }
      case 'build': {
        const { buildDataset } = await import('../dataset/build.ts')
        onProgress('building dataset files')
        return buildDataset(database, place.dataFolder, now(), {
          verify: job.payload.verify,
          bucket: await this.datasetBucket(),
        })
      }
    }
  }

  private async datasetBucket(): Promise<DatasetBucket | undefined> {
    const { bucket } = this.context.place
    if (bucket === undefined) return undefined
    const { DatasetBucket } = await import('../dataset/dataset-bucket.ts')
    this.bucket ??= new DatasetBucket(bucket)
    return this.bucket
  }

  private async import(
    { format, map, paths, replaceDemonstration, allowRemovals = false, confirmed = [] }: Payloads['import'],
    { id, attempts }: Attempt,
  ): Promise<unknown> {
    const { importFiles, progressText } = await import('../ingest/import.ts')
    const { formatFor } = await import('../ingest/recognise.ts')
    const { why, ...named } = await formatFor(map ?? format, paths)
    if (why !== null) this.context.onProgress(`format ${named.format.name}: ${why}`)
    const report = await importFiles(this.context.database, {
      format: named.format,
      recognised: why,
      paths,
      replaceDemonstration,
      allowRemovals,
      confirmed,
      attempt: { id, attempts },
      onProgress: (progress) => this.context.onProgress(progressText(progress)),
    })
    collectGarbage()
    return report
  }
}
