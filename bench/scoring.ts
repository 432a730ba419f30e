import { readSettings } from '../server/process/env.ts'
import { computeFeatures } from '../server/model/features/compute.ts'
import { learnDay } from '../server/model/features/learn.ts'
import { packState, unpackState } from '../server/model/features/pack.ts'
import { forecastRace } from '../server/scoring/forecast.ts'
import { toDays } from '../server/model/features/history.ts'
import { versionText } from '../server/model/models/model-version.ts'
import { readResults, type PricedRace } from '../server/store/racing/history-store.ts'
import { openDatabase } from '../server/db/open.ts'
import { loadState, loadVersions } from '../server/store/racing/scoring-state-store.ts'

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

function timed(rounds: number, work: () => void): number {
  work()
  return median(
    Array.from({ length: rounds }, () => {
      const started = performance.now()
      work()
      return performance.now() - started
    }),
  )
}

/**
 * Measures the cost of predicting from the saved state: the newest race day of a region whose models are trained, its
 * largest race, and learning from that day; also the cost of loading the state. Milliseconds are specific to this
 * machine; `shareOf…` are ratios within the run.
 */
export async function benchScoring(dataFolder: string, regionId: string, rounds: number): Promise<object> {
  const database = await openDatabase({ ...readSettings(), dataFolder })
  try {
    const version = [...(await loadVersions(database, regionId)).values()].at(-1)
    const results = await readResults(database, regionId, '0001-01-01', '9999-12-31')
    const last = results
      .map(({ date }) => date)
      .toSorted()
      .at(-1)
    if (!version?.fundamental || last === undefined)
      throw new Error(`region ${regionId} has no trained model`)
    const loading = performance.now()
    const state = await loadState(database, regionId, last)
    const loadMs = performance.now() - loading
    if (state === null) throw new Error(`region ${regionId} has no saved state before ${last}`)
    for (const day of toDays(results)) {
      const number = Date.parse(day.date) / 86_400_000
      if (day.date < last && number > (state.day ?? 0)) learnDay(state, day)
    }
    const card = results.filter(({ date }) => date === last)
    const priced = (race: PricedRace): { horseNo: number; winOdds: number }[] =>
      [...race.odds].map(([horseNo, winOdds]) => ({ horseNo, winOdds }))
    const predict = (race: PricedRace): void => {
      forecastRace(version, race, priced(race), computeFeatures(state, race))
    }
    const largest = card.toSorted((a, b) => b.starters.length - a.starters.length)[0]!
    const dayMs = timed(rounds, () => card.forEach(predict))
    const raceMs = timed(rounds, () => predict(largest))
    const featuresMs = timed(rounds, () => card.forEach((race) => computeFeatures(state, race)))
    const packed = packState(state)
    const learning = unpackState(packed)!
    const started = performance.now()
    learnDay(learning, toDays(card)[0]!)
    const learnMs = performance.now() - started
    return {
      day: last,
      races: card.length,
      largestField: largest.starters.length,
      loadMs,
      dayMs,
      raceMs,
      featuresMs,
      learnMs,
      shareOfDayForFeatures: featuresMs / dayMs,
      shareOfDayForLargestRace: raceMs / dayMs,
      modelBytes: versionText(version).length,
      stateBytes: packed.length,
      trees: version.fundamental.trees.length,
    }
  } finally {
    await database.close()
  }
}
