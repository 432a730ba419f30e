import { nullOn } from '../../domain/errors.ts'
import { lockedProbability } from '../../domain/prediction-lock.ts'
import { USUAL_SHAPE } from '../../domain/order-rule.ts'
import { addDays } from '../../domain/region.ts'
import type { Queries } from '../db/database.ts'
import { readFormOnly, readResults, yearsOfHistory, type PricedRace } from '../store/racing/history-store.ts'
import {
  firstChange,
  isOutdated,
  learningStamp,
  loadState,
  loadVersions,
  saveState,
} from '../store/racing/scoring-state-store.ts'
import { computeInputs } from '../model/features/catalogue.ts'
import { learnDay } from '../model/features/learn.ts'
import { emptyState, type FeatureState } from '../model/features/state.ts'
import { type Chance, type Forecast, interestsOf, type PredictionLine, predictLines } from '../model/lines.ts'
import { dayNumber, toDays, type RaceDay } from '../model/features/history.ts'
import { marketChances, type PricedRunner } from './market-baseline.ts'
import { blendedModel, orderOf, type ModelVersion } from '../model/models/model-version.ts'
import { Network, type NetworkModel } from '../model/models/network-model.ts'
import {
  blendProbabilities,
  predictFundamental,
  predictNetwork,
  type Contribution,
} from '../model/models/predict.ts'
import type { ModelId } from '../model/models/sources.ts'
import { startersOf } from './fit-network.ts'

const NO_VERSION = {
  market: { power: 1, shape: USUAL_SHAPE },
  fundamental: null,
  network: null,
  blend: null,
}
type Fitted = Pick<ModelVersion, 'market' | 'fundamental' | 'network' | 'blend'>
/** Features and context of a race's starters. */
type Inputs = ReturnType<typeof computeInputs>

/** Days of results in one statement: those of ten seasons at once held the embedded database for three seconds. */
const DAYS_AT_ONCE = 200
/** Later than any race: nothing is left to read. */
const LAST_DAY = '9999-12-31'
/** Days of results at hand from which `readOn` reads no more. */
const ENOUGH_DAYS = 30

/**
 * Predicts the races of one region in chronological order, from a stored state that it advances day by day. A
 * race on an earlier day than the previous one loads an older state.
 */
export class Forecaster {
  private readonly regionId: string
  private readonly versions: readonly ModelVersion[]
  private state: FeatureState | null = null
  /** Days read but not yet learnt, and the last day covered by reading. */
  private ahead: RaceDay[] = []
  private readTo = ''
  private readAll = false
  private advanced = false
  private network: { model: NetworkModel; network: Network } | null = null

  private constructor(regionId: string, versions: readonly ModelVersion[]) {
    this.regionId = regionId
    this.versions = versions
  }

  static async open(database: Queries, regionId: string): Promise<Forecaster> {
    return new Forecaster(regionId, [...(await loadVersions(database, regionId)).values()])
  }

  /** Every model's forecast of a race. `priced`: the starters whose odds are known. */
  async forecast(database: Queries, race: PricedRace, priced: readonly PricedRunner[]): Promise<Forecast[]> {
    const version = this.versionFor(race)
    const inputs =
      version.fundamental === null || race.starters.length < 2
        ? null
        : computeInputs(await this.stateBefore(database, race.date), race)
    return forecastRace(version, race, priced, inputs, (model) => this.networkOf(model))
  }

  /**
   * Reads what forecasts of a day need, so that no transaction has to wait for it. Returns the last day whose races can
   * then be forecast without reading more.
   */
  async prepare(database: Queries, date: string): Promise<string> {
    const trained = this.versions.flatMap(({ fundamental, trainedTo }) => (fundamental ? [trainedTo] : []))
    const needless = trained.reduce((first, day) => (day < first ? day : first), LAST_DAY)
    if (date <= needless) return needless
    await this.stateBefore(database, date)
    return this.readTo < LAST_DAY ? addDays(this.readTo, 1) : LAST_DAY
  }

  /** Reads further results unless enough are at hand, so that no transaction has to wait for them. */
  async readOn(database: Queries): Promise<void> {
    if (this.state === null || this.readAll || this.ahead.length >= ENOUGH_DAYS) return
    const days = await this.readDays(database)
    this.readAll = days.length === 0
    this.ahead.push(...days)
  }

