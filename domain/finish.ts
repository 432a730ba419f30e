import { FurlongError } from './errors.ts'

/** One runner of a finished race. */
export interface Finisher {
  horseNo: number
  started: boolean
  /** Official place, shared in a dead heat (1, 1, 3 …); `null` for a starter without one. */
  place: number | null
  /**
   * Number of the betting interest that the runner belongs to, the lowest saddle number of a coupled entry;
   * `null` or absent if it is not coupled.
   */
  entryNo?: number | null
  /** Whether it finished behind the winner in a place that the source does not tell. */
  isBehind?: boolean
}

/**
 * The finishing positions that a betting interest may hold, `first` to `last`; they are
 * equal unless it dead-heated.
 */
interface Span {
  first: number
  last: number
}

/**
 * A race's finishing order with its dead heats: which betting interest can hold which position. A
 * betting interest is a horse, or the horses of a coupled entry, which run as one: its position
 * is that of its best horse.
 *
 * A dead heat counts for every finishing order that it allows (decisions section 2), and for `allowsAmong` each horse has the
 * place that it shares. Places are numbered as in results: two firsts are followed by a third. Throws `bad-finish` if places
 * overlap (1, 1, 2) or a horse is listed twice.
 */
export class Finish {
  private readonly interests = new Map<number, number>()
  /** By official place: decides bets on one of the first places. */
  private readonly places = new Map<number, Span>()
  /**
   * By position among the interests, ignoring the later horses of an entry: decides bets on orders and sets.
   */
  private readonly positions = new Map<number, Span>()
  private readonly absent = new Set<number>()
  /** Number of betting interests that started, placed or not. */
  readonly starters: number
  /** Whether the places behind the winner are known. */
  readonly isOrderKnown: boolean

  constructor(finishers: readonly Finisher[]) {
    const byPlace = new Map<number, number[]>()
    const started = new Set<number>()
    for (const { horseNo, started: ran, place, entryNo } of finishers) {
      if (this.interests.has(horseNo)) throw new FurlongError('bad-finish', { horse: horseNo })
      const interest = entryNo ?? horseNo
      this.interests.set(horseNo, interest)
      if (!ran) continue
      started.add(interest)
      if (place !== null) byPlace.set(place, [...(byPlace.get(place) ?? []), interest])
    }
    this.starters = started.size
    this.isOrderKnown = !finishers.some(({ isBehind }) => isBehind)
    for (const interest of this.interests.values()) if (!started.has(interest)) this.absent.add(interest)
    let taken = 0
    for (const [place, runners] of [...byPlace].toSorted(([a], [b]) => a - b)) {
      if (place <= taken) throw new FurlongError('bad-finish', { place })
      taken = place + runners.length - 1
      const fresh = [...new Set(runners)].filter((interest) => !this.places.has(interest))
      const first = this.positions.size + 1
      for (const interest of fresh) {
        this.places.set(interest, { first: place, last: taken })
        this.positions.set(interest, { first, last: first + fresh.length - 1 })
      }
    }
  }

  /** Betting interests that can be among the first `depth` positions or places, in no particular order. */
  among(depth: number): number[] {
    return [...this.places.keys()].filter(
      (interest) => Math.min(this.places.get(interest)!.first, this.positions.get(interest)!.first) <= depth,
    )
  }

  /** Whether the horse, or every horse of its entry, was withdrawn. */
  didNotStart(horseNo: number): boolean {
    return this.absent.has(this.interestOf(horseNo))
  }

  /** Whether some allowed order has these horses at positions 1, 2, … in this order. */
  allowsOrder(horses: readonly number[]): boolean {
    const interests = this.interestsOf(horses)
    return (
      interests !== null &&
      interests.every((interest, index) => {
        const span = this.positions.get(interest)
        return span !== undefined && span.first <= index + 1 && index + 1 <= span.last
      })
    )
  }

  /** Whether some allowed order has exactly these horses first. */
  allowsSet(horses: readonly number[]): boolean {
    const interests = this.interestsOf(horses)
    const depth = horses.length
    if (interests === null || !fits(this.positions, interests, depth)) return false
    for (const [interest, span] of this.positions) {
      if (span.last <= depth && !interests.includes(interest)) return false
    }
    return true
  }

  /**
   * Whether each of these horses is placed among the first `depth`. Unlike an order or a set, two that share the last of these
   * places are so together: in Hong Kong, quinella place paid on both horses of a dead heat for third in all 27 such races from
   * 2016/17 to 2024/25.
   */
  allowsAmong(horses: readonly number[], depth: number): boolean {
    const interests = this.interestsOf(horses)
    return (
      interests !== null &&
      interests.every((interest) => (this.places.get(interest)?.first ?? Infinity) <= depth)
    )
  }

  private interestOf(horseNo: number): number {
    return this.interests.get(horseNo) ?? horseNo
  }

  /** `null` if two of the horses belong to the same betting interest. */
  private interestsOf(horses: readonly number[]): number[] | null {
    const interests = horses.map((horse) => this.interestOf(horse))
    return new Set(interests).size === interests.length ? interests : null
  }
}

function fits(spans: ReadonlyMap<number, Span>, interests: readonly number[], depth: number): boolean {
  const wanted = new Map<number, number>()
  for (const interest of interests) {
    const span = spans.get(interest)
    if (span === undefined || span.first > depth) return false
    wanted.set(span.first, (wanted.get(span.first) ?? 0) + 1)
  }
  // Of a dead heat across `depth`, only the positions up to `depth` are available.
  return [...wanted].every(([first, count]) => count <= depth - first + 1)
}
