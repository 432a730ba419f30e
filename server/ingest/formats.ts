import { FURLONG_FORMAT } from './furlong/furlong-format.ts'
import type { ImportFormat } from './reading/format.ts'
import { HK_FORMAT } from './hk/hk-format.ts'
import { HK_SECTIONALS_FORMAT } from './hk/hk-sectionals-format.ts'
import { US_FORMAT } from './us/us-format.ts'

export const FORMATS = {
  hk: HK_FORMAT,
  'hk-sectionals': HK_SECTIONALS_FORMAT,
  us: US_FORMAT,
  furlong: FURLONG_FORMAT,
} as const satisfies Record<string, ImportFormat>
