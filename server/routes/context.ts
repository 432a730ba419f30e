import type { FastifyRequest } from 'fastify'
import type { Settings } from '../env.ts'
import { languageOf, type Language } from '../messages.ts'
import type { DatasetBucket } from '../dataset/dataset-bucket.ts'
import type { ComingFiles } from '../dataset/coming-file.ts'
import type { Analytics } from '../analytics/analytics-service.ts'
import type { StripeGateway } from '../gateways/stripe.ts'
import type { Metrics } from '../metrics.ts'
import type { Service } from '../services/service.ts'
import type { Country } from '../services/country.ts'
import type { Turns } from '../services/turns.ts'
import type { AnswerCache } from './answer-cache.ts'

/** What every route needs. */
export interface Context {
  service: Service
  dataFolder: string
  /** Where several machines have their dataset files; `null`: this one is alone. */
  bucket: DatasetBucket | null
  /** Folder of the built site; `null` serves the API alone. */
  siteFolder: string | null
  mode: Settings['mode']
  trustProxy: string | undefined
  country: Country
  /** Header in which a CDN tells the country. */
  countryHeader: string
  /** `null`: no webhook of Stripe's is taken. */
  stripe: StripeGateway | null
  metrics: Metrics
  metricsToken: string | undefined
  readsPerMinute: number
  socketsPerAddress: number
  https: boolean
  /** Work of one customer at a time: a few at most, so that one who waits for locks does not take every connection. */
  turns: Turns
  cache: AnswerCache
  analytics: Analytics
  coming: ComingFiles
}

export const languageOfRequest = (request: FastifyRequest): Language =>
  languageOf(request.headers['accept-language'])

/** The header's token; more than one counts as none that is good. */
export const tokenOf = (request: FastifyRequest): string | undefined => {
  const token = request.headers['x-access-token']
  return Array.isArray(token) ? token.join() : token
}
