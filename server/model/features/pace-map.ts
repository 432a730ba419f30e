import { faded, LEADER, RUNS_IN_THE_MIDDLE, usualEarly } from './look-back.ts'
import type { Run } from './state.ts'

type StyledRun = Pick<Run, 'early'>

/** A starter before its race: its runs of earlier days, newest last. */
export interface PaceStarter {
  horseNo: number
  runs: readonly StyledRun[]
}

/** Where a starter is expected at the first call, relative to the field: 0 in front, 1 behind all others. */
interface ExpectedPosition {
  horseNo: number
  early: number
  /** Where about two of three of its runs are expected. */
  low: number
  high: number
  /** From 1, in front. */
  rank: number
  /** Runs of which the position at the first call is known. */
  runs: number
  leads: boolean
}

export interface PaceMap {
  /** Starters that usually lead. */
  leaders: number
  /** Mean tendency of the field to go forward: 0.5 for horses of which nothing is known, more if they usually lead. */
  pressure: number
  starters: ExpectedPosition[]
}

/** Variance of a position of which nothing is known: every one is equally likely. */
const UNKNOWN_VARIANCE = 1 / 12

/**
 * Where the starters of a race are expected at the first call. Their usual position, and who leads, are those of the model's
 * features (`look-back.ts`); the spread is the weighted variance of their runs, of which as many as shrink the position are
 * added with an unknown one.
 */
export function paceMap(field: readonly PaceStarter[]): PaceMap {
  const expected = field.map(({ horseNo, runs }) => {
    const early = usualEarly(runs)
    const own = runs.filter((run) => run.early !== null)
    const variance = faded(own, (run) => (run.early! - early) ** 2) ?? UNKNOWN_VARIANCE
    const weight = own.length / (own.length + RUNS_IN_THE_MIDDLE)
    const spread = Math.sqrt(weight * variance + (1 - weight) * UNKNOWN_VARIANCE)
    return {
      horseNo,
      early,
      low: Math.max(0, early - spread),
      high: Math.min(1, early + spread),
      runs: own.length,
      leads: early < LEADER,
    }
  })
  return {
    leaders: expected.filter(({ leads }) => leads).length,
    pressure: expected.reduce((sum, { early }) => sum + 1 - early, 0) / Math.max(1, expected.length),
    starters: expected.map((each) => ({
      ...each,
      rank: 1 + expected.filter(({ early }) => early < each.early).length,
    })),
  }
}
