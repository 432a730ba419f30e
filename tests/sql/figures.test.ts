import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allOf } from '../../analytics/filter.ts'
import type { Model, Scalar } from '../../analytics/model.ts'
import type { NamedRequest } from '../../analytics/named.ts'
import { planGroups } from '../../analytics/plan.ts'
import { planRequest } from '../../analytics/plan-request.ts'
import { PREDICTIONS } from '../../analytics/predictions.ts'
import { RUNNERS } from '../../analytics/runners.ts'
import { DRAW_THIRDS, drawThird } from '../../domain/draw-third.ts'
import { NativeEngine, type Row } from '../support/native.ts'
import { MODEL_IDS } from '../../contract/model-ids.ts'
import { TRIMMED, TRIMMED_NAMES } from '../../analytics/trimmed.ts'
import type { TestDatabase } from '../support/databases.ts'
import { comparableRow, sortedLines } from '../support/questions.ts'
import { REFERENCE_CHANCES, REGION } from '../support/reference-chances.ts'
import { expectSameFigures, type Line } from '../support/same-figures.ts'
import { newVariedDemonstration } from '../support/varied-demonstration.ts'
import { sqlNamed } from '../support/sql-named.ts'

/** Figures that depend on order, names or every starter, checked against PostgreSQL and arithmetic written here. */
const ALL = { scope: 'all' } as const
const MODEL: Model = PREDICTIONS

let place: TestDatabase
let native: NativeEngine

beforeAll(async () => {
  place = await newVariedDemonstration('postgresql')
  native = await NativeEngine.open(place.dataFolder, REGION, MODEL_IDS)
  await place.database.script(REFERENCE_CHANCES)
})
afterAll(() => place.close())

const answer = async (sql: string): Promise<Row[]> => (await native.rows(sql)).map(comparableRow)

describe('runners', () => {
  test('win probabilities, winners and log loss are PostgreSQL’s', async () => {
    const where = allOf({ dim: 'model', in: ['market-baseline'] }, { dim: 'origin', in: ['backtest'] })!
    const measures = ['runners', 'races', 'winners', 'expected', 'log_loss', 'brier', 'r2']
    const rows = await answer(planGroups(RUNNERS, { by: ['season'], measures, where }, ALL).sql)
    const reference = await place.database.rows<Record<string, number>>(
      `with winner as (
         select distinct race_id, coalesce(entry_no, horse_no) as no from runner where place = 1
       ), line as (
         select race.season, c.race_id, c.probability::real::float8 as p, count(*) over (partition by c.race_id) as n,
           case when winner.no is null then 0
             else 1.0 / (select count(*) from winner w where w.race_id = race.id) end::float8 as won
         from win_chance c join race on race.id = c.race_id
         left join winner on winner.race_id = c.race_id and winner.no = c.horse_no
         where race.region_id = '${REGION}' and race.status = 'final' and c.model_id = 'market-baseline'
           and not exists (select 1 from prediction_lock l where l.race_id = c.race_id and l.model_id = c.model_id))
       select season, count(*) as runners, count(distinct race_id) as races, sum(won) as winners, sum(p) as expected,
         sum(-won * ln(p)) / count(distinct race_id) as log_loss, sum((p - won) ^ 2) / count(distinct race_id) as brier,
         1 - sum(-won * ln(p)) / sum(won * ln(n)) as r2
       from line group by season`,
    )
    const lines = (list: readonly Record<string, unknown>[]): string[] =>
      sortedLines(
        list.map((row) => ['season', ...measures].map((name) => Number(Number(row[name]).toPrecision(7)))),
      )
    expect(lines(rows)).toEqual(lines(sqlNamed(reference)))
  })
})

