import { FurlongError } from '../../domain/errors.ts'
import { Finish } from '../../domain/finish.ts'
import { settle, type RaceOutcome } from '../../domain/settlement.ts'
import type { Database } from '../store/database.ts'
import {
  countStale,
  replaceScores,
  staleRaces,
  type RaceToScore,
  type ScoredLine,
} from '../store/scoring-store.ts'
import { MARKET_BASELINE, predictFromMarket } from './market-baseline.ts'

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
    const races = await staleRaces(database, BATCH)
    if (races.length === 0) break
    const lines = races.flatMap((race) => {
      const scored = scoreRace(race)
      if (scored.length === 0) report.withoutPrediction += 1
      else if (race.status === 'final' && scored[0]!.settled === null) report.unsettled.push(race.id)
      return scored
    })
    const ids = races.map(({ id }) => id)
    await database.transaction((transaction) => replaceScores(transaction, MARKET_BASELINE, ids, lines))
    report.races += races.length
    report.predictions += lines.length
    onProgress(report.races, total)
  }
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
  return predictFromMarket(priced, race.places).map((line) => ({
    ...line,
    raceId: race.id,
    settled: outcome && settle(line.gameplayClass, line.horses, outcome),
  }))
}

function outcomeOf(race: RaceToScore): RaceOutcome | null {
  try {
    return { finish: new Finish(race.runners), places: race.places, dividends: race.dividends }
  } catch (error) {
    if (error instanceof FurlongError && error.code === 'bad-finish') return null
    throw error
  }
}
