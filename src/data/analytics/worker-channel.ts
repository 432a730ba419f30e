import { wrap, type Remote } from 'comlink'
import { FurlongError } from '../../../domain/errors.ts'

/** A worker at the other end of a channel. */
export interface WorkerChannel<Api> {
  api: Remote<Api>
  /** Rejects once the worker broke or was ended: its calls would never settle. */
  ended: Promise<never>
  /** Ends the worker, and with it every call that waits. */
  end(reason: FurlongError): void
}

/** The channel to a worker; one that breaks is ended with `engine-lost`. */
export function openChannel<Api>(worker: Worker): WorkerChannel<Api> {
  let reject: (reason: FurlongError) => void = () => {}
  const ended = new Promise<never>((_, fail) => (reject = fail))
  // Whoever waits for a call hears of it; nobody need wait.
  ended.catch(() => undefined)
  const end = (reason: FurlongError): void => {
    worker.terminate()
    reject(reason)
  }
  worker.addEventListener('error', () => end(new FurlongError('engine-lost')))
  return { api: wrap<Api>(worker), ended, end }
}
