import { normal, seededRandom } from '../../domain/random.ts'
import type { NetworkShape } from '../../server/model/models/network.ts'
import type { NetworkRaces } from '../../server/model/models/network-training.ts'

/** Races of 4 to 9 starters that win by `score`, the places drawn without replacement. */
export function drawnRaces(
  shape: NetworkShape,
  count: number,
  seed: number,
  score: (x: readonly number[], jockey: number) => number,
): NetworkRaces {
  const random = seededRandom(seed)
  const starts = [0]
  const values: number[] = []
  const jockeys: number[] = []
  const trainers: number[] = []
  const places: [number[], number[], number[]] = [[], [], []]
  for (let race = 0; race < count; race += 1) {
    const size = 4 + Math.floor(random() * 6)
    const field = Array.from({ length: size }, (_, row) => {
      const x = Array.from({ length: shape.inputs }, () => normal(random))
      const jockey = Math.floor(random() * shape.jockeys)
      values.push(...x)
      jockeys.push(jockey)
      trainers.push(Math.floor(random() * shape.trainers))
      return { row, weight: Math.exp(score(x, jockey)) }
    })
    for (const place of places) {
      let at = random() * field.reduce((sum, { weight }) => sum + weight, 0)
      const found = field.findIndex(({ weight }) => (at -= weight) < 0)
      place.push(starts.at(-1)! + field.splice(Math.max(0, found), 1)[0]!.row)
    }
    starts.push(starts.at(-1)! + size)
  }
  return {
    starts: Int32Array.from(starts),
    values: Float64Array.from(values),
    jockeys: Int32Array.from(jockeys),
    trainers: Int32Array.from(trainers),
    offset: new Float64Array(starts.at(-1)!),
    places: [Int32Array.from(places[0]), Int32Array.from(places[1]), Int32Array.from(places[2])],
  }
}
