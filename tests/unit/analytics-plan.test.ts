import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, NAME_COLUMNS } from '../../domain/languages.ts'
import { pickedValues, toggled, without, withRange, withValues } from '../../analytics/clauses.ts'
import {
  allOf,
  checkFilter,
  clauseSql,
  dimensionsOf,
  impliedValues,
  type Filter,
} from '../../analytics/filter.ts'
import type { Dimension, Model } from '../../analytics/model.ts'
import { offeredColumns, offeredDimensions } from '../../analytics/offered.ts'
import { planIndex } from '../../analytics/panel-index.ts'
import { planGroups } from '../../analytics/plan.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { checkRequest } from '../../analytics/request.ts'
import { planRows, rowColumns } from '../../analytics/rows.ts'
import { text } from '../../analytics/sql.ts'
import { MODELS, type ModelName } from '../../analytics/models.ts'
import { RUNNERS } from '../../analytics/runners.ts'
import { createTable, type Table } from '../../analytics/table.ts'
import { FILE_TABLES } from '../../analytics/tables.ts'
import { readFilter, writeFilter } from '../../analytics/url.ts'
import { DATASET_SCHEMA } from '../../contract/dataset-paths.ts'

const ALL = { scope: 'all' } as const
const PUBLIC = { scope: 'public' } as const
const MODEL: Model = PREDICTIONS
const SUBJECT: Filter[] = [
  { dim: 'model', in: ['fundamental'] },
  { dim: 'origin', in: ['backtest'] },
]
const of = (...filters: (Filter | null)[]): Filter => allOf(...SUBJECT, ...filters)!
const ask = (
  by: string[],
  where: Filter,
  measures = ['predictions', 'profit'],
  access: typeof ALL | typeof PUBLIC = ALL,
) => planGroups(MODEL, { by, measures, where }, access)
const withCode = (code: string): Error => expect.objectContaining({ code }) as Error
const bad = withCode('bad-parameters')

describe('a filter of more clauses than a query takes', () => {
  const clauses = (count: number): Filter[] =>
    Array.from({ length: count }, (_, at) => ({ dim: 'rank', from: 1 + (at % 5) }))
  const tooLong = expect.objectContaining({ code: 'filter-too-long', details: { most: 200 } }) as Error
  const aggregate = (where: Filter) => ({
    aggregate: { model: 'predictions' as const, by: [], measures: ['hits'], where },
  })
  // With the conjunction around them 200.
  const longest = of(...clauses(197))
  const longer = of(...clauses(198))

  test('is refused on the device, whose requests are not checked, as on the server', () => {
    expect(planRequest(aggregate(longest), ALL).sql).toContain('SELECT')
    expect(() => planRequest(aggregate(longer), ALL)).toThrow(tooLong)
    expect(checkRequest(aggregate(longest))).toBeTruthy()
    expect(() => checkRequest(aggregate(longer))).toThrow(tooLong)
  })
  test.each<[string, Filter]>([
    ['alternatives', { or: clauses(200) }],
    ['exclusions', { and: clauses(100).map((clause) => ({ not: clause })) }],
    ['nested conjunctions', { and: [{ and: clauses(100) }, { or: clauses(100) }] }],
  ])('is counted whatever joins its clauses: %s', (_name, where) => {
    expect(() => planRequest(aggregate(allOf(...SUBJECT, { not: where })!), ALL)).toThrow(tooLong)
    expect(() => checkRequest(aggregate(allOf(...SUBJECT, { not: where })!))).toThrow(tooLong)
  })
  test('is refused in linked views, rows, the index of a brush and locks too', () => {
    const panels = [
      { by: [], where: longest },
      { by: ['going'], where: longer },
    ]
    expect(() => planRequest({ linked: { model: 'predictions', measures: ['hits'], panels } }, ALL)).toThrow(
      tooLong,
    )
    const request = { model: 'predictions' as const, active: ['month'], panels, measures: ['hits'] }
    expect(() => planIndex(request, ALL, 'index_1')).toThrow(tooLong)
    const where = { and: Array.from({ length: 200 }, () => ({ dim: 'day', from: '2026-01-01' })) }
    expect(() => planRequest({ named: { name: 'locks', model: 'blended', where } }, ALL)).toThrow(tooLong)
  })
  test('is kept whole in an address: no clause is dropped, which would show more', () => {
    const words = writeFilter({ and: [{ or: clauses(300) }] })
    expect(readFilter(MODEL, words)).toEqual({ and: [{ or: clauses(300) }] })
  })
})

