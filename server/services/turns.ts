import { FurlongError } from '../../domain/errors.ts'

const MAX_RUNNING = 3
const MAX_WAITING = 500

/** Limits how many tasks of one key run at a time; the others wait in order. */
export class Turns {
  private readonly queues = new Map<string, { running: number; waiting: (() => void)[] }>()

  /** Runs `work` when it is its turn. Throws `busy` if too many are waiting already. */
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
      // The next waiting task takes over the slot, so `running` stays unchanged.
      if (next) next()
      else {
        queue.running -= 1
        if (queue.running === 0) this.queues.delete(key)
      }
    }
  }
}