test('the longest losing run and the largest fall are those of the bets in their order', async () => {
  const where = allOf(
    { dim: 'model', in: ['market-baseline'] },
    { dim: 'origin', in: ['backtest'] },
    { dim: 'bet_type', in: [1] },
    { dim: 'prediction_type', in: [1] },
  )!
  const measures = ['losing_run', 'drawdown', 'profit']
  const [row] = await answer(planGroups(MODEL, { by: [], measures, where }, ALL).sql)
  const bets = await place.database.rows<{ outcome: string; profit: number | null }>(
    `select s.outcome, s.profit_cents as profit from prediction p
     join settlement s using (race_id, model_id, gameplay_class, rank) join race on race.id = p.race_id
     join stadium on stadium.id = race.stadium_id
     where race.region_id = '${REGION}' and race.status = 'final' and p.gameplay_class = 1 and p.selected
       and p.model_id = 'market-baseline' and s.outcome <> 'void'
       and not exists (select 1 from prediction_lock l where l.race_id = p.race_id and l.model_id = p.model_id)
     order by race.race_date, stadium.key, race.race_no, p.rank`,
  )
  let run = 0
  let longest = 0
  let balance = 0
  let peak = 0
  let fall = 0
  for (const { outcome, profit } of bets) {
    run = outcome === 'hit' ? 0 : run + 1
    longest = Math.max(longest, run)
    balance += profit ?? 0
    peak = Math.max(peak, balance)
    fall = Math.max(fall, peak - balance)
  }
  expect(longest).toBeGreaterThan(3)
  expect([row!['losing_run'], row!['drawdown'], row!['profit']]).toEqual([longest, fall, balance])
  const [trimmed] = await answer(planGroups(MODEL, { by: [], measures: TRIMMED_NAMES, where }, ALL).sql)
  const known = bets.flatMap((bet) => (bet.profit === null ? [] : [bet.profit])).toSorted((a, b) => b - a)
  for (const name of TRIMMED_NAMES) {
    const left = known.slice(TRIMMED[name])
    const profit = left.reduce((sum, each) => sum + each, 0)
    expect(trimmed![name], name).toBeCloseTo(profit / (1000 * left.length), 9)
  }
  // The profits of meetings, by SQL of their own; PostgreSQL's deviation of one meeting is unknown too.
  const ofMeetings = ['meeting_profit', 'meeting_deviation']
  const [meetings] = await answer(planGroups(MODEL, { by: [], measures: ofMeetings, where }, ALL).sql)
  const [expected] = await place.database.rows<{ mean: number; deviation: number }>(
    `select avg(profit)::float8 as mean, stddev_samp(profit)::float8 as deviation from (
       select sum(s.profit_cents) as profit from prediction p
       join settlement s using (race_id, model_id, gameplay_class, rank) join race on race.id = p.race_id
       where race.region_id = '${REGION}' and race.status = 'final' and p.gameplay_class = 1 and p.selected
         and p.model_id = 'market-baseline' and s.outcome <> 'void' and s.profit_cents is not null
         and not exists (select 1 from prediction_lock l where l.race_id = p.race_id and l.model_id = p.model_id)
       group by race.race_date, race.stadium_id) meeting`,
  )
  expect(Number(meetings!['meeting_profit'])).toBeCloseTo(expected!.mean, 4)
  expect(Number(meetings!['meeting_deviation'])).toBeCloseTo(expected!.deviation, 4)
  const ofOne = await answer(
    planGroups(MODEL, { by: ['meeting'], measures: [...ofMeetings, 'profit', 'staked'], where }, ALL).sql,
  )
  expect(ofOne.length).toBeGreaterThan(10)
  for (const row of ofOne) {
    expect(row['meeting_profit']).toBe(row['staked'] === 0 ? null : row['profit'])
    expect(row['meeting_deviation']).toBeNull()
  }
  // With no more wins than are left out, nothing is left to judge.
  const days = await answer(
    planGroups(MODEL, { by: ['day'], measures: ['return_trimmed', 'hits'], where }, ALL).sql,
  )
  const few = days.filter((day) => Number(day['hits']) <= 5)
  expect(few.length).toBeGreaterThan(0)
  expect(few.every((day) => day['return_trimmed'] === null)).toBe(true)
  // Losing runs are counted within each group.
  const groups = await answer(planGroups(MODEL, { by: ['season'], measures, where }, ALL).sql)
  expect(Math.max(...groups.map((group) => Number(group['losing_run'])))).toBeLessThanOrEqual(longest)
})

