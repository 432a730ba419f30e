import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Finish, type Finisher } from '../../domain/finish.ts'
import { combinationText, GAMEPLAYS, type GameplayClass } from '../../domain/gameplay.ts'
import { contradiction } from '../../domain/result-check.ts'
import { hitCount, isHit, raceOutcome, settle, type DividendLine } from '../../domain/settlement.ts'
import { randomChance } from '../../server/dataset/settled-rows.ts'

/** Places of a race in which `ties` says which finishers share the place of the previous one. */
function placed(ties: readonly boolean[]): Finisher[] {
  let place = 1
  return ties.map((tied, index) => {
    if (!tied || index === 0) place = index + 1
    return { horseNo: index + 1, started: true, place }
  })
}

/** Every finishing order that the places allow: a brute-force check of settlement. */
function everyOrder(finishers: readonly Finisher[]): number[][] {
  const groups = new Map<number, number[]>()
  for (const { horseNo, place } of finishers)
    if (place !== null) groups.set(place, [...(groups.get(place) ?? []), horseNo])
  const permutations = (horses: readonly number[]): number[][] =>
    horses.length <= 1
      ? [[...horses]]
      : horses.flatMap((horse, index) =>
          permutations(horses.toSpliced(index, 1)).map((rest) => [horse, ...rest]),
        )
  let orders: number[][] = [[]]
  for (const [, horses] of [...groups].toSorted(([a], [b]) => a - b)) {
    orders = orders.flatMap((order) => permutations(horses).map((group) => [...order, ...group]))
  }
  return orders
}

/** The rules of decisions section 2, applied to one finishing order. */
function hitsIn(
  order: readonly number[],
  classId: GameplayClass,
  horses: readonly number[],
  places: number,
): boolean {
  const at = horses.map((horse) => order.indexOf(horse) + 1)
  const inOrder = at.every((position, index) => position === index + 1)
  const within = (depth: number): boolean => at.every((position) => position >= 1 && position <= depth)
  switch (classId) {
    case 1:
      return at[0] === 1
    case 2:
      return within(places)
    case 3:
      return within(2)
    case 4:
      return within(3)
    case 5:
    case 7:
    case 9:
      return inOrder
    case 6:
      return within(3)
    default:
      return within(4)
  }
}

/** The same for a whole result. Quinella place pays on any two that are placed, also on two that share the third place. */
const isRight = (
  { finishers, orders }: { finishers: readonly Finisher[]; orders: readonly number[][] },
  classId: GameplayClass,
  horses: readonly number[],
  places: number,
): boolean =>
  classId === 4
    ? horses.every((horse) => finishers.some(({ horseNo, place }) => horseNo === horse && place! <= 3))
    : orders.some((order) => hitsIn(order, classId, horses, places))

const race = fc.record({
  ties: fc.array(fc.boolean(), { minLength: 4, maxLength: 7 }),
  places: fc.constantFrom(0, 2, 3),
  picks: fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7], { minLength: 4, maxLength: 4 }),
})

test('a prediction hits exactly when the places, or some finishing order that the dead heats allow, make it right', () => {
  fc.assert(
    fc.property(race, ({ ties, places, picks }) => {
      const finishers = placed(ties)
      const finish = new Finish(finishers)
      const result = { finishers, orders: everyOrder(finishers) }
      for (const { class: classId, size } of GAMEPLAYS) {
        const horses = picks.slice(0, size)
        const expected = isRight(result, classId, horses, places)
        expect(
          isHit(classId, horses, { finish, places }),
          `class ${classId} ${horses.join('-')} ${JSON.stringify(ties)}`,
        ).toBe(expected)
      }
    }),
    { numRuns: 2000 },
  )
})

const paid = (classId: GameplayClass, horses: number[], dividendCents: number): DividendLine => ({
  gameplayClass: classId,
  combination: combinationText(classId, horses),
  status: 'paid',
  dividendCents,
})

