import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CASES, EVERYTHING } from '../../bench/cases.ts'
import type { QueryName, QueryParameters, RecordFilter } from '../../contract/queries.ts'
import { readManifest } from '../../server/dataset/build.ts'
import { prepareQuery } from '../../workers/queries/catalogue.ts'
import { viewStatements } from '../../workers/sql/views.ts'
import type { TestDatabase } from '../support/databases.ts'
import { newDemonstration } from '../support/demo-data.ts'
import { WasmEngine } from '../support/wasm-engine.ts'

/**
 * The same question to the browser's WASM engine, to native DuckDB of the same version, and, in SQL written for the
 * purpose over the tables of the model, to PostgreSQL: the figures must agree to the cent.
 */
const REGION = '100000'
const ACCESS = { history: true, seasonStartMonth: 9 }

let place: TestDatabase
let native: DuckDBConnection
let wasm: WasmEngine

beforeAll(async () => {
  place = await newDemonstration('postgresql')
  const instance = await DuckDBInstance.create(':memory:')
  native = await instance.connect()
  const files = readManifest(place.dataFolder)!.files.filter(
    ({ regionId, kind }) => regionId === REGION && kind !== 'recent',
  )
  for (const { sha256 } of files) {
    await native.run(
      `ATTACH '${join(place.dataFolder, 'dataset', `${sha256}.duckdb`)}' AS f_${sha256.slice(0, 16)} (READ_ONLY)`,
    )
  }
  for (const statement of viewStatements(
    files.map(({ sha256, rows }) => ({ alias: `f_${sha256.slice(0, 16)}`, tables: Object.keys(rows) })),
  )) {
    await native.run(statement)
  }
  wasm = await WasmEngine.open(place.dataFolder, REGION)
})
afterAll(() => place.close())

type Rows = Record<string, unknown>[]

async function byEngines<Name extends QueryName>(
  name: Name,
  parameters: QueryParameters<Name>,
): Promise<Rows> {
  const { sql } = prepareQuery(name, parameters, ACCESS)
  const natively = (await native.runAndReadAll(sql)).getRowObjectsJson() as Rows
  const inWasm = wasm.rows(sql)
  expect(inWasm).toHaveLength(natively.length)
  expect(inWasm.map(comparable), 'WASM against native').toEqual(natively.map(comparable))
  return natively
}

/** Sums of doubles may differ in the last bit between two compilers; a cent may not. */
const comparable = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(12)) : value,
    ]),
  )

/** Conditions of a filter on PostgreSQL's own tables. */
function conditionsOf(filter: RecordFilter): string {
  const types = ['true', 'p.selected', 'p.cautious', 'p.upset_guard']
  return [
    `race.region_id = '${REGION}'`,
    `race.status = 'final'`,
    types[filter.predictionType],
    ...(filter.from ? [`race.race_date >= '${filter.from}'`] : []),
    ...(filter.to ? [`race.race_date <= '${filter.to}'`] : []),
    ...(filter.gameplayClasses.length > 0 ? [`p.gameplay_class in (${filter.gameplayClasses.join()})`] : []),
    ...(filter.stadiumKeys.length > 0 ? [`stadium.key in (${filter.stadiumKeys.join()})`] : []),
    ...(filter.tracks.length > 0
      ? [`race.track in (${filter.tracks.map((track) => `'${track}'`).join()})`]
      : []),
    ...(filter.goings.length > 0
      ? [`race.going in (${filter.goings.map((going) => `'${going}'`).join()})`]
      : []),
    ...(filter.distanceFromM === null ? [] : [`race.distance_m >= ${filter.distanceFromM}`]),
    ...(filter.distanceToM === null ? [] : [`race.distance_m <= ${filter.distanceToM}`]),
  ].join(' and ')
}

const FROM = `prediction p join settlement s using (race_id, model_id, gameplay_class, rank)
  join race on race.id = race_id join stadium on stadium.id = race.stadium_id`
const SUMS = `count(*) as predictions, sum((outcome = 'hit')::int) as hits, sum((outcome = 'void')::int) as voids,
  sum((profit_cents is null)::int) as unknown, sum((profit_cents is null and outcome = 'hit')::int) as unknown_hits,
  1000 * sum((profit_cents is not null and outcome <> 'void')::int) as stake_cents, coalesce(sum(profit_cents), 0) as profit_cents`
