import { availableParallelism } from 'node:os'
import { inThreads } from '../process/threads.ts'
import type { NetworkShape } from '../model/models/network.ts'
import { trainNetwork, type NetworkRaces, type NetworkSettings } from '../model/models/network-training.ts'

/** What a thread trains: a network from each seed, one after another. */
export interface NetworkTask {
  shape: NetworkShape
  races: NetworkRaces
  settings: NetworkSettings
  seeds: readonly number[]
}

/** What a thread is given. */
export interface NetworkWork {
  networks: NetworkTask
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
  const taskOf = (own: number[]): NetworkTask => ({ shape, races, settings, seeds: own })
  return inThreads(
    seeds,
    threads,
    (own) => trainAll(taskOf(own)),
    'training-thread',
    (own): NetworkWork => ({ networks: taskOf(own) }),
  )
}

/** Trains the networks of a task in this thread. */
export async function trainAll({ shape, races, settings, seeds }: NetworkTask): Promise<Float64Array[]> {
  const networks: Float64Array[] = []
  for (const seed of seeds) networks.push(await trainNetwork(shape, races, settings, seed))
  return networks
}
