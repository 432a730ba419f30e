/** An answer that is kept (specification section 3). */
interface Kept {
  data: unknown
  /** Seconds that it counts as new. */
  timeout: number
  /** Milliseconds since 1970. */
  createTime: number
}

const TIMEOUT_SECONDS = 1200
const memory = new Map<string, Kept>()
/** Keys that begin so are kept on the device, over visits and sign-outs. */
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
      // A full device keeps nothing more; the answer itself is here.
      memory.set(key, kept)
    }
  }
}

/** The answer kept under a key while it is new, else a fresh one; an old one rather than none without a connection. */
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

/** Forgets what belongs to a sign-in; lasting keys stay. */
export const forgetAnswers = (): void => memory.clear()
