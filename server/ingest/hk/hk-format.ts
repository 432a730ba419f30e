import { HONG_KONG } from '../../../domain/region.ts'
import type { ImportFormat } from '../reading/format.ts'
import { HK_DIVIDENDS } from './dividends.ts'
import { HK_FORM } from './form.ts'
import { HK_HORSES, HK_HORSE_NAMES, personNames } from './profiles.ts'
import { HK_RESULTS } from './results.ts'

/** The scraped files of Hong Kong racing: Traditional Chinese, UTF-8, one row per runner. */
export const HK_FORMAT: ImportFormat = {
  name: 'hk',
  encoding: 'utf8',
  region: HONG_KONG,
  stadiums: [
    { id: 'HKSHT', en: 'Sha Tin', hant: '沙田', hans: '沙田' },
    { id: 'HKHAV', en: 'Happy Valley', hant: '跑馬地', hans: '跑马地' },
    { id: 'HKCON', en: 'Conghua', hant: '從化', hans: '从化' },
  ],
  kinds: [
    HK_HORSES,
    HK_HORSE_NAMES,
    personNames('jockey'),
    personNames('trainer'),
    HK_RESULTS,
    HK_FORM,
    HK_DIVIDENDS,
  ],
}
