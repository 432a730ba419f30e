import { expect, test } from 'vitest'
import { readDividends } from '../../analytics/rows.ts'
import type { LabBox, LabPlan } from '../../analytics/lab-api.ts'
import { combinationChances } from '../../domain/combination-chance.ts'
import { Lab } from '../../workers/lab/lab.ts'
import { pageOf, TEN_ON_EACH } from '../support/lab-page.ts'

/** Boxes of the lab: from one row a race with its dividends, and every starter's probability and place. */

const MODEL = [0.3, 0.25, 0.2, 0.15, 0.1]
/** The market has the first two the other way around, and the last one third. */
const MARKET = [0.25, 0.3, 0.1, 0.15, 0.2]

interface Race {
  id: string
  /** Places of the horses 1 to 5. */
  places: (number | null)[]
  dividends: string | null
  outcomes?: string[]
}

/** A quartet, a first four, a trio, and a place pool of which only one line is published. */
const PAID = '2,2,paid,1500;6,1-2-3,paid,9000;8,1-2-3-4,paid,20000;9,2-1-3-4,paid,123450'
const RACES: Race[] = [
  { id: 'HKSHT2026010401', places: [2, 1, 3, 4, 5], dividends: PAID },
  // A quartet that no line pays, though the pool has one.
  { id: 'HKSHT2026010402', places: [1, 2, 3, 4, 5], dividends: '9,1-2-4-3,refund,' },
  { id: 'HKSHT2026010701', places: [5, 4, 3, 2, 1], dividends: PAID.replace('2-1-3-4', '5-4-3-2') },
  // The third choice did not start.
  {
    id: 'HKSHT2026010702',
    places: [1, 2, null, 3, 4],
    dividends: '9,1-2-4-5,paid,50000',
    outcomes: ['hit', 'miss', 'void', 'miss', 'miss'],
  },
  // Nobody knows whether the pool was held.
  { id: 'HKSHT2026010703', places: [1, 2, 3, 4, 5], dividends: null },
]
const dayOf = (id: string): string => `2026-${id.slice(9, 11)}-${id.slice(11, 13)}`

async function labOf(races: readonly Race[]): Promise<Lab> {
  const lab = new Lab()
  await lab.begin('boxes')
  await lab.add(
    pageOf({
      race_id: races.map(({ id }) => id),
      day: races.map(({ id }) => dayOf(id)),
      meeting: races.map(({ id }) => `${dayOf(id)}/1`),
      race_no: races.map(({ id }) => Number(id.slice(-2))),
      places_paid: races.map(() => 2),
      dividends: races.map(({ dividends }) => dividends ?? ''),
    }),
  )
  await lab.beginVectors()
  await lab.addVectors(
    pageOf({
      race_id: races.flatMap(({ id }) => MODEL.map(() => id)),
      horse_no: races.flatMap(() => [1, 2, 3, 4, 5]),
      probability: races.flatMap(() => MODEL),
      market_probability: races.flatMap(() => MARKET),
      places_paid: races.flatMap(() => MODEL.map(() => 2)),
      place: races.flatMap(({ places }) => places),
      outcome: races.flatMap(({ outcomes }) => outcomes ?? MODEL.map(() => 'miss')),
    }),
  )
  await lab.ready()
  return lab
}

const box = (of: Partial<LabBox>): LabPlan => ({
  ...TEN_ON_EACH,
  box: { pool: 9, bankers: 0, legs: 4, by: 'chances', ...of },
})

test('a quartet box of four pays the dividend less 24 stakes, and its list has one row a race', async () => {
  const lab = await labOf(RACES.slice(0, 1))
  const result = await lab.run(box({}))
  expect(result).toMatchObject({ bets: 1, hits: 1, staked: 24_000, profit: 99_450, certain: true })
  const chances = combinationChances(MODEL, { shape: 24 }, 2)
  expect(result.boxes).toMatchObject({ combinations: 24, winners: 1, without: 0 })
  expect(result.boxes!.expected).toBeCloseTo(chances.of(8, [0, 1, 2, 3]), 9)
  const { bets } = await lab.bets('oldest', null, 0, 10)
  expect(bets).toMatchObject([
    {
      raceId: 'HKSHT2026010401',
      betType: 9,
      combination: '1,2,3,4',
      combinations: 24,
      stake: 24_000,
      outcome: 'hit',
      profit: 99_450,
    },
  ])
})

test('the horses are in the order of the market line where that is chosen, or of the own chances', async () => {
  const lab = await labOf(RACES.slice(0, 1))
  const textOf = async (plan: LabPlan): Promise<string> => {
    await lab.run(plan)
    return (await lab.bets('oldest', null, 0, 1)).bets[0]!.combination
  }
  expect(await textOf(box({ bankers: 1, legs: 3 }))).toBe('1 > 2,3,4')
  expect(await textOf(box({ bankers: 1, legs: 3, by: 'market' }))).toBe('2 > 1,4,5')
  const own = { share: 1, order: { shape: 24 }, saved: [] }
  expect(await textOf({ ...box({ bankers: 2, legs: 2 }), own })).toBe('2 > 1 > 4,5')
  expect(await textOf(box({ pool: 8, bankers: 2, legs: 2 }))).toBe('1,2 > 3,4')
})

