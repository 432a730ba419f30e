import { spawn, type ChildProcess } from 'node:child_process'
import { eventLog, type Log } from '../process/log.ts'
import { programOf } from '../process/program.ts'
import { waitFor } from '../process/stop-signal.ts'

const PROGRAM = programOf('cli')
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000
/** A process that ran for this long resets the failure count, and with it the delay of the restart. */
const WELL_MS = 30_000
const MAX_FAILURES = 3
const STOP_TIMEOUT_MS = 8000

export type WorkProcess = ReturnType<typeof startWorkProcess>

/** Keeps a `furlong work` process running beside the server, with its settings; restarts it if it ends. */
export function startWorkProcess(log: Log) {
  const stopping = new AbortController()
  const running: { child: ChildProcess | null } = { child: null }
  let failures = 0
  const once = (): Promise<number | null> =>
    new Promise((resolve) => {
      try {
        const mine = spawn(process.execPath, [...PROGRAM.execArgv, PROGRAM.file, 'work'], {
          // The channel closes when the server has ended, for whatever reason. Both write whole lines to one output.
          stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        })
        running.child = mine
        mine.once('error', () => resolve(null))
        mine.once('exit', resolve)
      } catch {
        // There is no memory for another process: retried as if it had ended.
        resolve(null)
      }
    })
  const keep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const started = Date.now()
      const code = await once()
      running.child = null
      if (stopping.signal.aborted) return
      eventLog(log).warn({ exitCode: code }, 'the process that does the jobs ended: another is started')
      failures = Date.now() - started > WELL_MS ? 0 : failures + 1
      await waitFor(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), stopping.signal)
    }
  }
  const supervised = keep()
  return {
    /** Whether it is running or will be restarted soon. */
    isWell: (): boolean => failures < MAX_FAILURES,
    /** Ends it; its running jobs are put back for the next worker. */
    stop: async (): Promise<void> => {
      stopping.abort()
      const mine = running.child
      mine?.kill('SIGTERM')
      const overdue = setTimeout(() => mine?.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await supervised
      clearTimeout(overdue)
    },
  }
}
