import { PRIORITIES, type Priority } from '../../analytics/connector.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { Interrupt } from './run-sql.ts'

/**
 * How long a request that is not interactive waits, so that other requests of the same click can go first.
 */
const GATHER_MS = 6

interface Task {
  priority: Priority
  /** The requests that wait for this task, by id. */
  waiting: Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>
  key: string | null
  interrupt: Interrupt
  work(interrupt: Interrupt): Promise<unknown>
}

/**
 * Runs tasks one after another on the engine's only connection: interactive before visible before idle, each
 * priority in order of arrival. Tasks with the same key are merged. A waiting or running request can be
 * cancelled; its task stops once no request waits for it. While a gesture is followed, only interactive tasks begin.
 */
export class Scheduler {
  private readonly queue: Task[] = []
  private running: Task | null = null
  /** Until then only interactive tasks begin. */
  private heldUntil = 0
  private wake: ReturnType<typeof setTimeout> | undefined

  add<Value>(
    requestId: number,
    priority: Priority,
    key: string | null,
    work: (interrupt: Interrupt) => Promise<Value>,
  ): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const waiter = { resolve: resolve as (value: unknown) => void, reject }
      const same = key === null ? undefined : this.find(key)
      if (same) {
        same.waiting.set(requestId, waiter)
        if (PRIORITIES.indexOf(priority) < PRIORITIES.indexOf(same.priority)) same.priority = priority
        return
      }
      this.queue.push({
        priority,
        waiting: new Map([[requestId, waiter]]),
        key,
        interrupt: { cancelled: false },
        work,
      })
      if (this.running) return
      // Requests of one click arrive as separate messages, and a later one may be more urgent.
      if (priority === 'interactive') void this.next()
      else setTimeout(() => void (this.running ?? this.next()), GATHER_MS)
    })
  }

  /**
   * Begins no task that is not interactive for so long: a position of a brush comes in the next frame, and would wait for it,
   * as would the page, for the processor.
   */
  hold(milliseconds: number): void {
    this.heldUntil = performance.now() + milliseconds
  }

  /** Ends what `hold` began: the gesture is over. */
  release(): void {
    this.heldUntil = 0
  }

  /** The request rejects with `query-cancelled`. */
  cancel(requestId: number): void {
    for (const task of [...this.queue, ...(this.running ? [this.running] : [])]) {
      const waiter = task.waiting.get(requestId)
      if (!waiter) continue
      task.waiting.delete(requestId)
      waiter.reject(new FurlongError('query-cancelled'))
      if (task.waiting.size > 0) return
      task.interrupt.cancelled = true
      const at = this.queue.indexOf(task)
      if (at >= 0) this.queue.splice(at, 1)
    }
  }

  private find(key: string): Task | undefined {
    if (this.running?.key === key && !this.running.interrupt.cancelled) return this.running
    return this.queue.find((task) => task.key === key)
  }

  private async next(): Promise<void> {
    for (;;) {
      const task = PRIORITIES.map((priority) => this.queue.find((each) => each.priority === priority)).find(
        Boolean,
      )
      if (!task) return
      const heldMs = task.priority === 'interactive' ? 0 : this.heldUntil - performance.now()
      if (heldMs > 0) {
        clearTimeout(this.wake)
        this.wake = setTimeout(() => void (this.running ?? this.next()), heldMs)
        return
      }
      this.queue.splice(this.queue.indexOf(task), 1)
      this.running = task
      try {
        const value = await task.work(task.interrupt)
        for (const { resolve } of task.waiting.values()) resolve(value)
      } catch (error) {
        for (const { reject } of task.waiting.values()) reject(error)
      } finally {
        this.running = null
      }
    }
  }
}
