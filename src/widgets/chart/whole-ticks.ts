import { roundStep } from './round-step.ts'

/**
 * About four round whole numbers from `low` to `high`, and the first place, which is none; the two themselves if no whole
 * number lies between them.
 */
export function wholeTicks(low: number, high: number): number[] {
  const step = Math.max(1, roundStep((high - low || 1) / 4))
  const ticks: number[] = low === 1 && step > 1 ? [1] : []
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick)
  return ticks.length > 0 ? ticks : [...new Set([low, high])]
}
