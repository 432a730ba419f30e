import { describe, expect, test } from 'vitest'
import { normal, seededRandom } from '../../domain/random.ts'
import {
  exactShapley,
  joiningOrders,
  orderedShapley,
  shapleyValues,
  type Worth,
} from '../../server/model/models/shapley.ts'

const has = (members: number, player: number): boolean => (members & (1 << player)) !== 0
const single =
  (worth: (members: number) => number): Worth =>
  (members) =>
    Float64Array.of(worth(members))
const firsts = (values: readonly Float64Array[]): number[] => values.map(([value]) => value!)

/** Games of players who add by themselves, in pairs and, by `three`, in threes; player 2 adds nothing. */
function drawnGame(players: number, games: number, three: number): Worth {
  const random = seededRandom(7)
  const drawn = () => Float64Array.from({ length: games }, () => normal(random))
  const terms: { members: number; worth: Float64Array }[] = []
  for (let a = 0; a < players; a += 1) {
    for (let b = a; b < players; b += 1) {
      for (let c = b; c < players; c += 1) {
        const isThree = a !== b && b !== c
        if ([a, b, c].includes(2) || (isThree && three === 0)) continue
        const worth = drawn().map((value) => (isThree ? three * value : value))
        terms.push({ members: (1 << a) | (1 << b) | (1 << c), worth })
      }
    }
  }
  return (members) => {
    const sum = new Float64Array(games)
    for (const term of terms) {
      if ((term.members & members) === term.members) {
        for (const [game, worth] of term.worth.entries()) sum[game]! += worth
      }
    }
    return sum
  }
}

describe('Shapley values', () => {
  test('of one glove against two: two thirds to who has the only left one', () => {
    const gloves = single((members) => (has(members, 0) && (has(members, 1) || has(members, 2)) ? 1 : 0))
    for (const [player, share] of [2 / 3, 1 / 6, 1 / 6].entries()) {
      expect(firsts(exactShapley(3, gloves))[player]).toBeCloseTo(share, 12)
    }
  })

  test('of an airport: each pays its share of every stretch that it needs (Littlechild and Owen 1973)', () => {
    const costs = [1, 2, 5, 9]
    const runway = single((members) => Math.max(0, ...costs.filter((_, player) => has(members, player))))
    const shares = [1 / 4, 1 / 4 + 1 / 3, 1 / 4 + 1 / 3 + 3 / 2, 1 / 4 + 1 / 3 + 3 / 2 + 4]
    for (const [player, share] of shares.entries()) {
      expect(firsts(exactShapley(4, runway))[player]).toBeCloseTo(share, 12)
    }
  })

  test.each([1, 2, 3, 6, 9, 14])(
    'of %i players by orders: their sum is exact, who adds nothing gets nothing, and pairs are shared exactly',
    (players) => {
      const worth = drawnGame(players, 3, 0)
      const exact = exactShapley(players, worth)
      const [nobody, everyone] = [worth(0).slice(), worth(2 ** players - 1).slice()]
      for (const pairs of [1, 2, 7]) {
        const values = orderedShapley(players, worth, pairs)
        for (const game of [0, 1, 2]) {
          const sum = values.reduce((total, value) => total + value[game]!, 0)
          expect(sum).toBeCloseTo(everyone[game]! - nobody[game]!, 9)
          for (const [player, value] of values.entries()) {
            expect(value[game]).toBeCloseTo(exact[player]![game]!, 9)
          }
        }
        if (players > 2) expect([...values[2]!]).toEqual([0, 0, 0])
      }
    },
  )

  test('what three add together is shared nearly as exactly', () => {
    const worth = drawnGame(9, 40, 0.1)
    const exact = exactShapley(9, worth)
    const errors = (pairs: number): number[] =>
      orderedShapley(9, worth, pairs).flatMap((value, player) =>
        [...value].map((share, game) => (share - exact[player]![game]!) ** 2),
      )
    const rootMean = (list: readonly number[]): number =>
      Math.sqrt(list.reduce((sum, square) => sum + square, 0) / list.length)
    const size = rootMean(exact.flatMap((value) => [...value].map((share) => share ** 2)))
    expect(rootMean(errors(1)) / size).toBeLessThan(0.2)
    expect(rootMean(errors(5))).toBeLessThan(rootMean(errors(1)))
  })

  test('equal players get equal shares of what any number of them add', () => {
    const worth = single((members) => {
      const count = [...Array(5).keys()].filter((player) => has(members, player)).length
      return count ** 3
    })
    for (const share of firsts(shapleyValues(5, worth))) expect(share).toBeCloseTo(25, 9)
  })

  test('nobody, and one', () => {
    expect(
      shapleyValues(
        0,
        single(() => 5),
      ),
    ).toEqual([])
    expect(
      firsts(
        shapleyValues(
          1,
          single((members) => 5 + members),
        ),
      ),
    ).toEqual([1])
  })
})

describe('the orders of joining', () => {
  test('come with their reverses, and a whole square has each player once in each place', () => {
    for (const players of [2, 6, 14]) {
      const orders = joiningOrders(players, players / 2)
      expect(orders).toHaveLength(players)
      for (const place of Array(players).keys()) {
        expect(new Set(orders.map((order) => order[place])).size).toBe(players)
      }
      const texts = orders.map((order) => order.join(' '))
      expect(new Set(texts).size).toBe(players)
      for (const order of orders) expect(texts).toContain(order.toReversed().join(' '))
    }
  })

  test('of an odd number have everyone once', () => {
    for (const order of joiningOrders(7, 3)) {
      expect(order.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6])
    }
  })
})