describe('the planner', () => {
  test('takes the smallest rollup that can answer, and says why others could not', () => {
    expect(ask(['month'], of())).toMatchObject({ source: 'accuracy_day', rejected: [] })
    expect(ask(['going'], of())).toMatchObject({
      source: 'race_total',
      rejected: [{ rollup: 'accuracy_day', reason: 'has no going' }],
    })
    expect(ask(['rank'], of())).toMatchObject({
      source: 'prediction',
      rejected: [
        { rollup: 'accuracy_day', reason: 'has no rank' },
        { rollup: 'race_total', reason: 'has no rank' },
      ],
    })
    const win = of({ dim: 'bet_type', in: [1] })
    expect(ask([], win, ['mean_odds']).rejected.map(({ reason }) => reason)).toEqual([
      'has no odds',
      'has no odds',
    ])
    expect(ask(['season'], of(), ['log_loss']).source).toBe('race_total')
    expect(ask([], of({ dim: 'prediction_type', in: [1, 2] })).rejected[0]!.reason).toBe(
      'prediction types overlap',
    )
    expect(ask([], of({ dim: 'prediction_type', in: [2] })).source).toBe('accuracy_day')
    expect(ask([], of(), ['drawdown']).rejected[0]!.reason).toBe('needs bets in their order')
  })

  test('a figure is of one model and one origin, or grouped by them', () => {
    expect(() => ask([], { dim: 'model', in: ['blended'] })).toThrow(bad)
    expect(() => ask([], of({ dim: 'model', in: ['blended'] }))).toThrow(bad)
    expect(ask(['model', 'origin'], { dim: 'bet_type', in: [1] }).source).toBe('accuracy_day')
    expect(() => ask([], { or: SUBJECT })).toThrow(bad)
  })

  test('odds never select by outcome: they are offered for win bets alone', () => {
    expect(() => ask(['odds'], of())).toThrow(bad)
    expect(() => ask([], of({ dim: 'odds', from: 2, to: 5 }))).toThrow(bad)
    expect(() => ask([], of({ dim: 'bet_type', in: [1, 3] }, { dim: 'odds', in: [2] }))).toThrow(bad)
    expect(() => ask([], of({ dim: 'bet_type', in: [2] }, { dim: 'value', from: 1 }))).toThrow(bad)
    expect(() => ask([], of(), ['mean_odds'])).toThrow(bad)
    expect(ask(['odds'], of({ dim: 'bet_type', in: [1] })).source).toBe('prediction')
    expect(ask(['favourite_rank'], of({ dim: 'bet_type', in: [2] })).source).toBe('prediction')
  })

  test('a combination counts once for each of its horses, and the answer says so', () => {
    expect(ask(['jockey'], of({ dim: 'bet_type', in: [3] })).fanOut).toBe(true)
    expect(ask(['jockey'], of()).fanOut).toBe(true)
    expect(ask(['jockey'], of({ dim: 'bet_type', in: [1, 2] })).fanOut).toBe(false)
    expect(ask(['going'], of()).fanOut).toBe(false)
  })

  test('without the whole history only what daily totals answer is answered', () => {
    expect(ask(['season'], of({ dim: 'bet_type', in: [1] }), undefined, PUBLIC).source).toBe('accuracy_day')
    for (const [by, where] of [
      [['racecourse'], of()],
      [[], of({ dim: 'track', in: ['turf'] })],
      [['horse'], of({ dim: 'bet_type', in: [1] })],
    ] as const)
      expect(() => ask([...by], where, undefined, PUBLIC)).toThrow(withCode('vip-needed'))
  })

  test('a member’s rows are of the races that were opened, in every question', () => {
    const access = { scope: 'races', raceKeys: [11, 12] } as const
    for (const request of [
      { aggregate: { model: 'predictions', by: ['season'], measures: ['predictions'], where: of() } },
      { rows: { model: 'predictions', columns: ['race_id'], where: of(), sort: [], offset: 0, limit: 5 } },
      { rows: { model: 'runners', columns: ['dividends'], where: of(), sort: [], offset: 0, limit: 5 } },
      { linked: { model: 'predictions', panels: [{ by: ['going'], where: of() }], measures: ['hits'] } },
      { named: { name: 'locked_lines', model: 'blended', where: null } },
      { named: { name: 'reasons', raceId: 'HKSHT2026112201' } },
      { named: { name: 'odds_trend', raceId: 'HKSHT2026112201' } },
    ] as const)
      expect(planRequest(checkRequest(request), access).sql).toContain('11, 12')
    const none = planRequest(
      checkRequest({ aggregate: { model: 'predictions', by: [], measures: ['hits'], where: of() } }),
      { scope: 'races', raceKeys: [] },
    )
    expect(none.sql).toContain('race_key IN (NULL)')
  })

  test('figures of whole races are not asked of single starters', () => {
    const starters = (by: string[], where: Filter) => () =>
      planRequest({ aggregate: { model: 'runners', by, measures: ['r2'], where } }, ALL)
    expect(starters(['jockey'], of())).toThrow(bad)
    expect(starters(['season'], of({ dim: 'odds', from: 2 }))).toThrow(bad)
    expect(starters(['going'], of())().source).toBe('starter')
  })
})