/** The longest run without a hit, and the largest fall, of bets in their order; `profitOf` as an assumption has it. */
function walked<Item extends { outcome: string }>(
  bets: readonly Item[],
  profitOf: (bet: Item) => number,
): { run: number; fall: number } {
  let [run, longest, balance, peak, fall] = [0, 0, 0, 0, 0]
  for (const bet of bets) {
    run = bet.outcome === 'hit' ? 0 : run + 1
    longest = Math.max(longest, run)
    balance += profitOf(bet)
    peak = Math.max(peak, balance)
    fall = Math.max(fall, peak - balance)
  }
  return { run: longest, fall }
}

test('unknown dividends leave bounds of losing run and fall, those of the bets walked through one by one', async () => {
  for (const betType of [2, 4, 8]) {
    const where = allOf(
      { dim: 'model', in: ['market-baseline'] },
      { dim: 'origin', in: ['backtest'] },
      { dim: 'bet_type', in: [betType] },
    )!
    const measures = ['losing_run', 'losing_run_best', 'drawdown', 'drawdown_worst', 'drawdown_best']
    const [row] = await answer(planGroups(MODEL, { by: [], measures, where }, ALL).sql)
    const bets = await place.database.rows<{ outcome: string; profit: number | null; chance: number }>(
      `select s.outcome, s.profit_cents as profit, m.chance::real::float8 as chance
       from prediction p join settlement s using (race_id, model_id, gameplay_class, rank)
       join market_chance m using (race_id, gameplay_class, combination)
       join race on race.id = p.race_id join stadium on stadium.id = race.stadium_id
       where race.region_id = '${REGION}' and race.status = 'final' and p.gameplay_class = ${betType}
         and p.model_id = 'market-baseline' and s.outcome <> 'void'
         and not exists (select 1 from prediction_lock l where l.race_id = p.race_id and l.model_id = p.model_id)
       order by race.race_date, stadium.key, race.race_no, p.rank`,
    )
    const isHit = ({ outcome }: { outcome: string }): boolean => outcome === 'hit'
    expect(bets.some((bet) => bet.profit === null && isHit(bet))).toBe(true)
    const worst = walked(bets, (bet) => bet.profit ?? (isHit(bet) ? 0 : -1000))
    const best = walked(
      bets.filter((bet) => bet.profit !== null || isHit(bet)),
      (bet) => bet.profit ?? 1000 / bet.chance - 1000,
    )
    const known = walked(bets, (bet) => bet.profit ?? 0)
    expect([row!['losing_run'], row!['losing_run_best']]).toEqual([worst.run, best.run])
    expect([row!['drawdown'], row!['drawdown_worst']]).toEqual([known.fall, worst.fall])
    expect(Number(row!['drawdown_best']) / best.fall).toBeCloseTo(1, 6)
    expect(best.fall).toBeLessThanOrEqual(known.fall)
    expect(known.fall).toBeLessThanOrEqual(worst.fall)
    // One of them alone is the same as with the others.
    for (const measure of measures)
      expect(await answer(planGroups(MODEL, { by: [], measures: [measure], where }, ALL).sql)).toEqual([
        { [measure]: row![measure] },
      ])
  }
})

