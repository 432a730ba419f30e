import { setImmediate as nextTurn } from 'node:timers/promises'
import { normaliseOdds } from '../../domain/odds.ts'
import type { PricedRace } from '../store/racing/history-store.ts'
import { computeInputs, FEATURE_COUNT } from '../model/features/catalogue.ts'
import { learnDay } from '../model/features/learn.ts'
import { emptyState, type FeatureState } from '../model/features/state.ts'
import { FIT, fitVersion, type Chances, type Earlier, type FitSettings } from './fit-version.ts'
import { onlyAt, toDays, type PastRace } from '../model/features/history.ts'
import { interestsOf } from '../model/lines.ts'
import { toPower } from '../model/models/exponent.ts'
import { racesOf, winProbabilities, type FieldData } from '../model/models/field-data.ts'
import { blendedModel, type ModelVersion } from '../model/models/model-version.ts'
import { linearScores } from '../model/models/conditional-logit.ts'
import { Network } from '../model/models/network-model.ts'
import { blendProbabilities, fundamentalScores, scaled, weightsOf } from '../model/models/predict.ts'
import { startersOf } from '../model/models/network-model.ts'
import { partOf } from './fit-network.ts'

export interface WalkRequest {
  regionId: string
  /** Official results of a region with their whole fields. */
  results: readonly PricedRace[]
  /** Runs known only from the horses' own form records. */
  formOnly: readonly PastRace[]
  /** Versions by season that are used instead of being refitted. */
  known?: ReadonlyMap<number, ModelVersion>
  /** A season after the last result that also gets a version, for its first racecard. */
  nextSeason?: number
  /** Settings to try instead of those in use. */
  fit?: FitSettings
  onProgress?: (what: string, done: number, total: number) => void
  /** Called with each fitted version, as soon as it is ready. */
  onVersion?: (version: ModelVersion) => Promise<void>
  /** Called with the state before each season's first day, and with `null` as the season at the end. */
  onState?: (state: FeatureState, season: number | null) => Promise<void>
}

export interface Walk {
  /** Whole races in chronological order. */
  races: PricedRace[]
  data: FieldData
  /** Context by row of `data`, each row `CONTEXT_COUNT` values. */
  context: Float64Array
  versions: ModelVersion[]
  /** Win probabilities by row of `data`, each from earlier seasons only; NaN where a source has none. */
  chances: Chances
}

/** What the walk's first half gathers. */
export type Gathered = Pick<Walk, 'races' | 'data' | 'context'>

/**
 * Walks through a region's history once, day by day: computes features from earlier days, then predicts each
 * season with a version fitted to the seasons before it. Yields to other work between steps.
 */
export const walkForward = async (request: WalkRequest): Promise<Walk> =>
  walkSeasons(request, await gatherFeatures(request))

/** The walk's second half: predicts each season with a version fitted to the features of earlier seasons. */
export async function walkSeasons(
  request: Omit<WalkRequest, 'results' | 'formOnly'>,
  { races, data, context }: Gathered,
): Promise<Walk> {
  const chances = emptyChances(data.starts.at(-1)!)
  fillMarket(races, data, chances)
  const unknown = (): Float64Array => new Float64Array(data.starts.at(-1)!).fill(Number.NaN)
  const rawLogs = { fundamental: unknown(), network: unknown() }
  const found = new Set(races.map(({ season }) => season))
  if (request.nextSeason !== undefined) found.add(request.nextSeason)
  const seasons = [...found]
  const versions: ModelVersion[] = []
  let weights: Float64Array | undefined
  for (const [index, season] of seasons.entries()) {
    request.onProgress?.(`season ${season}`, index, seasons.length)
    const from = firstOf(races, season)
    const to = firstOf(races, season + 1)
    const earlier: Earlier = { races, data, context, chances, rawLogs, count: from }
    const version = await versionOf(request, season, earlier, weights)
    if (version === null) {
      fillBaseline(data, chances, from, to, 1)
      continue
    }
    versions.push(version)
    fillBaseline(data, chances, from, to, version.market.power)
    if (version.fundamental) {
      weights = weightsOf(version.fundamental)
      fillModels(version, { races, data, context }, chances, rawLogs, from, to)
    }
    await nextTurn()
  }
  request.onProgress?.('seasons', seasons.length, seasons.length)
  return { races, data, context, versions, chances }
}

