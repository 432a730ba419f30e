/** Settings of a token bucket: its capacity, and its refill rate per second. */
export interface PaceRule {
  burst: number
  perSecond: number
}

/** A token bucket: `take` uses one token and returns whether there was one. `now` is in milliseconds. */
export class Pace {
  private left: number
  private at: number
  private readonly rule: PaceRule

  constructor(rule: PaceRule, now: number) {
    this.rule = rule
    this.left = rule.burst
    this.at = now
  }

  take(now: number): boolean {
    const { burst, perSecond } = this.rule
    this.left = Math.min(burst, this.left + (Math.max(0, now - this.at) / 1000) * perSecond)
    this.at = now
    if (this.left < 1) return false
    this.left -= 1
    return true
  }

  /** Whether the bucket is full, so that it can be discarded. */
  isFull(now: number): boolean {
    const { burst, perSecond } = this.rule
    return this.left + (Math.max(0, now - this.at) / 1000) * perSecond >= burst
  }
}

const MAX_PACES = 50_000

/** One token bucket per key; full ones are discarded once there are `MAX_PACES`. */
export class Paces {
  private readonly paces = new Map<string, Pace>()
  private readonly rule: PaceRule

  constructor(rule: PaceRule) {
    this.rule = rule
  }

  take(key: string, now: number): boolean {
    if (this.paces.size >= MAX_PACES) {
      for (const [each, pace] of this.paces) if (pace.isFull(now)) this.paces.delete(each)
    }
    const pace = this.paces.get(key) ?? new Pace(this.rule, now)
    this.paces.set(key, pace)
    return pace.take(now)
  }
}

/** Counts open resources by key, at the moment they open. */
export class OpenCount {
  private readonly counts = new Map<string, number>()

  /** Takes one of `most` slots of a key; returns the function that releases it, `null` if no slot is free. */
  take(key: string, most: number): (() => void) | null {
    const count = this.counts.get(key) ?? 0
    if (count >= most) return null
    this.counts.set(key, count + 1)
    let given = false
    return () => {
      if (given) return
      given = true
      const left = this.counts.get(key)! - 1
      if (left === 0) this.counts.delete(key)
      else this.counts.set(key, left)
    }
  }
}
