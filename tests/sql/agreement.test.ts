import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allOf, dimensionsOf, type Filter } from '../../analytics/filter.ts'
import { MADE_TABLES } from '../../analytics/open.ts'
import { planLinked } from '../../analytics/linked.ts'
import type { Model, Scalar } from '../../analytics/model.ts'
import { MODELS, type ModelName } from '../../analytics/models.ts'
import { dropIndex, indexedSql, planIndex, stepSql, type IndexRequest } from '../../analytics/panel-index.ts'
import { planGroups, type GroupQuery } from '../../analytics/plan.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { RACES } from '../../analytics/races.ts'
import { RUNNERS } from '../../analytics/runners.ts'
import { NativeEngine, type Row } from '../support/native.ts'
import { CASES } from '../support/cases.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import type { TestDatabase } from '../support/databases.ts'
import { fansOut, FREQUENT } from '../../analytics/source.ts'
import { referenceColumns } from '../support/reference-bets.ts'
import { REGION } from '../support/reference-chances.ts'
import {
  OF_BET_TYPES,
  REFERENCE,
  REFERENCE_MEASURES,
  REFERENCE_VIEWS,
  referenceSql,
  referenceFigures,
} from '../support/reference-sql.ts'
import {
  RACE_LIST_REFERENCE,
  RACE_REFERENCE_DIMENSIONS,
  RACE_REFERENCE_MEASURES,
  RACE_REFERENCE_VIEWS,
  raceReferenceSql,
} from '../support/reference-races.ts'
import {
  RUNNER_DIMENSIONS,
  RUNNER_REFERENCE_MEASURES,
  RUNNER_REFERENCE_VIEWS,
  starterReferenceSql,
} from '../support/reference-runners.ts'
import { groupable, measuresOf, node, query, QUESTIONS, subject, VALUES } from '../support/questions.ts'
import { testSampled } from '../support/sampled.ts'
import { expectSameFigures, expectSameRows, type Line } from '../support/same-figures.ts'
import { newVariedDemonstration } from '../support/varied-demonstration.ts'
import { WasmEngine } from '../support/wasm-engine.ts'
import { IndexStore } from '../../workers/engine/index-store.ts'

/**
 * The same query runs in the browser's WASM engine, in native DuckDB of the same version, and on PostgreSQL as SQL
 * written for this test over the model's tables: the figures must agree to the cent. Queries are generated; a failure
 * prints its seed.
 */
const ALL = { scope: 'all' } as const
const MODEL: Model = PREDICTIONS

let place: TestDatabase
let native: NativeEngine
let wasm: WasmEngine

beforeAll(async () => {
  place = await newVariedDemonstration('postgresql')
  await place.database.script(REFERENCE_VIEWS)
  await place.database.script(RUNNER_REFERENCE_VIEWS)
  await place.database.script(RACE_REFERENCE_VIEWS)
  native = await NativeEngine.open(place.dataFolder, REGION, MODEL_IDS)
  wasm = await WasmEngine.open(place.dataFolder, REGION, MODEL_IDS)
})
afterAll(() => place.close())

/** More groups than the data have: an answer that is cut off could not be compared. */
const LIMIT = 100_000

/** Rows of both engines, which must be equal and in the same order. */
async function byEngines(sql: string): Promise<Row[]> {
  const natively = await native.rows(sql)
  expectSameRows(wasm.rows(sql), natively, 'WASM against native')
  return natively
}

const lineOf = (row: Row, { by, measures }: Pick<GroupQuery, 'by' | 'measures'>): Line => ({
  key: by.map((name) => row[name]),
  figures: measures.map((name) => row[name]),
})

const predictionsSql = ({ by, measures, where }: GroupQuery): string =>
  referenceSql(by, measures, where, [...by, ...dimensionsOf(where)])

/** Requires that PostgreSQL answers a query like the engines. Returns its rows. */
async function expectReference(
  question: GroupQuery,
  model: Model = MODEL,
  sqlOf: (question: GroupQuery) => string = predictionsSql,
): Promise<Row[]> {
  const rows = await byEngines(planGroups(model, { ...question, limit: LIMIT }, ALL).sql)
  const columns = referenceColumns(question.measures)
  const sql = sqlOf({ ...question, measures: columns })
  const reference = await place.database.rows<Record<string, Scalar | null>>(sql)
  expectSameFigures(
    rows.map((row) => lineOf(row, question)),
    reference.map((row) => ({
      key: question.by.map((_, index) => row[`k${index}`]),
      figures: referenceFigures(row, question.measures),
    })),
    'DuckDB against PostgreSQL',
  )
  return rows
}

