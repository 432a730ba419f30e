import { UNITED_STATES } from '../../../domain/region.ts'
import type { ImportFormat } from '../reading/format.ts'
import { US_RACE_INFO, US_RESULTS } from './results.ts'
import { TRACKS } from './words.ts'

/** Charts of North American tracks: English, latin-1, odds to one, payoffs per US$2. */
export const US_FORMAT: ImportFormat = {
  name: 'us',
  encoding: 'latin1',
  region: UNITED_STATES,
  stadiums: Object.entries(TRACKS).map(([code, name]) => ({
    id: `US${code}`,
    en: name,
    hant: null,
    hans: null,
  })),
  kinds: [US_RESULTS, US_RACE_INFO],
}
