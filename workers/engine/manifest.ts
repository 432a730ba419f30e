import {
  DATASET_KINDS,
  DATASET_SCHEMA,
  ENTITLEMENTS,
  MANIFEST_CACHE,
  MANIFEST_PATH,
} from '../../contract/dataset-paths.ts'
import type { Manifest } from '../../contract/dataset.ts'
import { MODEL_IDS, ODDS_FREE_MODELS } from '../../contract/model-ids.ts'
import { FurlongError } from '../../domain/errors.ts'
import { openCache } from './file-cache.ts'
import {
  isAbsentOr,
  isFlag,
  isListOf,
  isMatch,
  isNullOr,
  isObjectOf,
  isOneOf,
  isRecordOf,
  isText,
  isWholeNumber,
} from '../channel/guards.ts'

const isRegion = isObjectOf({
  id: isText,
  code: isText,
  nameEn: isText,
  nameHant: isText,
  nameHans: isText,
  timeZone: isText,
  currency: isText,
  seasonStartMonth: isWholeNumber,
  headline: isAbsentOr(isOneOf(ODDS_FREE_MODELS)),
})

const isFile = isObjectOf({
  kind: isOneOf(DATASET_KINDS),
  regionId: isText,
  season: isNullOr(isWholeNumber),
  model: isNullOr(isOneOf(MODEL_IDS)),
  entitlement: isOneOf(ENTITLEMENTS),
  sha256: isMatch(/^[0-9a-f]{64}$/),
  bytes: isWholeNumber,
  rows: isRecordOf(isWholeNumber),
  from: isNullOr(isText),
  to: isNullOr(isText),
})

/** Accepts what the schema `Manifest` of the contract accepts. */
export const isManifest = isObjectOf({
  schema: isWholeNumber,
  asOf: isText,
  demonstration: isFlag,
  regions: isListOf(isRegion),
  files: isListOf(isFile),
}) as (value: unknown) => value is Manifest

/**
 * The site's manifest, or that of the last visit if there is no connection. Throws `offline` without either,
 * `dataset-version` if it belongs to another build, `dataset-unavailable`.
 */
export async function fetchManifest(baseUrl: string): Promise<{ manifest: Manifest; offline: boolean }> {
  const url = new URL(MANIFEST_PATH, baseUrl).href
  const cache = await openCache(MANIFEST_CACHE)
  let response: Response | undefined
  let offline = false
  try {
    response = await fetch(url, { cache: 'no-cache' })
    if (response.ok) await cache?.put(url, response.clone()).catch(() => {})
  } catch {
    response = await cache?.match(url)
    offline = true
    if (!response) throw new FurlongError('offline')
  }
  if (!response.ok) throw new FurlongError('dataset-unavailable', { status: response.status })
  const manifest: unknown = await response.json().catch(() => null)
  if (!isManifest(manifest)) throw new FurlongError('dataset-unavailable', { status: 'manifest' })
  if (manifest.schema !== DATASET_SCHEMA) {
    throw new FurlongError('dataset-version', { found: manifest.schema, known: DATASET_SCHEMA })
  }
  return { manifest, offline }
}
