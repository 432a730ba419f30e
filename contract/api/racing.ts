import { z } from 'zod'
import { envelope } from './envelope.ts'

export const Region = z.object({ id: z.string(), name: z.string() })

/** `GET /sys/api/queryCountryRegion` */
export const queryCountryRegion = {
  method: 'GET',
  path: '/sys/api/queryCountryRegion',
  response: envelope(z.array(Region)),
} as const

export const ScheduledRace = z.object({
  id: z.string(),
  name: z.string().nullable(),
  stadiumName: z.string(),
  /** Number of the race at its meeting. */
  stadiumNum: z.number().int(),
  /** Start, UTC; `null` where the source does not tell. */
  competitionDate: z.string().nullable(),
  /** Race day in the region's time zone. */
  date: z.string(),
  round: z.number().int(),
  distanceM: z.number().int().nullable(),
  raceClass: z.string().nullable(),
  starters: z.number().int(),
  status: z.enum(['scheduled', 'final', 'abandoned']),
})
export type ScheduledRace = z.infer<typeof ScheduledRace>

/** `GET /race/api/queryRace`: races of a region from a day on, a week at most. */
export const queryRace = {
  method: 'GET',
  path: '/race/api/queryRace',
  query: z.object({
    countryRegionId: z.string().regex(/^\d{6}$/),
    today: z.iso.date(),
  }),
  response: envelope(z.array(ScheduledRace)),
} as const
