import type { SavedView } from '../../../contract/api/view.ts'
import { first, isAny, type Queries } from '../../db/database.ts'
import { newId } from '../../db/id.ts'

const COLUMNS = `id, name, address, code, followed, digest, threshold_measure, threshold_length, threshold_unit, threshold_side,
  threshold_value, updated_at`

type Threshold = NonNullable<SavedView['threshold']>

/** What a row says of a threshold; without one all are null. */
export interface ThresholdRow {
  thresholdMeasure: Threshold['measure'] | null
  thresholdLength: number | null
  thresholdUnit: Threshold['unit'] | null
  thresholdSide: Threshold['side'] | null
  thresholdValue: number | null
}

export const thresholdOf = (row: ThresholdRow): Threshold | null =>
  row.thresholdMeasure === null
    ? null
    : {
        measure: row.thresholdMeasure,
        length: row.thresholdLength!,
        unit: row.thresholdUnit!,
        side: row.thresholdSide!,
        value: row.thresholdValue!,
      }

type ViewRow = Omit<SavedView, 'threshold'> & ThresholdRow

const viewOf = (row: ViewRow): SavedView => {
  const { id, name, address, code, followed, digest, updatedAt } = row
  return { id, name, address, code, followed, threshold: thresholdOf(row), digest, updatedAt }
}

/** A customer's saved views of a region, in their order. */
export async function listSavedViews(
  { rows }: Queries,
  customerId: string,
  regionId: string,
): Promise<SavedView[]> {
  const found = await rows<ViewRow>(
    `select ${COLUMNS} from saved_view where customer_id = $1::uuid and region_id = $2 order by position, id`,
    [customerId, regionId],
  )
  return found.map(viewOf)
}

/** Stores a view, replacing one of the same name; `null` if the customer already has `max` views. */
export async function writeSavedView(
  { rows }: Queries,
  view: {
    customerId: string
    regionId: string
    name: string
    address: string
    code: string
    max: number
    now: Date
  },
): Promise<SavedView | null> {
  // Locks the customer's row, so that two concurrent requests cannot both pass the limit.
  await rows('select 1 from customer where id = $1::uuid for no key update', [view.customerId])
  const [replaced] = await rows<ViewRow>(
    // Other figures have passed no limit yet.
    `update saved_view set address = $4, updated_at = $5, threshold_day = null, threshold_passed = false
     where customer_id = $1::uuid and region_id = $2 and name = $3 returning ${COLUMNS}`,
    [view.customerId, view.regionId, view.name, view.address, view.now],
  )
  if (replaced) return viewOf(replaced)
  const [made] = await rows<ViewRow>(
    `insert into saved_view (id, customer_id, region_id, name, address, code, position, created_at, updated_at)
     select $1::uuid, $2::uuid, $3, $4, $5, $6, coalesce(max(position), 0) + 1, $7, $7
     from saved_view where customer_id = $2::uuid and region_id = $3
     having count(*) < $8 returning ${COLUMNS}`,
    [newId(), view.customerId, view.regionId, view.name, view.address, view.code, view.now, view.max],
  )
  return made ? viewOf(made) : null
}

/** Renames a view. Returns `false` if the customer has no such view, or another one already has the name. */
export const renameSavedView = (
  queries: Queries,
  customerId: string,
  id: string,
  name: string,
  now: Date,
): Promise<boolean> =>
  isAny(
    queries,
    `update saved_view v set name = $3, updated_at = $4 where id = $2::uuid and customer_id = $1::uuid
       and not exists (select 1 from saved_view o where o.customer_id = v.customer_id
         and o.region_id = v.region_id and o.name = $3 and o.id <> v.id)
     returning id`,
    [customerId, id, name, now],
  )

/** Follows or unfollows a view. Returns whether the customer has such a view. */
export const followSavedView = (
  queries: Queries,
  customerId: string,
  id: string,
  followed: boolean,
): Promise<boolean> =>
  isAny(
    queries,
    'update saved_view set followed = $3 where id = $2::uuid and customer_id = $1::uuid returning id',
    [customerId, id, followed],
  )

/** Sets or ends the threshold of a view; the figure is then looked at anew. Returns whether the customer has such a view. */
export const setThreshold = (
  queries: Queries,
  customerId: string,
  id: string,
  threshold: SavedView['threshold'],
): Promise<boolean> =>
  isAny(
    queries,
    `update saved_view set threshold_measure = $3, threshold_length = $4, threshold_unit = $5, threshold_side = $6,
       threshold_value = $7, threshold_day = null, threshold_passed = false
     where id = $2::uuid and customer_id = $1::uuid returning id`,
    [
      customerId,
      id,
      threshold?.measure ?? null,
      threshold?.length ?? null,
      threshold?.unit ?? null,
      threshold?.side ?? null,
      threshold?.value ?? null,
    ],
  )

/** Sets or ends the digest of a view; another one begins at once. Returns whether the customer has such a view. */
export const setDigest = (
  queries: Queries,
  customerId: string,
  id: string,
  digest: SavedView['digest'],
): Promise<boolean> =>
  isAny(
    queries,
    `update saved_view set digest = $3, digest_day = case when digest is not distinct from $3 then digest_day end
     where id = $2::uuid and customer_id = $1::uuid returning id`,
    [customerId, id, digest],
  )

/** Swaps a view with the one before it. Returns whether the customer has such a view. */
export async function moveSavedViewUp({ rows }: Queries, customerId: string, id: string): Promise<boolean> {
  const [own] = await rows<{ regionId: string; position: number }>(
    `select region_id, position from saved_view where id = $2::uuid and customer_id = $1::uuid for update`,
    [customerId, id],
  )
  if (!own) return false
  const [before] = await rows<{ id: string; position: number }>(
    `select id, position from saved_view where customer_id = $1::uuid and region_id = $2 and position < $3
     order by position desc limit 1 for update`,
    [customerId, own.regionId, own.position],
  )
  if (before) {
    await rows('update saved_view set position = $2 where id = $1::uuid', [id, before.position])
    await rows('update saved_view set position = $2 where id = $1::uuid', [before.id, own.position])
  }
  return true
}

export const deleteSavedView = (queries: Queries, customerId: string, id: string): Promise<boolean> =>
  isAny(queries, 'delete from saved_view where id = $2::uuid and customer_id = $1::uuid returning id', [
    customerId,
    id,
  ])

/** The view of a short link; `null` if there is none. */
export const sharedView = (
  queries: Queries,
  code: string,
): Promise<{ countryRegionId: string; name: string; address: string } | null> =>
  first(queries, 'select region_id as country_region_id, name, address from saved_view where code = $1', [
    code,
  ])
