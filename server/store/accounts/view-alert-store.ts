import type { SavedView } from '../../../contract/api/view.ts'
import { first, isAny, type Queries } from '../../db/database.ts'
import { thresholdOf, type ThresholdRow } from './saved-view-store.ts'

/** A saved view that tells its owner of something. */
export interface TellingView {
  id: string
  customerId: string
  /** Until when the owner is a VIP; `null`: never was one. */
  vipEnd: string | null
  /** How many races to come the owner has opened. */
  opened: number
  regionId: string
  address: string
  followed: boolean
  threshold: SavedView['threshold']
  thresholdDay: string | null
  thresholdPassed: boolean
  digest: SavedView['digest']
  digestDay: string | null
}

/** All views that tell their owners of something, by region. */
export async function listTellingViews({ rows }: Queries): Promise<TellingView[]> {
  const found = await rows<Omit<TellingView, 'threshold'> & ThresholdRow>(
    `select saved_view.id, saved_view.customer_id, vip_end, saved_view.region_id, address, followed, digest, digest_day::text,
       (select count(*)::int from subscription join race on race.id = race_id and status = 'scheduled'
         where subscription.customer_id = customer.id and race.region_id = saved_view.region_id) as opened,
       threshold_measure, threshold_length, threshold_unit, threshold_side, threshold_value, threshold_day::text,
       threshold_passed
     from saved_view join customer on customer.id = saved_view.customer_id and deleted_at is null
     where followed or digest is not null or threshold_measure is not null
     order by saved_view.region_id, saved_view.id`,
  )
  return found.map((row) => ({ ...row, threshold: thresholdOf(row) }))
}

/**
 * Records after which race day the figure of a view was looked at, and whether it had passed the limit; `false` if another
 * process was first, or the view has changed since.
 */
export const markThreshold = (
  queries: Queries,
  { id, thresholdDay, threshold }: Pick<TellingView, 'id' | 'thresholdDay' | 'threshold'>,
  day: string,
  passed: boolean,
): Promise<boolean> =>
  isAny(
    queries,
    `update saved_view set threshold_day = $3::date, threshold_passed = $4
     where id = $1::uuid and threshold_day is not distinct from $2::date and threshold_measure = $5
       and threshold_length = $6 and threshold_unit = $7 and threshold_side = $8 and threshold_value = $9 returning id`,
    [
      id,
      thresholdDay,
      day,
      passed,
      threshold!.measure,
      threshold!.length,
      threshold!.unit,
      threshold!.side,
      threshold!.value,
    ],
  )

/** Records of which day the figures of a view were sent; `false` if another process was first, or it is not sent any more. */
export const markDigest = (
  queries: Queries,
  { id, digest, digestDay }: Pick<TellingView, 'id' | 'digest' | 'digestDay'>,
  day: string,
): Promise<boolean> =>
  isAny(
    queries,
    `update saved_view set digest_day = $3::date
     where id = $1::uuid and digest_day is not distinct from $2::date and digest = $4 returning id`,
    [id, digestDay, day, digest],
  )

/** A view as an alert names it; `null` if the customer no longer has it. */
export const readAlertView = (
  queries: Queries,
  customerId: string,
  id: string,
): Promise<{ name: string; address: string; regionId: string; timeZone: string } | null> =>
  first(
    queries,
    `select name, address, region_id, time_zone from saved_view join region on region.id = region_id
     where saved_view.id = $2::uuid and customer_id = $1::uuid`,
    [customerId, id],
  )

/** Whether a race of a region's day is still to be run. */
export const isStillRacing = (
  queries: Queries,
  regionId: string,
  day: string,
  today: string,
): Promise<boolean> =>
  isAny(
    queries,
    `select id from race where region_id = $1 and race_date = $2::date and race_date >= $3::date
       and status = 'scheduled' limit 1`,
    [regionId, day, today],
  )

/** The post time of the last of some races; `null` if none is known. */
export const lastStartOf = async (queries: Queries, raceIds: readonly string[]): Promise<string | null> => {
  const row = await first<{ startsAt: string | null }>(
    queries,
    'select max(starts_at) as starts_at from race where id = any($1::text[])',
    [raceIds],
  )
  return row?.startsAt ?? null
}
