import { FurlongError } from '../../domain/errors.ts'
import { regionRules, seasonLabel } from '../../domain/region.ts'
import { tuningSeasons } from '../../domain/tuning.ts'
import { MEMORY, type Memory } from '../model/features/state.ts'
import type { NetworkFit } from './fit-network.ts'
import { FIT, type FitSettings } from './fit-version.ts'
import { raceFigures, summarise } from './metrics.ts'
import { gatherFeatures, walkSeasons, type Gathered, type WalkRequest } from './walk-forward.ts'

interface Settings {
  memory: Memory
  fit: FitSettings
}

/** A region's results and runs, as a walk reads them. */
export type History = Pick<WalkRequest, 'regionId' | 'results' | 'formOnly'>

interface Trial {
  /** The model whose settings the next trials change, or the name of the changed setting. */
  name: string
  value: number | null
  /** Mean −ln of the winner's probability over the tuning seasons, and R² against 1/N of each season. */
  logLoss: number
  r2: number[]
  /** Whether the setting was adopted. */
  taken: boolean
}

interface Choice {
  seasons: readonly number[]
  races: number
  trials: Trial[]
  settings: Settings
}

/** Minimum gain, in nats per race: a smaller one is noise, and the setting stays as it is. */
export const LEAST_GAIN = 0.0002

/** The models that settings are chosen for. */
export type TunedModel = 'fundamental' | 'network'

interface Coordinate {
  name: string
  /** The model whose predictions judge it. */
  model: TunedModel
  /** Whether the setting changes the features, which must then be recomputed. */
  isMemory: boolean
  values: readonly number[]
  with(settings: Settings, value: number): Settings
}

const withTrees = ({ memory, fit }: Settings, trees: number): Settings => ({
  memory,
  fit: { ...fit, boost: { ...fit.boost, trees } },
})

/** A setting of the network, with the values to try. */
const ofNetwork = (
  name: string,
  values: readonly number[],
  change: (network: NetworkFit, value: number) => NetworkFit,
): Coordinate => ({
  name,
  model: 'network',
  isMemory: false,
  values,
  with: ({ memory, fit }, value) => ({ memory, fit: { ...fit, network: change(fit.network!, value) } }),
})

/**
 * No value takes longer than those in use: training and explaining ten seasons is most of the time of an import
 * (docs/decisions/032-network.md).
 */
const NETWORK_COORDINATES: readonly Coordinate[] = [
  ofNetwork('width', [32, 64], (network, width) => ({ ...network, width })),
  ofNetwork('epochs', [8, 12], (network, epochs) => ({ ...network, epochs })),
  ofNetwork('offset', [0.8, 0.9, 1], (network, offset) => ({ ...network, offset })),
  ofNetwork('seeds', [1, 2], (network, seeds) => ({ ...network, seeds })),
  ofNetwork('treesBeside', [0, 200], (network, trees) => ({
    ...network,
    boost: { ...network.boost, trees },
  })),
]

const COORDINATES: readonly Coordinate[] = [
  { name: 'trees', model: 'fundamental', isMemory: false, values: [0, 60, 120], with: withTrees },
  {
    name: 'ridge',
    model: 'fundamental',
    isMemory: false,
    values: [2, 5, 15, 45],
    with: ({ memory, fit }, ridge) => ({ memory, fit: { ...fit, ridge } }),
  },
  ...(Object.keys(MEMORY) as (keyof Memory)[]).map((name): Coordinate => ({
    name,
    model: 'fundamental',
    isMemory: true,
    // `keep` lies between 0 and 1: its distance from 1 is halved and doubled.
    values: name === 'keep' ? [0.7, 0.85, 0.925] : [MEMORY[name] / 2, MEMORY[name], MEMORY[name] * 2],
    with: ({ memory, fit }, value) => ({ memory: { ...memory, [name]: value }, fit }),
  })),
]

/**
 * Chooses the settings of the models without odds by one rule, on the tuning seasons alone: no later race is
 * read. Starting from the current settings, each setting in turn takes the value with the smallest pooled log
 * loss of the walk-forward predictions, if that is smaller by `LEAST_GAIN`; of equal values the earlier in
 * the list stays, so fewer trees win. There is one pass: first the settings of the linear model, judged by it, then those
 * of the network on it, judged by the network. It changes `MEMORY` while it runs, so run it in a
 * separate process. Throws `no-tuning-results` if a tuning season has no results that could be predicted.
 */
