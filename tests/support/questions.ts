import fc from 'fast-check'
import { allOf, type Filter } from '../../analytics/filter.ts'
import type { Model, Scalar } from '../../analytics/model.ts'
import { MODELS } from '../../analytics/models.ts'
import type { GroupQuery } from '../../analytics/plan.ts'
import { RATIO_PARTS } from '../../analytics/sums.ts'
import type { Row } from './native.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import { RACE_REFERENCE_DIMENSIONS } from './reference-races.ts'
import { RUNNER_DIMENSIONS } from './reference-runners.ts'
import { OF_BET_TYPES, REFERENCE, REFERENCE_MEASURES } from './reference-sql.ts'

/** Sums of doubles may differ in the last bits between two compilers; cents may not. */
const comparable = (value: unknown): unknown =>
  typeof value === 'bigint' || typeof value === 'number'
    ? Math.abs(Number(value)) < 1e-9
      ? 0
      : Number(Number(value).toPrecision(9))
    : value
export const comparableRow = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, comparable(value) as Scalar]))

export const sortedLines = (rows: readonly (readonly unknown[])[]): string[] =>
  rows.map((row) => JSON.stringify(row)).toSorted()

/** Values of the demonstration from which filters are generated. */
export const VALUES: Readonly<Record<string, readonly Scalar[]>> = {
  season: [2025, 2026],
  calendar_month: [2, 5, 9, 11],
  weekday: [1, 3, 6, 7],
  racecourse: [1, 2],
  track: ['turf', 'awt'],
  going: ['good', 'good_to_firm', 'yielding', 'wet_slow'],
  distance: [1000, 1200, 1400, 1650, 1800],
  race_no: [1, 2, 5, 9],
  field_size: [8, 10, 12, 14],
  rank: [1, 2, 3, 10],
  outcome: ['hit', 'miss', 'void'],
  probability: [0, 0.04, 0.1, 0.2],
  draw: [1, 4, 9],
  jockey: [1, 2, 3, 4, 5],
  jockey_trainer: [294_922, 458_762, 524_290, 589_839],
  rating: [0, 30, 60, 80],
  weight_carried: [0, 115, 121, 127],
  body_weight: [950, 1000, 1050, 1150],
  // The last one is worn by no horse.
  gear: ['', 'B', 'TT/B', 'PC'],
  first_time_gear: [true, false],
  days_since_run: [0, 15, 29, 61],
  career_runs: [0, 1, 4, 11],
}
const RANGES: Readonly<Record<string, readonly [Scalar, Scalar]>> = {
  day: ['2026-01-15', '2026-09-30'],
  month: ['2026-02', '2026-08'],
  distance: [1100, 1700],
  race_no: [2, 6],
  probability: [0.03, 0.25],
  rating: [35, 75],
  weight_carried: [116, 125],
  body_weight: [1020, 1130],
  days_since_run: [10, 40],
  career_runs: [2, 9],
}
/** Values of dimensions that are offered for some bet types only. */
const LIMITED_VALUES: Readonly<Record<string, readonly Scalar[]>> = {
  odds: [1, 4, 10, 30],
  odds_move: [-0.25, -0.1, 0.1],
  value: [0.5, 0.8, 1, 1.25],
  favourite_rank: [1, 2, 5],
}
const LIMITED_RANGES: Readonly<Record<string, readonly [Scalar, Scalar]>> = {
  odds: [2.5, 12],
  odds_move: [-0.2, 0.3],
  value: [0.75, 1.05],
}

const isOffered = (name: string, betTypes: readonly number[]): boolean =>
  OF_BET_TYPES[name] === undefined || betTypes.every((type) => OF_BET_TYPES[name]!.includes(type))
const offered = <Value>(
  of: Readonly<Record<string, Value>>,
  betTypes: readonly number[],
): [string, Value][] => Object.entries(of).filter(([name]) => isOffered(name, betTypes))

type Lists = readonly (readonly [string, readonly Scalar[]])[]
type Ranges = readonly (readonly [string, readonly [Scalar, Scalar]])[]

/** A clause on one of some dimensions: a list of its values, or a range. */
const clauseOf = (lists: Lists, ranges: Ranges): fc.Arbitrary<Filter> => {
  const list = fc
    .constantFrom(...lists)
    .chain(([dim, values]) =>
      fc
        .subarray([...values], { minLength: Math.ceil(values.length / 2) })
        .map((chosen): Filter => ({ dim, in: chosen })),
    )
  if (ranges.length === 0) return list
  const range = fc.constantFrom(...ranges).chain(([dim, [from, to]]) =>
    fc.constantFrom('from', 'to', 'both').map((ends): Filter => ({
      dim,
      ...(ends === 'to' ? {} : { from }),
      ...(ends === 'from' ? {} : { to }),
    })),
  )
  return fc.oneof(list, range)
}
const nodeOf = (clause: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> =>
  fc.oneof(
    { weight: 4, arbitrary: clause },
    { weight: 1, arbitrary: clause.map((inner): Filter => ({ not: inner })) },
    {
      weight: 1,
      arbitrary: fc.array(clause, { minLength: 2, maxLength: 3 }).map((parts): Filter => ({ or: parts })),
    },
  )
const clause = clauseOf(Object.entries(VALUES), Object.entries(RANGES))
export const node = nodeOf(clause)

/** One of the models, each at times, and mostly its backtests. */
const someModel = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('market-baseline', 'fundamental') },
  { weight: 1, arbitrary: fc.constantFrom(...MODEL_IDS) },
)
const someOrigin = fc.oneof(
  { weight: 8, arbitrary: fc.constant('backtest') },
  { weight: 1, arbitrary: fc.constantFrom('locked', 'changed') },
)

