import { BETFAIR_ANZ_FORMAT } from './au/betfair-anz-format.ts'
import { BETFAIR_SP_FORMAT } from './gb/betfair-sp-format.ts'
import { FURLONG_FORMAT } from './furlong/furlong-format.ts'
import type { ImportFormat } from './reading/format.ts'
import { HK_EN_FORMAT } from './hk/hk-en-format.ts'
import { HK_FORMAT } from './hk/hk-format.ts'
import { KAGGLE_HK_FORMAT } from './hk/kaggle-hk-format.ts'
import { KAGGLE_HK_IDS_FORMAT } from './hk/kaggle-hk-ids-format.ts'
import { HK_SECTIONALS_FORMAT } from './hk/hk-sectionals-format.ts'
import { RPSCRAPE_FORMAT } from './gb/rpscrape-format.ts'
import { NETKEIBA_FORMAT } from './jp/netkeiba-format.ts'
import { BRIS_FORMAT } from './us/bris-format.ts'
import { BETFAIR_STREAM_FORMAT } from './stream/betfair-stream-format.ts'
import { US_FORMAT } from './us/us-format.ts'

/** In place of a format's name: whichever the files have the columns of. */
export const AUTO = 'auto'

export const FORMATS = {
  hk: HK_FORMAT,
  'hk-en': HK_EN_FORMAT,
  'hk-sectionals': HK_SECTIONALS_FORMAT,
  'kaggle-hk': KAGGLE_HK_FORMAT,
  'kaggle-hk-ids': KAGGLE_HK_IDS_FORMAT,
  rpscrape: RPSCRAPE_FORMAT,
  netkeiba: NETKEIBA_FORMAT,
  'betfair-anz': BETFAIR_ANZ_FORMAT,
  'betfair-sp': BETFAIR_SP_FORMAT,
  'betfair-stream': BETFAIR_STREAM_FORMAT,
  us: US_FORMAT,
  bris: BRIS_FORMAT,
  furlong: FURLONG_FORMAT,
} as const satisfies Record<string, ImportFormat>
