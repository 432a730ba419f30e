import { FurlongError } from '../../domain/errors.ts'
import { Finish } from '../../domain/finish.ts'
import { settle, type RaceOutcome } from '../../domain/settlement.ts'
import type { Database } from '../store/database.ts'
import { analyze } from '../store/racing-writer.ts'
import { noteRaceEvents } from '../store/site-store.ts'
import {
  countStale,
  replaceScores,
  staleRaces,
  type RaceToScore,
  type ScoredLine,
} from '../store/scoring-store.ts'
import {
  MARKET_BASELINE,
  predictFromMarket,
  type PredictionLine,
  type PricedRunner,
} from './market-baseline.ts'

const BATCH = 120

export interface ScoreReport {
  races: number
  predictions: number
  /** Races without two priced runners, or abandoned. */
  withoutPrediction: number
  /** Races whose places contradict each other: predicted, never settled. */
  unsettled: string[]
  seconds: number
}

/**
 * Predicts and settles every race whose rows changed, a batch a transaction: a kill loses the batch at work, which is
 * simply done at the next call.
 */
export async function scoreStaleRaces(
  database: Database,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<ScoreReport> {
  const started = Date.now()
  const total = await countStale(database)
  const report: ScoreReport = { races: 0, predictions: 0, withoutPrediction: 0, unsettled: [], seconds: 0 }
  for (;;) {
    const batch = await database.transaction(async (transaction) => {
      const races = await staleRaces(transaction, BATCH)
      const scored = races.map((race) => ({ race, lines: scoreRace(race) }))
      const ids = races.map(({ id }) => id)
      const lines = scored.flatMap((each) => each.lines)
      if (ids.length > 0) {
        await replaceScores(transaction, MARKET_BASELINE, ids, lines)
        const predicted = [...new Set(lines.map(({ raceId }) => raceId))]
        await noteRaceEvents(transaction, 'tip', predicted, new Date())
        await noteRaceEvents(transaction, 'result', ids, new Date())
      }
      return scored
    })
    if (batch.length === 0) break
    for (const { race, lines } of batch) {
      report.predictions += lines.length
      if (lines.length === 0) report.withoutPrediction += 1
      else if (race.status === 'final' && lines[0]!.settled === null) report.unsettled.push(race.id)
    }
    report.races += batch.length
    onProgress(report.races, total)
  }
  if (report.races > 0) await analyze(database, ['race', 'runner', 'dividend', 'prediction', 'settlement'])
  report.seconds = (Date.now() - started) / 1000
  return report
}

/** One race's market line, settled where its result is official. */
export function scoreRace(race: RaceToScore): ScoredLine[] {
  if (race.status === 'abandoned') return []
  const priced = race.runners.flatMap(({ horseNo, winOdds }) =>
    winOdds === null ? [] : [{ horseNo, winOdds }],
  )
  const outcome = race.status === 'final' ? outcomeOf(race) : null
  return linesOf(priced, race.places).map((line) => ({
    ...line,
    raceId: race.id,
    settled: outcome && settle(line.gameplayClass, line.horses, outcome),
  }))
}

/** No line for a field that no line can be made of: one such race must not keep the others from being scored. */
function linesOf(priced: readonly PricedRunner[], places: number): PredictionLine[] {
  try {
    return predictFromMarket(priced, places)
  } catch (error) {
    if (error instanceof FurlongError && error.code === 'bad-field') return []
    throw error
  }
}

function outcomeOf(race: RaceToScore): RaceOutcome | null {
  try {
    return { finish: new Finish(race.runners), places: race.places, dividends: race.dividends }
  } catch (error) {
    if (error instanceof FurlongError && error.code === 'bad-finish') return null
    throw error
  }
}
