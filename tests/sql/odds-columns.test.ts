// @module-tag rest
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allOf, type Filter } from '../../analytics/filter.ts'
import { MODELS, type ModelName } from '../../analytics/models.ts'
import { planAllRows } from '../../analytics/rows.ts'
import { NativeEngine, type Row } from '../support/native.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import type { TestDatabase } from '../support/databases.ts'
import { REGION } from '../support/reference-chances.ts'
import { expectSameRows } from '../support/same-figures.ts'
import { newVariedDemonstration } from '../support/varied-demonstration.ts'
import { WasmEngine } from '../support/wasm-engine.ts'
import { sqlNamed } from '../support/sql-named.ts'

/**
 * The odds of the list's rows are those that PostgreSQL finds again in the ticks of the source database: the first seen,
 * and the last seen until two minutes before post time. The statement shares nothing with the one that fills the files.
 */
let place: TestDatabase
let native: NativeEngine
let wasm: WasmEngine

beforeAll(async () => {
  place = await newVariedDemonstration('postgresql')
  native = await NativeEngine.open(place.dataFolder, REGION, MODEL_IDS)
  wasm = await WasmEngine.open(place.dataFolder, REGION, MODEL_IDS)
})
afterAll(() => place.close())

/** Odds are 32-bit numbers in the files. */
const REFERENCE = `with tick as (
    select t.race_id, t.horse_no, t.odds::real::float8 as odds, t.seen_at,
      extract(epoch from race.starts_at) - extract(epoch from t.seen_at) as seconds_before
    from odds_tick t join race on race.id = t.race_id where race.region_id = '${REGION}' and race.status = 'final'
  ), opening as (
    select race_id, horse_no, (array_agg(odds order by seen_at))[1] as odds from tick group by 1, 2
  ), late as (
    select t.race_id, t.horse_no, t.odds from tick t
    where t.seconds_before >= 120 and not exists (
      select 1 from tick other where other.race_id = t.race_id and other.horse_no = t.horse_no
        and other.seconds_before >= 120 and other.seconds_before < t.seconds_before)
  )`
const ODDS = `opening.odds as opening_odds, late.odds as late_odds`
const joined = (race: string, horse: string): string =>
  `left join opening on opening.race_id = ${race} and opening.horse_no::text = ${horse}
   left join late on late.race_id = ${race} and late.horse_no::text = ${horse}`

/** Rows of both engines, in an order that PostgreSQL has as well. */
async function rowsOf(name: ModelName, keys: string[], where: Filter | null): Promise<Row[]> {
  const columns = [...keys, 'opening_odds', 'late_odds']
  const { sql } = planAllRows(name, MODELS[name], { model: name, columns, where, sort: [] }, { scope: 'all' })
  const rows = await native.rows(sql)
  expectSameRows(wasm.rows(sql), rows, 'WASM against native')
  const rowKey = (row: Row): string => keys.map((key) => row[key]).join(' ')
  return rows.toSorted((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1))
}

describe('odds as they were seen', () => {
  test('of every starter', async () => {
    const rows = await rowsOf('runners', ['race_id', 'model', 'horse_no'], null)
    const reference = await place.database.rows<Row>(
      `${REFERENCE} select c.race_id, c.model_id as model, c.horse_no, ${ODDS}
       from win_chance c join race on race.id = c.race_id ${joined('c.race_id', 'c.horse_no::text')}
       where race.region_id = '${REGION}' and race.status = 'final'
       order by concat_ws(' ', c.race_id, c.model_id, c.horse_no) collate "C"`,
    )
    expectSameRows(rows, sqlNamed(reference), 'DuckDB against PostgreSQL')
    // Rows of every kind, without which a wrong column would agree as well.
    const many = (of: (row: Row) => boolean): number => reference.filter((row) => of(row)).length
    expect(many(({ lateOdds: late }) => late !== null)).toBeGreaterThan(1000)
    expect(many(({ openingOdds: first, lateOdds: late }) => first !== null && late === null)).toBeGreaterThan(
      50,
    )
    expect(many(({ openingOdds: first, lateOdds: late }) => first !== late)).toBeGreaterThan(1000)
  })

  test.each([
    ['bets on one horse', [1, 2]],
    ['bets on several, which have none', [3, 6, 9]],
  ])('of %s', async (_, betTypes) => {
    const where = allOf({ dim: 'bet_type', in: betTypes })
    const rows = await rowsOf('predictions', ['race_id', 'model', 'bet_type', 'rank'], where)
    const reference = await place.database.rows<Row>(
      `${REFERENCE} select p.race_id, p.model_id as model, p.gameplay_class as bet_type, p.rank, ${ODDS}
       from prediction p join race on race.id = p.race_id ${joined('p.race_id', 'p.combination')}
       where race.region_id = '${REGION}' and race.status = 'final' and p.gameplay_class in (${betTypes.join(', ')})
       order by concat_ws(' ', p.race_id, p.model_id, p.gameplay_class, p.rank) collate "C"`,
    )
    expectSameRows(rows, sqlNamed(reference), 'DuckDB against PostgreSQL')
    expect(reference.length).toBeGreaterThan(1000)
    expect(reference.some((row) => row['lateOdds'] !== null)).toBe(betTypes.includes(1))
  })
})

test('odds were seen at the mark and right after it, and some races have no post time', async () => {
  const [found] = await place.database.rows<{ atMark: number; after: number; withoutPostTime: number }>(
    `select count(*) filter (where seen_at = starts_at - interval '2 minutes')::int as at_mark,
       count(*) filter (where seen_at = starts_at - interval '119 seconds')::int as after,
       count(*) filter (where starts_at is null)::int as without_post_time
     from odds_tick join race on race.id = race_id where race.region_id = '${REGION}' and race.status = 'final'`,
  )
  expect(Math.min(...Object.values(found!))).toBeGreaterThan(50)
})