const MEASURES = [
  'predictions',
  'hits',
  'voids',
  'unknown',
  'unknown_hits',
  'stake_cents',
  'profit_cents',
] as const
const sumsOf = (row: Record<string, unknown>): number[] => MEASURES.map((name) => Number(row[name] ?? 0))

const FILTERS: Record<string, Partial<RecordFilter>> = {
  everything: {},
  'win, selected': { gameplayClasses: [1], predictionType: 1 },
  'some classes, cautious, half a year': {
    gameplayClasses: [2, 4, 9],
    predictionType: 2,
    from: '2026-02-01',
    to: '2026-08-31',
  },
  'upset guard': { predictionType: 3 },
  'one racecourse': { stadiumKeys: [2], gameplayClasses: [3] },
  'good going, sprints': { goings: ['good'], distanceFromM: 1000, distanceToM: 1200, predictionType: 1 },
  turf: { tracks: ['turf'], gameplayClasses: [1, 7] },
  'no day at all': { from: '2001-01-01', to: '2001-01-02' },
}

describe.each(Object.entries(FILTERS))('%s', (_, part) => {
  const filter: RecordFilter = { ...EVERYTHING, ...part }

  test('totals', async () => {
    const [engine] = await byEngines('record_totals', { filter })
    const [base] = await place.database.rows<Record<string, unknown>>(
      `select ${SUMS} from ${FROM} where ${conditionsOf(filter)}`,
    )
    expect(sumsOf(engine!)).toEqual(sumsOf(base!))
  })

  test('days, and the profit after each', async () => {
    const days = await byEngines('record_days', { filter })
    const base = await place.database.rows<Record<string, unknown>>(
      `select race.race_date as day, ${SUMS} from ${FROM} where ${conditionsOf(filter)} group by 1 order by 1`,
    )
    expect(days.map((row) => [row['day'], ...sumsOf(row)])).toEqual(
      base.map((row) => [row['day'], ...sumsOf(row)]),
    )
    let profit = 0
    for (const day of days) {
      profit += Number(day['profit_cents'])
      expect(day['profit_to_date_cents']).toBe(profit)
    }
  })

  test('pages and count of the list', async () => {
    const grid = [{ kind: 'outcome' as const, outcomes: ['hit' as const] }]
    const [count] = await byEngines('record_count', { filter, grid })
    const sort = [{ column: 'profit_cents' as const, descending: true }]
    const page = await byEngines('record_page', { filter, grid, sort, offset: 0, limit: 25 })
    const base = await place.database.rows<Record<string, unknown>>(
      `select race_id, p.gameplay_class, p.rank, combination, profit_cents from ${FROM}
       where ${conditionsOf(filter)} and outcome = 'hit'
       order by profit_cents desc nulls last, race.race_date desc, stadium.key, race.race_no, p.gameplay_class, p.rank, race.key`,
    )
    expect(count!['predictions']).toBe(base.length)
    const columns = ['race_id', 'gameplay_class', 'rank', 'combination', 'profit_cents']
    expect(page.map((row) => columns.map((name) => row[name]))).toEqual(
      base.slice(0, 25).map((row) => columns.map((name) => row[name])),
    )
  })
})

const KEYS: Record<string, string> = {
  gameplay_class: 'p.gameplay_class::text',
  month: `to_char(race.race_date, 'YYYY-MM')`,
  season: 'race.season::text',
  stadium: 'stadium.key::text',
  track: 'race.track',
  going: 'race.going',
  distance: 'race.distance_m::text',
  probability: 'least(19, floor(p.probability::real::float8 * 20))::text',
  field_size: `(select count(*) from runner where runner.race_id = race.id and horse_no is not null and status <> 'withdrawn')::text`,
}

test.each(Object.entries(KEYS))('groups by %s', async (by, key) => {
  const filter = { ...EVERYTHING, predictionType: 1 }
  const groups = await byEngines('record_breakdown', { filter, by: by as 'month' })
  const base = await place.database.rows<Record<string, unknown>>(
    `select ${key} as group_key, ${SUMS} from ${FROM} where ${conditionsOf(filter)} group by 1`,
  )
  const sorted = (rows: Rows): unknown[] => rows.map((row) => [row['group_key'], ...sumsOf(row)]).toSorted()
  expect(sorted(groups)).toEqual(sorted(base))
})

