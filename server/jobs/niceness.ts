import { platform, setPriority } from 'node:os'
import type { Lane } from '../drafts/job-kinds.ts'

/**
 * Niceness of the threads of a lane: what takes minutes yields the processor to servers and to new odds. The alerts of a
 * result are hundreds of notifications to encrypt at once, whose readers wait for seconds, not for milliseconds.
 */
const NICENESS_OF: Record<Lane, number> = { heavy: 19, score: 0, build: 10, alerts: 5 }

/**
 * Lowers the priority of the calling thread, and of those that it starts, to that of a lane. On the embedded database
 * (`databaseUrl` is not set) nothing is lowered: requests wait for a job's transaction there, so the job must not wait
 * for requests. Only Linux lowers a single thread, so nothing is done elsewhere.
 */
export function yieldProcessor(lane: Lane, databaseUrl: string | undefined): void {
  if (platform() === 'linux' && databaseUrl && NICENESS_OF[lane] > 0) setPriority(NICENESS_OF[lane])
}
