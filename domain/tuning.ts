import { HONG_KONG } from './region.ts'

/**
 * Seasons on which the settings of our models were chosen: their figures are in sample for the
 * settings, so they are marked, and excluded from pooled figures unless the user includes them. The
 * market line has no such settings.
 */
const TUNING_SEASONS: Readonly<Record<string, readonly number[]>> = { [HONG_KONG.id]: [2017, 2018, 2019] }

export const tuningSeasons = (regionId: string): readonly number[] => TUNING_SEASONS[regionId] ?? []

/** Models whose settings were chosen on the tuning seasons. */
export const isTuned = (modelId: string): boolean =>
  modelId === 'fundamental' || modelId === 'blended' || modelId === 'network'
