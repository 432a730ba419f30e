import type { Signal } from '../../../analytics/connector.ts'
import { isCode, Refused } from '../client/errors.ts'

const MAX_REPEATS = 3
/** After a longer pause the reader decides whether to ask again. */
const LONGEST_PAUSE_SECONDS = 10

/** Seconds after which the server wants to be asked again; `null` if asking again is of no use or is up to the reader. */
function pauseOf(error: unknown): number | null {
  if (!(error instanceof Refused) || !(isCode(error, 'too-many-questions') || isCode(error, 'busy')))
    return null
  const seconds = Number(error.details['seconds'] ?? Number.NaN)
  return seconds > 0 && seconds <= LONGEST_PAUSE_SECONDS ? seconds : null
}

/**
 * Asks again after the pause that a busy server names, and a random part more, so that the pages that were refused
 * together do not come back together. Throws the last refusal; an aborted `signal` ends the pause with it.
 */
export async function repeatWhileBusy<Result>(ask: () => Promise<Result>, signal?: Signal): Promise<Result> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await ask()
    } catch (error) {
      const seconds = pauseOf(error)
      if (seconds === null || repeats === MAX_REPEATS) throw error
      await pause(1000 * seconds * (1 + Math.random() / 2), signal)
      if (signal?.aborted) throw error
    }
  }
}

function pause(milliseconds: number, signal: Signal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted) end()
  })
}