test('pages of the list are in a total order, with names in the combination’s order', async () => {
  const where = allOf(
    { dim: 'model', in: ['market-baseline'] },
    { dim: 'origin', in: ['backtest'] },
    { dim: 'bet_type', in: [7] },
  )
  const columns = ['race_id', 'bet_type', 'rank', 'combination', 'horses_en', 'result', 'profit_cents']
  const page = (offset: number) =>
    planRequest(
      {
        rows: {
          model: 'predictions',
          columns,
          where,
          sort: [{ by: 'profit_cents', descending: true }],
          offset,
          limit: 25,
        },
      },
      ALL,
    ).sql
  const pages = [...(await answer(page(0))), ...(await answer(page(25)))]
  const keys = pages.map((row) => `${row['race_id']} ${row['rank']}`)
  expect(new Set(keys).size).toBe(50)
  const reference = await place.database.rows<Record<string, Scalar | null>>(
    `select p.race_id, p.rank, p.combination, s.profit_cents from prediction p
     join settlement s using (race_id, model_id, gameplay_class, rank) join race on race.id = p.race_id
     join stadium on stadium.id = race.stadium_id
     where race.region_id = '${REGION}' and race.status = 'final' and p.gameplay_class = 7
       and p.model_id = 'market-baseline'
       and not exists (select 1 from prediction_lock l where l.race_id = p.race_id and l.model_id = p.model_id)
     order by s.profit_cents desc nulls last, race.race_date desc, stadium.key, race.race_no, p.rank limit 50`,
  )
  expect(pages.map((row) => [row['race_id'], row['rank'], row['combination'], row['profit_cents']])).toEqual(
    reference.map((row) => [row['raceId'], row['rank'], row['combination'], row['profitCents']]),
  )
  for (const row of pages.slice(0, 5)) {
    const names = await place.database.rows<{ nameEn: string }>(
      `select name_en from unnest(string_to_array($2, '-')) with ordinality as c (no, at)
       join runner on race_id = $1 and horse_no = c.no::int join horse on horse.id = horse_id order by at`,
      [String(row['race_id']), String(row['combination'])],
    )
    expect(row['horses_en']).toBe(names.map(({ nameEn }) => nameEn).join(' · '))
  }
})

test('an interval by meeting is that of the linearised ratio estimator', async () => {
  const where = allOf(
    { dim: 'model', in: ['market-baseline'] },
    { dim: 'origin', in: ['backtest'] },
    { dim: 'bet_type', in: [1] },
  )!
  const measures = ['hit_rate', 'return']
  const [row] = await answer(planGroups(MODEL, { by: [], measures, where, intervals: true }, ALL).sql)
  const meetings = await answer(
    planGroups(
      MODEL,
      { by: ['meeting'], measures: ['predictions', 'voids', 'hits', 'staked', 'profit'], where, limit: 5000 },
      ALL,
    ).sql,
  )
  const errorOf = (
    of: (meeting: Row) => [number, number],
  ): { ratio: number; error: number; bets: number } => {
    const pairs = meetings.map(of)
    const total = pairs.reduce((sum, [, b]) => sum + b, 0)
    const ratio = pairs.reduce((sum, [a]) => sum + a, 0) / total
    const squares = pairs.reduce((sum, [a, b]) => sum + (a - ratio * b) ** 2, 0)
    return { ratio, error: Math.sqrt((squares * pairs.length) / (pairs.length - 1)) / total, bets: total }
  }
  const money = errorOf((meeting) => [Number(meeting['profit']), Number(meeting['staked'])])
  expect(row!['return_low']).toBeCloseTo(money.ratio - 1.959964 * money.error, 6)
  expect(row!['return_high']).toBeCloseTo(money.ratio + 1.959964 * money.error, 6)
  const hits = errorOf((meeting) => [
    Number(meeting['hits']),
    Number(meeting['predictions']) - Number(meeting['voids']),
  ])
  const n = Math.min((hits.ratio * (1 - hits.ratio)) / hits.error ** 2, hits.bets)
  const z2 = 1.959964 ** 2
  const centre = (hits.ratio + z2 / (2 * n)) / (1 + z2 / n)
  const spread = (1.959964 * Math.sqrt((hits.ratio * (1 - hits.ratio)) / n + z2 / (4 * n * n))) / (1 + z2 / n)
  expect(row!['hit_rate_low']).toBeCloseTo(centre - spread, 6)
  expect(row!['hit_rate_high']).toBeCloseTo(centre + spread, 6)
})

/** A bet of HK$10 as the database has it. `chance`: the market's probability, as 32-bit as in the files. */
interface Bet {
  betType: number
  outcome: 'hit' | 'miss' | 'void'
  profit: number | null
  chance: number
}

