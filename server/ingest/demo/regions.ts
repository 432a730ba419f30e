import { AUSTRALIA, HONG_KONG } from '../../../domain/region.ts'
import { makeStable, type DemoRegion } from './stable.ts'

const MIDWEEK = { stadium: 1, races: 7 }
const SUNDAY = { stadium: 0, races: 8 }
const SMALL = { stadium: 0, races: 2 }
const OTHER = { stadium: 1, races: 2 }
const SATURDAY = { stadium: 0, races: 4 }

/** Between them the two regions race every day of the week, so that there are always races today. */
export const DEMO_REGIONS: readonly DemoRegion[] = [
  {
    rules: HONG_KONG,
    week: [SUNDAY, null, null, MIDWEEK, null, null, null],
    stadiums: [
      {
        id: 'HKSHT',
        en: 'Sha Tin',
        hant: '沙田',
        hans: '沙田',
        courses: ['A', 'A+3', 'B', 'B+2', 'C', 'C+3'],
        distancesM: [1000, 1200, 1400, 1600, 1800, 2000],
        firstRaceUtc: 5 * 60,
      },
      {
        id: 'HKHAV',
        en: 'Happy Valley',
        hant: '跑馬地',
        hans: '跑马地',
        courses: ['A', 'B', 'C', 'C+3'],
        distancesM: [1000, 1200, 1650, 1800],
        firstRaceUtc: 10 * 60 + 45,
      },
    ],
    ...makeStable(HONG_KONG, 420),
  },
  {
    rules: AUSTRALIA,
    week: [null, SMALL, OTHER, null, SMALL, OTHER, SATURDAY],
    stadiums: [
      {
        id: 'AURND',
        en: 'Randwick',
        hant: '蘭域',
        hans: '兰域',
        courses: ['True', '+3m', '+6m'],
        distancesM: [1000, 1200, 1400, 1600, 2000],
        firstRaceUtc: 2 * 60,
      },
      {
        id: 'AUROS',
        en: 'Rosehill',
        hant: '玫瑰崗',
        hans: '玫瑰岗',
        courses: ['True', '+3m'],
        distancesM: [1100, 1200, 1500, 1800],
        firstRaceUtc: 3 * 60,
      },
    ],
    ...makeStable(AUSTRALIA, 240),
  },
]
