import fc from 'fast-check'
import { allOf, type Filter } from '../../analytics/filter.ts'
import type { Scalar } from '../../analytics/model.ts'
import type { Row } from '../../bench/native.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import { REFERENCE, REFERENCE_MEASURES } from './reference-sql.ts'

/** Sums of doubles may differ in the last bits between two compilers; cents may not. */
export const comparable = (value: unknown): unknown =>
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
}
const RANGES: Readonly<Record<string, readonly [Scalar, Scalar]>> = {
  day: ['2026-01-15', '2026-09-30'],
  month: ['2026-02', '2026-08'],
  distance: [1100, 1700],
  race_no: [2, 6],
  probability: [0.03, 0.25],
}

const clause = fc.oneof(
  fc
    .constantFrom(...Object.keys(VALUES))
    .chain((dim) =>
      fc
        .subarray([...VALUES[dim]!], { minLength: Math.ceil(VALUES[dim]!.length / 2) })
        .map((values): Filter => ({ dim, in: values })),
    ),
  fc.constantFrom(...Object.keys(RANGES)).chain((dim) =>
    fc.constantFrom('from', 'to', 'both').map((ends): Filter => ({
      dim,
      ...(ends === 'to' ? {} : { from: RANGES[dim]![0] }),
      ...(ends === 'from' ? {} : { to: RANGES[dim]![1] }),
    })),
  ),
)
export const node = fc.oneof(
  { weight: 4, arbitrary: clause },
  { weight: 1, arbitrary: clause.map((inner): Filter => ({ not: inner })) },
  {
    weight: 1,
    arbitrary: fc.array(clause, { minLength: 2, maxLength: 3 }).map((parts): Filter => ({ or: parts })),
  },
)
export const subject = fc
  .record({
    model: fc.oneof(
      { weight: 3, arbitrary: fc.constant('market-baseline') },
      { weight: 1, arbitrary: fc.constantFrom(...MODEL_IDS) },
    ),
    origin: fc.oneof(
      { weight: 9, arbitrary: fc.constant('backtest') },
      { weight: 1, arbitrary: fc.constant('locked') },
    ),
    betTypes: fc.subarray([1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 2, maxLength: 6 }),
    types: fc.option(fc.subarray([1, 2, 3], { minLength: 1 })),
    parts: fc.array(node, { maxLength: 2 }),
  })
  .map(({ model, origin, betTypes, types, parts }): Filter =>
    allOf(
      { dim: 'model', in: [model] },
      { dim: 'origin', in: [origin] },
      { dim: 'bet_type', in: betTypes },
      types === null ? null : { dim: 'prediction_type', in: types },
      ...parts,
    )!,
  )
export const groupable = Object.keys(REFERENCE).filter((dim) => !dim.startsWith('odds'))
export const query = fc.record({
  by: fc.uniqueArray(fc.constantFrom(...groupable), { maxLength: 2 }),
  measures: fc.uniqueArray(fc.constantFrom(...Object.keys(REFERENCE_MEASURES)), {
    minLength: 1,
    maxLength: 6,
  }),
  where: subject,
})
