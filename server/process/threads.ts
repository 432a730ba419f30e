import { Worker } from 'node:worker_threads'
import { threadCode } from './program.ts'

/**
 * Results of items, in their order, of which up to `threads` threads make a share each. `here` makes the share of this
 * thread; the others run `program` with `dataOf` their share, and answer with one message. A thread that fails ends all.
 */
export async function inThreads<Item, Result>(
  items: readonly Item[],
  threads: number,
  here: (share: Item[]) => Promise<Result[]>,
  program: Parameters<typeof threadCode>[0],
  dataOf: (share: Item[]) => unknown,
): Promise<Result[]> {
  const lanes = Math.max(1, Math.min(threads, items.length))
  const shareOf = (lane: number): Item[] => items.filter((_, index) => index % lanes === lane)
  const others = Array.from({ length: lanes - 1 }, (_, index) =>
    startThread<Result>(program, dataOf(shareOf(index + 1))),
  )
  try {
    // Awaited at once: a thread that fails ends the work without waiting for the others.
    const made = await Promise.all([here(shareOf(0)), ...others.map(({ results }) => results)])
    return items.map((_, index) => made[index % lanes]![Math.floor(index / lanes)]!)
  } finally {
    await Promise.all(others.map(({ thread }) => thread.terminate()))
  }
}

function startThread<Result>(
  program: Parameters<typeof threadCode>[0],
  workerData: unknown,
): { thread: Worker; results: Promise<Result[]> } {
  const thread = new Worker(threadCode(program), { eval: true, workerData })
  const results = new Promise<Result[]>((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('the thread ended')))
  })
  return { thread, results }
}
