// @module-tag rest
import { readFileSync } from 'node:fs'
import fc from 'fast-check'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { allOf, dimensionsOf, type Filter } from '../../analytics/filter.ts'
import { planLinked } from '../../analytics/linked.ts'
import type { Model, Scalar } from '../../analytics/model.ts'
import { MODELS } from '../../analytics/models.ts'
import { OWN_TABLE } from '../../analytics/own-api.ts'
import { NO_OWN_VALUE, OWN_SLOTS, ownMean, ownValue, type FilledSlot } from '../../analytics/own-slots.ts'
import { planGroups, type GroupQuery } from '../../analytics/plan.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { planAllRows } from '../../analytics/rows.ts'
import { RUNNERS } from '../../analytics/runners.ts'
import type { Row } from '../support/native.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import { exportDatabase } from '../../workers/engine/export-database.ts'
import { loadOwnRows } from '../../workers/engine/own-rows.ts'

import { describe as describeFile } from '../../workers/own/describe.ts'
import {
  matchStatements,
  nameStatements,
  ownDataSql,
  readDays,
  readKeys,
} from '../../workers/own/match-sql.ts'
import { ownEngine } from '../../workers/own/own-engine.ts'
import { readCsv } from '../../workers/own/read-csv.ts'
import type { TestDatabase } from '../support/databases.ts'
import { OWN_NUMBERS, OWN_REFERENCE_TABLES, ownFile } from '../support/own-file.ts'
import { query } from '../support/questions.ts'
import { REGION } from '../support/reference-chances.ts'
import {
  OF_BET_TYPES,
  OWN_REFERENCE_MEASURES,
  REFERENCE_MEASURES,
  REFERENCE_VIEWS,
  referenceSql,
  referenceFigures,
} from '../support/reference-sql.ts'
import { testSampled } from '../support/sampled.ts'
import { expectSameFigures, expectSameRows } from '../support/same-figures.ts'
import { newVariedDemonstration } from '../support/varied-demonstration.ts'
import { WasmEngine } from '../support/wasm-engine.ts'
import { sqlNamed } from '../support/sql-named.ts'

/**
 * A file of one's own, read, matched and loaded as the browser does it, against the same numbers in PostgreSQL: their
 * fifths, every measure by them, and their means. Only the engine on the device has such rows.
 */
const OWN = { scope: 'all', own: true } as const
const MODEL: Model = PREDICTIONS
const LIMIT = 100_000

let place: TestDatabase
let wasm: WasmEngine
let slots: FilledSlot[]
let counts: Row[]
let fileRows: number

beforeAll(async () => {
  place = await newVariedDemonstration('postgresql')
  await place.database.script(REFERENCE_VIEWS)
  await place.database.script(OWN_REFERENCE_TABLES)
  wasm = await WasmEngine.open(place.dataFolder, REGION, MODEL_IDS)
  const { file, rows } = await ownFile(place.database)
  fileRows = rows
  const { duckdb } = wasm
  const raw = await readCsv(duckdb, file, null, { check: () => {} }, () => {})
  const engine = ownEngine((work) => work(duckdb))
  const described = await describeFile(engine, raw, { timeZone: 'Asia/Hong_Kong', decimal: null })
  const { columns, roles } = described.file
  const { typed, columns: names } = described.read
  await readKeys(engine, roles)
  await readDays(engine, undefined, null)
  for (const sql of [...nameStatements(roles), ...matchStatements(roles), ownDataSql(names, typed)])
    await engine.run(sql)
  counts = wasm.rows(
    `SELECT reason, count(*)::DOUBLE AS n FROM own_match GROUP BY reason ORDER BY reason NULLS FIRST`,
  )
  vi.stubGlobal('fetch', async () => new Response(readFileSync('workers/engine/empty.duckdb')))
  const { bytes } = await exportDatabase(duckdb, OWN_TABLE, `SELECT * FROM ${OWN_TABLE}`, {
    cancelled: false,
  })
  vi.unstubAllGlobals()
  await place.database.script('analyze')
  const numbers = columns.filter(({ kind, name }) => kind === 'number' && name !== 'No.')
  slots = await loadOwnRows(duckdb, { bytes, columns: numbers })
})
afterAll(() => place.close())

