import { combinationChances } from '../../domain/combination-chance.ts'
import type { OrderRule, StageExponents } from '../../domain/order-rule.ts'
import type { PricedRace } from '../store/racing/history-store.ts'
import { firstFour, type PastRace } from '../model/features/history.ts'
import { fitExponent, type Choice } from '../model/models/exponent.ts'
import { LEAST_RACES } from './fit-version.ts'
import type { Source } from '../model/models/sources.ts'
import type { Walk } from './walk-forward.ts'

/**
 * The choice of the second among the horses without the winner, and so on, with the logarithms of their win
 * probabilities: the data to which stage exponents are fitted. Races without probabilities, or with a dead
 * heat in the first four places, are omitted. `starts`: index of each race's first row in `chances`.
 */
function stageChoices(
  races: readonly PastRace[],
  starts: Int32Array,
  chances: Float64Array,
): Record<keyof StageExponents, Choice[]> {
  const stages: ReturnType<typeof stageChoices> = { second: [], third: [], fourth: [] }
  for (const [index, race] of races.entries()) {
    const { starters } = race
    const from = starts[index]!
    if (Number.isNaN(chances[from]!)) continue
    const order = firstFour(race)
    if (order === null) continue
    const gone: number[] = []
    for (const [stage, name] of ([null, 'second', 'third', 'fourth'] as const).entries()) {
      if (name !== null) {
        const rest = starters.flatMap((_, row) => (gone.includes(row) ? [] : [row]))
        stages[name].push({
          logs: rest.map((row) => Math.log(chances[from + row]!)),
          chosen: rest.indexOf(order[stage]!),
        })
      }
      gone.push(order[stage]!)
    }
  }
  return stages
}

/**
 * Domain notes section 2, the refit on 2006–13: for probabilities without earlier ones to fit to. No imported race was
 * used to fit it.
 */
const USUAL_EXPONENTS: StageExponents = { second: 0.88, third: 0.73, fourth: 0.67 }

/**
 * The stage exponents of discounted Harville, fitted to what was predicted for the seasons before one: what the order model
 * is compared with.
 */
export function exponentsBefore(
  { races, data, chances }: Pick<Walk, 'races' | 'data' | 'chances'>,
  source: Source,
  season: number,
): StageExponents {
  const next = races.findIndex((race) => race.season >= season)
  const stages = stageChoices(races.slice(0, next < 0 ? races.length : next), data.starts, chances[source])
  if (stages.second.length < LEAST_RACES) return USUAL_EXPONENTS
  return {
    second: fitExponent(stages.second).exponent,
    third: fitExponent(stages.third).exponent,
    fourth: fitExponent(stages.fourth).exponent,
  }
}

/** A race whose first four are known and without a dead heat, with the win chances of a source. */
export interface OrderedRace {
  race: PricedRace
  /** Day and racecourse: the groups by which intervals are resampled. */
  meeting: string
  /** Of the starters, as in the race. */
  win: number[]
  /** Indexes of the first four starters. */
  order: number[]
}

/** The ordered races of some seasons for which a source has win chances. */
export function orderedRaces(
  { races, data, chances }: Pick<Walk, 'races' | 'data' | 'chances'>,
  source: Source,
  seasons: readonly number[],
): OrderedRace[] {
  return races.flatMap((race, index) => {
    const win = [...chances[source].subarray(data.starts[index], data.starts[index + 1])]
    const order = firstFour(race)
    if (!seasons.includes(race.season) || Number.isNaN(win[0]!) || order === null) return []
    return [{ race, meeting: `${race.date} ${race.stadiumId}`, win, order }]
  })
}

/**
 * Logarithms of P(second), P(third) and P(fourth), each given those before. `win`: as `checkField` accepts them; `order`:
 * indexes of the first four. Throws `bad-field`.
 */
export function placeLogs(win: readonly number[], rule: OrderRule, order: readonly number[]): number[] {
  const chances = combinationChances(win, rule, 0)
  const logs = ([1, 5, 7, 9] as const).map((classId, index) =>
    Math.log(chances.of(classId, order.slice(0, index + 1))),
  )
  return [1, 2, 3].map((place) => logs[place]! - logs[place - 1]!)
}
