import { z } from 'zod'
import { endpoint, type ResultOf } from './endpoint.ts'
import { instant, line, regionId } from './fields.ts'

/** Maximum saved views per customer and region. */
export const MAX_VIEWS = 50

const SavedView = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  /** Query string of the workspace's address, without the page. */
  address: z.string(),
  /** Last part of the view's short link. */
  code: z.string(),
  /** Whether new matches among the coming predictions are marked. */
  followed: z.boolean(),
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
  summary: 'Renames a saved view, moves it before the one above it, follows it or ends that',
  body: z.strictObject({
    id: z.uuid(),
    name: line(60).optional(),
    up: z.literal(true).optional(),
    followed: z.boolean().optional(),
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
