import { z } from 'zod'
import { endpoint, type ResultOf } from './endpoint.ts'
import { day, entryNumber, nameLanguage, raceId, regionId } from './fields.ts'

const PricedRunner = z.strictObject({
  horseId: z.string(),
  horseNumber: z.number().int().nullable(),
  entryNumber,
  name: z.string(),
  nameLanguage,
  /** Last recorded win odds. */
  odds: z.number().nullable(),
  /** The first recorded win odds; `null` if their movement was not recorded. */
  openingOdds: z.number().nullable(),
  /** The win odds so long before post time: the last recorded then; `null` until then, and if none are. */
  thirtyMinuteOdds: z.number().nullable(),
  tenMinuteOdds: z.number().nullable(),
  /** Published place, or a code such as `PU`; empty before the result. */
  ranking: z.string(),
})

export const queryDayMarket = endpoint('customer', 'GET /race/api/queryDayMarket', {
  summary:
    'Win odds of all starters of a region’s day at the moments that are customarily compared; those of a race for its subscribers and VIP',
  query: z.object({ countryRegionId: regionId, today: day }),
  result: z.array(
    z.strictObject({
      raceId,
      /** Whether who asks may see the race’s odds over time. */
      open: z.boolean(),
      /** Without withdrawn ones; empty without access. */
      runners: z.array(PricedRunner),
    }),
  ),
})
export type DayMarketRace = ResultOf<typeof queryDayMarket>[number]
