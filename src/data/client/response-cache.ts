/** A cached response (specification section 3). */
interface CachedResponse {
  data: unknown
  /** Seconds for which it counts as fresh. */
  timeout: number
  /** Milliseconds since 1970. */
  createTime: number
}

const TIMEOUT_SECONDS = 1200
const memory = new Map<string, CachedResponse>()
/** Keys with this prefix are stored on the device, across visits and sign-outs. */
const LASTING = '_'

function read(key: string): CachedResponse | null {
  if (!key.startsWith(LASTING)) return memory.get(key) ?? null
  try {
    const cached = JSON.parse(localStorage.getItem(key) ?? 'null') as CachedResponse | null
    return cached !== null && typeof cached.createTime === 'number' ? cached : null
  } catch {
    return null
  }
}

function write(key: string, data: unknown): void {
  const cached: CachedResponse = { data, timeout: TIMEOUT_SECONDS, createTime: Date.now() }
  if (!key.startsWith(LASTING)) memory.set(key, cached)
  else {
    try {
      localStorage.setItem(key, JSON.stringify(cached))
    } catch {
      // Storage is full or blocked: the response is fetched again next time.
    }
  }
}

/**
 * The cached response while it is fresh, otherwise a new one. Without a connection, a stale
 * response is better than none.
 */
export async function cachedResponse<Value>(key: string, fetch: () => Promise<Value>): Promise<Value> {
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

/** Discards responses that belong to a session; lasting keys stay. */
export const clearResponses = (): void => memory.clear()
