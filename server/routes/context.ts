import type { FastifyRequest } from 'fastify'
import type { Settings } from '../process/env.ts'
import type { Language } from '../../domain/languages.ts'
import type { Log } from '../process/log.ts'
import { languageOf } from '../process/messages.ts'
import type { DatasetBucket } from '../dataset/dataset-bucket.ts'
import type { ComingFiles } from '../dataset/coming-files.ts'
import type { FileGuard } from '../dataset/file-guard.ts'
import type { Analytics } from '../analytics/analytics-service.ts'
import type { StripeGateway } from '../gateways/stripe.ts'
import type { Metrics } from '../services/metrics.ts'
import { tokenHash } from '../db/keys.ts'
import type { Origin } from '../services/limits.ts'
import type { Service } from '../services/service.ts'
import type { Country } from '../services/country.ts'
import type { Turns } from '../services/turns.ts'
import { dayIn } from '../../domain/region.ts'
import { readLastRaceDay, readTimeZone } from '../store/racing/race-store.ts'
import type { AnswerCache } from './answer-cache.ts'

/** Dependencies of the routes. */
export interface Context {
  service: Service
  log: Log
  settings: Settings
  /** The bucket through which several machines share dataset files; `null` on a single machine. */
  bucket: DatasetBucket | null
  /** Folder of the built site; `null` to serve only the API. */
  siteFolder: string | null
  country: Country
  /** `null`: no Stripe webhook is accepted. */
  stripe: StripeGateway | null
  metrics: Metrics
  /**
   * Limits the concurrent requests of one customer, so that requests waiting for locks do not take every
   * connection.
   */
  turns: Turns
  cache: AnswerCache
  analytics: Analytics
  coming: ComingFiles
  fileGuard: FileGuard
}

/** The region of calls that name none. */
export const FALLBACK_REGION = '100000'

/** Time zone of a region. */
const zoneOf = ({ cache, service }: Context, regionId: string): Promise<string> =>
  cache.value(
    `zone ${regionId}`,
    async () => (await readTimeZone(service.reader, regionId)) ?? 'Asia/Hong_Kong',
  )

/** The last day with results of a region or, with `null`, of any; today before the first one. */
export const lastRaceDayOf = (context: Context, regionId: string | null): Promise<string> =>
  context.cache.value(
    `last race day ${regionId}`,
    async () =>
      (await readLastRaceDay(context.service.reader, regionId)) ??
      dayIn(await zoneOf(context, regionId ?? FALLBACK_REGION), context.service.now()),
  )

export const languageOfRequest = (request: FastifyRequest): Language =>
  languageOf(request.headers['accept-language'])

/** The token in the header; several are joined, which makes them invalid. */
export const tokenOf = (request: FastifyRequest): string | undefined => {
  const token = request.headers['x-access-token']
  return Array.isArray(token) ? token.join() : token
}

/** The header by which a client names its device: a random text, the same at every visit (`src/data/client/device.ts`). */
const DEVICE_HEADER = 'x-device'
const DEVICE = /^[A-Za-z0-9_-]{43}$/

/** Where a request comes from. A device that names itself in another form does not count. */
export function originOf({ ip, headers }: FastifyRequest): Origin {
  const device = headers[DEVICE_HEADER]
  const isNamed = typeof device === 'string' && DEVICE.test(device)
  return { address: ip, device: isNamed ? tokenHash(device) : null }
}