describe('profit of a HK$10 stake', () => {
  const finish = new Finish([
    { horseNo: 3, started: true, place: 1 },
    { horseNo: 7, started: true, place: 2 },
    { horseNo: 1, started: true, place: 3 },
    { horseNo: 5, started: true, place: null },
    { horseNo: 9, started: false, place: null },
  ])
  const dividends = [paid(1, [3], 6450), paid(2, [3], 1950), paid(3, [3, 7], 32_150)]
  const outcome = { finish, places: 3, dividends }

  test('a hit pays the published dividend, by its own line', () => {
    expect(settle(1, [3], outcome)).toEqual({ outcome: 'hit', profitCents: 5450, paidOdds: 6.45 })
    expect(settle(3, [7, 3], outcome)).toEqual({ outcome: 'hit', profitCents: 31_150, paidOdds: 32.15 })
  })
  test('a miss costs the stake, an unplaced starter included', () => {
    expect(settle(1, [7], outcome)).toEqual({ outcome: 'miss', profitCents: -1000, paidOdds: null })
    expect(settle(1, [5], outcome)).toEqual({ outcome: 'miss', profitCents: -1000, paidOdds: null })
  })
  test('a hit without its line is unknown, never zero', () => {
    expect(settle(2, [7], outcome)).toEqual({ outcome: 'hit', profitCents: null, paidOdds: null })
  })
  test('a pool of which nothing was published is unknown, hit or miss', () => {
    expect(settle(5, [3, 7], outcome)).toEqual({ outcome: 'hit', profitCents: null, paidOdds: null })
    expect(settle(5, [7, 3], outcome)).toEqual({ outcome: 'miss', profitCents: null, paidOdds: null })
  })
  test('a horse that did not start makes it void', () => {
    expect(settle(3, [3, 9], outcome)).toEqual({ outcome: 'void', profitCents: 0, paidOdds: null })
  })
  test('no place pool, a refunded pool and a refunded line are void', () => {
    expect(settle(2, [3], { ...outcome, places: 0 }).outcome).toBe('void')
    const refund: DividendLine = { gameplayClass: 4, combination: '', status: 'refund', dividendCents: null }
    expect(settle(4, [3, 7], { ...outcome, dividends: [refund] }).outcome).toBe('void')
    const line: DividendLine = { ...refund, combination: '3-7' }
    expect(settle(4, [3, 7], { ...outcome, dividends: [line] }).outcome).toBe('void')
  })
  test('a line without a figure is unknown', () => {
    const line: DividendLine = {
      gameplayClass: 9,
      combination: '3-7-1-5',
      status: 'unknown',
      dividendCents: null,
    }
    const last = new Finish(
      [1, 2, 3, 4].map((place, index) => ({ horseNo: [3, 7, 1, 5][index]!, started: true, place })),
    )
    expect(settle(9, [3, 7, 1, 5], { finish: last, places: 3, dividends: [line] }).profitCents).toBeNull()
  })
  test('both winners of a dead heat are paid by their own lines', () => {
    const tied = new Finish(placed([false, true, false, false]))
    const lines = [paid(1, [1], 2000), paid(1, [2], 1500)]
    expect(settle(1, [1], { finish: tied, places: 2, dividends: lines }).profitCents).toBe(1000)
    expect(settle(1, [2], { finish: tied, places: 2, dividends: lines }).profitCents).toBe(500)
  })
})

test('after a dead heat for third, quinella place pays on the two that share it, and its line amends nothing', () => {
  const finishers = placed([false, false, false, true, false])
  const lines = [
    paid(4, [1, 2], 2000),
    paid(4, [1, 3], 1900),
    paid(4, [1, 4], 1800),
    paid(4, [2, 3], 2500),
    paid(4, [2, 4], 2400),
    paid(4, [3, 4], 3000),
  ]
  expect(hitCount(4, finishers, 3)).toBe(6)
  expect(raceOutcome(finishers, 3, lines).amended).toBe(false)
  const outcome = raceOutcome(finishers, 3, lines.slice(0, 1))
  expect(settle(4, [4, 3], outcome)).toEqual({ outcome: 'hit', profitCents: null, paidOdds: null })
  expect(settle(4, [4, 5], outcome)).toEqual({ outcome: 'miss', profitCents: -1000, paidOdds: null })
  // An order or a set has one third.
  expect(isHit(6, [1, 2, 4], outcome)).toBe(true)
  expect(isHit(6, [1, 3, 4], outcome)).toBe(false)
})

