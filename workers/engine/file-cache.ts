import type { DatasetFile, Entitlement } from '../../contract/dataset.ts'
import { DATASET_CACHE, datasetPath, ENTITLEMENT_HEADER } from '../../contract/dataset-paths.ts'
import { FurlongError } from '../../domain/errors.ts'

/** Limit of the files stored on the device; the least recently opened are deleted first. */
const QUOTA_BYTES = 300_000_000

export interface FetchOptions {
  baseUrl: string
  token: string | null
  onBytes(bytes: number): void
}

export interface FetchedFile {
  bytes: Uint8Array<ArrayBuffer>
  /** Whether it came over the network. */
  fetched: boolean
  /** Stores a file that came over the network for the next visit; never throws. */
  keep?: () => Promise<void>
}

/**
 * A dataset file's bytes, from the cache if they are there and intact. A file whose content does not
 * match the hash in its name is fetched again, once. Throws `dataset-corrupt`, `vip-needed`,
 * `offline`, `dataset-unavailable`.
 */
export async function datasetBytes(file: DatasetFile, options: FetchOptions): Promise<FetchedFile> {
  const url = new URL(datasetPath(file), options.baseUrl).href
  const cache = await openCache(DATASET_CACHE)
  const hit = await cache?.match(url)
  if (hit) {
    const bytes = new Uint8Array(await hit.arrayBuffer())
    if ((await sha256(bytes)) === file.sha256) {
      options.onBytes(bytes.length)
      return { bytes, fetched: false }
    }
    await cache?.delete(url)
  }
  const fetchIntact = async (mode: 'default' | 'reload'): Promise<Uint8Array<ArrayBuffer> | null> => {
    const bytes = await download(url, file.bytes, options, mode)
    return bytes && (await sha256(bytes)) === file.sha256 ? bytes : null
  }
  // A file that was damaged in transit, or on the server before it was repaired, may still be in
  // the browser's HTTP cache.
  const bytes = (await fetchIntact('default')) ?? (await fetchIntact('reload'))
  if (!bytes) throw new FurlongError('dataset-corrupt', { file: file.sha256.slice(0, 12) })
  // The original is transferred when it is opened, so it is copied now.
  const copy = bytes.slice()
  return { bytes, fetched: true, keep: () => keep(cache, url, copy, file.entitlement) }
}

/** Private windows and full disks have no cache; the engine works without one. */
export async function openCache(name: string): Promise<Cache | null> {
  try {
    return await caches.open(name)
  } catch {
    return null
  }
}

async function keep(
  cache: Cache | null,
  url: string,
  bytes: Uint8Array<ArrayBuffer>,
  entitlement: Entitlement,
): Promise<void> {
  const headers = {
    'content-length': String(bytes.length),
    'content-type': 'application/octet-stream',
    [ENTITLEMENT_HEADER]: entitlement,
  }
  try {
    await cache?.put(url, new Response(bytes, { headers }))
  } catch {
    // A full disk: the file is fetched again at the next visit.
  }
}

/** `size`: the file's size in bytes by the manifest; `null` if it has another. */
async function download(
  url: string,
  size: number,
  { token, onBytes }: FetchOptions,
  cache: 'default' | 'reload',
): Promise<Uint8Array<ArrayBuffer> | null> {
  let response: Response
  try {
    response = await fetch(url, { cache, headers: token === null ? {} : { 'X-Access-Token': token } })
  } catch (error) {
    throw new FurlongError('offline', {}, { cause: error })
  }
  if (response.status === 401 || response.status === 403) throw new FurlongError('vip-needed')
  if (!response.ok || !response.body)
    throw new FurlongError('dataset-unavailable', { status: response.status })
  const bytes = new Uint8Array(size)
  let received = 0
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new FurlongError('offline', {}, { cause: error })
    })
    if (done) break
    if (received + value.length <= size) bytes.set(value, received)
    received += value.length
    onBytes(value.length)
  }
  return received === size ? bytes : null
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Entry of the cache that stores when each file was last opened, by URL. */
const usedUrl = (baseUrl: string): string => new URL('dataset/used.json', baseUrl).href

/**
 * Records which files were opened now, deletes files that are no longer in the manifest, and then the least
 * recently opened ones until the rest is within the quota.
 */
export async function sweepCache(
  baseUrl: string,
  listed: readonly DatasetFile[],
  opened: readonly DatasetFile[],
  quotaBytes: number = QUOTA_BYTES,
): Promise<void> {
  const cache = await openCache(DATASET_CACHE)
  if (!cache) return
  const urlOf = (file: DatasetFile): string => new URL(datasetPath(file), baseUrl).href
  const known = await cache.match(usedUrl(baseUrl))
  const used = (await known?.json().catch(() => ({}))) as Record<string, number> | undefined
  const now = Date.now()
  const lastUsed = new Map(
    Object.entries({ ...used, ...Object.fromEntries(opened.map((file) => [urlOf(file), now])) }),
  )
  const bytesOf = new Map(listed.map((file) => [urlOf(file), file.bytes]))
  const remaining: string[] = []
  for (const { url } of await cache.keys()) {
    if (!url.endsWith('.duckdb')) continue
    if (bytesOf.has(url)) remaining.push(url)
    else await cache.delete(url)
  }
  let total = remaining.reduce((sum, url) => sum + bytesOf.get(url)!, 0)
  for (const url of remaining.toSorted((a, b) => (lastUsed.get(a) ?? 0) - (lastUsed.get(b) ?? 0))) {
    if (total <= quotaBytes) break
    await cache.delete(url)
    lastUsed.delete(url)
    total -= bytesOf.get(url)!
  }
  const remembered = Object.fromEntries([...lastUsed].filter(([url]) => bytesOf.has(url)))
  await cache.put(usedUrl(baseUrl), new Response(JSON.stringify(remembered))).catch(() => {})
}
