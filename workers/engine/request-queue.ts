import { FurlongError } from '../../domain/errors.ts'
import type { Interrupt } from './run-sql.ts'

/** Runs requests one after another on the engine's one connection; one that waits or runs can be cancelled. */
export class RequestQueue {
  private readonly interrupts = new Map<number, Interrupt>()
  private tail: Promise<unknown> = Promise.resolve()

  /** Runs `work` when its turn comes. Rejects with `query-cancelled` when it was cancelled before. */
  add<Value>(requestId: number, work: (interrupt: Interrupt) => Promise<Value>): Promise<Value> {
    const interrupt: Interrupt = { cancelled: false }
    this.interrupts.set(requestId, interrupt)
    const turn = this.tail.then(async () => {
      try {
        if (interrupt.cancelled) throw new FurlongError('query-cancelled')
        return await work(interrupt)
      } finally {
        this.interrupts.delete(requestId)
      }
    })
    this.tail = turn.catch(() => {})
    return turn
  }

  cancel(requestId: number): void {
    const interrupt = this.interrupts.get(requestId)
    if (interrupt) interrupt.cancelled = true
  }
}
