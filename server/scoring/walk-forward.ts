import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StageExponents } from '../../domain/harville.ts'
import { normaliseOdds } from '../../domain/odds.ts'
import type { PricedRace } from '../store/history-store.ts'
import { FEATURES } from './features/catalogue.ts'
import { computeFeatures, FEATURE_COUNT } from './features/compute.ts'
import { learnDay } from './features/learn.ts'
import { emptyState, type FeatureState } from './features/state.ts'
import { onlyAt, toDays, type PastRace } from './history.ts'
import { interestsOf } from './lines.ts'
import { BOOST, fitBoostedTrees, type BoostSettings } from './models/boosted-trees.ts'
import { fitConditionalLogit, linearScores } from './models/conditional-logit.ts'
import { fitExponent, toPower, type Choice } from './models/exponent.ts'
import { racesOf, winProbabilities, type FieldData } from './models/field-data.ts'
import { DEFAULT_EXPONENTS, type ModelVersion } from './models/model-version.ts'
import { blendProbabilities, fundamentalScores, scaled } from './models/predict.ts'
import type { Source } from './models/sources.ts'
import { stageChoices } from './stages.ts'

/** Races of earlier seasons below which nothing is fitted to them. */
export const LEAST_RACES = 200

/** What a fundamental model is fitted with. */
export interface FitSettings {
  /** Penalty on the squared weights of standardised features. */
  ridge: number
  boost: BoostSettings
}

/** Chosen by `score choose` on the tuning seasons (docs/decisions/011-model-settings.md). */
export const FIT: FitSettings = { ridge: 5, boost: BOOST }

export interface WalkRequest {
  regionId: string
  /** Official results of a region, whole. */
  results: readonly PricedRace[]
  /** Runs that only the horses' own records tell. */
  formOnly: readonly PastRace[]
  /** Versions that are taken as they are instead of being fitted again, by season. */
  known?: ReadonlyMap<number, ModelVersion>
  /** Also the season after the last result, so that its first card finds a version. */
  nextSeason?: number
  /** Other settings than those in use, for choosing among them. */
  fit?: FitSettings
  onProgress?: (what: string, done: number, total: number) => void
  /** Called with each version that was fitted, as soon as it is. */
  onVersion?: (version: ModelVersion) => Promise<void>
  /** Called with the state as it is before a season's first day, and at the end: `season` is `null`. */
  onState?: (state: FeatureState, season: number | null) => Promise<void>
}

export type Chances = Record<Source, Float64Array>

export interface Walk {
  /** Whole races in time's order. */
  races: PricedRace[]
  data: FieldData
  versions: ModelVersion[]
  /** Win probabilities by row of `data`; NaN where a source had none. Each from earlier seasons only. */
  chances: Chances
}

/**
 * Walks through a region's history once, a day at a time: features from the days before, then each season predicted by
 * what was fitted to the seasons before it. Lets other work in between its steps.
 */
export async function walkForward(request: WalkRequest): Promise<Walk> {
  return walkSeasons(request, await gatherFeatures(request))
}

/** The walk's second half: each season predicted by what is fitted to the features of the seasons before it. */
export async function walkSeasons(
  request: Omit<WalkRequest, 'results' | 'formOnly'>,
  { races, data }: Pick<Walk, 'races' | 'data'>,
): Promise<Walk> {
  const chances = emptyChances(data.starts.at(-1)!)
  fillMarket(races, data, chances)
  const rawLogs = new Float64Array(data.starts.at(-1)!).fill(Number.NaN)
  const seasons = [...new Set(races.map(({ season }) => season))]
  if (request.nextSeason !== undefined && !seasons.includes(request.nextSeason))
    seasons.push(request.nextSeason)
  const versions: ModelVersion[] = []
  let weights: Float64Array | undefined
  for (const [index, season] of seasons.entries()) {
    request.onProgress?.(`season ${season}`, index, seasons.length)
    const from = firstOf(races, season)
    const to = firstOf(races, season + 1)
    const earlier: Earlier = { races, data, chances, rawLogs, count: from }
    const known = request.known?.get(season)
    const version =
      known ??
      (from === 0 ? null : await fitVersion(request.regionId, season, earlier, weights, request.fit ?? FIT))
    if (version !== null && known === undefined) await request.onVersion?.(version)
    if (version === null) {
      fillBaseline(data, chances, from, to, 1)
      continue
    }
    weights = version.fundamental
      ? Float64Array.from(version.fundamental.features, ({ weight }) => weight)
      : weights
    versions.push(version)
    fillBaseline(data, chances, from, to, version.market.power)
    if (version.fundamental) fillFundamental(version, data, chances, rawLogs, from, to)
    await nextTurn()
  }
  request.onProgress?.('seasons', seasons.length, seasons.length)
  return { races, data, versions, chances }
}

