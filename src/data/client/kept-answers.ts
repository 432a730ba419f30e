/** A cached response (specification section 3). */
interface Kept {
  data: unknown
  /** Seconds for which it counts as fresh. */
  timeout: number
  /** Milliseconds since 1970. */
  createTime: number
}

const TIMEOUT_SECONDS = 1200
const memory = new Map<string, Kept>()
/** Keys with this prefix are stored on the device, across visits and sign-outs. */
const LASTING = '_'

function read(key: string): Kept | null {
  if (!key.startsWith(LASTING)) return memory.get(key) ?? null
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Kept | null
    return kept !== null && typeof kept.createTime === 'number' ? kept : null
  } catch {
    return null
  }
}

function write(key: string, data: unknown): void {
  const kept: Kept = { data, timeout: TIMEOUT_SECONDS, createTime: Date.now() }
  if (!key.startsWith(LASTING)) memory.set(key, kept)
  else {
    try {
      localStorage.setItem(key, JSON.stringify(kept))
    } catch {
      // Storage is full or blocked: the response is fetched again next time.
    }
  }
}

/**
 * The cached response while it is fresh, otherwise a new one. Without a connection, a stale
 * response is better than none.
 */
export async function keptAnswer<Value>(key: string, fetch: () => Promise<Value>): Promise<Value> {
  const kept = read(key)
  const age = kept === null ? 0 : (Date.now() - kept.createTime) / 1000
  if (kept !== null && age >= 0 && age < kept.timeout) return kept.data as Value
  try {
    const data = await fetch()
    write(key, data)
    return data
  } catch (error) {
    if (kept !== null && !navigator.onLine) return kept.data as Value
    throw error
  }
}

/** Discards responses that belong to a session; lasting keys stay. */
export const forgetAnswers = (): void => memory.clear()
