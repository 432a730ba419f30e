import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { threadCode } from '../process/program.ts'
import type { NetworkShape } from '../model/models/network.ts'
import { trainNetwork, type NetworkRaces, type NetworkSettings } from '../model/models/network-training.ts'

/** What a thread trains: a network from each seed, one after another. */
export interface NetworkTask {
  shape: NetworkShape
  races: NetworkRaces
  settings: NetworkSettings
  seeds: readonly number[]
}

/** Races × epochs of a network below which starting a thread would take longer than it saves. */
const LEAST_WORK = 2000

/**
 * Trains a network from each seed in up to `threads` threads, of which this one is the first. Each network is trained in
 * one thread alone, so the parameters are the same with any number of them. `races.values` is best in shared memory:
 * otherwise each thread has a copy.
 */
export async function trainNetworks(
  { shape, races, settings, seeds }: NetworkTask,
  threads = races.places[0].length * settings.epochs < LEAST_WORK ? 1 : availableParallelism(),
): Promise<Float64Array[]> {
  const lanes = Math.max(1, Math.min(threads, seeds.length))
  const ofLane = (lane: number): number[] => seeds.filter((_, index) => index % lanes === lane)
  const others = Array.from({ length: lanes - 1 }, (_, index) =>
    startThread({ shape, races, settings, seeds: ofLane(index + 1) }),
  )
  try {
    // Awaited at once: a thread that fails ends the training without waiting for the others.
    const trained = await Promise.all([
      trainAll({ shape, races, settings, seeds: ofLane(0) }),
      ...others.map(({ networks }) => networks),
    ])
    return seeds.map((_, index) => trained[index % lanes]![Math.floor(index / lanes)]!)
  } finally {
    await Promise.all(others.map(({ thread }) => thread.terminate()))
  }
}

/** Trains the networks of a task in this thread. */
export async function trainAll({ shape, races, settings, seeds }: NetworkTask): Promise<Float64Array[]> {
  const networks: Float64Array[] = []
  for (const seed of seeds) networks.push(await trainNetwork(shape, races, settings, seed))
  return networks
}

function startThread(task: NetworkTask): { thread: Worker; networks: Promise<Float64Array[]> } {
  const thread = new Worker(threadCode('network-thread'), { eval: true, workerData: task })
  const networks = new Promise<Float64Array[]>((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('the thread ended')))
  })
  return { thread, networks }
}
