import { z } from 'zod'
import { endpoint, type ResultOf } from './endpoint.ts'
import { instant, line, regionId } from './fields.ts'
import { THRESHOLD_MEASURES } from '../record-vocabulary.ts'

/** Maximum saved views per customer and region. */
export const MAX_VIEWS = 50

/** A figure over the last bets, race days or days of a view that has passed a limit. */
const Threshold = z.strictObject({
  measure: z.enum(THRESHOLD_MEASURES),
  length: z.number().int().min(1).max(10_000),
  unit: z.enum(['bets', 'race-days', 'days']),
  side: z.enum(['below', 'above']),
  /** A fraction of 1 of a return and a hit rate, −0.2 for −20%; a ratio of A/E. */
  value: z.number().min(-1).max(100),
})
export type Threshold = z.output<typeof Threshold>

/** When the figures of a view are sent: on the first day of each week, or after each meeting. */
const Digest = z.enum(['weekly', 'meeting'])

const SavedView = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  /** Query string of the workspace's address, without the page. */
  address: z.string(),
  /** Last part of the view's short link. */
  code: z.string(),
  /** Whether new matches among the coming predictions are marked, and told of. */
  followed: z.boolean(),
  /** What it tells of after each meeting; `null`: nothing. */
  threshold: Threshold.nullable(),
  /** `null`: its figures are not sent. */
  digest: Digest.nullable(),
  updatedAt: instant,
})

/** A query string: letters, digits and separators. */
export const viewAddress = z
  .string()
  .max(8000)
  .regex(/^[\w\-.~!*'()%+=&:,|]*$/, 'field.invalid')

export const querySavedViews = endpoint('customer', 'GET /sys/api/customer/savedViews', {
  summary: 'The customer’s saved views of a region, in their order',
  query: z.strictObject({ countryRegionId: regionId }),
  result: z.array(SavedView),
})
export type SavedView = ResultOf<typeof querySavedViews>[number]

export const saveView = endpoint('customer', 'POST /sys/api/customer/savedViews', {
  summary: 'Saves a view under a name; one of the same name is replaced',
  body: z.strictObject({ countryRegionId: regionId, name: line(60), address: viewAddress }),
  result: SavedView,
})

export const changeSavedView = endpoint('customer', 'POST /sys/api/customer/changeSavedView', {
  summary: 'Renames a saved view, moves it before the one above it, or changes what it tells of',
  body: z.strictObject({
    id: z.uuid(),
    name: line(60).optional(),
    up: z.literal(true).optional(),
    followed: z.boolean().optional(),
    threshold: Threshold.nullable().optional(),
    digest: Digest.nullable().optional(),
  }),
  result: z.strictObject({ changed: z.boolean() }),
})

export const deleteSavedView = endpoint('customer', 'DELETE /sys/api/customer/savedViews', {
  summary: 'Deletes a saved view; its short link ends',
  query: z.strictObject({ id: z.uuid() }),
  result: z.strictObject({ deleted: z.boolean() }),
})

export const querySharedView = endpoint('open', 'GET /sys/api/sharedView', {
  summary: 'The view behind a short link',
  query: z.strictObject({ code: z.string().regex(/^[a-z0-9]{10}$/, 'field.invalid') }),
  result: z.strictObject({ countryRegionId: regionId, name: z.string(), address: z.string() }),
})
