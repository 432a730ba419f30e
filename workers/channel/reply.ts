import { transfer } from 'comlink'
import type { Reply } from '../../analytics/engine-api.ts'
import { asFurlongError } from '../../domain/errors.ts'

/**
 * Wraps a worker's result or error as data, because a thrown error loses its class when it crosses the
 * channel. `readable` rewrites the engine's error message for the user.
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
    const shownDetails = typeof reason === 'string' ? { ...details, reason: readable(reason) } : details
    return { ok: false, error: { code, details: shownDetails } }
  }
}

/** A reply whose bytes move to the page instead of being copied. */
export const moving = <Value extends object>(
  response: Reply<Value>,
  bytesOf: (value: Value) => Uint8Array<ArrayBuffer>,
): Reply<Value> => (response.ok ? transfer(response, [bytesOf(response).buffer]) : response)