const SQL_OF: Readonly<Record<ModelName, (question: GroupQuery) => string>> = {
  predictions: predictionsSql,
  runners: ({ by, measures, where }) => starterReferenceSql(by, measures, where),
  races: ({ by, measures, where }) => raceReferenceSql(by, measures, where),
}

const SUBJECTS = ['predictions', 'runners', 'races'] as const
const RUNS = Number(process.env['FURLONG_AGREEMENT_RUNS'] ?? 500)
for (const name of SUBJECTS)
  testSampled(
    `%s questions about ${name}: WASM, native DuckDB and PostgreSQL agree`,
    { few: 40, many: name === 'predictions' ? RUNS : RUNS / 5, timeout: 600_000 },
    async (parameters) => {
      /** Measures that were compared and had a figure. */
      const found = new Set<string>()
      await fc.assert(
        fc.asyncProperty(QUESTIONS[name], async (question) => {
          const rows = await expectReference(question, MODELS[name], SQL_OF[name])
          for (const measure of question.measures)
            if (rows.some((row) => Number(row[measure]) !== 0)) found.add(measure)
        }),
        parameters,
      )
      // Empty results would agree too.
      expect(measuresOf(MODELS[name]).filter((measure) => !found.has(measure))).toEqual([])
    },
  )

const SUBJECT = [
  { dim: 'model', in: ['fundamental'] },
  { dim: 'origin', in: ['backtest'] },
] satisfies Filter[]

test.each(Object.keys(REFERENCE))('every measure agrees by %s', { tags: ['rest'] }, async (dim) => {
  const betTypes = OF_BET_TYPES[dim] ?? [1, 2, 3, 4, 5, 6, 7, 8, 9]
  const measures = Object.keys(REFERENCE_MEASURES).filter(
    (name) => OF_BET_TYPES[name] === undefined || String(betTypes) === '1',
  )
  const rows = await expectReference({
    by: [dim],
    measures,
    where: allOf(...SUBJECT, { dim: 'bet_type', in: [...betTypes] }),
  })
  // Figures that are all 0 or unknown would agree too.
  expect(measures.filter((name) => !rows.some((row) => Number(row[name]) !== 0))).toEqual([])
})

type ReferenceOf = (by: readonly string[], measures: readonly string[], where: Filter | null) => string

/** Requires that every measure agrees by a dimension, in backtests and in locked predictions. */
async function expectByDimension(
  model: Model,
  dim: string,
  measures: readonly string[],
  sqlOf: ReferenceOf,
): Promise<void> {
  const found = new Set<string>()
  for (const origin of ['backtest', 'locked']) {
    const rows = await expectReference(
      { by: [dim], measures, where: allOf(SUBJECT[0]!, { dim: 'origin', in: [origin] }) },
      model,
      ({ by, where }) => sqlOf(by, measures, where),
    )
    for (const name of measures) if (rows.some((row) => Number(row[name]) !== 0)) found.add(name)
  }
  // Figures that are all 0 or unknown would agree too.
  expect(measures.filter((name) => !found.has(name))).toEqual([])
}

test.each(RUNNER_DIMENSIONS)('every measure of runners agrees by %s', async (dim) => {
  const model: Model = RUNNERS
  // Of a part of a race's runners, measures of whole races are not offered.
  const measures = Object.keys(RUNNER_REFERENCE_MEASURES).filter(
    (name) => model.dimensions[dim]!.level === 'race' || !model.measures[name]!.wholeRaces,
  )
  await expectByDimension(model, dim, measures, starterReferenceSql)
})

test.each(RACE_REFERENCE_DIMENSIONS)('every measure of races agrees by %s', (dim) =>
  expectByDimension(RACES, dim, Object.keys(RACE_REFERENCE_MEASURES), raceReferenceSql),
)