describe('requests from outside', () => {
  test.each<[unknown, string]>([
    [null, 'request'],
    [{}, 'unknown-query'],
    [{ aggregate: {}, rows: {} }, 'request'],
    [{ 'DROP TABLE race': {} }, 'unknown-query'],
    [{ aggregate: { model: 'meetings', by: [], measures: ['hits'] } }, 'model'],
    [{ aggregate: { model: 'predictions', by: [], measures: [] } }, 'measures'],
    [{ aggregate: { model: 'predictions', by: ['constructor'], measures: ['hits'] } }, 'by'],
    [{ aggregate: { model: 'predictions', by: [], measures: ['hits; --'] } }, 'measures'],
    [{ aggregate: { model: 'predictions', by: [], measures: ['hits'], limit: 1e9 } }, 'limit'],
    [
      { aggregate: { model: 'predictions', by: [], measures: ['hits'], where: { dim: 'day', from: "x'" } } },
      'filter',
    ],
    [
      {
        aggregate: { model: 'predictions', by: [], measures: ['hits'], where: { dim: 'track', in: ['sea'] } },
      },
      'filter',
    ],
    [
      {
        aggregate: {
          model: 'predictions',
          by: [],
          measures: ['hits'],
          where: { dim: 'season', in: ['2020'] },
        },
      },
      'filter',
    ],
    [{ aggregate: { model: 'predictions', by: [], measures: ['hits'], sql: 'select 1' } }, 'unknown field'],
    [{ rows: { model: 'predictions', columns: ['race_id'], limit: 5001 } }, 'limit'],
    [{ rows: { model: 'predictions', columns: ['jockey'] } }, 'columns'],
    [
      { rows: { model: 'predictions', columns: ['race_id'], sort: [{ by: 'result', descending: true }] } },
      'sort',
    ],
    [{ named: { name: 'reasons', raceId: "' OR 1=1" } }, 'raceId'],
    [
      { named: { name: 'nearest', model: 'blended', raceId: 'HKSHT2026112201', horseNo: '1; --' } },
      'horseNo',
    ],
    [{ named: { name: 'nearest', model: 'blended', raceId: 'HKSHT2026112201', horseNo: 100 } }, 'horseNo'],
    [{ named: { name: 'nearest', model: 'other', raceId: 'HKSHT2026112201', horseNo: 1 } }, 'model'],
    [{ named: { name: 'locks', model: 'blended', where: { dim: 'outcome', in: ['hit'] } } }, 'where'],
  ])('%j is refused with what is wrong', (request, reason) => {
    let error: unknown
    try {
      checkRequest(request)
    } catch (thrown) {
      error = thrown
    }
    expect(String(error)).toContain(reason)
    expect(error).toMatchObject({ code: expect.stringMatching(/^(bad-parameters|unknown-query)$/) as string })
  })

  test('a filter nested or repeated without end is refused', () => {
    let deep: unknown = { dim: 'season', in: [2020] }
    for (let level = 0; level < 20; level += 1) deep = { not: deep }
    expect(() => checkFilter(MODEL, deep)).toThrow(bad)
    const wide = { or: Array.from({ length: 300 }, () => ({ dim: 'season', in: [2020] })) }
    expect(() => checkFilter(MODEL, wide)).toThrow(withCode('filter-too-long'))
    expect(() =>
      checkFilter(MODEL, { dim: 'season', in: Array.from({ length: 2000 }, (_, at) => at) }),
    ).toThrow(bad)
  })

  test('texts are only ever literals', () => {
    const evil = "Good'; DROP TABLE race; --"
    const plan = ask([], of({ dim: 'class', in: [evil] }))
    expect(plan.sql).toContain(text(evil))
    expect(text(evil)).toBe("'Good''; DROP TABLE race; --'")
  })
})