/** The figures of some bets, added up bet by bet. */
function boundsOf(bets: readonly Bet[]): Record<string, number> {
  const unknown = bets.filter(({ profit }) => profit === null)
  const unknownHits = unknown.filter(({ outcome }) => outcome === 'hit')
  const profit = bets.reduce((sum, bet) => sum + (bet.profit ?? 0), 0)
  const staked = 1000 * bets.filter((bet) => bet.profit !== null && bet.outcome !== 'void').length
  // At worst every unknown bet was placed: a hit paid its stake back, a miss lost it.
  const worst = profit - 1000 * (unknown.length - unknownHits.length)
  // At best only the hits were placed, and each was paid what a pool without takeout pays.
  const best = unknownHits.reduce((sum, { chance }) => sum + 1000 / chance - 1000, profit)
  return {
    unknown: unknown.length,
    unknown_hits: unknownHits.length,
    profit,
    profit_worst: worst,
    profit_best: best,
    return: profit / staked,
    return_worst: worst / (staked + 1000 * unknown.length),
    return_best: best / (staked + 1000 * unknownHits.length),
  }
}

test('unknown dividends leave the bounds that every single bet leaves', async () => {
  const bets = await place.database.rows<Bet>(
    `select p.gameplay_class as bet_type, s.outcome, s.profit_cents as profit, m.chance::real::float8 as chance
     from prediction p join settlement s using (race_id, model_id, gameplay_class, rank)
     join market_chance m using (race_id, gameplay_class, combination)
     where p.model_id = 'market-baseline'
       and not exists (select 1 from prediction_lock l where l.race_id = p.race_id and l.model_id = p.model_id)`,
  )
  const expected = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((betType) => ({
    betType,
    ...boundsOf(bets.filter((bet) => bet.betType === betType)),
  }))
  const where = allOf({ dim: 'model', in: ['market-baseline'] }, { dim: 'origin', in: ['backtest'] })!
  const measures = Object.keys(boundsOf([]))
  const rows = await native.rows(planGroups(MODEL, { by: ['bet_type'], measures, where }, ALL).sql)
  const lineOf = (row: object, by: string): Line => {
    const figures = new Map(Object.entries(row))
    return { key: [figures.get(by)], figures: measures.map((name) => figures.get(name)) }
  }
  expectSameFigures(
    rows.map((row) => lineOf(row, 'bet_type')),
    expected.map((row) => lineOf(row, 'betType')),
    'bounds',
  )
  expect(rows).toHaveLength(9)
  for (const row of rows) {
    expect(Number(row['unknown_hits'])).toBeGreaterThan(0)
    expect(Number(row['unknown'])).toBeGreaterThan(Number(row['unknown_hits']))
    expect(Number(row['profit_worst'])).toBeLessThan(Number(row['profit']))
    expect(Number(row['profit_best'])).toBeGreaterThan(Number(row['profit']))
  }
  // Where every dividend is known, nothing is left open.
  const known = await native.rows(
    planGroups(
      MODEL,
      { by: ['meeting'], measures, where: allOf(where, { dim: 'bet_type', in: [1] }), limit: 5000 },
      ALL,
    ).sql,
  )
  const whole = known.filter((row) => row['unknown'] === 0)
  expect(whole.length).toBeGreaterThan(3)
  for (const row of whole) {
    expect([row['profit_worst'], row['profit_best']]).toEqual([row['profit'], row['profit']])
    expect([row['return_worst'], row['return_best']]).toEqual([row['return'], row['return']])
  }
})

test('named queries have the columns that are named, none of an ENUM type, whose values would be missing in parts', async () => {
  const raceId = 'HKSHT2026010401'
  const requests: NamedRequest[] = [
    { name: 'locks', model: MODEL_IDS[0], where: null },
    { name: 'locked_lines', model: MODEL_IDS[0], where: null },
    { name: 'live_races' },
    { name: 'odds_trend', raceId },
    { name: 'dividends', raceId },
    { name: 'results', from: '2026-01-01', to: '2026-01-31' },
    { name: 'race_months' },
    { name: 'keys', ids: ['HK-2020-K001'] },
    { name: 'reasons', raceId },
    { name: 'nearest', model: MODEL_IDS[0], raceId, horseNo: 1 },
  ]
  for (const named of requests) {
    const plan = planRequest({ named }, ALL)
    const columns = await native.rows(`DESCRIBE ${plan.sql}`)
    expect(columns.map((column) => column['column_name'])).toEqual(plan.columns.map(({ name }) => name))
    const types = columns.map((column) => String(column['column_type']))
    expect([named.name, types.filter((type) => type.startsWith('ENUM'))]).toEqual([named.name, []])
    expect(types.length).toBeGreaterThan(0)
  }
})

