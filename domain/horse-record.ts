import { groupBy } from './group-by.ts'
import { rankOf } from './horse-hit.ts'

/** A run that a horse's record is computed from. */
export interface RecordedRun {
  /** Official place as published: a number, a code, or `null`. */
  place: string | null
  /** `false`: entered, but withdrawn before the start. */
  started: boolean
}

/** How often a horse ran under one condition, and how it finished. */
export interface RecordLine<Key> {
  key: Key
  starts: number
  first: number
  second: number
  third: number
  /** Starts in which the horse was first, and among the first three, over all starts: 0 to 1. */
  winRate: number
  topThreeRate: number
}

/**
 * A horse's record by a condition: one line per value of `keyOf`, ordered by most starts, then by first
 * appearance. Starts that did not finish count; runs without a start, and runs whose key is `null`, do not.
 */
export function recordBy<Run extends RecordedRun, Key>(
  runs: readonly Run[],
  groupOf: (run: Run) => Key | null,
): RecordLine<Key>[] {
  const started = runs.filter((run) => run.started)
  return [...groupBy(started, groupOf)]
    .flatMap(([key, group]) => (key === null ? [] : [lineOf(key, group)]))
    .toSorted((a, b) => b.starts - a.starts)
}

function lineOf<Key>(key: Key, runs: readonly RecordedRun[]): RecordLine<Key> {
  const times = (rank: number): number => runs.filter(({ place }) => rankOf(place ?? '') === rank).length
  const [first, second, third] = [times(1), times(2), times(3)]
  return {
    key,
    starts: runs.length,
    first,
    second,
    third,
    winRate: first / runs.length,
    topThreeRate: (first + second + third) / runs.length,
  }
}

/**
 * Draws are grouped in fours, because one horse rarely starts from the same draw. The last
 * group has no upper bound.
 */
export const DRAW_GROUPS = [
  [1, 4],
  [5, 8],
  [9, 12],
  [13, null],
] as const

/** Index in `DRAW_GROUPS` of a draw from 1; `null` if it is unknown. */
export function drawGroup(draw: number | null): number | null {
  if (draw === null || draw < 1) return null
  return DRAW_GROUPS.findIndex(([, last]) => last === null || draw <= last)
}
