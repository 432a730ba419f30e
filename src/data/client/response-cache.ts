import { queryOptions } from '@tanstack/react-query'
import { call, keyOf, type InputOf, type TypedCall } from './call.ts'
import { onDevice } from '../../storage/stored-text.ts'

/** A response that is stored on the device, across visits and sign-outs (specification section 3). */
interface CachedResponse {
  data: unknown
  /** Seconds for which it counts as fresh. */
  timeout: number
  /** Milliseconds since 1970. */
  createTime: number
}

const TIMEOUT_SECONDS = 1200

function read(key: string): CachedResponse | null {
  const cached = onDevice.readJson(key) as CachedResponse | null
  return typeof cached?.createTime === 'number' ? cached : null
}

function write(key: string, data: unknown): void {
  const cached: CachedResponse = { data, timeout: TIMEOUT_SECONDS, createTime: Date.now() }
  // If storage is full or blocked, the response is fetched again at the next visit.
  onDevice.writeJson(key, cached)
}

/**
 * The stored response while it is fresh, otherwise a new one. Without a connection, a stale
 * response is better than none.
 */
async function cachedResponse<Value>(key: string, fetch: () => Promise<Value>): Promise<Value> {
  const cached = read(key)
  const age = cached === null ? 0 : (Date.now() - cached.createTime) / 1000
  if (cached !== null && age >= 0 && age < cached.timeout) return cached.data as Value
  try {
    const data = await fetch()
    write(key, data)
    return data
  } catch (error) {
    if (cached !== null && !navigator.onLine) return cached.data as Value
    throw error
  }
}

/** Like `queryFor`, for a response that is stored on the device under `key`. */
export const storedQueryFor = <Of extends TypedCall>(
  key: string,
  endpoint: Of,
  input: InputOf<Of>,
  ...scope: readonly string[]
) =>
  queryOptions({
    queryKey: keyOf(endpoint, input, ...scope),
    queryFn: ({ signal }) => cachedResponse(key, () => call(endpoint, input, signal)),
    staleTime: TIMEOUT_SECONDS * 1000,
  })
