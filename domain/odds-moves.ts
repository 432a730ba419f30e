import { movementBetween, moveOf } from './odds-replay.ts'

interface PricedRunner {
  status: 'declared' | 'finished' | 'unfinished' | 'withdrawn'
  odds: number | null
  openingOdds: number | null
}

/** A runner whose odds moved, and its current odds over the first ones, minus 1. */
interface OddsMove<Runner> {
  runner: Runner
  from: number
  to: number
  movement: number
}

/** The runners whose odds shortened or drifted much since the first ones, the largest move first. */
export function oddsMoves<Runner extends PricedRunner>(runners: readonly Runner[]): OddsMove<Runner>[] {
  return runners
    .flatMap((runner) => {
      const { status, odds: to, openingOdds: from } = runner
      if (status === 'withdrawn' || to === null || from === null) return []
      const movement = movementBetween(from, to)!
      return moveOf(movement) === null ? [] : [{ runner, from, to, movement }]
    })
    .toSorted((a, b) => Math.abs(b.movement) - Math.abs(a.movement))
}