test('the list of races has the first choice, the favourite and the winners of each', async () => {
  const where = allOf(SUBJECT[0]!, { dim: 'origin', in: ['backtest'] })
  const columns = [
    'race_id',
    'first_no',
    'first_place',
    'favourite_no',
    'favourite_place',
    'winner_no',
    'winner_odds',
    'winner_market_rank',
    'winner_model_rank',
    'win_dividend',
  ]
  const { sql } = planRequest(
    { rows: { model: 'races', columns, where, sort: [], offset: 0, limit: 5000 } },
    ALL,
  )
  const rows = await byEngines(sql)
  const expected = await place.database.rows<Record<string, Scalar | null>>(RACE_LIST_REFERENCE)
  expect(expected.length).toBeGreaterThan(100)
  const keyed = (key: Scalar | null | undefined, figures: unknown[]) => ({ key: [key], figures })
  expectSameFigures(
    rows.map(({ race_id: id, ...row }) => keyed(id, Object.values(row))),
    expected.map(({ raceId, ...row }) => keyed(raceId, Object.values(row))),
    'DuckDB against PostgreSQL',
  )
})

test('just after opening, races are read from the files with the same figures', async () => {
  const fresh = await WasmEngine.open(place.dataFolder, REGION, MODEL_IDS, false)
  const where = allOf(...SUBJECT)
  for (const dim of RACE_REFERENCE_DIMENSIONS) {
    const question = { by: [dim], measures: Object.keys(RACE_REFERENCE_MEASURES), where, limit: LIMIT }
    const { sql } = planGroups(RACES, question, ALL)
    expectSameRows(fresh.rows(sql), wasm.rows(sql), 'files against memory')
  }
})

const WIN_PICKS = allOf(...SUBJECT, { dim: 'bet_type', in: [1] }, { dim: 'prediction_type', in: [1] })

test.each([
  ['profit by month and season', ['calendar_month', 'season'], ['predictions', 'profit']],
  ['hits by draw and distance', ['draw', 'distance'], ['predictions', 'hits', 'hit_rate', 'return']],
])('what analysts ask agrees: %s', async (_, by, measures) => {
  const rows = await expectReference({ by, measures, where: WIN_PICKS })
  expect(rows.length).toBeGreaterThan(5)
})

test('what analysts ask agrees: jockeys with trainers, some of them more often than a minimum', async () => {
  const measures = ['predictions', 'hit_rate', 'return']
  const rows = await expectReference({ by: ['jockey_trainer'], measures, where: WIN_PICKS })
  const often = rows.filter((row) => Number(row['predictions']) >= 5)
  expect(often.length).toBeGreaterThan(0)
  expect(often.length).toBeLessThan(rows.length)
})

test('a horse has as many rows as win predictions, with their profits', async () => {
  const wins = allOf(...SUBJECT, { dim: 'bet_type', in: [1] })!
  const horses = await expectReference({ by: ['horse'], measures: ['predictions'], where: wins })
  const most = horses.toSorted((a, b) => Number(b['predictions']) - Number(a['predictions']))[0]!
  const where = allOf(wins, { dim: 'horse', in: [Number(most['horse'])] })!
  const runs = await expectReference({
    by: ['day', 'race_no'],
    measures: ['predictions', 'hits', 'profit'],
    where,
  })
  const columns = ['day', 'race_no', 'outcome', 'profit_cents']
  const rows = await byEngines(
    planRequest({ rows: { model: 'predictions', columns, where, sort: [], offset: 0, limit: 100 } }, ALL).sql,
  )
  expect(rows).toHaveLength(Number(most['predictions']))
  const keyOf = (row: Row): string => `${String(row['day'])} ${String(row['race_no'])}`
  const profits = new Map(rows.map((row) => [keyOf(row), Number(row['profit_cents'] ?? 0)]))
  expect(runs.map((row) => [keyOf(row), Number(row['profit'])]).toSorted()).toEqual([...profits].toSorted())
})

