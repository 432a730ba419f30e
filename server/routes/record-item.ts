import type { RecordItem } from '../../contract/api/racing.ts'
import { gameplayOf, type GameplayClass } from '../../domain/gameplay.ts'
import { centsText } from '../../domain/money.ts'
import type { RecordRow } from '../store/racing/prediction-store.ts'

/** Public id of a prediction: race, bet type and rank. */
export const predictionId = (raceId: string, gameplayClass: number, rank: number): string =>
  `${raceId}-${gameplayClass}-${rank}`

/** A settled prediction in the form returned by the record's calls. */
export function recordItem(row: RecordRow): (typeof RecordItem)['_output'] {
  const { numbersShown } = gameplayOf(row.gameplayClass as GameplayClass)
  const results = row.finish.split(' ').flatMap((entry) => {
    const [place, number] = entry.split(':').map(Number)
    return number !== undefined && place! <= numbersShown ? [number] : []
  })
  return {
    id: predictionId(row.raceId, row.gameplayClass, row.rank),
    raceId: row.raceId,
    date: row.date,
    stadiumName: row.stadiumName,
    stadiumNum: row.stadiumNum,
    round: row.stadiumNum,
    gameplayClass: row.gameplayClass,
    results: results.join('-'),
    predictionResults: row.combination,
    outcome: row.outcome,
    isAccuracy: row.outcome === 'hit' ? 1 : 0,
    probability: row.probability,
    profit: row.profitCents === null ? null : centsText(row.profitCents),
    odds: row.odds,
    oddsPaid: row.oddsPaid,
    origin: row.origin,
  }
}
