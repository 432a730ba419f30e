/** How much of something may be used at once, and how much comes back a second. */
export interface PaceRule {
  burst: number
  perSecond: number
}

/** A token bucket: `take` answers whether there is one more. `now` in milliseconds. */
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

  /** Nothing was taken lately, so that it need not be remembered. */
  isFull(now: number): boolean {
    const { burst, perSecond } = this.rule
    return this.left + (Math.max(0, now - this.at) / 1000) * perSecond >= burst
  }
}

const MAX_PACES = 50_000

/** One pace for each key, forgotten when it is full again. */
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

/** Counts what is open by key, in the moment that it opens. */
export class OpenCount {
  private readonly counts = new Map<string, number>()

  /** Takes one of `most` places of a key; answers how to give it back, `null` when there is none. */
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