test('coupled entries are among the hits of every bet type', async () => {
  const hits = await place.database.rows<{ gameplayClass: number }>(
    `select gameplay_class from reference_row p where p.outcome = 'hit' and p.profit_cents > 0 and exists (
       select 1 from runner later where later.race_id = p.race_id and later.entry_no <> later.horse_no
         and later.entry_no = any (p.horses) and later.place <= 3)
     group by gameplay_class order by gameplay_class`,
  )
  expect(hits.map((row) => row.gameplayClass)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
})

testSampled(
  'just after opening, before anything is in memory, the answers to %s questions are the same',
  { few: 10, many: 100, timeout: 120_000 },
  async (parameters) => {
    const fresh = await WasmEngine.open(place.dataFolder, REGION, MODEL_IDS, false)
    const access = { ...ALL, without: MADE_TABLES }
    fc.assert(
      fc.property(query, (question) => {
        const limited = { ...question, limit: LIMIT }
        expectSameRows(
          fresh.rows(planGroups(MODEL, limited, access).sql),
          wasm.rows(planGroups(MODEL, limited, ALL).sql),
          'files against memory',
        )
      }),
      parameters,
    )
  },
)

const ROLLED = [
  'season',
  'month',
  'racecourse',
  'track',
  'going',
  'distance',
  'bet_type',
  'weekday',
  'field_size',
]

/** Measures that daily totals have, and those that totals by race have. */
const DAILY = ['predictions', 'hits', 'voids', 'unknown', 'unknown_hits', 'staked', 'profit', 'chance_rate']
const RACE = Object.keys(REFERENCE_MEASURES).filter((name) => OF_BET_TYPES[name] === undefined)

testSampled(
  'rollups say the same as the rows, to the cent: %s questions',
  { few: 15, many: 150, timeout: 300_000 },
  async (parameters) => {
    const rowsOnly: Model = { ...MODEL, rollups: [] }
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          by: fc.uniqueArray(fc.constantFrom(...ROLLED), { maxLength: 2 }),
          type: fc.constantFrom(null, 1, 2, 3),
          parts: fc.array(
            fc
              .constantFrom(...ROLLED.filter((dim) => VALUES[dim]))
              .chain((dim) =>
                fc
                  .subarray([...VALUES[dim]!], { minLength: 1 })
                  .map((values): Filter => ({ dim, in: values })),
              ),
            { maxLength: 2 },
          ),
          model: fc.constantFrom(...MODEL_IDS),
          daily: fc.boolean(),
        }),
        async ({ by, type, parts, model, daily }) => {
          const where = allOf(
            { dim: 'model', in: [model] },
            { dim: 'origin', in: ['backtest'] },
            type === null ? null : { dim: 'prediction_type', in: [type] },
            ...parts,
          )
          const question = { by, measures: daily ? DAILY : RACE, where }
          const rolled = planGroups(MODEL, question, ALL)
          const direct = planGroups(rowsOnly, question, { ...ALL, without: [FREQUENT] })
          seen.add(rolled.source)
          expect(direct.source).toBe('prediction')
          expectSameRows(await byEngines(rolled.sql), await byEngines(direct.sql), 'rollup against rows')
        },
      ),
      parameters,
    )
    expect([...seen].toSorted()).toEqual(['accuracy_day', 'frequent', 'race_total'])
  },
)

test('values that every opened row has need not be asked for', async () => {
  const one = await NativeEngine.open(place.dataFolder, REGION, ['market-baseline'])
  const where = allOf({ dim: 'model', in: ['market-baseline'] }, { dim: 'origin', in: ['backtest'] })
  const question = { by: ['going'], measures: ['predictions', 'profit', 'log_loss'], where }
  const constants = { model: 'market-baseline' } as const
  const direct = planGroups(MODEL, question, ALL)
  const shorter = planGroups(MODEL, question, { scope: 'all', constants })
  expect(shorter.sql.length).toBeLessThan(direct.sql.length)
  expectSameRows(await one.rows(shorter.sql), await native.rows(direct.sql), 'with and without constants')
  // A filter on another model must still find nothing.
  const other = {
    ...question,
    where: allOf({ dim: 'model', in: ['blended'] }, { dim: 'origin', in: ['backtest'] }),
  }
  expect(await one.rows(planGroups(MODEL, other, { scope: 'all', constants }).sql)).toEqual([])
})

