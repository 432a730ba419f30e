/**
 * Pauses between attempts, with full jitter: each is random between nothing and a limit that starts at `firstMs` and
 * doubles with every attempt up to `longestMs`. Otherwise all the pages that a restarted server has lost would come
 * back at the same instants.
 */
export function createBackoff(firstMs: number, longestMs: number) {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = (): void => clearTimeout(timer)
  return {
    /** Runs once after the next pause, instead of what is still waiting. */
    schedule: (run: () => void): void => {
      cancel()
      const limit = Math.min(longestMs, firstMs * 2 ** failures)
      failures += 1
      timer = setTimeout(run, Math.random() * limit)
    },
    /** Discards what is waiting. */
    cancel,
    /** The next pause is chosen as after the first failure. */
    reset: (): void => {
      failures = 0
    },
  }
}
