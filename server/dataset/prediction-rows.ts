import { combinationCount, gameplayOf, type GameplayClass } from '../../domain/gameplay.ts'
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
    randomChance(row.gameplay_class as GameplayClass, race.starters, race.places),
    row.origin,
  ]
}

/**
 * Chance that a combination drawn blindly from the starters wins in a race without a dead heat: winning combinations
 * over all combinations.
 */
export function randomChance(classId: GameplayClass, starters: number, places: number): number {
  const { rule, depth, size } = gameplayOf(classId)
  const all = combinationCount(classId, starters)
  if (all === 0) return 0
  if (rule !== 'among') return 1 / all
  const first = Math.min(depth === 'places' ? places : depth, starters)
  const winning = size === 1 ? first : (first * (first - 1)) / 2
  return winning / all
}
