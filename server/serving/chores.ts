import { loggedError, type Log } from '../process/log.ts'
import { waitFor } from '../process/stop-signal.ts'

/** Work that is repeated while the server runs. */
export interface Chore {
  name: string
  /** Pause between the end of one run and the start of the next; milliseconds. */
  everyMs: number
  /** A run that takes longer is reported; milliseconds. */
  limitMs: number
  run: () => Promise<unknown>
}

export type Chores = ReturnType<typeof startChores>

interface ChoreEffects {
  log: Log
  /** Called after each run. */
  onDone(name: string, ok: boolean, seconds: number): void
}

/**
 * Repeats each chore in a loop of its own: a run that hangs delays no other chore, and its own next run starts only after
 * it has ended, once. Runs of one chore never overlap, so a hanging one is not abandoned: it is reported each time that
 * its limit has passed again.
 */
export function startChores(chores: readonly Chore[], effects: ChoreEffects) {
  const stop = new AbortController()
  const loops = chores.map(async (chore) => {
    for (;;) {
      await waitFor(chore.everyMs, stop.signal)
      if (stop.signal.aborted) return
      await runOnce(chore, effects)
    }
  })
  return {
    /** Starts no more runs, and waits for the running ones. */
    stop: async (): Promise<void> => {
      stop.abort()
      await Promise.all(loops)
    },
  }
}

async function runOnce({ name, limitMs, run }: Chore, { log, onDone }: ChoreEffects): Promise<void> {
  const started = Date.now()
  const seconds = (): number => (Date.now() - started) / 1000
  const overdue = setInterval(
    () => log.error({ chore: name, seconds: seconds() }, `${name} has not ended`),
    limitMs,
  )
  try {
    await run()
    onDone(name, true, seconds())
  } catch (error) {
    onDone(name, false, seconds())
    log.error({ chore: name, ...loggedError(error) }, `${name} failed`)
  } finally {
    clearInterval(overdue)
  }
}
