import { join } from 'node:path'
import { FurlongError } from '../../domain/errors.ts'
import { ComingFiles } from '../dataset/coming-files.ts'
import { analyticsService } from '../analytics/analytics-service.ts'
import { DatasetBucket } from '../dataset/dataset-bucket.ts'
import { datasetFolder, readManifest } from '../dataset/dataset-index.ts'
import { FileGuard } from '../dataset/file-guard.ts'
import type { Settings } from '../process/env.ts'
import { eventLog, makeLog, type Log } from '../process/log.ts'
import { sandboxGateway } from '../gateways/payment.ts'
import { consoleSms, fileSms, httpSms, noSms, TEXTS_FILE, type SmsGateway } from '../gateways/sms.ts'
import { stripeGateway } from '../gateways/stripe.ts'
import { makeMetrics, type Readings } from '../services/metrics.ts'
import { AnswerCache } from '../routes/answer-cache.ts'
import type { Context } from '../routes/context.ts'
import { packagedCountries } from '../services/country.ts'
import { pictureReader } from '../services/picture-reader.ts'
import { readKeys } from '../db/secret.ts'
import type { Service } from '../services/service.ts'
import { Turns } from '../services/turns.ts'
import type { Database } from '../db/database.ts'
import type { Reader } from '../db/standby.ts'
import { readAlertFigures } from '../store/operation/alert-store.ts'
import { readJobFigures } from '../store/operation/job-store.ts'
import { countStale } from '../store/racing/scoring-store.ts'

export interface Effects extends Pick<Service, 'now' | 'keys' | 'sms' | 'siteUrl'> {
  /** Where codes are written if no gateway for texts is configured; by default nowhere. */
  print: (line: string) => void
  /** By default silent. */
  log: Log
  reader: Reader
}

export interface Assembled extends Context {
  /** Waits for background work to finish, then closes helper processes and the bucket. */
  settled(): Promise<void>
}

function smsGateway(
  { sms, mode, dataFolder }: Settings,
  print: Effects['print'],
  now: () => Date,
): SmsGateway {
  if (typeof sms === 'object') return httpSms(sms)
  if (sms === 'off') return noSms
  return mode === 'production' ? fileSms(join(dataFolder, TEXTS_FILE), now) : consoleSms(print)
}

/** Values of the metrics, read when they are requested. */
const readingsOf = ({
  settings,
  database,
  now,
  fileGuard,
  reader,
}: {
  settings: Settings
  database: Database
  now: () => Date
  fileGuard: FileGuard
  reader: Reader | undefined
}): Readings => ({
  damagedFiles: () => fileGuard.damaged,
  staleRaces: () => countStale(database),
  jobs: () => readJobFigures(database),
  alerts: () => readAlertFigures(database, now()),
  datasetAge: () => {
    const asOf = readManifest(settings.dataFolder)?.asOf
    return asOf === undefined ? null : (now().getTime() - Date.parse(asOf)) / 1000
  },
  connections: () => database.connections?.() ?? null,
  standbyLag: reader && (() => reader.lag()),
})

/** Creates the service's parts from the operator's settings; tests and commands can replace effects. */
export function assemble(
  settings: Settings,
  database: Database,
  siteFolder: string | null,
  {
    print = () => {},
    log = makeLog('silent'),
    now = () => new Date(),
    keys = readKeys(settings),
    sms = smsGateway(settings, print, now),
    siteUrl = () => settings.siteUrl ?? '',
    reader,
  }: Partial<Effects> = {},
): Assembled {
  const fileGuard = new FileGuard(settings.dataFolder)
  const metrics = makeMetrics(readingsOf({ settings, database, now, fileGuard, reader }))
  const stripe = settings.stripe ? stripeGateway(settings.stripe) : null
  const bucket = settings.bucket === undefined ? null : new DatasetBucket(settings.bucket)
  const analytics = analyticsService(
    { dataset: datasetFolder(settings.dataFolder), spill: join(settings.dataFolder, 'analytics') },
    settings.analytics,
  )
  const running = new Set<Promise<void>>()
  const service: Service = {
    database,
    reader: reader ?? database,
    now,
    keys,
    sms,
    textsPerHour: settings.textsPerHour,
    pictures: pictureReader(),
    payment: settings.payment === 'off' ? null : settings.payment === 'stripe' ? stripe : sandboxGateway(),
    siteUrl,
    logSecurity: (kind, customerId) => {
      metrics.securityEvents.inc({ kind })
      eventLog(log).warn({ security: kind, customerId }, 'security event')
    },
    runInBackground: (name, work) => {
      const done = work().catch((error: unknown) => {
        metrics.backgroundFailures.inc({ name })
        // The log names only the kind of failure: the message may contain a phone or card number.
        const code = error instanceof FurlongError ? error.code : ((error as Error)?.name ?? 'error')
        log.error({ work: name, code }, `${name} failed`)
      })
      running.add(done)
      void done.finally(() => running.delete(done))
    },
  }
  return {
    service,
    log,
    settings,
    bucket,
    siteFolder,
    country: packagedCountries(),
    stripe,
    metrics,
    turns: new Turns(),
    cache: new AnswerCache(service.reader, now, metrics.cachedAnswer),
    analytics,
    coming: new ComingFiles(database, settings.dataFolder, now),
    fileGuard,
    settled: async () => {
      await Promise.all(running)
      service.pictures.close()
      analytics.close()
      await bucket?.close()
    },
  }
}