/** The known version of a season, or one fitted to the earlier races; `null` without earlier races. */
async function versionOf(
  { regionId, known, fit = FIT, onVersion }: Omit<WalkRequest, 'results' | 'formOnly'>,
  season: number,
  earlier: Earlier,
  weights: Float64Array | undefined,
): Promise<ModelVersion | null> {
  const present = known?.get(season)
  if (present !== undefined) return present
  if (earlier.count === 0) return null
  const fitted = await fitVersion(regionId, season, earlier, weights, fit)
  await onVersion?.(fitted)
  return fitted
}

const firstOf = (races: readonly PricedRace[], season: number): number => {
  const index = races.findIndex((race) => race.season >= season)
  return index < 0 ? races.length : index
}

const emptyChances = (rows: number): Chances => {
  const none = (): Float64Array => new Float64Array(rows).fill(Number.NaN)
  return {
    uniform: none(),
    market: none(),
    'market-baseline': none(),
    fundamental: none(),
    blended: none(),
    network: none(),
  }
}

/**
 * The walk's first half: the features of whole races in chronological order, each from what was known before
 * its day.
 */
export async function gatherFeatures(request: WalkRequest): Promise<Gathered> {
  const priced = new Map(request.results.map((race) => [race.id, race]))
  const days = toDays([...request.results, ...request.formOnly])
  const state = emptyState()
  const races: PricedRace[] = []
  const parts: Float64Array[] = []
  const contexts: Float64Array[] = []
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
      const inputs = computeInputs(state, race)
      parts.push(inputs.features)
      contexts.push(inputs.context)
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
  const values = joined(parts)
  const data: FieldData = {
    starts: Int32Array.from(starts),
    values,
    width: FEATURE_COUNT,
    first: Int32Array.from(first),
    second: Int32Array.from(second),
  }
  return { races, data, context: joined(contexts) }
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
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

/** Writes the chances of a version's models without odds, and of the blend, for the races `from` to `to` (excluded). */
function fillModels(
  { fundamental, network, blend }: ModelVersion,
  { races, data, context }: Gathered,
  chances: Chances,
  rawLogs: Earlier['rawLogs'],
  from: number,
  to: number,
): void {
  const season = racesOf(data, from, to)
  const scale = fundamental!.features.map((feature) => feature.scale)
  const features = scaled(season.values, scale)
  const base = data.starts[from]!
  const fill = (source: keyof typeof rawLogs, scores: Float64Array, temperature: number): void => {
    rawLogs[source].set(winProbabilities(season, scores).map(Math.log), base)
    const tempered = scores.map((score) => temperature * score)
    chances[source].set(winProbabilities(season, tempered), base)
  }
  const scores = fundamentalScores(fundamental!, features)
  fill('fundamental', scores, fundamental!.temperature)
  if (network) {
    const own = partOf(races, data, context, from, to)
    const linear = linearScores({ values: features, width: FEATURE_COUNT }, weightsOf(fundamental!))
    const starters = startersOf(own.races, features, own.context)
    fill('network', new Network(network).scores(starters, linear), network.temperature)
  }
  if (blend === null) return
  for (let race = from; race < to; race += 1) {
    const rows = [data.starts[race]!, data.starts[race + 1]!] as const
    const market = [...chances['market-baseline'].subarray(...rows)]
    if (Number.isNaN(market[0]!)) continue
    const own = [...chances[blendedModel(blend)].subarray(...rows)]
    chances.blended.set(blendProbabilities(blend, own, market), rows[0])
  }
}
