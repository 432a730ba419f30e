import { getPriority, platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { ExoticsWork } from './exotics.ts'
import type { NetworkWork } from './train-networks.ts'

/** Requests come first, also those of the embedded database: no transaction waits for a training. */
const NICENESS = 10
// Only Linux lowers a single thread.
if (platform() === 'linux') setPriority(Math.max(getPriority(), NICENESS))

/** A part of a training that a thread of its own does. */
const task = workerData as NetworkWork | ExoticsWork
const work = async (): Promise<readonly unknown[]> =>
  'networks' in task
    ? (await import('./train-networks.ts')).trainAll(task.networks)
    : (await import('./exotics.ts')).judgeAll(task.exotics)

parentPort!.postMessage(await work())
