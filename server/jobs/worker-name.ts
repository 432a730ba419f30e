import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** What process numbers belong to: a boot of a machine, and the container in it. */
function machine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const told = `${boot} ${readlinkSync('/proc/self/ns/pid')} ${hostname()}`
    return createHash('sha256').update(told).digest('hex').slice(0, 16)
  } catch {
    // Elsewhere only the end of its lease tells that a worker is gone.
    return `other-${randomBytes(8).toString('hex')}`
  }
}

const MACHINE = machine()

/** When a process of this machine started, in the kernel's ticks; `null` where it is there no more. */
function startOf(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in brackets, may hold spaces.
    const [state, ...rest] = fields.slice(fields.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? null : rest[18]!
  } catch {
    return null
  }
}

/** A new worker's name: where it is, its process and when that started, and which of its workers it is. */
export const newWorkerName = (): string =>
  [MACHINE, process.pid, startOf(process.pid), randomBytes(4).toString('hex')].join('/')

/** Whether a worker has certainly ended: it was on this machine, and its process is there no more. */
export function hasEnded(worker: string | null): boolean {
  const [its, pid, start] = (worker ?? '').split('/')
  return its === MACHINE && startOf(Number(pid)) !== start
}
