import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { instant, line } from './fields.ts'

/**
 * Path of the analytics query. It responds with Arrow, JSON or CSV according to `Accept`, so
 * it is not an `endpoint`.
 */
export const ANALYTICS_PATH = '/analytics/query'

/** Media type of an Arrow response. */
export const ARROW_TYPE = 'application/vnd.apache.arrow.stream'
/** Response header with the metadata of the rows, as JSON: columns, source, and why rollups were rejected. */
export const ANSWER_HEADER = 'x-furlong-answer'

export const AnalyticsQuery = z.strictObject({
  regionId: z.string().regex(/^\d{6}$/),
  /**
   * `own`: only races that the customer opened, and the seven days up to the last race day, row by row. `coming`: predictions of
   * the races of today and of the next race day, of which a member sees the unlocked ones.
   */
  scope: z.enum(['own', 'coming']).optional(),
  /** Checked field by field against the semantic model (`analytics/request.ts`). */
  request: z.unknown(),
  /**
   * Of a request for rows: empty for its first page, then the `cursor` of the page before, whose `offset` counts no more. The
   * response then has the `total` of all pages, and the next `cursor`, null after the last page.
   */
  cursor: z.string().max(400).optional(),
})

export const MAX_TOKENS = 10

export const queryAnalyticsTokens = endpoint('customer', 'GET /sys/api/customer/analyticsTokens', {
  summary: 'The customer’s personal access tokens for the analytics API, without the tokens themselves',
  result: z.array(
    z.strictObject({ id: z.uuid(), name: z.string(), createdAt: instant, lastUsedAt: instant.nullable() }),
  ),
})

export const createAnalyticsToken = endpoint('customer', 'POST /sys/api/customer/analyticsTokens', {
  summary: 'Makes a personal access token; it is shown once',
  body: z.strictObject({ name: line(60) }),
  result: z.strictObject({ id: z.uuid(), token: z.string() }),
})

export const revokeAnalyticsToken = endpoint('customer', 'DELETE /sys/api/customer/analyticsTokens', {
  summary: 'Revokes a personal access token',
  query: z.strictObject({ id: z.uuid() }),
  result: z.strictObject({ revoked: z.boolean() }),
})