testSampled(
  'linked panels of %s pages are what their single questions are',
  { few: 6, many: 60, timeout: 300_000 },
  async (parameters) => {
    const measures = ['predictions', 'hits', 'hit_rate', 'profit', 'return', 'expected', 'ae']
    const WITH_INTERVALS = measures.flatMap((name) =>
      ['hit_rate', 'return', 'ae'].includes(name) ? [name, `${name}_low`, `${name}_high`] : [name],
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            by: fc.uniqueArray(fc.constantFrom(...groupable), { maxLength: 2 }),
            own: fc.boolean(),
          }),
          {
            minLength: 1,
            maxLength: 12,
          },
        ),
        subject,
        node,
        fc.boolean(),
        async (chosen, where, extra, intervals) => {
          const shown = intervals ? WITH_INTERVALS : measures
          const panels = chosen.map(({ by, own }) => ({ by, where: own ? allOf(where, extra) : where }))
          const linked = await byEngines(planLinked(MODEL, { panels, measures, intervals }, ALL).sql)
          for (const [index, { by, where: filter }] of panels.entries()) {
            const single = await native.rows(
              planGroups(MODEL, { by, measures, where: filter, limit: LIMIT, intervals }, ALL).sql,
            )
            // Without a meeting there is no row, because nothing was sampled.
            if (intervals && by.length === 0 && single[0]!['predictions'] === 0) continue
            const lines = linked.filter((row) => row['panel'] === index)
            const figuresOf = (row: Row): unknown[] => shown.map((name) => row[name])
            expectSameFigures(
              lines.map((row) => ({ key: [row['key'], row['key2']], figures: figuresOf(row) })),
              // A panel without dimensions has one row even without data, like the single query.
              single.map((row) => ({
                key: [0, 1].map((at) => (by[at] === undefined ? null : linkedKey(row[by[at]]!))),
                figures: figuresOf(row),
              })),
              `panel ${index}`,
            )
          }
        },
      ),
      parameters,
    )
  },
)

/** Values of a dimension that are clicked or excluded. */
const picked = (dim: string): fc.Arbitrary<Filter> =>
  fc
    .record({ values: fc.subarray([...VALUES[dim]!], { minLength: 1 }), excluded: fc.boolean() })
    .map(({ values, excluded }) => (excluded ? { not: { dim, in: values } } : { dim, in: values }))

testSampled(
  'clicks on %s pages are answered by an index as without one',
  { few: 10, many: 100, timeout: 300_000 },
  async (parameters) => {
    const measures = ['predictions', 'hits', 'hit_rate', 'profit', 'return', 'profit_worst', 'expected']
    /** Answers in which something is selected. */
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        fc
          .uniqueArray(fc.constantFrom(...Object.keys(VALUES)), { minLength: 1, maxLength: 2 })
          .chain((active) =>
            fc.record({ active: fc.constant(active), clicked: fc.tuple(...active.map(picked)) }),
          ),
        fc.array(fc.uniqueArray(fc.constantFrom(...groupable), { maxLength: 2 }), {
          minLength: 1,
          maxLength: 6,
        }),
        subject,
        fc.option(node),
        async ({ active, clicked }, views, where, extra) => {
          const base = allOf(where, extra)
          fc.pre(active.every((dim) => !dimensionsOf(base).has(dim)))
          // The last are totals of the clicked view, which no click in it restricts.
          const overlaps = active.includes('prediction_type') || fansOut(MODEL, active, base)
          const totals = overlaps ? [] : [[], ...active.map((dim) => [dim])]
          const first = [[], active, ...views]
          const pages = [...first, ...totals]
          const index: IndexRequest = {
            model: 'predictions',
            active,
            panels: pages.map((by) => ({ by, where: base })),
            measures,
          }
          const query = {
            model: 'predictions' as const,
            measures,
            // The clicked view is not restricted by its own selection.
            panels: pages.map((by, index) => ({
              by,
              where:
                index >= first.length
                  ? base
                  : allOf(base, ...clicked.filter((_, at) => !by.includes(active[at]!))),
            })),
          }
          const direct = planLinked(MODEL, query, ALL).sql
          for (const statement of [...dropIndex('clicks'), ...planIndex(index, ALL, 'clicks').statements]) {
            await native.run(statement)
            wasm.rows(statement)
          }
          const rows = await byEngines(indexedSql(index, 'clicks', query)!)
          expectSameRows(rows, await native.rows(direct), 'an index against the rows')
          if (rows.some((row) => row['panel'] === 0 && Number(row['predictions']) > 0)) found += 1
        },
      ),
      parameters,
    )
    expect(found).toBeGreaterThan(parameters.numRuns / 4)
  },
)

/** A key of a linked response is DuckDB's text of the value. */
const linkedKey = (value: Scalar | null): string | null =>
  value === null ? null : Number.isInteger(value) ? `${Number(value)}.0` : String(value)