export async function chooseSettings(
  request: History,
  onTrial: (trial: Trial) => void = () => {},
  models: readonly TunedModel[] = ['fundamental', 'network'],
): Promise<Choice> {
  const { regionId } = request
  const seasons = tuningSeasons(regionId)
  const known = untilTuned(request)
  const before = { ...MEMORY }
  // Without the network, which its trials are not about.
  let settings: Settings = withTrees({ memory: before, fit: { ...FIT, network: null } }, 0)
  let features = await gatherFeatures(known)
  const trials: Trial[] = []
  let races = 0
  const judge = async (
    model: TunedModel,
    name: string,
    value: number | null,
    candidate: Settings,
    own: Gathered,
  ): Promise<Trial> => {
    const walk = await walkSeasons({ regionId, fit: candidate.fit }, own)
    const metricsOf = (list: readonly number[]) => {
      const metrics = summarise(raceFigures(walk, model, list, new Map()))
      if (metrics === null) throw new FurlongError('no-tuning-results', { seasons: list.join(', ') })
      return metrics
    }
    const pooled = metricsOf(seasons)
    races = pooled.races
    const trial = {
      name,
      value,
      logLoss: pooled.logLoss,
      r2: seasons.map((season) => metricsOf([season]).r2),
      taken: false,
    }
    trials.push(trial)
    return trial
  }
  try {
    const chooseOf = async (model: TunedModel, coordinates: readonly Coordinate[]) => {
      let best = await judge(model, model, null, settings, features)
      onTrial(best)
      const judged = new Set([JSON.stringify(settings)])
      for (const coordinate of coordinates) {
        for (const value of coordinate.values) {
          const candidate = coordinate.with(settings, value)
          const key = JSON.stringify(candidate)
          // After another value was taken, those before it are known.
          if (judged.has(key)) continue
          judged.add(key)
          Object.assign(MEMORY, candidate.memory)
          const own = coordinate.isMemory ? await gatherFeatures(known) : features
          const trial = await judge(model, coordinate.name, value, candidate, own)
          trial.taken = trial.logLoss <= best.logLoss - LEAST_GAIN
          onTrial(trial)
          if (!trial.taken) continue
          best = trial
          settings = candidate
          features = own
        }
        Object.assign(MEMORY, settings.memory)
      }
    }
    if (models.includes('fundamental')) await chooseOf('fundamental', COORDINATES)
    settings = { memory: settings.memory, fit: { ...settings.fit, network: FIT.network } }
    if (models.includes('network')) await chooseOf('network', NETWORK_COORDINATES)
  } finally {
    Object.assign(MEMORY, before)
  }
  return { seasons, races, trials, settings }
}

/** The history of a region up to its last tuning season. */
export function untilTuned({ regionId, results, formOnly }: History): History {
  const last = tuningSeasons(regionId).at(-1) ?? Number.NEGATIVE_INFINITY
  return {
    regionId,
    results: results.filter(({ season }) => season <= last),
    formOnly: formOnly.filter(({ season }) => season <= last),
  }
}

/** A trial as one terminal line. */
export const trialLine = ({ name, value, logLoss, taken }: Trial): string =>
  `${name}${value === null ? '' : ` ${value}`}: log loss ${logLoss.toFixed(4)}${taken ? ', taken' : ''}`

/** A choice of settings as Markdown. */
export function choiceMarkdown(regionId: string, { seasons, races, trials, settings }: Choice): string {
  const { seasonStartMonth } = regionRules(regionId)
  const { fit, memory } = settings
  const labels = seasons.map((season) => seasonLabel(seasonStartMonth, season))
  return [
    `Region ${regionId}, seasons ${labels.join(', ')}: ${races} races. A setting changes where the pooled log loss falls by at least ${LEAST_GAIN} nats a race.`,
    '',
    `| setting | value | log loss | ${labels.map((label) => `R² ${label}`).join(' | ')} | taken |`,
    `| --- | ---: | ---: | ${labels.map(() => '---:').join(' | ')} | --- |`,
    ...trials.map(
      ({ name, value, logLoss, r2, taken }) =>
        `| ${name} | ${value ?? ''} | ${logLoss.toFixed(4)} | ${r2.map((share) => share.toFixed(4)).join(' | ')} | ${taken ? 'yes' : ''} |`,
    ),
    '',
    '```json',
    JSON.stringify({ trees: fit.boost.trees, ridge: fit.ridge, memory, network: fit.network }, null, 2),
    '```',
  ].join('\n')
}
