import { addDays } from '../domain/region.ts'
import type { Database } from '../server/db/database.ts'
import { openBesideAsItIs } from '../server/db/open.ts'
import { Forecaster } from '../server/scoring/forecast.ts'
import { readHistory } from '../server/scoring/train.ts'
import { readResults } from '../server/store/racing/history-store.ts'
import { quantile } from './engine.ts'
import { NETWORK, type NetworkFit } from '../server/scoring/fit-network.ts'
import { FIT } from '../server/scoring/fit-version.ts'
import { pairedGain, raceFigures, summarise } from '../server/scoring/metrics.ts'
import { gatherFeatures, walkSeasons } from '../server/scoring/walk-forward.ts'

export const REGION = '100000'
export const SPANS = { tuning: [2017, 2018, 2019], pooled: [2020, 2021, 2022, 2023, 2024] }

const RACES_OF_DAY = 9
const ROUNDS = 20

/**
 * Milliseconds in which every model's forecasts of the last day with nine races are computed, from the state of the days
 * before it: without reading, writing or locking. `null` without such a day.
 */
async function benchRaceDay(database: Database) {
  const [day] = await database.rows<{ date: string }>(
    `select race_date as date from race where region_id = $1 and status = 'final'
     group by race_date having count(*) >= $2 order by race_date desc limit 1`,
    [REGION, RACES_OF_DAY],
  )
  if (day === undefined) return null
  const all = await readResults(database, REGION, addDays(day.date, -1), day.date)
  const races = all.slice(0, RACES_OF_DAY)
  const forecaster = await Forecaster.open(database, REGION)
  await forecaster.prepare(database, day.date)
  const times: number[] = []
  let models: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now()
    for (const race of races) {
      const priced = race.starters.flatMap(({ horseNo, entryNo = null }) => {
        const winOdds = race.odds.get(horseNo)
        return winOdds === undefined ? [] : [{ horseNo, winOdds, entryNo }]
      })
      models = (await forecaster.forecast(database, race, priced)).map(({ modelId }) => modelId)
    }
    times.push(performance.now() - started)
  }
  // The first round compiles the code and reads the version's parameters.
  return { date: day.date, models, firstMs: times[0]!, medianMs: quantile(times.slice(1), 0.5) }
}

/**
 * R² of both models without odds over the walked-forward Hong Kong seasons of a data folder, the network's gain on the
 * linear model with its interval by meeting, and the processor's seconds. `changes`: settings of the network to try;
 * `lastSeason`: later ones are not read.
 */
export async function benchModels(dataFolder: string, changes: Partial<NetworkFit>, lastSeason: number) {
  const database = await openBesideAsItIs({ dataFolder, databaseUrl: undefined } as never)
  const history = await readHistory(database, REGION)
  const raceDay = await benchRaceDay(database)
  await database.close()
  const results = history.results.filter(({ season }) => season <= lastSeason)
  const formOnly = history.formOnly.filter(({ season }) => season <= lastSeason)
  const gathered = await gatherFeatures({ regionId: REGION, results, formOnly })
  const before = process.cpuUsage()
  const walk = await walkSeasons(
    { regionId: REGION, fit: { ...FIT, network: { ...NETWORK, ...changes } } },
    gathered,
  )
  const { user } = process.cpuUsage(before)
  const r2Of = (model: 'fundamental' | 'network', seasons: readonly number[]) =>
    summarise(raceFigures(walk, model, seasons, new Map()))?.r2 ?? null
  const judge = (seasons: readonly number[]) => ({
    seasons,
    fundamental: r2Of('fundamental', seasons),
    network: r2Of('network', seasons),
    gain: pairedGain(
      raceFigures(walk, 'network', seasons, new Map()),
      raceFigures(walk, 'fundamental', seasons, new Map()),
    ),
  })
  const seasons = [...new Set(gathered.races.map(({ season }) => season))].filter(
    (season) => r2Of('network', [season]) !== null,
  )
  const spans = Object.values(SPANS).filter((span) => span.every((season) => seasons.includes(season)))
  return {
    settings: { ...NETWORK, ...changes },
    fittingSeconds: user / 1e6,
    raceDay,
    spans: spans.map(judge),
    seasons: seasons.map((season) => judge([season])),
  }
}
