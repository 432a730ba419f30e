import { FurlongError } from '../../domain/errors.ts'
import type { GridFilter, RecordFilter } from '../../contract/queries.ts'
import { among, day, number, text } from './literal.ts'

/** What the opened files allow to be asked. */
export interface Access {
  history: boolean
  /** First month of the opened region's seasons. */
  seasonStartMonth: number
}

/** Where totals come from: a relation with the columns of `Totals` per group of `race_date`, class and more. */
export interface RecordSource {
  kind: 'cube' | 'rows'
  /** Relation to select from, called `p`. */
  from: string
  conditions: string[]
}

/** The eight sums over a source that is aggregated already. */
const CUBE_SUMS = `
  coalesce(sum(predictions), 0) AS predictions,
  coalesce(sum(hits), 0) AS hits,
  coalesce(sum(voids), 0) AS voids,
  coalesce(sum(unknown), 0) AS unknown,
  coalesce(sum(unknown_hits), 0) AS unknown_hits,
  coalesce(sum(stake_cents), 0) AS stake_cents,
  coalesce(sum(profit_cents), 0) AS profit_cents,
  coalesce(sum(random_hits), 0) AS random_hits`

/** The same sums over predictions, one row each. */
const ROW_SUMS = `
  count(*)::DOUBLE AS predictions,
  count(*) FILTER (WHERE outcome = 'hit')::DOUBLE AS hits,
  count(*) FILTER (WHERE outcome = 'void')::DOUBLE AS voids,
  count(*) FILTER (WHERE profit_cents IS NULL)::DOUBLE AS unknown,
  count(*) FILTER (WHERE profit_cents IS NULL AND outcome = 'hit')::DOUBLE AS unknown_hits,
  (1000 * count(*) FILTER (WHERE profit_cents IS NOT NULL AND outcome <> 'void'))::DOUBLE AS stake_cents,
  coalesce(sum(profit_cents), 0)::DOUBLE AS profit_cents,
  coalesce(sum(random_chance) FILTER (WHERE outcome <> 'void'), 0)::DOUBLE AS random_hits`

export const sumsOf = ({ kind }: RecordSource): string => (kind === 'cube' ? CUBE_SUMS : ROW_SUMS)

/** Conditions on days and racecourses of a relation. */
export function dayConditions(filter: RecordFilter, of: string): string[] {
  return [
    ...(filter.from === null ? [] : [`${of}.race_date >= ${day(filter.from)}`]),
    ...(filter.to === null ? [] : [`${of}.race_date <= ${day(filter.to)}`]),
    ...(filter.except === null
      ? []
      : [`NOT (${of}.race_date BETWEEN ${day(filter.except.from)} AND ${day(filter.except.to)})`]),
    ...among(`${of}.stadium_key`, filter.stadiumKeys, number),
  ]
}

function dimensionConditions(filter: RecordFilter): string[] {
  return [
    ...dayConditions(filter, 'p'),
    ...among(`p.gameplay_class`, filter.gameplayClasses, number),
    ...modelConditions(filter),
  ]
}

const modelConditions = (filter: RecordFilter): string[] => [
  `p.model_key = ${number(filter.modelKey)}`,
  `p.origin = ${text(filter.origin)}`,
]

export function raceConditions(filter: RecordFilter): string[] {
  return [
    ...among('race.track', filter.tracks, text),
    ...among('race.going', filter.goings, text),
    ...(filter.distanceFromM === null ? [] : [`race.distance_m >= ${number(filter.distanceFromM)}`]),
    ...(filter.distanceToM === null ? [] : [`race.distance_m <= ${number(filter.distanceToM)}`]),
  ]
}

const TYPE_COLUMNS = ['', 'selected', 'cautious', 'upset_guard'] as const

/** Predictions themselves as `p`, joined to `race` only when a filter or `needsRace` asks for it. */
export function predictionSource(filter: RecordFilter, needsRace = false): RecordSource {
  const ofRace = raceConditions(filter)
  const type = TYPE_COLUMNS[filter.predictionType]
  return {
    kind: 'rows',
    from: ofRace.length > 0 || needsRace ? 'prediction p JOIN race USING (race_key)' : 'prediction p',
    conditions: [...dimensionConditions(filter), ...(type ? [`p.${type}`] : []), ...ofRace],
  }
}

/**
 * The smallest source that answers a filter: the cube where every condition is one of its dimensions, else the
 * predictions. Without the whole history only the daily totals may answer. Throws `vip-needed`.
 */
export function totalsSource(filter: RecordFilter, access: Access): RecordSource {
  const simple = raceConditions(filter).length === 0
  const type = `p.prediction_type = ${number(filter.predictionType)}`
  if (access.history) {
    if (!simple) return predictionSource(filter)
    return { kind: 'cube', from: 'accuracy_cube p', conditions: [...dimensionConditions(filter), type] }
  }
  if (!simple || filter.stadiumKeys.length > 0) throw new FurlongError('vip-needed')
  return { kind: 'cube', from: 'accuracy_day p', conditions: [...dimensionConditions(filter), type] }
}

/** The market line's key in the dataset (`model`). */
export const MARKET_MODEL_KEY = 1

/** Win probabilities as `p`, one row a starter, of the races that a filter chooses; its bet type and type do not matter. */
export function chanceSource(filter: RecordFilter): RecordSource {
  const ofRace = raceConditions(filter)
  return {
    kind: 'rows',
    from: ofRace.length > 0 ? 'win_chance p JOIN race USING (race_key)' : 'win_chance p',
    conditions: [...dayConditions(filter, 'p'), ...modelConditions(filter), ...ofRace],
  }
}

/** Conditions of the grid's own filters, on predictions `p`. */
export function gridConditions(filters: readonly GridFilter[]): string[] {
  return filters.flatMap((filter) => {
    if (filter.kind === 'outcome') return among('p.outcome', filter.outcomes, text)
    const column = `p.${filter.column}`
    return [
      ...(filter.from === null ? [] : [`${column} >= ${number(filter.from)}`]),
      ...(filter.to === null ? [] : [`${column} <= ${number(filter.to)}`]),
    ]
  })
}
