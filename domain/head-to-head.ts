import { rankOf } from './horse-hit.ts'
import { lengthsOf } from './margin.ts'

/** How a horse finished in a race that both ran in. */
export interface MetRun {
  /** Official place as published: a number, a code, or `null`. */
  place: string | null
  /** Distance behind the winner, as published. */
  margin: string | null
  finishTimeMs: number | null
}

type Ahead = 'first' | 'second' | 'level'

/**
 * Which of two horses finished ahead: the better place, or a place against a code (pulled up, disqualified …). `null` if
 * that is not known: neither has a place, or nothing is known of one.
 */
export function aheadOf(first: MetRun, second: MetRun): Ahead | null {
  const [one, two] = [rankOf(first.place ?? ''), rankOf(second.place ?? '')]
  if (one !== null && two !== null) return one === two ? 'level' : one < two ? 'first' : 'second'
  if (one !== null) return second.place === null ? null : 'first'
  if (two !== null) return first.place === null ? null : 'second'
  return null
}

interface Tally {
  first: number
  second: number
  level: number
}

/** How often each of two horses finished ahead of the other. */
export function tallyOf(races: readonly { run: MetRun; otherRun: MetRun }[]): Tally {
  const tally: Tally = { first: 0, second: 0, level: 0 }
  for (const { run, otherRun } of races) {
    const ahead = aheadOf(run, otherRun)
    if (ahead !== null) tally[ahead] += 1
  }
  return tally
}

/** How far apart two horses finished, as far as it is known. */
interface Distance {
  /** Lengths: the difference of their distances behind the winner. */
  lengths: number | null
  /** The published words of the distance behind the winner, which one of them is, if it is no number of lengths. */
  words: string | null
  milliseconds: number | null
}

const NOWHERE: Distance = { lengths: null, words: null, milliseconds: null }

export function distanceBetween(run: MetRun, otherRun: MetRun): Distance {
  const ahead = aheadOf(run, otherRun)
  if (ahead === null || ahead === 'level') return NOWHERE
  const [front, behind] = ahead === 'first' ? [run, otherRun] : [otherRun, run]
  if (rankOf(behind.place ?? '') === null) return NOWHERE
  const won = rankOf(front.place ?? '') === 1
  const to = lengthsOf(behind.margin)
  return {
    lengths: positive(won ? 0 : lengthsOf(front.margin), to),
    words: won && to === null ? behind.margin : null,
    milliseconds: positive(front.finishTimeMs, behind.finishTimeMs),
  }
}

/** The difference of two values, if it is positive: published places can contradict them after a disqualification. */
const positive = (from: number | null, to: number | null): number | null =>
  from === null || to === null || to <= from ? null : to - from

/**
 * How many pounds less than at their last meeting the first horse carries in relation to the second; negative: more.
 * `null` if one of the weights is unknown.
 */
export function weightShift(
  then: readonly [first: number | null, second: number | null],
  now: readonly [first: number | null, second: number | null],
): number | null {
  const [before, after] = [differenceOf(then), differenceOf(now)]
  return before === null || after === null ? null : before - after
}

const differenceOf = ([first, second]: readonly [number | null, number | null]): number | null =>
  first === null || second === null ? null : first - second