  /** Forgets what was read of a day and later ones. Returns false if it has learnt from them already. */
  forgetFrom(date: string): boolean {
    if (this.state !== null && this.state.day !== null && this.state.day >= dayNumber(date)) return false
    this.ahead = this.ahead.filter((day) => day.date < date)
    this.readAll = false
    if (this.readTo >= date) this.readTo = addDays(date, -1)
    return true
  }

  /** Stores the state, so that the next race day can start from it. */
  async save(database: Queries): Promise<void> {
    if (this.state === null || this.state.day === null || !this.advanced) return
    // Data was imported meanwhile, so the learnt state no longer matches the stored results.
    if (await isOutdated(database, this.regionId, this.state.day)) return
    await saveState(database, this.regionId, this.state, null)
    this.advanced = false
  }

  /** A version's network, whose parameters are read once. */
  private networkOf(model: NetworkModel): Network {
    if (this.network?.model !== model) this.network = { model, network: new Network(model) }
    return this.network.network
  }

  /** The newest version trained only on days before the race. */
  private versionFor({ season, date }: PricedRace): Fitted {
    const known = this.versions.filter((version) => version.season <= season && version.trainedTo < date)
    return known.at(-1) ?? NO_VERSION
  }

  private async stateBefore(database: Queries, date: string): Promise<FeatureState> {
    const day = dayNumber(date)
    if (this.state === null || (this.state.day !== null && this.state.day >= day)) {
      const state = (await loadState(database, this.regionId, date)) ?? emptyState()
      // Set together: a state without its last day would make the next forecast start from nothing.
      this.readTo = await this.lastDayOf(database, state)
      this.state = state
      this.ahead = []
      this.readAll = this.readTo === LAST_DAY
    }
    for (;;) {
      if (this.ahead.length === 0) {
        if (this.readTo >= addDays(date, -1)) return this.state
        this.ahead = await this.readDays(database)
        continue
      }
      if (this.ahead[0]!.date >= date) return this.state
      learnDay(this.state, this.ahead.shift()!)
      this.advanced = true
    }
  }

  /** The last day that a state includes: of an empty one, a day before the region's history, if it has any. */
  private async lastDayOf(database: Queries, { day }: FeatureState): Promise<string> {
    if (day !== null) return addDays('1970-01-01', day)
    const { first, last } = await yearsOfHistory(database, this.regionId)
    return first > last ? LAST_DAY : `${first - 1}-12-31`
  }

  /** Reads the results of the days after those already read; none if nothing happened on these days. */
  private async readDays(database: Queries): Promise<RaceDay[]> {
    const after = this.readTo
    const to = addDays(after, DAYS_AT_ONCE)
    const days = toDays([
      ...(await readResults(database, this.regionId, after, to)),
      ...(await readFormOnly(database, this.regionId, after, to)),
    ])
    this.readTo = to
    return days
  }
}

/** Forecasters by region, cached between scorings until something changes that they have learnt. */
export class Forecasters {
  private readonly cached = new Map<string, { forecaster: Forecaster; stamp: string }>()

  async of(database: Queries, regionId: string): Promise<Forecaster> {
    const stamp = await learningStamp(database, regionId)
    const known = this.cached.get(regionId)
    if (known?.stamp === stamp) return known.forecaster
    const changedFrom = known ? firstChange(known.stamp, stamp) : null
    const isUsable = known !== undefined && changedFrom !== null && known.forecaster.forgetFrom(changedFrom)
    const forecaster = isUsable ? known.forecaster : await Forecaster.open(database, regionId)
    this.cached.set(regionId, { forecaster, stamp })
    return forecaster
  }

  /** Whether each of these regions has its forecaster, and nothing that it may have read has changed since. */
  async areCurrent(database: Queries, regionIds: Iterable<string>): Promise<boolean> {
    for (const regionId of regionIds)
      if (this.cached.get(regionId)?.stamp !== (await learningStamp(database, regionId))) return false
    return true
  }

  /** Reads further results for those in use. */
  async readOn(database: Queries): Promise<void> {
    for (const { forecaster } of this.cached.values()) await forecaster.readOn(database)
  }

  /** Stores the states that they have learnt. */
  async save(database: Queries): Promise<void> {
    for (const [regionId, { forecaster, stamp }] of this.cached)
      if ((await learningStamp(database, regionId)) === stamp) await forecaster.save(database)
  }
}

/**
 * Forecasts of a version's models for a race, from its features. A model that cannot handle the field is
 * omitted. Deterministic.
 */
