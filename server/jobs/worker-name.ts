import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Identifies the scope of process ids: a boot of a machine, and the container in it. */
function machine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const identity = `${boot} ${readlinkSync('/proc/self/ns/pid')} ${hostname()}`
    return createHash('sha256').update(identity).digest('hex').slice(0, 16)
  } catch {
    // On other systems, only an expired lease shows that a worker is gone.
    return `other-${randomBytes(8).toString('hex')}`
  }
}

const MACHINE = machine()

/** Start time of a process on this machine, in kernel ticks; `null` if it no longer runs. */
function startOf(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name, in parentheses, may contain spaces.
    const [state, ...rest] = fields.slice(fields.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? null : rest[18]!
  } catch {
    return null
  }
}

/** A name for a new worker: its machine, process id, process start time, and a random suffix. */
export const newWorkerName = (): string =>
  [MACHINE, process.pid, startOf(process.pid), randomBytes(4).toString('hex')].join('/')

/** Whether a worker has certainly ended: it was on this machine, and its process no longer runs. */
export function hasEnded(worker: string | null): boolean {
  const [its, pid, start] = (worker ?? '').split('/')
  return its === MACHINE && startOf(Number(pid)) !== start
}
