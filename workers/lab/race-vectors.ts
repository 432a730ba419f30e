import { tableFromIPC } from 'apache-arrow'
import type { RowsPage } from '../../analytics/engine-api.ts'
import type { Finisher } from '../../domain/finish.ts'
import type { RaceVector } from '../../domain/own-bet-chances.ts'

interface Growing {
  numbers: number[]
  model: number[]
  market: number[]
  /** That the race pays. */
  places: number
  /** Where the rows have places. */
  finishers: Finisher[]
}

const newRace = (places: number): Growing => ({ numbers: [], model: [], market: [], places, finishers: [] })

/** Probabilities are stored in single precision, so the sum over a race is 1 only to about six digits. */
const TOLERANCE = 1e-3

/** The probabilities of a race's starters, with who finished where if the rows have it. */
export type FinishedVector = RaceVector & Pick<Growing, 'finishers'>

/** Every starter's win probabilities by race, collected from pages of rows. */
export class RaceVectors {
  private readonly races = new Map<string, Growing>()

  /**
   * Adds rows with `race_id`, `horse_no`, `probability`, `market_probability` and `places_paid`, and perhaps `place` and
   * `outcome`; returns how many there were.
   */
  add({ bytes }: RowsPage): number {
    const table = tableFromIPC(bytes)
    const [raceId, horseNo, model, market, places] = [
      'race_id',
      'horse_no',
      'probability',
      'market_probability',
      'places_paid',
    ].map((name) => table.getChild(name)!)
    const [place, outcome] = [table.getChild('place'), table.getChild('outcome')]
    for (let row = 0; row < table.numRows; row += 1) {
      const id = String(raceId!.get(row))
      const race = this.races.get(id) ?? newRace(Number(places!.get(row)))
      this.races.set(id, race)
      race.numbers.push(Number(horseNo!.get(row)))
      race.model.push(Number(model!.get(row)))
      const priced: unknown = market!.get(row)
      race.market.push(typeof priced === 'number' ? priced : Number.NaN)
      if (place === null || outcome === null) continue
      const reached: unknown = place.get(row)
      const known = typeof reached === 'number' ? reached : null
      // A bet on a horse that did not start is void.
      const started = known !== null || outcome.get(row) !== 'void'
      race.finishers.push({ horseNo: race.numbers.at(-1)!, started, place: known })
    }
    return table.numRows
  }

  /** The vectors of races in which every starter has a probability. */
  whole(): Map<string, FinishedVector> {
    return new Map(
      [...this.races].flatMap(
        ([id, { numbers, model, market, places, finishers }]): [string, FinishedVector][] => {
          const scaled = normalized(model)
          return scaled === null
            ? []
            : [[id, { numbers, model: scaled, market: normalized(market), places, finishers }]]
        },
      ),
    )
  }
}

/** Probabilities that sum to exactly 1; `null` if any is unknown or not above 0, or if horses are missing. */
function normalized(probabilities: readonly number[]): number[] | null {
  const sum = probabilities.reduce((total, each) => total + each, 0)
  if (!probabilities.every((each) => each > 0) || !(Math.abs(sum - 1) < TOLERANCE)) return null
  return probabilities.map((each) => each / sum)
}
