// @module-tag soak
import { expect, test } from 'vitest'
import { combinationProbabilities } from '../../domain/class-tables.ts'
import { GAMEPLAYS, type GameplayClass } from '../../domain/gameplay.ts'
import { USUAL_SHAPE } from '../../domain/order-rule.ts'
import { solveRates } from '../../domain/order-strengths.ts'
import { drawOrders } from '../support/draw-orders.ts'

const DRAWS = 10_000_000
const WIN = [0.4, 0.25, 0.15, 0.12, 0.08]

const sorted = (horses: readonly number[]): string => horses.toSorted((a, b) => a - b).join('-')

/** The combinations of each class that win when the first four are these. */
const WINNERS: Record<GameplayClass, (a: number, b: number, c: number, d: number) => string[]> = {
  1: (a) => [`${a}`],
  2: (a, b, c) => [`${a}`, `${b}`, `${c}`],
  3: (a, b) => [sorted([a, b])],
  4: (a, b, c) => [sorted([a, b]), sorted([a, c]), sorted([b, c])],
  5: (a, b) => [`${a}-${b}`],
  6: (a, b, c) => [sorted([a, b, c])],
  7: (a, b, c) => [`${a}-${b}-${c}`],
  8: (a, b, c, d) => [sorted([a, b, c, d])],
  9: (a, b, c, d) => [`${a}-${b}-${c}-${d}`],
}

test.each([4, USUAL_SHAPE])(
  'ten million drawn finishing times of shape %i give the same chances',
  (shape) => {
    const tables = combinationProbabilities(WIN, { shape }, 3)
    const orders = drawOrders(solveRates(WIN, shape), shape, 4, DRAWS, 37)
    for (const { class: gameplayClass } of GAMEPLAYS) {
      const counts = new Map<string, number>()
      for (const [order, count] of orders) {
        const [a, b, c, d] = order.split('-').map(Number) as [number, number, number, number]
        for (const name of WINNERS[gameplayClass](a, b, c, d))
          counts.set(name, (counts.get(name) ?? 0) + count)
      }
      for (const { horses, probability } of tables[gameplayClass].all()) {
        const error = Math.sqrt((probability * (1 - probability)) / DRAWS)
        const drawn = (counts.get(horses.join('-')) ?? 0) / DRAWS
        // Five standard errors: of some 600 comparisons, one in 3,000 runs is further away by chance.
        expect(Math.abs(drawn - probability), `class ${gameplayClass}: ${horses.join('-')}`).toBeLessThan(
          5 * error,
        )
      }
    }
  },
)
