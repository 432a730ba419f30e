import type { Reply } from '../analytics/engine-api.ts'
import { asFurlongError } from '../domain/errors.ts'

/**
 * What a worker answers: one of two shapes, for an error that is thrown loses its class on the way out. `readable` puts an
 * engine's reason into the words of whoever asked.
 */
export async function reply<Value extends object>(
  work: () => Promise<Value>,
  readable: (reason: string) => string = (reason) => reason,
): Promise<Reply<Value>> {
  try {
    return { ok: true, ...(await work()) }
  } catch (thrown) {
    const { code, details } = asFurlongError(thrown, 'engine-failed')
    const { reason } = details
    const told = typeof reason === 'string' ? { ...details, reason: readable(reason) } : details
    return { ok: false, error: { code, details: told } }
  }
}