test('the third of the draw is in SQL what it is on the race page', async () => {
  const { sql } = RUNNERS.dimensions['draw_third']
  const rows = await native.rows(
    `SELECT DISTINCT draw, starters, ${sql} AS third FROM starter WHERE draw IS NOT NULL`,
  )
  expect(new Set(rows.map((row) => row['third']))).toEqual(new Set(DRAW_THIRDS))
  for (const row of rows) expect(drawThird(Number(row['draw']), Number(row['starters']))).toBe(row['third'])
})

describe('the runs nearest to a runner', () => {
  const columnOf = (row: Row, name: string): number | null => (row[name] === null ? null : Number(row[name]))
  /** What two runs are compared by, of a starter's own row. */
  const valuesOf = (row: Row): (number | null)[] => {
    const of = (name: string) => columnOf(row, name)
    const log = (value: number | null): number | null => (value === null ? null : Math.log(value + 1))
    return [
      of('draw') === null ? null : of('draw')! / of('starters')!,
      of('starters'),
      Math.log(of('distance_m')!),
      ...['rating', 'weight_lb', 'body_weight_lb'].map(of),
      ...['days_since_run', 'career_runs'].map((name) => log(of(name))),
    ]
  }
  const deviation = (values: readonly (number | null)[]): number => {
    const known = values.filter((value) => value !== null)
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length
    return Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (known.length - 1))
  }

  test('are those of smallest difference on earlier days, by arithmetic over every starter', async () => {
    const all = await native.rows(
      `SELECT starter.*, race_id, strftime(starter.race_date, '%Y-%m-%d') AS day
       FROM starter JOIN race USING (race_key) WHERE model = 'market-baseline'`,
    )
    const days = [...new Set(all.map((row) => String(row['day'])))].toSorted()
    const runners = all.filter((row) => row['day'] === days.at(-1)).slice(0, 3)
    expect(runners).toHaveLength(3)
    for (const runner of runners) {
      const pool = all.filter(
        (row) =>
          row['track'] === runner['track'] &&
          row['day']! < runner['day']! &&
          (row['outcome'] !== 'void' || row['place'] !== null),
      )
      const spread = valuesOf(runner).map((_, index) => deviation(pool.map((row) => valuesOf(row)[index]!)))
      const own = valuesOf(runner)
      const differenceOf = (row: Row): number => {
        const parts = valuesOf(row).map((value, index) => {
          if (value === null && own[index] === null) return 0
          if (value === null || own[index] === null) return 1
          return spread[index] ? ((value - own[index]!) / spread[index]) ** 2 : 0
        })
        return Math.sqrt(parts.reduce((sum, part) => sum + part, 0) / parts.length)
      }
      const expected = pool
        .map((row) => ({
          run: `${String(row['race_id'])} ${String(row['horse_no'])}`,
          far: differenceOf(row),
        }))
        .toSorted((a, b) => a.far - b.far)
      const request = {
        name: 'nearest',
        model: 'market-baseline',
        raceId: String(runner['race_id']),
        horseNo: Number(runner['horse_no']),
      } as const
      const rows = await native.rows(planRequest({ named: request }, ALL).sql)
      expect(rows).toHaveLength(Math.min(200, pool.length))
      expect(rows.length).toBeGreaterThan(100)
      const far = new Map(expected.map((each) => [each.run, each.far]))
      for (const [index, row] of rows.entries()) {
        expect(Number(row['difference'])).toBeCloseTo(expected[index]!.far, 6)
        expect(far.get(`${String(row['race_id'])} ${String(row['horse_no'])}`)).toBeCloseTo(
          Number(row['difference']),
          6,
        )
      }
    }
  })

  test('are for those who have every race', () => {
    const named = {
      name: 'nearest',
      model: 'market-baseline',
      raceId: 'HKSHT2026010401',
      horseNo: 1,
    } as const
    for (const access of [{ scope: 'public' }, { scope: 'races', raceKeys: [1] }] as const)
      expect(() => planRequest({ named }, access)).toThrow(expect.objectContaining({ code: 'vip-needed' }))
  })
})