const firstOf = (races: readonly PricedRace[], season: number): number => {
  const index = races.findIndex((race) => race.season >= season)
  return index < 0 ? races.length : index
}

const emptyChances = (rows: number): Chances => {
  const none = (): Float64Array => new Float64Array(rows).fill(Number.NaN)
  return { uniform: none(), market: none(), 'market-baseline': none(), fundamental: none(), blended: none() }
}

export async function gatherFeatures(request: WalkRequest): Promise<Pick<Walk, 'races' | 'data'>> {
  const priced = new Map(request.results.map((race) => [race.id, race]))
  const days = toDays([...request.results, ...request.formOnly])
  const state = emptyState()
  const races: PricedRace[] = []
  const parts: Float64Array[] = []
  const starts = [0]
  const first: number[] = []
  const second: number[] = []
  let season: number | null = null
  for (const [index, day] of days.entries()) {
    const whole = day.races.filter((race) => race.whole && race.starters.length >= 2)
    if (whole.length > 0 && whole[0]!.season !== season) {
      season = whole[0]!.season
      await request.onState?.(state, season)
    }
    for (const race of whole) {
      const base = starts.at(-1)!
      parts.push(computeFeatures(state, race))
      starts.push(base + race.starters.length)
      const rowAt = (place: number): number => {
        const row = onlyAt(race, place)
        return row < 0 ? -1 : base + row
      }
      first.push(rowAt(1))
      second.push(first.at(-1)! < 0 ? -1 : rowAt(2))
      races.push({ ...priced.get(race.id)!, starters: race.starters })
    }
    learnDay(state, day)
    if (index % 20 === 0) {
      request.onProgress?.('features', index, days.length)
      await nextTurn()
    }
  }
  await request.onState?.(state, null)
  const values = new Float64Array(starts.at(-1)! * FEATURE_COUNT)
  let at = 0
  for (const part of parts) {
    values.set(part, at)
    at += part.length
  }
  const data: FieldData = {
    starts: Int32Array.from(starts),
    values,
    width: FEATURE_COUNT,
    first: Int32Array.from(first),
    second: Int32Array.from(second),
  }
  return { races, data }
}

function fillMarket(races: readonly PricedRace[], { starts }: FieldData, chances: Chances): void {
  for (const [index, { starters, odds }] of races.entries()) {
    const from = starts[index]!
    chances.uniform.fill(1 / starters.length, from, starts[index + 1])
    if (starters.some(({ horseNo }) => !odds.has(horseNo))) continue
    const interests = interestsOf(starters.map((starter, row) => ({ ...starter, row })))
    const shares = normaliseOdds(interests.map(([, [{ horseNo }]]) => odds.get(horseNo)!))
    for (const [interest, [, horses]] of interests.entries()) {
      for (const { row } of horses) chances.market[from + row] = shares[interest]! / horses.length
    }
  }
}

function fillBaseline(
  { starts }: FieldData,
  chances: Chances,
  from: number,
  to: number,
  power: number,
): void {
  for (let race = from; race < to; race += 1) {
    const market = [...chances.market.subarray(starts[race], starts[race + 1])]
    if (!Number.isNaN(market[0]!)) chances['market-baseline'].set(toPower(market, power), starts[race])
  }
}