test('places that contradict each other are refused', () => {
  const finishers = [1, 1, 2].map((place, index) => ({ horseNo: index + 1, started: true, place }))
  expect(() => new Finish(finishers)).toThrow(expect.objectContaining({ code: 'bad-finish' }))
  expect(() => new Finish([...placed([false]), ...placed([false])])).toThrow(
    expect.objectContaining({ code: 'bad-finish' }),
  )
})

describe('a result that was amended after the pools had paid', () => {
  // The first finisher, 6, was disqualified later; the pools had paid on 6-8-5-2.
  const finishers = [8, 5, 2, 9, 7, 6].map((horseNo, index) => ({
    horseNo,
    started: true,
    place: horseNo === 6 ? null : index + 1,
  }))
  const lines = [
    paid(1, [6], 2250),
    paid(2, [6], 1150),
    paid(3, [6, 8], 12_400),
    paid(4, [6, 8], 5300),
    paid(7, [6, 8, 5], 113_400),
    paid(9, [6, 8, 5, 2], 2_217_000),
  ]
  const outcome = raceOutcome(finishers, 3, lines)

  test('is marked, and one that agrees with its lines is not', () => {
    expect(outcome.amended).toBe(true)
    expect(raceOutcome(finishers, 3, [paid(1, [8], 2250)]).amended).toBe(false)
  })
  test('pays what was published and nothing that was not', () => {
    expect(settle(1, [6], outcome)).toEqual({ outcome: 'hit', profitCents: 1250, paidOdds: 2.25 })
    expect(settle(1, [8], outcome)).toEqual({ outcome: 'miss', profitCents: -1000, paidOdds: null })
    expect(settle(3, [5, 8], outcome)).toEqual({ outcome: 'miss', profitCents: -1000, paidOdds: null })
    expect(settle(9, [6, 8, 5, 2], outcome).profitCents).toBe(2_216_000)
  })
  test('places the horses of the paid order where their own line is lost', () => {
    expect(settle(2, [8], outcome)).toEqual({ outcome: 'hit', profitCents: null, paidOdds: null })
    expect(settle(2, [2], outcome)).toEqual({ outcome: 'miss', profitCents: -1000, paidOdds: null })
    expect(settle(4, [5, 6], outcome)).toEqual({ outcome: 'hit', profitCents: null, paidOdds: null })
  })
  test('a single line that contradicts the places is a hit by itself', () => {
    const contradictory = raceOutcome(finishers, 3, [paid(1, [6], 2250), paid(3, [8, 5], 4000)])
    expect(contradictory.amended).toBe(true)
    expect(settle(1, [6], contradictory).profitCents).toBe(1250)
    expect(settle(3, [5, 8], contradictory).profitCents).toBe(3000)
  })
})

describe('a coupled entry', () => {
  // Horses 1 and 8 are coupled as number 1; 8 came second and 1 third.
  const finishers = [7, 8, 1, 5, 2].map((horseNo, index) => ({
    horseNo,
    started: true,
    place: index + 1,
    entryNo: horseNo === 8 || horseNo === 1 ? 1 : null,
  }))
  const outcome = raceOutcome(finishers, 2, [
    paid(1, [7], 11_100),
    paid(2, [1], 4750),
    paid(5, [7, 1], 85_750),
  ])

  test('is settled by its best horse, and the next one moves up in ordered bets', () => {
    expect(outcome.amended).toBe(false)
    expect(outcome.finish.starters).toBe(4)
    expect(settle(2, [1], outcome).profitCents).toBe(3750)
    expect(settle(5, [7, 1], outcome).profitCents).toBe(84_750)
    expect(isHit(7, [7, 1, 5], outcome)).toBe(true)
    expect(isHit(6, [1, 7, 8], outcome)).toBe(false)
  })
  test('does not start only when none of its horses does', () => {
    const out = finishers.map((finisher) =>
      finisher.horseNo === 8 ? { ...finisher, started: false, place: null } : finisher,
    )
    expect(raceOutcome(out, 2, []).finish.didNotStart(1)).toBe(false)
    const both = out.map((finisher) =>
      finisher.horseNo === 1 ? { ...finisher, started: false, place: null } : finisher,
    )
    expect(raceOutcome(both, 2, []).finish.didNotStart(8)).toBe(true)
  })
  test('is drawn as one starter by chance', () => {
    expect(randomChance(1, outcome)).toBeCloseTo(1 / 4)
    expect(randomChance(2, outcome)).toBeCloseTo(2 / 4)
  })
})

