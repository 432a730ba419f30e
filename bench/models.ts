import { openBesideAsItIs } from '../server/db/open.ts'
import { readHistory } from '../server/scoring/train.ts'
import { NETWORK, type NetworkFit } from '../server/scoring/fit-network.ts'
import { FIT } from '../server/scoring/fit-version.ts'
import { pairedGain, raceFigures, summarise } from '../server/scoring/metrics.ts'
import { gatherFeatures, walkSeasons } from '../server/scoring/walk-forward.ts'

const REGION = '100000'
const SPANS = { tuning: [2017, 2018, 2019], pooled: [2020, 2021, 2022, 2023, 2024] }

/**
 * R² of both models without odds over the walked-forward Hong Kong seasons of a data folder, the network's gain on the
 * linear model with its interval by meeting, and the processor's seconds. `changes`: settings of the network to try;
 * `lastSeason`: later ones are not read.
 */
export async function benchModels(dataFolder: string, changes: Partial<NetworkFit>, lastSeason: number) {
  const database = await openBesideAsItIs({ dataFolder, databaseUrl: undefined } as never)
  const history = await readHistory(database, REGION)
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
    spans: spans.map(judge),
    seasons: seasons.map((season) => judge([season])),
  }
}
