import { combinationCount, gameplayOf, type GameplayClass } from '../../domain/gameplay.ts'
import { isHit, type RaceOutcome } from '../../domain/settlement.ts'
import type { SettledRace, SettledRow } from '../store/dataset-store.ts'
import type { Row } from './duckdb-file.ts'

/** A settled prediction as a row of the dataset's `prediction` table. */
export function predictionRow(row: SettledRow, race: SettledRace): Row {
  const horses = row.combination.split('-').map(Number)
  return [
    row.race_key,
    race.date,
    race.stadiumKey,
    race.raceNo,
    row.gameplay_class,
    row.model_key,
    row.rank,
    horses[0]!,
    horses[1] ?? null,
    horses[2] ?? null,
    horses[3] ?? null,
    row.probability,
    row.selected,
    row.cautious,
    row.upset_guard,
    row.outcome,
    row.profit_cents,
    row.odds,
    row.odds_paid,
    chanceOf(row.gameplay_class as GameplayClass, race),
    row.origin,
  ]
}

/** Chances of a race by bet type: they are the same for every prediction of it. */
const chances = new WeakMap<RaceOutcome, Map<GameplayClass, number>>()

/** `null` for a race whose places contradict each other. */
function chanceOf(classId: GameplayClass, { outcome }: SettledRace): number | null {
  if (outcome === null) return null
  const known = chances.get(outcome) ?? new Map<GameplayClass, number>()
  chances.set(outcome, known)
  const chance = known.get(classId) ?? randomChance(classId, outcome)
  known.set(classId, chance)
  return chance
}

/**
 * Chance that a combination drawn blindly from the starters wins: winning combinations over all combinations. A dead
 * heat makes several combinations win, and the horses of a coupled entry count as one starter.
 */
export function randomChance(classId: GameplayClass, race: Pick<RaceOutcome, 'finish' | 'places'>): number {
  const all = combinationCount(classId, race.finish.starters)
  if (all === 0) return 0
  const { rule, depth, size } = gameplayOf(classId)
  const candidates = race.finish.among(
    rule === 'among' && depth !== 'places' ? depth : Math.max(size, race.places),
  )
  let winning = 0
  for (const horses of choices(candidates, size, rule === 'order')) {
    if (isHit(classId, horses, race)) winning += 1
  }
  return winning / all
}

/** Every choice of `size` of the items: in every order, or each set once. */
function* choices(items: readonly number[], size: number, ordered: boolean): Generator<number[]> {
  if (size === 0) {
    yield []
    return
  }
  for (const [index, item] of items.entries()) {
    const rest = ordered ? items.toSpliced(index, 1) : items.slice(index + 1)
    for (const others of choices(rest, size - 1, ordered)) yield [item, ...others]
  }
}
