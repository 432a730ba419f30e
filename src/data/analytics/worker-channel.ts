import { wrap, type Remote } from 'comlink'
import type { Reply } from '../../../analytics/engine-api.ts'
import { FurlongError } from '../../../domain/errors.ts'
import { engineError } from '../client/errors.ts'

/** A channel to a worker. */
export interface WorkerChannel<Api> {
  api: Remote<Api>
  /** Rejects once the worker crashed or was terminated, because its calls would never settle. */
  ended: Promise<never>
  /** What a call replies. Throws its error, or why the worker ended before it. */
  reply<Value extends object>(call: Promise<Reply<Value>>): Promise<Extract<Reply<Value>, { ok: true }>>
  /** Terminates the worker and rejects every pending call. */
  end(reason: FurlongError): void
}

/** Opens a channel to a worker; if the worker crashes, the channel ends with `engine-lost`. */
export function openChannel<Api>(worker: Worker): WorkerChannel<Api> {
  let reject: (reason: FurlongError) => void = () => {}
  const ended = new Promise<never>((_, fail) => (reject = fail))
  // Pending calls receive the rejection; it must not be reported as unhandled if there are none.
  ended.catch(() => undefined)
  const end = (reason: FurlongError): void => {
    worker.terminate()
    reject(reason)
  }
  worker.addEventListener('error', () => end(new FurlongError('engine-lost')))
  return {
    api: wrap<Api>(worker),
    ended,
    reply: async (call) => {
      const reply = await Promise.race([call, ended])
      if (!reply.ok) throw engineError(reply.error)
      return reply
    },
    end,
  }
}
