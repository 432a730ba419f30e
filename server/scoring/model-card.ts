import { ODDS_FREE_MODELS } from '../../contract/model-ids.ts'
import type { PairedGain } from '../../domain/paired-gain.ts'
import { wilsonInterval } from '../../domain/statistics.ts'
import { tuningSeasons } from '../../domain/tuning.ts'
import type { ModelCardAnswer } from '../../contract/api/model.ts'
import { CALIBRATION_EDGES } from '../../contract/record-vocabulary.ts'
import type { PaidDividend } from '../store/racing/report-store.ts'
import { judgeExotics } from './exotics.ts'
import { FEATURES } from '../model/features/catalogue.ts'
import { pairedGain, raceFigures, summarise, type RaceFigures } from './metrics.ts'
import { networkCard } from './network-card.ts'
import { blendedModel, versionHash, versionText } from '../model/models/model-version.ts'
import { MODELS, SOURCES, type Source } from '../model/models/sources.ts'
import type { Walk } from './walk-forward.ts'

/** Number of pooled seasons: the newest of those on which no setting was chosen. */
const POOLED_SEASONS = 5
/** Minimum number of races for a season to be reported. */
const LEAST_SEASON_RACES = 50

/** Winning dividends in cents per 10 staked, by race id and saddle number. */
function winDividends(dividends: readonly PaidDividend[]): Map<string, Map<number, number>> {
  const byRace = new Map<string, Map<number, number>>()
  for (const { raceId, gameplayClass, combination, dividendCents } of dividends) {
    if (gameplayClass !== 1) continue
    const lines = byRace.get(raceId) ?? new Map<number, number>()
    byRace.set(raceId, lines.set(Number(combination), dividendCents))
  }
  return byRace
}

function calibrationOf(figures: readonly RaceFigures[]): ModelCardAnswer['calibration'][number]['bins'] {
  const edges = [0, ...CALIBRATION_EDGES, 1]
  const bins = edges.slice(1).map((to, index) => ({ from: edges[index]!, to, starters: 0, sum: 0, won: 0 }))
  for (const { choice } of figures) {
    for (const [row, log] of choice.logs.entries()) {
      const share = Math.exp(log)
      const bin = bins[CALIBRATION_EDGES.filter((edge) => share >= edge).length]!
      bin.starters += 1
      bin.sum += share
      if (row === choice.chosen) bin.won += 1
    }
  }
  return bins
    .filter(({ starters }) => starters > 0)
    .map(({ sum, won, ...bin }) => ({
      ...bin,
      mean: sum / bin.starters,
      observed: won / bin.starters,
      interval: wilsonInterval(won, bin.starters),
    }))
}

/** The network against the linear model over the races of both. */
function challengeOf(
  figuresOf: (source: Source, seasons: readonly number[]) => RaceFigures[],
  pooled: readonly number[],
  seasons: readonly number[],
): ModelCardAnswer['challenge'] {
  const [against, model] = ODDS_FREE_MODELS
  const over = (of: readonly number[]): PairedGain | null =>
    pairedGain(figuresOf(model, of), figuresOf(against, of))
  const all = over(pooled)
  if (all === null) return null
  const bySeason = seasons.flatMap((season) => {
    const gain = over([season])
    return gain === null ? [] : [{ season, gain }]
  })
  return { model, against, pooled: all, bySeason }
}

/** The figures of a walk, all from predictions of seasons that the models had not seen. */
export async function makeCard(
  regionId: string,
  walk: Walk,
  dividends: readonly PaidDividend[],
): Promise<ModelCardAnswer> {
  const { races, data, versions } = walk
  const paid = winDividends(dividends)
  const figuresOf = (source: Source, seasons: readonly number[]): RaceFigures[] =>
    raceFigures(walk, source, seasons, paid)
  const seasons = [...new Set(races.map(({ season }) => season))].filter(
    (season) => figuresOf('fundamental', [season]).length >= LEAST_SEASON_RACES,
  )
  const tuning = seasons.filter((season) => tuningSeasons(regionId).includes(season))
  // Only seasons after the tuning ones are pooled: earlier results were known when the settings were chosen.
  const pooled = seasons.filter((season) => season > Math.max(...tuning, 0)).slice(-POOLED_SEASONS)
  const figures = new Map(SOURCES.map((source) => [source, figuresOf(source, pooled)]))
  const newest = versions.at(-1)
  const market = figures.get('market-baseline')!
  const judged = MODELS.filter((model) => figures.get(model)!.length > 0)
  const exotics = await judgeExotics(walk, judged, pooled, dividends)
  return {
    regionId,
    data: {
      from: races[0]?.date ?? '',
      to: races.at(-1)?.date ?? '',
      races: races.length,
      starters: data.starts.at(-1)!,
    },
    versions: versions.map((version) => ({
      season: version.season,
      sha256: versionHash(versionText(version)),
      trainedFrom: version.trainedFrom,
      trainedTo: version.trainedTo,
      races: version.races,
    })),
    features: (newest?.fundamental?.features ?? []).map(({ key, weight, standardError }, index) => {
      const { group, unit, source } = FEATURES[index]!
      return { key, group, unit, source, weight, t: weight / standardError }
    }),
    settings: newest?.fundamental
      ? {
          trees: newest.fundamental.trees.length,
          temperature: newest.fundamental.temperature,
          power: newest.market.power,
          blend: newest.blend && {
            model: blendedModel(newest.blend),
            own: newest.blend.fundamental,
            market: newest.blend.market,
          },
        }
      : null,
    seasons,
    tuning,
    pooled,
    sources: SOURCES.flatMap((source) => {
      const all = summarise(figures.get(source)!, source === 'uniform')
      if (all === null) return []
      const bySeason = seasons.flatMap((season) => {
        const metrics = summarise(figuresOf(source, [season]), source === 'uniform')
        return metrics === null ? [] : [{ season, metrics }]
      })
      return [{ source, pooled: all, bySeason }]
    }),
    gains: (['market', 'fundamental', 'blended', 'network'] as const).flatMap((model) => {
      const own = figures.get(model)!
      const found = own.length === market.length ? pairedGain(own, market) : null
      return found === null ? [] : [{ model, gain: found.gain, interval: found.interval }]
    }),
    challenge: challengeOf(figuresOf, pooled, seasons),
    calibration: judged.map((model) => ({ model, bins: calibrationOf(figures.get(model)!) })),
    exotics,
    network: networkCard(regionId, newest?.network ?? null),
  }
}
