import { nullOn } from '../../domain/errors.ts'
import { poolsAt } from '../../domain/pool-rules.ts'
import { lockedProbability } from '../../domain/prediction-lock.ts'
import type { OddsFreeModel } from '../../contract/model-ids.ts'
import type { PricedRace } from '../store/racing/history-store.ts'
import type { computeInputs } from '../model/features/catalogue.ts'
import { type Chance, type Forecast, interestsOf, type PredictionLine, predictLines } from '../model/lines.ts'
import { marketChances, type PricedRunner } from './market-baseline.ts'
import { blendedModel, orderOf, type ModelVersion } from '../model/models/model-version.ts'
import { blendProbabilities, type Contribution } from '../model/models/predict.ts'
import type { ModelId } from '../model/models/sources.ts'
import { predictWithoutOdds } from '../model/models/without-odds.ts'

export type Fitted = Pick<ModelVersion, 'market' | 'fundamental' | 'network' | 'blend'>

/** All that the forecasts of one race are made from. */
export interface ForecastTask {
  version: Fitted
  race: PricedRace
  /** The starters whose odds are known. */
  priced: readonly PricedRunner[]
  /** Features and context of the starters; `null`: only the market is forecast. */
  inputs: ReturnType<typeof computeInputs> | null
}

/**
 * Forecasts of a version's models for a race, from its features, with lines of the bet types that its region has. A model that
 * cannot handle the field is omitted. Deterministic.
 */
export function forecastRace(task: ForecastTask): Forecast[] {
  const pools = poolsAt(task.race.stadiumId)
  return forecastsOf(task).map((forecast) => ({
    ...forecast,
    lines: forecast.lines.filter(({ gameplayClass }) => pools.includes(gameplayClass)),
  }))
}

function forecastsOf(task: ForecastTask): Forecast[] {
  const { version, race, priced } = task
  const forecasts: Forecast[] = []
  // Without the odds of one starter, the others' probabilities would come out too high.
  const market =
    priced.length < race.starters.length ? null : withoutBadField(() => marketChances(priced, version.market))
  if (market !== null && market.length >= 2) {
    const lines = withoutBadField(() => predictLines(market, orderOf(version.market), race.places))
    if (lines !== null) forecasts.push(forecastOf('market-baseline', market, [], lines))
  }
  const linear = withoutOdds(task, 'fundamental')
  if (!linear?.forecast) return forecasts
  const challenger = withoutOdds(task, 'network')
  forecasts.push(linear.forecast, ...(challenger?.forecast ? [challenger.forecast] : []))
  const { blend } = version
  const blendable = blend !== null && blendedModel(blend) === 'network' ? challenger : linear
  if (blend === null || blendable === null) return forecasts
  const blended = blendOf(blend, version.market, blendable.chances, race.places)
  if (blended !== null) forecasts.push(blended)
  return forecasts
}

/** Chances by a model without odds, with its forecast, if it can handle the field; `null` if the version does not have it. */
function withoutOdds(
  { version, race, inputs }: ForecastTask,
  model: OddsFreeModel,
): { chances: Chance[]; forecast: Forecast | null } | null {
  const found = inputs && predictWithoutOdds(version, model, race, inputs)
  const fitted = version[model]
  if (!found || !fitted) return null
  const chances = chancesOf(race, found.probabilities)
  const lines = withoutBadField(() => predictLines(chances, orderOf(fitted), race.places, 'model'))
  const reasons = reasonsOf(race, found.probabilities, found.contributions)
  return { chances, forecast: lines && forecastOf(model, chances, reasons, lines) }
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