test.each(['jockey', 'trainer'])('groups by %s of every horse in the combination', async (who) => {
  const filter = { ...EVERYTHING, predictionType: 1, gameplayClasses: [1, 3] }
  const groups = await byEngines('record_breakdown', { filter, by: who as 'jockey' })
  const base = await place.database.rows<Record<string, unknown>>(
    `select ${who}.key::text as group_key, ${SUMS} from ${FROM}
     cross join lateral unnest(string_to_array(combination, '-')) as chosen (horse_no)
     join runner on runner.race_id = race.id and runner.horse_no = chosen.horse_no::int
     join ${who} on ${who}.id = runner.${who}_id
     where ${conditionsOf(filter)} group by 1`,
  )
  const sorted = (rows: Rows): unknown[] => rows.map((row) => [row['group_key'], ...sumsOf(row)]).toSorted()
  expect(sorted(groups)).toEqual(sorted(base))
})

test('groups by prediction type are the three filters', async () => {
  const groups = await byEngines('record_breakdown', { filter: EVERYTHING, by: 'prediction_type' })
  for (const [index, row] of groups.entries()) {
    const [total] = await byEngines('record_totals', { filter: { ...EVERYTHING, predictionType: index + 1 } })
    expect(sumsOf(row)).toEqual(sumsOf(total!))
  }
})

test('bins of the reliability diagram', async () => {
  const filter = { ...EVERYTHING, gameplayClasses: [1] }
  const bins = await byEngines('record_calibration', { filter })
  const base = await place.database.rows<{ predictions: number; mean: number; hits: number }>(
    `select count(*) as predictions, avg(p.probability::real::float8) as mean, sum((outcome = 'hit')::int) as hits
     from ${FROM} where ${conditionsOf(filter)} and outcome <> 'void'
     group by width_bucket(p.probability::real::float8, array[0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4]) order by min(p.probability)`,
  )
  expect(bins.map((bin) => [bin['predictions'], bin['hits']])).toEqual(
    base.map((bin) => [bin.predictions, bin.hits]),
  )
  for (const [index, bin] of bins.entries()) expect(bin['mean_probability']).toBeCloseTo(base[index]!.mean, 9)
})

test('the cube says the same as the predictions, to the cent', async () => {
  for (const predictionType of [0, 1, 2, 3]) {
    const cube = prepareQuery('record_totals', { filter: { ...EVERYTHING, predictionType } }, ACCESS)
    // A distance that every race has makes the same question one for the predictions.
    const rows = prepareQuery(
      'record_totals',
      { filter: { ...EVERYTHING, predictionType, distanceFromM: 0 } },
      ACCESS,
    )
    expect([cube.source, rows.source]).toEqual(['cube', 'rows'])
    expect(sumsOf(wasm.rows(cube.sql)[0]!)).toEqual(sumsOf(wasm.rows(rows.sql)[0]!))
  }
})

test('daily totals for everybody say the same as the cube', async () => {
  const filter = { ...EVERYTHING, predictionType: 1, gameplayClasses: [1, 2] }
  const open = prepareQuery('record_days', { filter }, { ...ACCESS, history: false })
  const entitled = prepareQuery('record_days', { filter }, ACCESS)
  expect(wasm.rows(open.sql).map(comparable)).toEqual(wasm.rows(entitled.sql).map(comparable))
})

test('names of a combination’s horses stand in its order', async () => {
  const page = await byEngines('record_page', {
    filter: { ...EVERYTHING, gameplayClasses: [7] },
    grid: [],
    sort: [],
    offset: 0,
    limit: 5,
  })
  for (const row of page) {
    const base = await place.database.rows<{ name_en: string }>(
      `select name_en from unnest(string_to_array($2, '-')) with ordinality as c (no, at)
       join runner on race_id = $1 and horse_no = c.no::int join horse on horse.id = horse_id order by at`,
      [row['race_id'] as string, row['combination'] as string],
    )
    expect(row['horses_en']).toBe(base.map(({ name_en }) => name_en).join(' · '))
  }
})

test.each(CASES.map((each) => [each.label, each] as const))(
  'WASM and native agree: %s',
  async (_, { name, parameters }) => {
    const rows = await byEngines(name, parameters as never)
    expect(rows.length).toBeGreaterThan(0)
  },
)

test('the engine is the version that wrote the files', () => {
  expect(wasm.version).toContain('1.4.3')
})