describe('filters', () => {
  const clause = fc.oneof(
    fc.record({
      dim: fc.constant('going'),
      in: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      dim: fc.constant('distance'),
      in: fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ dim: fc.constant('distance'), from: fc.integer(), to: fc.integer() }),
    fc.record({
      dim: fc.constant('probability'),
      from: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    }),
    fc.constant({ dim: 'day', from: '2024-02-29' }),
    fc.constant({ dim: 'meeting', in: ['2024-09-08/2'] }),
    fc.record({ dim: fc.constant('first_time_gear'), in: fc.constantFrom([true], [false], [true, false]) }),
  )
  const node = fc.oneof(
    clause,
    clause.map((inner) => ({ not: inner })),
    fc.array(clause, { minLength: 2, maxLength: 3 }).map((parts) => ({ or: parts })),
  )

  test('survive their address', () => {
    fc.assert(
      fc.property(fc.array(node, { minLength: 1, maxLength: 4 }), (parts) => {
        const filter = { and: parts } as Filter
        expect(readFilter(MODEL, writeFilter(filter))).toEqual(filter)
      }),
      { numRuns: 300 },
    )
  })

  test('an address of nonsense is as if it were not there, and the rest of it is read', () => {
    expect(readFilter(MODEL, 'sea:turf~track:sea~distance:x~going:good~)(~!~:')).toEqual({
      and: [{ dim: 'going', in: ['good'] }],
    })
    expect(readFilter(MODEL, '')).toBeNull()
  })

  test('clauses are picked and taken back, in their order', () => {
    let filter = withValues(null, 'going', ['good'])
    filter = toggled(filter, 'track', 'turf')
    filter = toggled(filter, 'going', 'firm')
    expect(filter).toEqual({
      and: [
        { dim: 'going', in: ['good', 'firm'] },
        { dim: 'track', in: ['turf'] },
      ],
    })
    expect(pickedValues(filter, 'going')).toEqual(['good', 'firm'])
    expect(
      withRange(toggled(toggled(filter, 'going', 'good'), 'going', 'firm'), 'distance', { from: 1200 }),
    ).toEqual({
      and: [
        { dim: 'track', in: ['turf'] },
        { dim: 'distance', from: 1200 },
      ],
    })
    expect(without(filter, ['going', 'track'])).toBeNull()
  })

  test('what a conjunction leaves of a dimension is known, of a disjunction only where all name it', () => {
    const a: Filter = { dim: 'bet_type', in: [1, 2] }
    const b: Filter = { dim: 'bet_type', in: [2, 3] }
    expect(impliedValues({ and: [a, b] }, 'bet_type')).toEqual([2])
    expect(impliedValues({ or: [a, b] }, 'bet_type')).toEqual([1, 2, 3])
    expect(impliedValues({ or: [a, { dim: 'rank', in: [1] }] }, 'bet_type')).toBeNull()
    expect(impliedValues({ not: a }, 'bet_type')).toBeNull()
    expect([...dimensionsOf({ or: [a, { not: { dim: 'rank', in: [1] } }] })]).toEqual(['bet_type', 'rank'])
  })
})