test('a brush’s index says at every position what the rows say', { timeout: 300_000 }, async () => {
  const where = allOf({ dim: 'model', in: ['fundamental'] }, { dim: 'origin', in: ['backtest'] })
  const measures = ['predictions', 'hits', 'profit', 'return']
  const actives: Record<string, readonly Scalar[]> = {
    month: ['2025-12', '2026-02', '2026-03', '2026-05', '2026-07', '2026-09', '2026-11'],
    probability: [0, 0.02, 0.06, 0.1, 0.2, 0.4],
    race_no: [1, 2, 4, 7, 10],
  }
  const panels = ['going', 'bet_type', 'racecourse', 'outcome', 'track'].map((dim) => ({ by: [dim], where }))
  for (const [active, positions] of Object.entries(actives)) {
    const request: IndexRequest = { model: 'predictions', active: [active], panels, measures }
    const { statements, cellsSql } = planIndex(request, ALL, 'brushed')
    for (const statement of [...dropIndex('brushed'), ...statements]) {
      await native.run(statement)
      wasm.rows(statement)
    }
    const cells = await byEngines(cellsSql)
    for (const [at, from] of positions.entries()) {
      for (const to of positions.slice(at)) {
        const byCell = (rows: Row[]): Row[] => rows.toSorted((a, b) => Number(a['cell']) - Number(b['cell']))
        const stepAt = stepSql(request, 'brushed', { from, to, panels: panels.map((_, index) => index) })
        const step = byCell(await native.rows(stepAt))
        expectSameRows(byCell(wasm.rows(stepAt)), step, 'WASM against native')
        const own = PREDICTIONS.dimensions[active as 'probability'].bins
          ? { dim: active, in: positionsBetween(active, from, to) }
          : { dim: active, from, to }
        const linked = await native.rows(
          planLinked(
            MODEL,
            { panels: panels.map(({ by }) => ({ by, where: allOf(where, own) })), measures },
            ALL,
          ).sql,
        )
        const figuresOf = (row: Row): unknown[] => measures.map((name) => row[name])
        expectSameFigures(
          step.map((row) => {
            const cell = cells[Number(row['cell'])]!
            return { key: [cell['panel'], cell['key']], figures: figuresOf(row) }
          }),
          linked.map((row) => ({ key: [row['panel'], row['key']], figures: figuresOf(row) })),
          `${active} ${from} to ${to}`,
        )
      }
    }
  }
})

/** Edges of the bands between two values. */
function positionsBetween(active: string, from: Scalar, to: Scalar): Scalar[] {
  const bins = MODEL.dimensions[active]!.bins!
  return bins.slice(bins.indexOf(Number(from)), bins.indexOf(Number(to)) + 1)
}

test.each(CASES.map((each) => [each.label, each] as const))(
  'WASM and native agree: %s',
  async (_, { request }) => {
    const { sql, columns } = planRequest(request, ALL)
    const rows = await byEngines(sql)
    expect(rows.length).toBeGreaterThan(0)
    expect(Object.keys(rows[0]!)).toEqual(columns.map(({ name }) => name))
  },
)

test('the engine is the version that wrote the files', () => {
  expect(wasm.version).toContain('1.4.3')
})

test('indexes take no more memory than allowed, and the least recently used go first', async () => {
  const limit = 3_000_000
  const ofOneRecord = allOf(
    { dim: 'model', in: ['market-baseline'] },
    { dim: 'origin', in: ['backtest'] },
    { dim: 'bet_type', in: [1] },
  )
  const store = new IndexStore(limit)
  const inMemory = () =>
    Number(
      wasm.rows(
        `SELECT sum(memory_usage_bytes)::DOUBLE AS bytes FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'`,
      )[0]!['bytes'],
    )
  const before = inMemory()
  const names: string[] = []
  for (const dim of groupable) {
    const panels = [[], [dim], ['season']].map((by) => ({ by, where: ofOneRecord }))
    const measures = ['predictions', 'hits', 'profit']
    const request: IndexRequest = { model: 'predictions', active: [dim], panels, measures }
    const built = await store.build(wasm.duckdb, request, ALL, { cancelled: false })
    names.push(built.name)
    // The first stays in use.
    expect(store.named(names[0]!)).toBeDefined()
  }
  const kept = names.filter((name) => store.named(name) !== undefined)
  expect(kept.length).toBeLessThan(names.length)
  expect(kept).toEqual([names[0], ...names.slice(1).slice(-kept.length + 1)])
  const one = (inMemory() - before) / kept.length
  expect(inMemory() - before).toBeLessThan(limit + 2 * one)
  await store.clear(wasm.duckdb)
  expect(inMemory()).toBe(before)
})