/** Requires that PostgreSQL answers a query like the engine. Returns its rows. */
async function expectReference(question: GroupQuery): Promise<Row[]> {
  const rows = wasm.rows(planGroups(MODEL, { ...question, limit: LIMIT }, OWN).sql)
  const reference = await place.database.rows<Record<string, Scalar | null>>(
    referenceSql(question.by, question.measures, question.where, [
      ...question.by,
      ...dimensionsOf(question.where),
    ]),
  )
  expectSameFigures(
    rows.map((row) => ({
      key: question.by.map((name) => row[name]),
      figures: question.measures.map((name) => row[name]),
    })),
    reference.map((row) => ({
      key: question.by.map((_, index) => row[`k${index}`]),
      figures: referenceFigures(row, question.measures),
    })),
    'DuckDB against PostgreSQL',
  )
  return rows
}

const SUBJECT = [
  { dim: 'model', in: ['fundamental'] },
  { dim: 'origin', in: ['backtest'] },
] satisfies Filter[]
const ofBets = (...betTypes: number[]): Filter => allOf(...SUBJECT, { dim: 'bet_type', in: betTypes })!

test('the rows that have a starter are matched, each once', () => {
  expect(counts).toEqual([
    { reason: null, n: fileRows },
    { reason: 'no-horse', n: 1 },
    { reason: 'no-race', n: 1 },
    { reason: 'twice', n: 1 },
  ])
})

test('the first six number columns fill the slots, with the smallest number of each band as its edge', async () => {
  expect(slots.map(({ slot, name }) => [slot, name])).toEqual(
    OWN_SLOTS.map((slot, at) => [slot, OWN_NUMBERS[at]]),
  )
  for (const { slot, edges } of slots) {
    const bands = await place.database.rows<{ rows: number; low: number; high: number }>(
      `select count(*)::int as rows, min(${ownValue(slot)}) as low, max(${ownValue(slot)}) as high from own_number
       where ${slot} is not null group by ${slot} order by ${slot}`,
    )
    expect(edges, slot).toEqual([...bands.map(({ low }) => low), bands.at(-1)!.high])
    // Without equal values the bands differ by one row at most; with them there may be fewer bands.
    const sizes = bands.map(({ rows }) => rows)
    if (slot === 'own_1' || slot === 'own_6')
      expect(Math.max(...sizes) - Math.min(...sizes), slot).toBeLessThanOrEqual(1)
    expect(sizes).toHaveLength({ own_1: 5, own_2: 5, own_3: 3, own_4: 5, own_5: 2, own_6: 5 }[slot])
  }
})

test.each(OWN_SLOTS)('every measure agrees by %s', async (slot) => {
  const several = Object.keys(REFERENCE_MEASURES).filter((name) => OF_BET_TYPES[name] === undefined)
  const rows = await expectReference({
    by: [slot],
    measures: several,
    where: ofBets(1, 2, 3, 4, 5, 6, 7, 8, 9),
  })
  expect(rows.length).toBeGreaterThan(2)
  const means = Object.keys(OWN_REFERENCE_MEASURES)
  const one = await expectReference({
    by: [slot],
    measures: [...Object.keys(REFERENCE_MEASURES), ...means],
    where: ofBets(1),
  })
  expect(one.some((row) => Number(row[ownMean(slot)]) !== 0)).toBe(true)
})

test('means agree by dimensions of the race, of the bet and of the horse', async () => {
  const measures = ['predictions', 'hit_rate', ...Object.keys(OWN_REFERENCE_MEASURES)]
  for (const by of [
    [],
    ['going'],
    ['jockey'],
    ['prediction_type', 'own_2'],
    ['probability'],
    ['rating', 'own_5'],
  ])
    for (const where of [ofBets(1, 2), allOf(ofBets(2), { dim: 'prediction_type', in: [1, 3] })])
      await expectReference({ by, measures, where })
})

const ownClause = fc
  .tuple(fc.constantFrom(...OWN_SLOTS), fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }), fc.boolean())
  .map(([dim, values, without]): Filter => (without ? { not: { dim, in: values } } : { dim, in: values }))

testSampled(
  '%s questions with columns of the file agree',
  { few: 10, many: 100, timeout: 300_000 },
  async (parameters) => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        query,
        fc.constantFrom(...OWN_SLOTS),
        fc.boolean(),
        fc.array(ownClause, { maxLength: 2 }),
        async (question, slot, grouped, clauses) => {
          const rows = await expectReference({
            ...question,
            by: grouped || clauses.length === 0 ? [...question.by.slice(0, 1), slot] : question.by,
            where: allOf(question.where, ...clauses),
          })
          if (rows.length > 0) found += 1
        },
      ),
      parameters,
    )
    expect(found).toBeGreaterThan(parameters.numRuns / 2)
  },
)

