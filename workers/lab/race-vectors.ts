import { tableFromIPC } from 'apache-arrow'
import type { RowsPage } from '../../analytics/engine-api.ts'
import type { RaceVector } from '../../domain/own-bet-chances.ts'

interface Growing {
  numbers: number[]
  model: number[]
  market: number[]
}

/** Probabilities are stored in single precision, so the sum over a race is 1 only to about six digits. */
const TOLERANCE = 1e-3

/** Every starter's win probabilities by race, collected from pages of rows. */
export class RaceVectors {
  private readonly races = new Map<string, Growing>()

  /** Adds rows with `race_id`, `horse_no`, `probability` and `market_probability`; returns how many there were. */
  add({ bytes }: RowsPage): number {
    const table = tableFromIPC(bytes)
    const [raceId, horseNo, model, market] = ['race_id', 'horse_no', 'probability', 'market_probability'].map(
      (name) => table.getChild(name)!,
    )
    for (let row = 0; row < table.numRows; row += 1) {
      const id = String(raceId!.get(row))
      const race = this.races.get(id) ?? { numbers: [], model: [], market: [] }
      this.races.set(id, race)
      race.numbers.push(Number(horseNo!.get(row)))
      race.model.push(Number(model!.get(row)))
      const priced: unknown = market!.get(row)
      race.market.push(typeof priced === 'number' ? priced : Number.NaN)
    }
    return table.numRows
  }

  /** The vectors of races in which every starter has a probability. */
  whole(): Map<string, RaceVector> {
    return new Map(
      [...this.races].flatMap(([id, { numbers, model, market }]): [string, RaceVector][] => {
        const scaled = normalized(model)
        return scaled === null ? [] : [[id, { numbers, model: scaled, market: normalized(market) }]]
      }),
    )
  }
}

/** Probabilities that sum to exactly 1; `null` if any is unknown or not above 0, or if horses are missing. */
function normalized(probabilities: readonly number[]): number[] | null {
  const sum = probabilities.reduce((total, each) => total + each, 0)
  if (!probabilities.every((each) => each > 0) || !(Math.abs(sum - 1) < TOLERANCE)) return null
  return probabilities.map((each) => each / sum)
}
