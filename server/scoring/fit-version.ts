import type { OddsFreeModel } from '../../contract/model-ids.ts'
import { USUAL_SHAPE } from '../../domain/order-rule.ts'
import type { PricedRace } from '../store/racing/history-store.ts'
import { FEATURE_COUNT, FEATURES } from '../model/features/catalogue.ts'
import { BOOST, fitBoostedTrees, type BoostSettings } from '../model/models/boosted-trees.ts'
import { fitConditionalLogit, linearScores } from '../model/models/conditional-logit.ts'
import { fitExponent, type Choice } from '../model/models/exponent.ts'
import { racesOf, type FieldData } from '../model/models/field-data.ts'
import { FORMAT, type ModelVersion } from '../model/models/model-version.ts'
import { scaled, weightsOf } from '../model/models/predict.ts'
import type { Source } from '../model/models/sources.ts'
import { fitNetwork, NETWORK, partOf, type NetworkFit } from './fit-network.ts'

/** Minimum number of races of earlier seasons for a model to be fitted to them. */
export const LEAST_RACES = 200

/** Settings for fitting a fundamental model. */
export interface FitSettings {
  /** Penalty on the squared weights of standardised features. */
  ridge: number
  boost: BoostSettings
  /** `null`: no network is fitted. */
  network: NetworkFit | null
}

/** Chosen by `score choose` on the tuning seasons (docs/decisions/011-model-settings.md). */
export const FIT: FitSettings = { ridge: 5, boost: BOOST, network: NETWORK }

/** Win probabilities by row of the field data and by source; NaN where a source has none. */
export type Chances = Record<Source, Float64Array>

/** Training data of a version: the races of earlier seasons, and the predictions made for them. */
export interface Earlier {
  races: readonly PricedRace[]
  data: FieldData
  /** Context by row of the field data. */
  context: Float64Array
  chances: Chances
  /** Logarithms of the probabilities without odds before the temperature is applied. */
  rawLogs: Record<'fundamental' | 'network', Float64Array>
  /** Number of races of earlier seasons, the first ones of `races`. */
  count: number
}

/** The winner's choice among a race's logarithms, for the earlier races that have them. */
function winnerChoices({ data, count }: Earlier, log: (row: number) => number): Choice[] {
  const choices: Choice[] = []
  for (let race = 0; race < count; race += 1) {
    const from = data.starts[race]!
    const winner = data.first[race]!
    if (winner < 0 || Number.isNaN(log(from))) continue
    const logs: number[] = []
    for (let row = from; row < data.starts[race + 1]!; row += 1) logs.push(log(row))
    choices.push({ logs, chosen: winner - from })
  }
  return choices
}

/**
 * Fits a season's version to the races before it. With fewer than `LEAST_RACES` it contains only the market
 * model. `start` are initial weights; the fit ends at the same optimum without them.
 */
export async function fitVersion(
  regionId: string,
  season: number,
  earlier: Earlier,
  start: Float64Array | undefined,
  fit: FitSettings,
): Promise<ModelVersion> {
  const { races, chances, count } = earlier
  const market = winnerChoices(earlier, (row) => Math.log(chances.market[row]!))
  const version: ModelVersion = {
    format: FORMAT,
    regionId,
    season,
    trainedFrom: races[0]!.date,
    trainedTo: races[count - 1]!.date,
    races: count,
    market: {
      power: market.length < LEAST_RACES ? 1 : fitExponent(market).exponent,
      shape: USUAL_SHAPE,
    },
    fundamental: null,
    network: null,
    blend: null,
  }
  if (count < LEAST_RACES) return version
  const model = await fitFundamental(earlier, start, fit)
  version.fundamental = { ...model, ...calibrationOf(earlier, 'fundamental') }
  if (fit.network !== null) {
    const part = partOf(races, earlier.data, earlier.context, 0, count)
    const scale = model.features.map((feature) => feature.scale)
    const data = { ...part.data, values: scaled(part.data.values, scale) }
    const linear = linearScores(data, weightsOf(model))
    const network = await fitNetwork(part.races, data, part.context, linear, fit.network)
    version.network = { ...network, ...calibrationOf(earlier, 'network') }
  }
  // Until earlier versions' networks have predicted enough races, the linear model is blended.
  const ofNetwork = !version.network ? null : await fitBlend(earlier, 'network')
  version.blend = ofNetwork ?? (await fitBlend(earlier, 'fundamental'))
  return version
}

/** Temperature of a model, from what earlier versions predicted, and its order rule. */
function calibrationOf(
  earlier: Earlier,
  source: 'fundamental' | 'network',
): { temperature: number; shape: number } {
  const choices = winnerChoices(earlier, (row) => earlier.rawLogs[source][row]!)
  return {
    temperature: choices.length < LEAST_RACES ? 1 : fitExponent(choices).exponent,
    shape: USUAL_SHAPE,
  }
}

async function fitFundamental(
  { data, count }: Earlier,
  start: Float64Array | undefined,
  { ridge, boost }: FitSettings,
): Promise<Pick<NonNullable<ModelVersion['fundamental']>, 'features' | 'trees'>> {
  const train = racesOf(data, 0, count)
  const rows = train.values.length / FEATURE_COUNT
  const squares = new Float64Array(FEATURE_COUNT)
  for (let index = 0; index < train.values.length; index += 1) {
    squares[index % FEATURE_COUNT]! += train.values[index]! ** 2
  }
  // A column that never differs within a race has no information.
  const scale = [...squares].map((sum) => (sum / rows > 1e-12 ? 1 / Math.sqrt(sum / rows) : 0))
  const standard = { ...train, values: scaled(train.values, scale) }
  const fit = await fitConditionalLogit(standard, ridge, start)
  const trees = await fitBoostedTrees(standard, linearScores(standard, fit.weights), boost)
  return {
    features: FEATURES.map(({ key }, column) => ({
      key,
      scale: scale[column]!,
      weight: fit.weights[column]!,
      standardError: fit.standardErrors[column]!,
    })),
    trees,
  }
}

/**
 * Exponents of a model without odds and of the market, fitted to what earlier versions predicted for the winners; `null` if
 * they predicted too few races.
 */
async function fitBlend(earlier: Earlier, model: OddsFreeModel): Promise<ModelVersion['blend']> {
  const { data, chances, count } = earlier
  const starts = [0]
  const values: number[] = []
  const first: number[] = []
  for (let race = 0; race < count; race += 1) {
    const from = data.starts[race]!
    const winner = data.first[race]!
    if (winner < 0 || Number.isNaN(chances[model][from]! * chances['market-baseline'][from]!)) continue
    first.push(starts.at(-1)! + winner - from)
    for (let row = from; row < data.starts[race + 1]!; row += 1) {
      values.push(Math.log(chances[model][row]!), Math.log(chances['market-baseline'][row]!))
    }
    starts.push(values.length / 2)
  }
  if (first.length < LEAST_RACES) return null
  const pairs: FieldData = {
    starts: Int32Array.from(starts),
    values: Float64Array.from(values),
    width: 2,
    first: Int32Array.from(first),
    second: Int32Array.from(first, () => -1),
  }
  const { weights } = await fitConditionalLogit(pairs, 1e-6)
  return { model, fundamental: weights[0]!, market: weights[1]!, shape: USUAL_SHAPE }
}
