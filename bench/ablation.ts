import type { NETWORK_PARTS, NetworkCard } from '../contract/api/model.ts'
import { openBesideAsItIs } from '../server/db/open.ts'
import { FIT } from '../server/scoring/fit-version.ts'
import { NETWORK, type NetworkFit } from '../server/scoring/fit-network.ts'
import { pairedGain, raceFigures, summarise, type RaceFigures } from '../server/scoring/metrics.ts'
import { readHistory } from '../server/scoring/train.ts'
import { gatherFeatures, walkSeasons, type Gathered, type Walk } from '../server/scoring/walk-forward.ts'
import { REGION, SPANS } from './models.ts'

type Span = NetworkCard['ablation'][number]
type Part = (typeof NETWORK_PARTS)[number]

/** Settings of networks of which parts are left out. */
const WITHOUT: Readonly<Record<Exclude<Part, 'linear'>, Partial<NetworkFit>>> = {
  figures: { context: false, traits: 0 },
  people: { context: false },
  context: { traits: 0 },
  whole: {},
}

/**
 * What the parts of the network are worth over the tuning and the reported Hong Kong seasons of a data folder, each season
 * predicted from earlier ones: for `server/scoring/ablation.ts`.
 */
export async function benchAblation(dataFolder: string): Promise<Span[]> {
  const database = await openBesideAsItIs({ dataFolder, databaseUrl: undefined } as never)
  const history = await readHistory(database, REGION)
  await database.close()
  const spans = Object.values(SPANS)
  const last = Math.max(...spans.flat())
  const results = history.results.filter(({ season }) => season <= last)
  const formOnly = history.formOnly.filter(({ season }) => season <= last)
  return ablate(await gatherFeatures({ regionId: REGION, results, formOnly }), spans)
}

async function ablate(gathered: Gathered, spans: readonly (readonly number[])[]): Promise<Span[]> {
  const figuresOf = (
    walk: Walk,
    source: 'fundamental' | 'network',
    seasons: readonly number[],
  ): RaceFigures[] => raceFigures(walk, source, seasons, new Map())
  const found: Span[] = spans.map((seasons) => ({ seasons: [...seasons], races: 0, rows: [] }))
  for (const [part, changes] of Object.entries(WITHOUT) as [keyof typeof WITHOUT, Partial<NetworkFit>][]) {
    const fit = { ...FIT, network: { ...NETWORK, ...changes } }
    const walk = await walkSeasons({ regionId: REGION, fit }, gathered)
    for (const span of found) {
      const linear = figuresOf(walk, 'fundamental', span.seasons)
      const own = figuresOf(walk, 'network', span.seasons)
      const { races, gain, interval } = pairedGain(own, linear)!
      if (span.rows.length === 0) {
        span.races = races
        span.rows.push({ part: 'linear', r2: summarise(linear)!.r2, above: null })
      }
      span.rows.push({ part, r2: summarise(own)!.r2, above: { gain, interval } })
    }
  }
  return found
}
