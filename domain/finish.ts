import { FurlongError } from './errors.ts'

/** One runner of a finished race. */
export interface Finisher {
  horseNo: number
  started: boolean
  /** Official place, shared in a dead heat (1, 1, 3 …); `null` for a starter without one. */
  place: number | null
}

/** The finishing positions that a horse may hold: `first` to `last`, one and the same unless it dead-heated. */
interface Span {
  first: number
  last: number
}

/**
 * A race's finishing order with its dead heats: which horse can stand at which position.
 *
 * A dead heat counts for every finishing order that it allows (decisions section 2). Places count as in results:
 * two firsts are followed by a third. Throws `bad-finish` where places overlap (1, 1, 2) or a horse comes twice.
 */
export class Finish {
  private readonly spans = new Map<number, Span>()
  private readonly absent = new Set<number>()
  /** Starters, placed or not. */
  readonly starters: number

  constructor(finishers: readonly Finisher[]) {
    const byPlace = new Map<number, number[]>()
    let starters = 0
    const seen = new Set<number>()
    for (const { horseNo, started, place } of finishers) {
      if (seen.has(horseNo)) throw new FurlongError('bad-finish', { horse: horseNo })
      seen.add(horseNo)
      if (!started) {
        this.absent.add(horseNo)
        continue
      }
      starters += 1
      if (place !== null) byPlace.set(place, [...(byPlace.get(place) ?? []), horseNo])
    }
    this.starters = starters
    let taken = 0
    for (const [place, horses] of [...byPlace].toSorted(([a], [b]) => a - b)) {
      if (place <= taken) throw new FurlongError('bad-finish', { place })
      taken = place + horses.length - 1
      for (const horse of horses) this.spans.set(horse, { first: place, last: taken })
    }
  }

  /** Whether the horse was withdrawn or was never declared. */
  didNotStart(horseNo: number): boolean {
    return this.absent.has(horseNo)
  }

  /** Some allowed order has these horses at positions 1, 2, … in this order. */
  allowsOrder(horses: readonly number[]): boolean {
    return horses.every((horse, index) => {
      const span = this.spans.get(horse)
      return span !== undefined && span.first <= index + 1 && index + 1 <= span.last
    })
  }

  /** Some allowed order has exactly these horses as the first ones. */
  allowsSet(horses: readonly number[]): boolean {
    const depth = horses.length
    if (!this.allowsAmong(horses, depth)) return false
    for (const [horse, span] of this.spans) {
      if (span.last <= depth && !horses.includes(horse)) return false
    }
    return true
  }

  /** Some allowed order has all these horses among the first `depth`. */
  allowsAmong(horses: readonly number[], depth: number): boolean {
    const wanted = new Map<number, number>()
    for (const horse of horses) {
      const span = this.spans.get(horse)
      if (span === undefined || span.first > depth) return false
      wanted.set(span.first, (wanted.get(span.first) ?? 0) + 1)
    }
    // A tie that straddles `depth` offers only its positions up to there.
    return [...wanted].every(([first, count]) => count <= depth - first + 1)
  }
}
