import { createHash } from 'node:crypto'
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
    return `other-${process.pid}-${Date.now()}`
  }
}

const MACHINE = machine()

/** Name of this process as a worker. */
export const workerName = (): string => `${MACHINE}/${process.pid}`

/** Whether a worker has certainly ended: it was on this machine, and its process is there no more. */
export function hasEnded(worker: string | null): boolean {
  const [its, pid] = (worker ?? '').split('/')
  if (its !== MACHINE) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