/** Predictions of one model and origin on some bet types. */
const subjectOf = (betTypes: readonly number[]): fc.Arbitrary<Filter> => {
  const limited = offered(LIMITED_VALUES, betTypes)
  const own = limited.length === 0 ? clause : clauseOf(limited, offered(LIMITED_RANGES, betTypes))
  return fc
    .record({
      model: someModel,
      origin: someOrigin,
      types: fc.option(fc.subarray([1, 2, 3], { minLength: 1 })),
      parts: fc.array(nodeOf(fc.oneof(clause, own)), { maxLength: 2 }),
    })
    .map(({ model, origin, types, parts }): Filter =>
      allOf(
        { dim: 'model', in: [model] },
        { dim: 'origin', in: [origin] },
        { dim: 'bet_type', in: [...betTypes] },
        types === null ? null : { dim: 'prediction_type', in: types },
        ...parts,
      )!,
    )
}
const someBetTypes = fc.subarray([1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 2, maxLength: 6 })
export const subject = someBetTypes.chain(subjectOf)

/** Dimensions that are offered for every bet type. */
export const groupable = Object.keys(REFERENCE).filter((dim) => OF_BET_TYPES[dim] === undefined)

const dimensionFor = (betTypes: readonly number[]): fc.Arbitrary<string> => {
  const limited = offered(OF_BET_TYPES, betTypes).flatMap(([name]) => (name in REFERENCE ? [name] : []))
  const any = fc.constantFrom(...groupable)
  return limited.length === 0 ? any : fc.oneof(any, fc.constantFrom(...limited))
}
/** Questions about predictions; `measuresOf`: some of those that are offered. */
const queryOf = (measuresOf: (isThere: (name: string) => boolean) => fc.Arbitrary<string[]>) =>
  fc
    .oneof(
      { weight: 4, arbitrary: someBetTypes },
      { weight: 1, arbitrary: fc.constantFrom([1], [1], [2], [1, 2]) },
    )
    .chain((betTypes) =>
      fc.record({
        by: fc.uniqueArray(dimensionFor(betTypes), { maxLength: 2 }),
        measures: measuresOf((name) => isOffered(name, betTypes)),
        where: subjectOf(betTypes),
      }),
    )
/** With measures that are sums, and formulas of sums. */
export const query = queryOf((isThere) =>
  fc.uniqueArray(fc.constantFrom(...Object.keys(REFERENCE_MEASURES).filter(isThere)), {
    minLength: 1,
    maxLength: 8,
  }),
)

/** The measures of a model itself but those of the reader's own file, and the terms of ratios, which other tests compare. */
export function measuresOf(model: Model): string[] {
  const isPart = (name: string): boolean =>
    RATIO_PARTS.some((part) => name.endsWith(`_${part}`) && name.slice(0, -part.length - 1) in model.measures)
  return Object.keys(model.measures).filter((name) => !/^own_\d_mean/.test(name) && !isPart(name))
}
/** A few of some measures, or so many that every one is drawn before long. */
const someOf = (names: readonly string[]): fc.Arbitrary<string[]> =>
  fc.oneof(
    fc.shuffledSubarray([...names], { minLength: 1, maxLength: Math.min(8, names.length) }),
    fc.shuffledSubarray([...names], { minLength: Math.ceil(names.length / 2) }),
  )

/** Questions about a model whose rows are of single horses or races. Measures of whole races are asked of whole races. */
function questionsAbout(model: Model, dimensions: readonly string[]): fc.Arbitrary<GroupQuery> {
  const level = (wholeRaces: boolean) => (dim: string) =>
    !wholeRaces || model.dimensions[dim]!.level === 'race'
  return fc.boolean().chain((wholeRaces) => {
    const offered = dimensions.filter(level(wholeRaces))
    const ofThese = <Value>(of: Readonly<Record<string, Value>>): [string, Value][] =>
      Object.entries(of).filter(([dim]) => offered.includes(dim))
    const part = nodeOf(
      clauseOf(ofThese({ ...VALUES, ...LIMITED_VALUES }), ofThese({ ...RANGES, ...LIMITED_RANGES })),
    )
    return fc
      .record({
        by: fc.uniqueArray(fc.constantFrom(...offered), { maxLength: 2 }),
        model: someModel,
        origin: someOrigin,
        parts: fc.array(part, { maxLength: 2 }),
        measures: someOf(measuresOf(model).filter((name) => wholeRaces || !model.measures[name]!.wholeRaces)),
      })
      .map(({ by, measures, parts, ...subject }) => ({
        by,
        measures,
        where: allOf(
          { dim: 'model', in: [subject.model] },
          { dim: 'origin', in: [subject.origin] },
          ...parts,
        ),
      }))
  })
}

/** Questions about each subject, with any measures that its model has. */
export const QUESTIONS = {
  predictions: queryOf((isThere) => someOf(measuresOf(MODELS.predictions).filter(isThere))),
  runners: questionsAbout(MODELS.runners, RUNNER_DIMENSIONS),
  races: questionsAbout(MODELS.races, RACE_REFERENCE_DIMENSIONS),
}