test('the chance of a blind draw is winning combinations over all, dead heats included', () => {
  fc.assert(
    fc.property(race, ({ ties, places }) => {
      const finishers = placed(ties)
      const outcome = { finish: new Finish(finishers), places, dividends: [] }
      const result = { finishers, orders: everyOrder(finishers) }
      const numbers = finishers.map(({ horseNo }) => horseNo)
      for (const { class: classId, size, rule } of GAMEPLAYS) {
        const drawn = new Map<string, number[]>()
        const draw = (chosen: number[]): void => {
          if (chosen.length === size) return void drawn.set(combinationText(classId, chosen), chosen)
          for (const horse of numbers) if (!chosen.includes(horse)) draw([...chosen, horse])
        }
        draw([])
        const won = [...drawn.values()].filter((horses) => isRight(result, classId, horses, places))
        expect(randomChance(classId, outcome), `class ${classId} ${rule}`).toBeCloseTo(
          won.length / drawn.size,
          12,
        )
      }
    }),
    { numRuns: 100 },
  )
})

describe('a race of which the places behind the winner are unknown', () => {
  const finishers = [1, 2, 3, 4, 5].map((horseNo) => ({
    horseNo,
    started: true,
    place: horseNo === 1 ? 1 : null,
    isBehind: horseNo !== 1,
  }))
  const line = (
    gameplayClass: GameplayClass,
    combination: string,
    dividendCents: number | null,
  ): DividendLine => ({
    gameplayClass,
    combination,
    status: dividendCents === null ? 'unknown' : 'paid',
    dividendCents,
  })
  const dividends = [line(1, '1', 3000), line(2, '1', 1500), line(2, '4', null)]
  const race = raceOutcome(finishers, 2, dividends)
  const outcomeOf = (classId: GameplayClass, ...horses: number[]) => settle(classId, horses, race)

  test('lines of placed horses do not contradict it', () => {
    expect(race.amended).toBe(false)
    expect(contradiction(dividends, finishers, 2)).toBeNull()
    expect(contradiction([line(1, '2', 3000)], finishers, 2)?.problem).toBe('dividend-contradicts-places')
    expect(raceOutcome(finishers, 2, [line(1, '2', 3000)]).amended).toBe(true)
  })

  test('win bets are judged by it, and place bets by the lines', () => {
    expect(outcomeOf(1, 1)).toMatchObject({ outcome: 'hit', profitCents: 2000 })
    expect(outcomeOf(1, 2)).toMatchObject({ outcome: 'miss', profitCents: -1000 })
    expect(outcomeOf(2, 1)).toMatchObject({ outcome: 'hit', profitCents: 500 })
    expect(outcomeOf(2, 4)).toMatchObject({ outcome: 'hit', profitCents: null })
    expect(outcomeOf(2, 3)).toMatchObject({ outcome: 'miss', profitCents: -1000 })
  })

  test('a horse that is drawn by chance is placed as often as lines say', () => {
    expect(randomChance(1, race)).toBeCloseTo(1 / 5)
    expect(randomChance(2, race)).toBeCloseTo(2 / 5)
    expect(randomChance(3, race)).toBe(0)
  })

  test('the chance of a random bet is that of the lines that name winners', () => {
    // Two of five horses were placed.
    expect(randomChance(2, race)).toBeCloseTo(2 / 5)
    const refunded = [...dividends, { ...line(2, '5', null), status: 'refund' as const }, line(2, '', null)]
    expect(randomChance(2, raceOutcome(finishers, 2, refunded))).toBeCloseTo(2 / 5)
  })

  test('bets that it does not decide are void, whatever they name', () => {
    for (const { class: classId, size } of GAMEPLAYS.filter((bet) => bet.class > 2))
      expect(outcomeOf(classId, ...[1, 2, 3, 4].slice(0, size))).toMatchObject({
        outcome: 'void',
        profitCents: 0,
      })
    const without = raceOutcome(finishers, 2, [line(1, '1', 3000)])
    expect(settle(2, [1], without)).toMatchObject({ outcome: 'void', profitCents: 0 })
    expect(settle(2, [3], without)).toMatchObject({ outcome: 'void', profitCents: 0 })
  })
})
