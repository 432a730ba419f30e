import { allOf, type Filter } from '../../../analytics/filter.ts'
import { writeFilter } from '../../../analytics/url.ts'
import type { Scalar } from '../../../analytics/model.ts'
import type { Linked } from '../../../analytics/request.ts'
import { ORIGINS, type Origin } from '../../../contract/record-vocabulary.ts'
import type { Competitor, RaceInfo } from '../../../contract/api/racing.ts'
import { drawThird } from '../../../domain/draw-third.ts'
import { poissonInterval } from '../../../domain/statistics.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { addDays } from '../../../domain/region.ts'
import { numberOf, textOf, type AnswerRow } from '../../../analytics/cells.ts'

/** Whose earlier runs are counted. */
export const FORM_KINDS = ['horse', 'jockey', 'trainer', 'sire'] as const
export type FormKind = (typeof FORM_KINDS)[number]

/** What of today's race a run has in common; the last three are pairs of a runner's horse, jockey and trainer. */
const CONDITIONS = [
  'racecourse',
  'distance',
  'going',
  'course',
  'draw_third',
  'class',
  'field_size',
  'first_up',
  'horse',
  'jockey',
  'trainer',
] as const
export type Condition = (typeof CONDITIONS)[number]

/** Pairs that say something: a horse with today's jockey, and a jockey for today's trainer. */
const PAIRS: Readonly<Record<FormKind, readonly Condition[]>> = {
  horse: ['jockey'],
  jockey: ['horse', 'trainer'],
  trainer: ['jockey'],
  sire: [],
}
const isPerson = (condition: Condition): boolean => ['horse', 'jockey', 'trainer'].includes(condition)

/** Fields that differ from today's by at most this many starters are of its size. */
const FIELD_TOLERANCE = 1
/** Days without a race after which a run is the first after a rest: a lower edge of the record's bands. */
export const FIRST_UP_DAYS = 61
/** Whose runs after a rest are counted: a horse's own, and those of the trainer who prepared it. */
const RESTED: readonly FormKind[] = ['horse', 'trainer']

/**
 * The runs of a condition that is a filter, the same for every runner: a range of the record's values, or a course, since
 * courses of two racecourses have the same letters. `null` for the others, which are values that runs are grouped by.
 */
export function filterFor(
  condition: Condition | null,
  { race, racecourse, starters }: Pick<FormOf, 'race' | 'racecourse' | 'starters'>,
): Filter | null {
  switch (condition) {
    case 'field_size':
      return { dim: 'field_size', from: starters - FIELD_TOLERANCE, to: starters + FIELD_TOLERANCE }
    case 'first_up':
      return { dim: 'days_since_run', from: FIRST_UP_DAYS }
    case 'course':
      return race.course === null
        ? null
        : allOf(
            { dim: 'course', in: [race.course] },
            racecourse === null ? null : { dim: 'racecourse', in: [racecourse] },
          )
    default:
      return null
  }
}

/** The values of a runner in the data's own terms; `null` where they are unknown. */
export interface FormRunner {
  runner: Competitor
  horse: number | null
  jockey: number | null
  trainer: number | null
  sire: string | null
}

/** Runners with their keys in the data. */
export function withKeys(runners: readonly Competitor[], keys: readonly AnswerRow[]): FormRunner[] {
  const keyOf = (kind: string, id: string | null): AnswerRow | undefined =>
    keys.find((row) => textOf(row, 'kind') === kind && textOf(row, 'id') === id)
  const numberFor = (kind: string, id: string | null): number | null => {
    const row = keyOf(kind, id)
    return row ? numberOf(row, 'key') : null
  }
  return runners.map((runner) => {
    const horse = keyOf('horse', runner.horseId)
    return {
      runner,
      horse: horse ? numberOf(horse, 'key') : null,
      jockey: numberFor('jockey', runner.jockeyId),
      trainer: numberFor('trainer', runner.trainerId),
      sire: horse ? textOf(horse, 'sire') || null : null,
    }
  })
}

/** The race whose runners are looked up. */
export interface FormOf {
  race: RaceInfo
  /** Its racecourse in the data; `null` if it is not there. */
  racecourse: number | null
  /** Number of runners that are not withdrawn. */
  starters: number
  /** Whose rows of runners are counted; every model has each runner once. */
  model: string
}

/** A race among its keys in the data, as the form of its `declared` runners is asked for. */
export function formOf(
  race: RaceInfo,
  declared: readonly Competitor[],
  model: string,
  keys: readonly AnswerRow[],
): FormOf {
  const place = keys.find((row) => textOf(row, 'kind') === 'stadium')
  return { race, racecourse: place ? numberOf(place, 'key') : null, starters: declared.length, model }
}

/** Today's value of a condition for a runner; `null` where it is not known, and of a range of values. */
export function valueOf(
  condition: Condition,
  of: FormRunner,
  { race, racecourse, starters }: FormOf,
): Scalar | null {
  switch (condition) {
    case 'racecourse':
      return racecourse
    case 'distance':
      return race.distance
    case 'going':
      return race.trackCondition
    case 'course':
      return race.course
    case 'class':
      return race.raceClass
    case 'field_size':
    case 'first_up':
      return null
    case 'draw_third':
      return of.runner.draw === null ? null : drawThird(of.runner.draw, starters)
    case 'horse':
    case 'jockey':
    case 'trainer':
      return of[condition]
  }
}

