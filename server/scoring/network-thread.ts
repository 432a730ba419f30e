import { getPriority, platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { trainAll, type NetworkTask } from './train-networks.ts'

/** Requests come first, also those of the embedded database: no transaction waits while networks are trained. */
const NICENESS = 10
// Only Linux lowers a single thread.
if (platform() === 'linux') setPriority(Math.max(getPriority(), NICENESS))

parentPort!.postMessage(await trainAll(workerData as NetworkTask))