function fillFundamental(
  { fundamental, blend }: ModelVersion,
  data: FieldData,
  chances: Chances,
  rawLogs: Float64Array,
  from: number,
  to: number,
): void {
  const season = racesOf(data, from, to)
  const scale = fundamental!.features.map((feature) => feature.scale)
  const scores = fundamentalScores(fundamental!, scaled(season.values, scale))
  const base = data.starts[from]!
  rawLogs.set(winProbabilities(season, scores).map(Math.log), base)
  const { temperature } = fundamental!
  chances.fundamental.set(
    winProbabilities(
      season,
      scores.map((score) => temperature * score),
    ),
    base,
  )
  if (blend === null) return
  for (let race = from; race < to; race += 1) {
    const rows = [data.starts[race]!, data.starts[race + 1]!] as const
    const market = [...chances['market-baseline'].subarray(...rows)]
    if (Number.isNaN(market[0]!)) continue
    const own = [...chances.fundamental.subarray(...rows)]
    chances.blended.set(blendProbabilities(blend, own, market), rows[0])
  }
}

interface Earlier {
  races: readonly PricedRace[]
  data: FieldData
  chances: Chances
  /** Logarithms of fundamental chances before their temperature. */
  rawLogs: Float64Array
  /** Races of earlier seasons. */
  count: number
}

/** Choices of the winner among a race's logarithms, over the earlier races that have them. */
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

function exponentsFor(earlier: Earlier, source: Source): StageExponents {
  const stages = stageChoices(
    earlier.races.slice(0, earlier.count),
    earlier.data.starts,
    earlier.chances[source],
  )
  if (stages.second.length < LEAST_RACES) return DEFAULT_EXPONENTS
  return {
    second: fitExponent(stages.second).exponent,
    third: fitExponent(stages.third).exponent,
    fourth: fitExponent(stages.fourth).exponent,
  }
}

async function fitVersion(
  regionId: string,
  season: number,
  earlier: Earlier,
  start: Float64Array | undefined,
  fit: FitSettings,
): Promise<ModelVersion | null> {
  const { races, chances, rawLogs, count } = earlier
  const market = winnerChoices(earlier, (row) => Math.log(chances.market[row]!))
  const version: ModelVersion = {
    format: 1,
    regionId,
    season,
    trainedFrom: races[0]!.date,
    trainedTo: races[count - 1]!.date,
    races: count,
    market: {
      power: market.length < LEAST_RACES ? 1 : fitExponent(market).exponent,
      exponents: exponentsFor(earlier, 'market-baseline'),
    },
    fundamental: null,
    blend: null,
  }
  if (count < LEAST_RACES) return version
  const model = await fitFundamental(earlier, start, fit)
  const own = winnerChoices(earlier, (row) => rawLogs[row]!)
  version.fundamental = {
    ...model,
    temperature: own.length < LEAST_RACES ? 1 : fitExponent(own).exponent,
    exponents: exponentsFor(earlier, 'fundamental'),
  }
  version.blend = await fitBlend(earlier)
  return version
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
  // A column that never differs within a race says nothing.
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

/** Weights of the logarithms of both, fitted to what earlier versions predicted of the winners. */
async function fitBlend(earlier: Earlier): Promise<ModelVersion['blend']> {
  const { data, chances, count } = earlier
  const starts = [0]
  const values: number[] = []
  const first: number[] = []
  for (let race = 0; race < count; race += 1) {
    const from = data.starts[race]!
    const winner = data.first[race]!
    if (winner < 0 || Number.isNaN(chances.fundamental[from]! * chances['market-baseline'][from]!)) continue
    first.push(starts.at(-1)! + winner - from)
    for (let row = from; row < data.starts[race + 1]!; row += 1) {
      values.push(Math.log(chances.fundamental[row]!), Math.log(chances['market-baseline'][row]!))
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
  const [fundamental, market] = [weights[0]!, weights[1]!]
  const exponents = exponentsFor(earlier, 'blended')
  return { fundamental, market, exponents }
}
