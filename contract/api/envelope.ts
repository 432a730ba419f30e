import { z } from 'zod'

/**
 * Body of every API response (decisions section 8). `code` is the HTTP status, or 409 for a business refusal.
 */
export function envelope<Result extends z.ZodType>(result: Result) {
  return z.strictObject({
    success: z.literal(true),
    code: z.literal(200),
    message: z.string(),
    result,
    timestamp: z.number().int(),
  })
}

export interface Envelope<Result> {
  success: boolean
  code: number
  message: string
  result: Result
  timestamp: number
}

/** Details of a refusal: the error's code, and for invalid input the name of each invalid field. */
export const Refusal = z.strictObject({
  error: z.string(),
  fields: z.array(z.strictObject({ field: z.string(), message: z.string() })).optional(),
  /** Seconds to wait after too many attempts. */
  seconds: z.number().int().optional(),
})
export type Refusal = z.infer<typeof Refusal>

/** `code` of a refusal that has HTTP status 200: no voucher left, a wrong code, an order already closed. */
export const REFUSED = 409

export const RefusalBody = z.strictObject({
  success: z.literal(false),
  code: z.number().int(),
  message: z.string(),
  result: Refusal,
  timestamp: z.number().int(),
})
