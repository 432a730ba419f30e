import type { StageExponents } from '../../domain/harville.ts'
import { firstFour, type PastRace } from '../model/features/history.ts'
import type { Choice } from '../model/models/exponent.ts'

/**
 * The choice of the second among the horses without the winner, and so on, with the logarithms of their win
 * probabilities: the data to which stage exponents are fitted. Races without probabilities, or with a dead
 * heat in the first four places, are omitted. `starts`: index of each race's first row in `chances`.
 */
export function stageChoices(
  races: readonly PastRace[],
  starts: Int32Array,
  chances: Float64Array,
): Record<keyof StageExponents, Choice[]> {
  const stages: ReturnType<typeof stageChoices> = { second: [], third: [], fourth: [] }
  for (const [index, race] of races.entries()) {
    const { starters } = race
    const from = starts[index]!
    if (Number.isNaN(chances[from]!)) continue
    const order = firstFour(race)
    if (order === null) continue
    const gone: number[] = []
    for (const [stage, name] of ([null, 'second', 'third', 'fourth'] as const).entries()) {
      if (name !== null) {
        const rest = starters.flatMap((_, row) => (gone.includes(row) ? [] : [row]))
        stages[name].push({
          logs: rest.map((row) => Math.log(chances[from + row]!)),
          chosen: rest.indexOf(order[stage]!),
        })
      }
      gone.push(order[stage]!)
    }
  }
  return stages
}
