import type { Competitor } from '../../../contract/api/racing.ts'

/** A starter; `model` is its win probability by the model, and all of them add up to 1. */
export interface Horse {
  number: number
  name: string
  model: number
  odds: number | null
}

/**
 * The starters with a probability; `null` if the race is not supported: no probabilities, or coupled entries.
 */
export function horsesOf(runners: readonly Competitor[]): Horse[] | null {
  const starters = runners.filter(({ status }) => status !== 'withdrawn')
  if (starters.length < 2 || starters.some(({ entryNumber }) => entryNumber !== null)) return null
  const horses = starters.flatMap(({ horseNumber, name, probability, odds }) =>
    horseNumber !== null && probability !== null && probability > 0
      ? [{ number: horseNumber, name, model: probability, odds }]
      : [],
  )
  if (horses.length < starters.length) return null
  const sum = horses.reduce((total, { model }) => total + model, 0)
  return horses.map((horse) => ({ ...horse, model: horse.model / sum })).toSorted((a, b) => b.model - a.model)
}