describe('a new dimension', () => {
  /** The single entry that `docs/analytics.md` tells a developer to write. */
  const month_of_year: Dimension = {
    level: 'race',
    type: 'integer',
    sql: 'month(race_date)::TINYINT',
    values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    display: 'integer',
    order: 'key',
    few: true,
  }
  const model: Model = { ...MODEL, dimensions: { ...MODEL.dimensions, month_of_year } }
  const clause: Filter = { dim: 'month_of_year', in: [9, 10] }

  test('is a filter, a facet, a breakdown, a column of the grid and of CSV, and a word of the address', () => {
    expect(clauseSql(month_of_year, { dim: 'month_of_year', in: [9, 10] })).toBe(
      'month(race_date)::TINYINT IN (9, 10)',
    )
    expect(checkFilter(model, clause)).toEqual(clause)
    expect(() => checkFilter(model, { dim: 'month_of_year', in: [13] })).toThrow(bad)
    expect(offeredDimensions(model, of(), true)).toContain('month_of_year')
    const plan = planGroups(
      model,
      { by: ['month_of_year'], measures: ['predictions'], where: of(clause) },
      ALL,
    )
    expect(plan.columns.map(({ name }) => name)).toEqual(['month_of_year', 'predictions'])
    expect(offeredColumns('predictions', model)).toContain('month_of_year')
    expect(rowColumns('predictions', model, ['month_of_year'])).toEqual([
      { name: 'month_of_year', type: 'number' },
    ])
    const rows = {
      model: 'predictions',
      columns: ['month_of_year'],
      where: of(clause),
      sort: [],
      offset: 0,
      limit: 10,
    } as const
    expect(
      planRows('predictions', model, { ...rows, columns: [...rows.columns], sort: [] }, ALL).sql,
    ).toContain('month(race_date)::TINYINT AS d0')
    expect(readFilter(model, writeFilter(clause))).toEqual({ and: [clause] })
  })
})

test('a change of a table is a new version of the files', () => {
  const tables: readonly Table[] = Object.values(FILE_TABLES).flat()
  const ddl = tables.map((table) => createTable(table)).join('\n')
  // Files of another layout must never be misread: whoever changes a column increments DATASET_SCHEMA and updates both
  // values here.
  expect([DATASET_SCHEMA, createHash('sha256').update(ddl).digest('hex').slice(0, 16)]).toEqual([
    12,
    '92fa73ae06df18b6',
  ])
})

const NAME_SUFFIX = new RegExp(`_(${NAME_COLUMNS.join('|')})$`)

test('every dimension, measure and field has its words in every language', () => {
  const names = Object.entries<Model>(MODELS).flatMap(([name, { dimensions }]) => [
    ...Object.keys(dimensions).map((dim) => `dimension.${dim}`),
    ...offeredColumns(name as ModelName, MODELS[name as ModelName])
      .filter((column) => !Object.hasOwn(dimensions, column))
      .map((column) => `field.${column.replace(NAME_SUFFIX, '')}`),
  ])
  for (const language of LANGUAGES) {
    const wordsIn = (file: string) =>
      JSON.parse(readFileSync(`locales/${language}/${file}.json`, 'utf8')) as Record<string, string>
    const words = { ...wordsIn('record'), ...wordsIn('workspace') }
    expect(names.filter((name) => words[name] === undefined)).toEqual([])
  }
})

test.each(['pick', 'favourite', 'random'] as const)(
  'the hit rate of %s is its hits out of its bets',
  (bet) => {
    const { measures }: Model = RUNNERS
    expect(measures[`${bet}_rate`]!.ratio).toMatchObject({
      numerator: measures[`${bet}_hits`]!.sql,
      denominator: measures[`${bet}_bets`]!.sql,
    })
  },
)