test('a banker that is not first loses a quartet, and not a first four', async () => {
  const lab = await labOf(RACES.slice(0, 1))
  expect(await lab.run(box({ bankers: 1, legs: 3 }))).toMatchObject({ hits: 0, profit: -6000 })
  expect(await lab.run(box({ pool: 8, bankers: 1, legs: 3 }))).toMatchObject({ hits: 1, profit: 19_000 })
})

test('a winner without a dividend leaves bounds: its own stake back, and its fair price by the market', async () => {
  const lab = await labOf(RACES.slice(1, 2))
  const { certain, unknownHits, bounds, staked } = await lab.run(box({}))
  expect({ certain, unknownHits, staked }).toEqual({ certain: false, unknownHits: 1, staked: 0 })
  // One of 24 combinations was refunded.
  const fair = 1 / combinationChances(MARKET, { shape: 24 }, 2).of(9, [0, 1, 2, 3])
  expect(bounds!.profit.low).toBe(-22_000)
  expect(bounds!.profit.high).toBe(Math.round(1000 * fair - 23_000))
})

test('combinations with a horse that did not start are returned, and count for nothing', async () => {
  const lab = await labOf(RACES.slice(3, 4))
  // Of five horses' 120 orders of four, those without the third are 24.
  expect(await lab.run(box({ legs: 5 }))).toMatchObject({ hits: 1, staked: 24_000, profit: 26_000 })
  const [bet] = (await lab.bets('oldest', null, 0, 1)).bets
  expect(bet).toMatchObject({ combinations: 120, stake: 24_000 })
  expect((await lab.run(box({ legs: 5 }))).boxes).toMatchObject({ combinations: 24, winners: 0, expected: 0 })
})

test('a box whose banker did not start is returned as a whole', async () => {
  const gone = { places: [null, 1, 2, 3, 4], outcomes: ['void', 'hit', 'miss', 'miss', 'miss'] }
  const lab = await labOf([{ ...RACES[3]!, ...gone }])
  expect(await lab.run(box({ bankers: 1, legs: 4 }))).toMatchObject({ bets: 0, staked: 0, unknown: 0 })
  const { bets } = await lab.bets('oldest', null, 0, 1)
  expect(bets).toMatchObject([{ outcome: 'void', stake: 24_000, profit: 0 }])
})

test('a pool without any line is lost at worst, and paid a fair price or not held at best', async () => {
  const lab = await labOf(RACES.slice(4))
  const { bounds } = await lab.run(box({ pool: 8 }))
  expect(bounds!.profit.low).toBe(0)
  const missed = await lab.run(box({ pool: 8, bankers: 0, legs: 4, by: 'market' }))
  expect(missed.bounds!.profit).toEqual({ low: -1000, high: 0 })
})

test('several places of one box are paid, and those without a line leave bounds', async () => {
  const lab = await labOf(RACES.slice(0, 1))
  const { bounds, boxes } = await lab.run(box({ pool: 2, legs: 2 }))
  expect(boxes).toMatchObject({ combinations: 2, winners: 2 })
  // Horse 2 is paid HK$15; horse 1 has its stake back at worst.
  expect(bounds!.profit.low).toBe(500)
})

test('a race with too few horses has no box, and the others keep theirs', async () => {
  const lab = await labOf(RACES.slice(0, 3))
  const { bets, boxes } = await lab.run(box({ pool: 6, legs: 6 }))
  expect({ bets, boxes }).toEqual({
    bets: 0,
    boxes: { combinations: 0, winners: 0, expected: 0, without: 3 },
  })
})

test('boxes are chosen by their expected winners, and two boxes of the same races are compared', async () => {
  const lab = await labOf(RACES.slice(0, 3))
  const rules = { ...TEN_ON_EACH.rules, minProbability: 0.9 }
  expect(await lab.run({ ...box({}), rules })).toMatchObject({ bets: 0 })
  await lab.run(box({ pool: 6, legs: 3 }))
  const { other, common } = await lab.compare(box({ pool: 6, legs: 4 }))
  expect(other).toMatchObject({ bets: 2, staked: 8000 })
  expect(common).toBe(2)
})

test('a race whose places contradict each other has no box', async () => {
  const lab = await labOf([{ id: 'HKSHT2026010401', places: [1, 1, 2, 4, 5], dividends: PAID }])
  expect((await lab.run(box({}))).boxes).toMatchObject({ without: 1 })
})

test('the lines of a race are read as they are written', () => {
  expect(readDividends(null)).toEqual([])
  expect(readDividends('9,1-2-3-4,unknown,')).toEqual([
    { gameplayClass: 9, combination: '1-2-3-4', status: 'unknown', dividendCents: null },
  ])
})
