import { FurlongError } from '../../domain/errors.ts'

const MAX_RUNNING = 3
const MAX_WAITING = 500

interface Queue {
  running: number
  waiting: (() => void)[]
}

/** Lets a few pieces of work of one key run at a time; the others wait in their order. */
export class Turns {
  private readonly queues = new Map<string, Queue>()

  /** Does `work` when it is its turn. Throws `busy` where too many wait already. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.queues.get(key) ?? { running: 0, waiting: [] }
    this.queues.set(key, queue)
    if (queue.running >= MAX_RUNNING) {
      if (queue.waiting.length >= MAX_WAITING) throw new FurlongError('busy')
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
    } else {
      queue.running += 1
    }
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      // Who waits takes over the turn; `running` stays as it is.
      if (next) next()
      else {
        queue.running -= 1
        if (queue.running === 0) this.queues.delete(key)
      }
    }
  }
}
