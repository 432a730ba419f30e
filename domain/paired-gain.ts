import { bootstrapRatio, byGroup, type Interval } from './statistics.ts'

/** Races of one group (a meeting) that two models predicted, and sums over them. */
export interface PairedLosses {
  group: string | number
  races: number
  /** −ln of the winner's probability by the model, by the other one, and by equal chances, in nats. */
  own: number
  other: number
  uniform: number
}

export interface PairedGain {
  races: number
  /** R² of the model minus that of the other. */
  gain: number
  interval: Interval
  /** Log loss of the other minus that of the model, nats a race: above 0 the model is better. */
  nats: { gain: number; interval: Interval }
}

const RESAMPLES = 2000

/**
 * What a model gains on another over the same races, with 95% intervals by a bootstrap over groups, so that the races of a
 * meeting count as one draw; `null` without races.
 */
export function pairedGainOf(losses: readonly PairedLosses[]): PairedGain | null {
  const races = losses.reduce((sum, { races: count }) => sum + count, 0)
  if (races === 0) return null
  const ratio = (denominator: (row: PairedLosses) => number) =>
    bootstrapRatio(
      byGroup(
        losses.map((row) => ({
          group: row.group,
          numerator: row.other - row.own,
          denominator: denominator(row),
        })),
      ),
      RESAMPLES,
    )
  return { races, ...ratio(({ uniform }) => uniform), nats: ratio((row) => row.races) }
}