/** Conditions of a kind; those of the whole race only where it has a value. */
export function conditionsOf(kind: FormKind, of: FormOf, runners: readonly FormRunner[]): Condition[] {
  const isKnown = (condition: Condition): boolean =>
    runners.some((runner) => valueOf(condition, runner, of) !== null)
  return CONDITIONS.filter((condition) => {
    if (isPerson(condition)) return PAIRS[kind].includes(condition)
    return condition === 'first_up' ? RESTED.includes(kind) : condition === 'field_size' || isKnown(condition)
  })
}

/** Runs before the day of a race. */
const before = ({ date }: RaceInfo): Filter => ({ dim: 'day', to: addDays(date, -1) })

/**
 * The panels of a matrix's request, each with its column, of which the first has all runs and the others those of a condition.
 * Figures of different origins are never one, but a run is the same whenever it was predicted: columns of values have a panel
 * for each origin, and those of a filter are grouped by it, because each filter is planned for itself.
 */
function panelsOf(
  conditions: readonly Condition[],
  of: FormOf,
): { column: number; condition: Condition | null; filter: Filter | null; origin: Origin | null }[] {
  const columns = [null, ...conditions].map((condition, column) => ({
    column,
    condition,
    filter: filterFor(condition, of),
  }))
  return [
    ...ORIGINS.flatMap((origin) =>
      columns.filter(({ filter }) => filter === null).map((each) => ({ ...each, origin })),
    ),
    ...columns.filter(({ filter }) => filter !== null).map((each) => ({ ...each, origin: null })),
  ]
}

/** The column of each panel of the request. */
export const columnsOfPanels = (conditions: readonly Condition[], of: FormOf): number[] =>
  panelsOf(conditions, of).map(({ column }) => column)

/**
 * The request of the runs before a race's day: of each kind by its values alone, and by each condition. One statement answers
 * it; `null` if the data have none of the values.
 */
export function formRequest(
  kind: FormKind,
  conditions: readonly Condition[],
  of: FormOf,
  runners: readonly FormRunner[],
): { linked: Linked } | null {
  const { race, model } = of
  const values = [...new Set(runners.flatMap((each) => each[kind] ?? []))]
  if (values.length === 0) return null
  const where = allOf({ dim: 'model', in: [model] }, { dim: kind, in: values }, before(race))
  return {
    linked: {
      model: 'runners',
      panels: panelsOf(conditions, of).map(({ condition, filter, origin }) =>
        origin === null
          ? { by: [kind, 'origin'], where: allOf(where, filter) }
          : {
              by: condition === null ? [kind] : [kind, condition],
              where: allOf(where, { dim: 'origin', in: [origin] }),
            },
      ),
      measures: ['runners', 'winners', 'place_bets', 'place_hits', 'expected_market', 'market_hits'],
    },
  }
}

/** A record under a condition. */
export interface FormCell {
  runs: number
  wins: number
  /** Of the runs that pay places; `null` without one. */
  placeRate: number | null
  /** Winners ÷ winners that the odds expected, with its 95% interval; `null` without odds. */
  ratio: { value: number; low: number; high: number } | null
}

/** Keys of linked groups are text, also those of numbers, `4656.0`. */
const isKey = (text: string, value: Scalar | null): boolean =>
  typeof value === 'number' ? Number(text) === value : text === value

/** The rows of each column of a matrix: a matrix has a hundred cells and more, so each looks through those of its column. */
export type FormRows = ReadonlyMap<number, readonly AnswerRow[]>

/** `columns`: those of the panels. */
export const rowsByColumn = (rows: readonly AnswerRow[], columns: readonly number[]): FormRows =>
  groupBy(rows, (row) => columns[numberOf(row, 'panel')]!)

/** The cell of a key: of all rows of its column, or with a `value` of those under it. */
export function cellOf(
  rows: FormRows,
  { column, key, value }: { column: number; key: Scalar; value: Scalar | null },
): FormCell | null {
  const found = (rows.get(column) ?? []).filter(
    (row) => isKey(textOf(row, 'key'), key) && (value === null || isKey(textOf(row, 'key2'), value)),
  )
  if (found.length === 0) return null
  const sum = (measure: string): number => found.reduce((total, row) => total + numberOf(row, measure), 0)
  const [expected, hits, placeBets] = [sum('expected_market'), sum('market_hits'), sum('place_bets')]
  const { low, high } = poissonInterval(hits)
  return {
    runs: sum('runners'),
    wins: sum('winners'),
    placeRate: placeBets === 0 ? null : sum('place_hits') / placeBets,
    ratio: expected > 0 ? { value: hits / expected, low: low / expected, high: high / expected } : null,
  }
}

/** The record with the runs of a cell. */
export function runsPath(
  kind: FormKind,
  key: Scalar,
  condition: Condition | null,
  value: Scalar | null,
  of: FormOf,
): string {
  const { race, model } = of
  const also =
    filterFor(condition, of) ??
    (condition === null || value === null ? null : { dim: condition, in: [value] })
  const where = allOf({ dim: kind, in: [key] }, also, before(race))!
  return `/pages/race/WinLossRecord?${new URLSearchParams({ s: 'runners', model, v: '2', f: writeFilter(where) })}`
}
