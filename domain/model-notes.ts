import { HONG_KONG } from './region.ts'
import { tuningSeasons } from './tuning.ts'

/**
 * What readers of a region's model card should know: keys of the messages `weakness.…`. Hong Kong's files and the settings,
 * which were chosen on its seasons, are not those of other regions.
 */
export const weaknessesOf = (regionId: string): string[] =>
  regionId === HONG_KONG.id
    ? ['public', 'newcomers', 'unseen', 'missing', 'odds', 'deadHeats']
    : [
        ...(tuningSeasons(regionId).length === 0 ? ['settings'] : []),
        'newcomers',
        'unseen',
        'lastOdds',
        'deadHeats',
      ]

/** What brought nothing on Hong Kong's tuning seasons: keys of the messages `tried.…`. */
export const TRIED = ['blend', 'trees', 'ridge', 'warmUp', 'rates', 'features']
