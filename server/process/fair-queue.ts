import { FurlongError, type ErrorCode } from '../../domain/errors.ts'

/** For whom a task is, from the widest group to the one who asks: `['visitors', '203.0.113', '203.0.113.7']`. */
export type Share = readonly [string, ...string[]]

export interface QueueLimits {
  /** How many tasks run at the same time. */
  running: number
  /** How many tasks of all shares wait. */
  waiting: number
  /** How many tasks of one share wait. */
  waitingOfOne: number
  /** How long a task waits, in milliseconds. */
  waitMs: number
  /** What a share gets that has too many tasks waiting, with the seconds after which to try again. */
  refusal: Extract<ErrorCode, 'too-many-questions' | 'too-many' | 'busy'>
}

interface Task {
  leaf: Group
  /** Expected work in milliseconds. */
  cost: number
  start(): void
  refuse(error: FurlongError): void
}

/** A group of shares, or a share, which has tasks. */
class Group {
  readonly parent: Group | null
  readonly children = new Map<string, Group>()
  readonly tasks: Task[] = []
  /** Tasks below that wait, and that run. */
  waiting = 0
  running = 0
  /** The work that it was given, on the scale of its siblings. */
  used = 0
  /** What the child that had the last turn had used before: a child that comes back starts from here. */
  floor = 0

  constructor(parent: Group | null) {
    this.parent = parent
  }

  child(name: string): Group {
    const known = this.children.get(name)
    if (known) return known
    if (this.children.size >= MAX_CHILDREN)
      for (const [each, { waiting, running }] of this.children)
        if (waiting + running === 0) this.children.delete(each)
    const made = new Group(this)
    this.children.set(name, made)
    return made
  }

  /** The group and those around it. */
  *path(): Generator<Group> {
    yield this
    if (this.parent) yield* this.parent.path()
  }

  /** The child with waiting tasks that comes first. */
  childBy(before: (one: Group, other: Group) => boolean): Group | null {
    let found: Group | null = null
    for (const child of this.children.values())
      if (child.waiting > 0 && (found === null || before(child, found))) found = child
    return found
  }
}

/** Groups that neither wait nor run are forgotten once a group has this many. */
const MAX_CHILDREN = 1000
const LONGEST_PAUSE_SECONDS = 30

/**
 * Gives every share its turn. Of several shares that wait, the one that has been given the least work comes next, within
 * every group; so whoever asks much or asks for expensive work waits for himself. One that was away does not catch
 * up on what it did not use. If too many tasks wait, the last one of the largest share is refused, not the newcomer.
 */
export class FairQueue {
  readonly #limits: QueueLimits
  #root = new Group(null)
  #waitingCost = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Shares and groups on the highest level that are known: those that wait or run, and some that did. */
  get size(): number {
    return this.#root.children.size
  }

  /**
   * Runs `work` when it is its turn. `cost`: the expected work in milliseconds; what it took replaces it. An aborted
   * `signal` takes a waiting task out of the queue. Throws the refusal of the limits, `busy` after a wait that was too
   * long, both with the seconds after which to try again, and `query-cancelled`.
   */
  async run<Result>(
    share: Share,
    cost: number,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const leaf = await this.#turn(share, cost, signal)
    const started = performance.now()
    try {
      return await work()
    } finally {
      const took = performance.now() - started
      for (const group of leaf.path()) {
        group.running -= 1
        group.used += took - cost
      }
      this.#continue()
    }
  }

  /** Waits for a turn. Returns the share that has it. */
  #turn(share: Share, cost: number, signal: AbortSignal | undefined): Promise<Group> {
    if (signal?.aborted) return Promise.reject(new FurlongError('query-cancelled'))
    return new Promise((resolve, reject) => {
      const leaf = share.reduce((group, name) => group.child(name), this.#root)
      const refuse = (error: FurlongError): void => {
        settle()
        reject(error)
      }
      const task: Task = {
        leaf,
        cost,
        start: () => {
          settle()
          resolve(leaf)
        },
        refuse,
      }
      const leave = (error: FurlongError): void => {
        this.#remove(task)
        refuse(error)
        this.#continue()
      }
      const abort = (): void => leave(new FurlongError('query-cancelled'))
      const late = setTimeout(
        () => leave(new FurlongError('busy', { seconds: this.#pause() })),
        this.#limits.waitMs,
      )
      const settle = (): void => {
        clearTimeout(late)
        signal?.removeEventListener('abort', abort)
      }
      signal?.addEventListener('abort', abort)
      this.#add(task)
      this.#continue()
      if (leaf.tasks.length > this.#limits.waitingOfOne) this.#refuseLast(leaf)
      else if (this.#root.waiting > this.#limits.waiting) this.#refuseLast(this.#largest())
    })
  }

  #add(task: Task): void {
    for (const group of task.leaf.path()) {
      if (group.waiting + group.running === 0 && group.parent)
        group.used = Math.max(group.used, group.parent.floor)
      group.waiting += 1
    }
    task.leaf.tasks.push(task)
    this.#waitingCost += task.cost
  }

  #remove(task: Task): void {
    task.leaf.tasks.splice(task.leaf.tasks.indexOf(task), 1)
    for (const group of task.leaf.path()) group.waiting -= 1
    this.#waitingCost -= task.cost
  }

  /** Starts what may run. */
  #continue(): void {
    while (this.#root.waiting > 0 && this.#root.running < this.#limits.running) {
      const task = this.#next()
      this.#remove(task)
      for (const group of task.leaf.path()) {
        if (group.parent) group.parent.floor = Math.max(group.parent.floor, group.used)
        group.used += task.cost
        group.running += 1
      }
      task.start()
    }
    // Nobody owes anything once everybody has had what he asked for.
    if (this.#root.waiting + this.#root.running === 0) this.#root = new Group(null)
  }

  #next(): Task {
    let group = this.#root
    for (;;) {
      const child = group.childBy((one, other) => one.used < other.used)
      if (child === null) return group.tasks[0]!
      group = child
    }
  }

  /** The share with the most waiting tasks, in the group with the most. */
  #largest(): Group {
    let group = this.#root
    for (;;) {
      const child = group.childBy((one, other) => one.waiting > other.waiting)
      if (child === null) return group
      group = child
    }
  }

  #refuseLast(leaf: Group): void {
    const task = leaf.tasks.at(-1)!
    this.#remove(task)
    task.refuse(new FurlongError(this.#limits.refusal, { seconds: this.#pause() }))
  }

  /** Seconds in which what waits now will have been done, as far as is known. */
  #pause(): number {
    const seconds = Math.ceil(this.#waitingCost / this.#limits.running / 1000)
    return Math.min(LONGEST_PAUSE_SECONDS, Math.max(1, seconds))
  }
}