function forecastRace(
  version: Fitted,
  race: PricedRace,
  priced: readonly PricedRunner[],
  inputs: Inputs | null,
  networkOf: (model: NetworkModel) => Network,
): Forecast[] {
  const forecasts: Forecast[] = []
  // Without the odds of one starter, the others' probabilities would come out too high.
  const market =
    priced.length < race.starters.length ? null : withoutBadField(() => marketChances(priced, version.market))
  if (market !== null && market.length >= 2) {
    const lines = withoutBadField(() => predictLines(market, orderOf(version.market), race.places))
    if (lines !== null) forecasts.push(forecastOf('market-baseline', market, [], lines))
  }
  if (version.fundamental === null || inputs === null) return forecasts
  const { probabilities, contributions } = predictFundamental(version.fundamental, inputs.features)
  const own = chancesOf(race, probabilities)
  const order = orderOf(version.fundamental)
  const lines = withoutBadField(() => predictLines(own, order, race.places, 'model'))
  if (lines === null) return forecasts
  forecasts.push(forecastOf('fundamental', own, reasonsOf(race, probabilities, contributions), lines))
  const { network, blend } = version
  let challenger: Chance[] | null = null
  if (network) {
    const starters = startersOf([race], inputs.features, inputs.context)
    const found = predictNetwork(version.fundamental, networkOf(network), network.temperature, starters)
    const chances = chancesOf(race, found.probabilities)
    const reasons = reasonsOf(race, found.probabilities, found.contributions)
    const drawn = withoutBadField(() => predictLines(chances, orderOf(network), race.places, 'model'))
    if (drawn !== null) forecasts.push(forecastOf('network', chances, reasons, drawn))
    challenger = chances
  }
  const blendable = blend !== null && blendedModel(blend) === 'network' ? challenger : own
  if (blend === null || blendable === null) return forecasts
  const blended = blendOf(blend, version.market, blendable, race.places)
  if (blended !== null) forecasts.push(blended)
  return forecasts
}

/** The forecast of the blend from the chances of its model without odds; `null` unless every starter has odds. */
function blendOf(
  blend: NonNullable<ModelVersion['blend']>,
  market: ModelVersion['market'],
  own: readonly Chance[],
  places: number,
): Forecast | null {
  const prices = own.flatMap(({ horseNo, winOdds }) => (winOdds === null ? [] : [{ horseNo, winOdds }]))
  if (prices.length < own.length) return null
  return withoutBadField(() => {
    const publics = marketChances(prices, market).map(({ win }) => win)
    const models = own.map(({ win }) => win)
    const win = blendProbabilities(blend, models, publics)
    const chances = own.map((chance, index) => ({ ...chance, win: win[index]! }))
    return forecastOf('blended', chances, [], predictLines(chances, orderOf(blend), places))
  })
}

/** Chances of a race's betting interests from its starters': a coupled entry wins if any of its horses does. */
const chancesOf = (race: PricedRace, probabilities: readonly number[]): Chance[] =>
  interestsOf(race.starters.map((starter, row) => ({ ...starter, win: probabilities[row]! }))).map(
    ([horseNo, horses]) => ({
      horseNo,
      win: horses.reduce((sum, { win }) => sum + win, 0),
      winOdds: race.odds.get(horses[0].horseNo) ?? null,
    }),
  )

/** Reasons of a race's betting interests: a coupled entry's are those of its best horse. */
const reasonsOf = (
  race: PricedRace,
  probabilities: readonly number[],
  contributions: readonly Contribution[][],
): Contribution[][] =>
  interestsOf(race.starters.map((starter, row) => ({ ...starter, row, win: probabilities[row]! }))).map(
    ([, horses]) => {
      const best = horses.reduce((first, horse) => (horse.win > first.win ? horse : first))
      return contributions[best.row]!
    },
  )

/** `null` for an invalid field: one such race must not keep the others from being scored. */
const withoutBadField = <Result>(work: () => Result): Result | null => nullOn('bad-field', work)

const forecastOf = (
  modelId: ModelId,
  chances: readonly Chance[],
  contributions: readonly Contribution[][],
  lines: PredictionLine[],
): Forecast => ({
  modelId,
  chances: chances.map((chance, index) => ({
    ...chance,
    win: lockedProbability(chance.win),
    reasons: contributions[index] ?? [],
  })),
  lines,
})
