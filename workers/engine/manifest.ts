import { MANIFEST_CACHE, MANIFEST_PATH } from '../../contract/dataset-paths.ts'
import { DATASET_SCHEMA, Manifest } from '../../contract/dataset.ts'
import { FurlongError } from '../../domain/errors.ts'

/**
 * The site's manifest, or that of the last visit if there is no connection. Throws `offline` without either,
 * `dataset-version` if it belongs to another build, `dataset-unavailable`.
 */
export async function fetchManifest(baseUrl: string): Promise<{ manifest: Manifest; offline: boolean }> {
  const url = new URL(MANIFEST_PATH, baseUrl).href
  const cache = await caches.open(MANIFEST_CACHE).catch(() => null)
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
  const parsed = Manifest.safeParse(await response.json().catch(() => null))
  if (!parsed.success) throw new FurlongError('dataset-unavailable', { status: 'manifest' })
  if (parsed.data.schema !== DATASET_SCHEMA) {
    throw new FurlongError('dataset-version', { found: parsed.data.schema, known: DATASET_SCHEMA })
  }
  return { manifest: parsed.data, offline }
}
