// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Filter } from '../../analytics/filter.ts'
import type { LabBet, LabBox } from '../../analytics/lab-api.ts'
import { gameplayOf } from '../../domain/gameplay.ts'
import type { Lab } from '../../workers/lab/lab.ts'
import { boxLab } from '../support/box-lab.ts'
import type { TestDatabase } from '../support/databases.ts'
import { TEN_ON_EACH } from '../support/lab-page.ts'
import { NativeEngine } from '../support/native.ts'
import { newVariedDemonstration } from '../support/varied-demonstration.ts'

/**
 * The lab's boxes, from rows of the dataset, against PostgreSQL with SQL written for this test: which horses each race's box
 * has, what its combinations cost and what the published dividends pay for them. The demonstration has dead heats, coupled
 * entries, withdrawn horses, refunds and missing dividends.
 */

const MODEL = 'market-baseline'
const REGION = '100000'
const SLICE: Filter = {
  and: [
    { dim: 'model', in: [MODEL] },
    { dim: 'origin', in: ['backtest'] },
  ],
}

let place: TestDatabase
let lab: Lab

beforeAll(async () => {
  place = await newVariedDemonstration('postgresql')
  const native = await NativeEngine.open(place.dataFolder, REGION, [MODEL])
  lab = await boxLab(native, SLICE)
})
afterAll(() => place.close())

/** What a box of each race has and is paid; `gone`: one of its horses was withdrawn; `refunded`: the pool was, as a whole. */
const boxSql = ({ pool, bankers, legs }: LabBox): string => {
  const isOrdered = gameplayOf(pool).rule === 'order'
  const isCovered = isOrdered
    ? `line.horses <@ box.horses and line.horses[1:${bankers}] = box.horses[1:${bankers}]`
    : `line.horses <@ box.horses and box.horses[1:${bankers}] <@ line.horses`
  return `
    with box as (
      select race_id, array_agg(horse_no::int order by probability desc, horse_no) as horses
      from (
        select race_id, horse_no, probability,
          row_number() over (partition by race_id order by probability desc, horse_no) as rank
        from win_chance where model_id = '${MODEL}'
      ) ranked where rank <= ${bankers + legs} group by race_id having count(*) = ${bankers + legs}
    ), line as (
      select race_id, status, dividend_cents, 
        case when combination ~ '^\\d+(-\\d+)*$' then string_to_array(combination, '-')::int[] end as horses
      from dividend where gameplay_class = ${pool}
    )
    select box.race_id, box.horses,
      coalesce(sum(dividend_cents) filter (where status = 'paid' and ${isCovered}), 0)::int as paid,
      exists (select from runner where runner.race_id = box.race_id and coalesce(entry_no, horse_no) = any (box.horses)
        and runner.status = 'withdrawn') as gone,
      coalesce(bool_or(status = 'refund'), false) as refunded
    from box left join line on line.race_id = box.race_id
    group by box.race_id, box.horses`
}

const text = ({ pool, bankers }: LabBox, horses: readonly number[]): string => {
  const legs = horses.slice(bankers).toSorted((a, b) => a - b)
  const first = horses.slice(0, bankers)
  if (bankers === 0) return legs.join(',')
  return gameplayOf(pool).rule === 'order'
    ? [...first, legs.join(',')].join(' > ')
    : `${first.toSorted((a, b) => a - b).join(',')} > ${legs.join(',')}`
}

interface Expected {
  raceId: string
  horses: number[]
  paid: number
  gone: boolean
  refunded: boolean
}

test.each<[string, Omit<LabBox, 'by'>, number]>([
  ['three to win', { pool: 1, bankers: 0, legs: 3 }, 3],
  ['four to be placed', { pool: 2, bankers: 0, legs: 4 }, 4],
  ['a quinella box of four', { pool: 3, bankers: 0, legs: 4 }, 6],
  ['a banker with four others in the quinella place', { pool: 4, bankers: 1, legs: 4 }, 4],
  ['a forecast box of three', { pool: 5, bankers: 0, legs: 3 }, 6],
  ['a forecast with a banker to win', { pool: 5, bankers: 1, legs: 4 }, 4],
  ['a trio with two bankers', { pool: 6, bankers: 2, legs: 4 }, 4],
  ['a tierce box of five', { pool: 7, bankers: 0, legs: 5 }, 60],
  ['a tierce with two bankers', { pool: 7, bankers: 2, legs: 4 }, 4],
  ['a first four of six', { pool: 8, bankers: 0, legs: 6 }, 15],
  ['a quartet box of four', { pool: 9, bankers: 0, legs: 4 }, 24],
  ['a quartet with a banker and five others', { pool: 9, bankers: 1, legs: 5 }, 60],
])('%s is what SQL makes of it', async (_, shape, combinations) => {
  const box: LabBox = { ...shape, by: 'chances' }
  const { boxes } = await lab.run({ ...TEN_ON_EACH, box })
  const { total, bets } = await lab.bets('oldest', null, 0, 100_000)
  const expected = new Map((await place.database.rows<Expected>(boxSql(box))).map((row) => [row.raceId, row]))
  expect(boxes!.without).toBeLessThan(total)
  let [exact, hits, profit, paid, refunds] = [0, 0, 0, 0, 0]
  const isWhole = (bet: LabBet): boolean => bet.outcome !== 'void' && bet.stake === combinations * 1000
  for (const bet of bets) {
    const wanted = expected.get(bet.raceId)!
    expect(bet.combination, bet.raceId).toBe(text(box, wanted.horses))
    expect(bet.combinations).toBe(combinations)
    if (wanted.refunded) expect(bet.outcome, bet.raceId).toBe('void')
    // Some races pay no place.
    else if (!wanted.gone && box.pool !== 2) expect(isWhole(bet), bet.raceId).toBe(true)
    if (wanted.refunded) refunds += 1
    if (!isWhole(bet) || bet.profit === null) continue
    expect(bet.profit, bet.raceId).toBe(wanted.paid - combinations * 1000)
    exact += 1
    profit += bet.profit
    paid += wanted.paid
    if (bet.outcome === 'hit') hits += 1
  }
  expect(profit).toBe(paid - exact * combinations * 1000)
  expect(exact).toBeGreaterThan(100)
  expect(hits).toBeGreaterThan(0)
  expect(refunds).toBeGreaterThan(0)
})