test('linked panels by columns of the file are what their single questions are', () => {
  const measures = ['predictions', 'hits', 'return', 'own_4_mean']
  const filters = [ofBets(1), allOf(ofBets(1, 2), { dim: 'own_3', in: [0, 2] })]
  const panels = [['own_1'], ['own_5', 'going'], ['draw'], []].flatMap((by) =>
    filters.map((where) => ({ by, where })),
  )
  const linked = wasm.rows(planLinked(MODEL, { panels, measures }, OWN).sql)
  const keyText = (key: Scalar | null | undefined): string | null =>
    key === null || key === undefined ? null : typeof key === 'number' ? `${key}.0` : String(key)
  for (const [index, { by, where }] of panels.entries())
    expectSameFigures(
      linked
        .filter((row) => row['panel'] === index)
        .map((row) => ({ key: [row['key'], row['key2']], figures: measures.map((name) => row[name]) })),
      wasm.rows(planGroups(MODEL, { by, measures, where, limit: LIMIT }, OWN).sql).map((row) => ({
        key: [0, 1].map((at) => keyText(row[by[at] ?? ''])),
        figures: measures.map((name) => row[name]),
      })),
      `panel ${index}`,
    )
})

const VALUES = OWN_SLOTS.map(ownValue)
const OWN_JOIN = `left join own_number o on o.race_id = p.race_id and o.horse_no::text`
const sortedBy = (rows: readonly Row[], keys: readonly string[]): Row[] => {
  const rowKey = (row: Row): string => keys.map((key) => row[key]).join(' ')
  return rows.toSorted((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1))
}

test('rows of the list have the numbers of their one horse', async () => {
  const keys = ['race_id', 'bet_type', 'rank', 'model']
  const where = allOf(ofBets(1, 2, 6), { dim: 'own_2', in: [0, 4] })
  const columns = [...keys, ...VALUES]
  const { sql } = planAllRows(
    'predictions',
    MODELS.predictions,
    { model: 'predictions', columns, where, sort: [] },
    OWN,
  )
  const reference = await place.database.rows<Row>(
    `select p.race_id, p.gameplay_class as bet_type, p.rank, p.model_id as model, ${VALUES.map((name) => `o.${name}`).join(', ')}
     from reference_row p ${OWN_JOIN} = array_to_string(p.horses, '-')
     where p.model_id = 'fundamental' and p.origin = 'backtest' and p.gameplay_class in (1, 2, 6) and exists (
       select 1 from own_number any_of where any_of.race_id = p.race_id and any_of.horse_no = any (p.horses)
         and any_of.own_2 in (0, 4))`,
  )
  expectSameRows(
    sortedBy(wasm.rows(sql), keys),
    sortedBy(sqlNamed(reference), keys),
    'DuckDB against PostgreSQL',
  )
  expect(reference.some((row) => row['betType'] === 6)).toBe(true)
})

test('runners agree by columns of the file', async () => {
  const where = allOf(...SUBJECT)
  for (const slot of OWN_SLOTS) {
    const measures = ['runners', 'winners', 'expected']
    const reference = await place.database.rows<Record<string, number | null>>(
      `select coalesce(o.${slot}, ${NO_OWN_VALUE}) as key, count(*)::int as runners, sum(won)::float8 as winners, sum(probability) as expected
       from (
         select c.race_id, c.horse_no, c.probability::real::float8 as probability, coalesce(won, 0) as won
         from win_chance c join race on race.id = c.race_id left join (
           select race_id, no, 1.0 / count(*) over (partition by race_id) as won
           from (select distinct race_id, coalesce(entry_no, horse_no) as no from runner where place = 1) as winner
         ) as share on share.race_id = c.race_id and share.no = c.horse_no
         where race.region_id = '${REGION}' and race.status = 'final' and c.model_id = 'fundamental'
           and not exists (select 1 from prediction_lock l where l.race_id = c.race_id and l.model_id = c.model_id)
       ) as p ${OWN_JOIN} = p.horse_no::text group by 1`,
    )
    expectSameFigures(
      wasm.rows(planGroups(RUNNERS, { by: [slot], measures, where, limit: LIMIT }, OWN).sql).map((row) => ({
        key: [row[slot]],
        figures: measures.map((name) => row[name]),
      })),
      reference.map((row) => ({ key: [row['key']], figures: measures.map((name) => row[name]) })),
      slot,
    )
  }
})
