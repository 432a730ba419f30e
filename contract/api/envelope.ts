import { z } from 'zod'

/** Body of every API answer (decisions section 8). `code` is the HTTP status, or that of a business refusal. */
export function envelope<Result extends z.ZodType>(result: Result) {
  return z.object({
    success: z.boolean(),
    code: z.number().int(),
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

/** What a refusal carries: the error's code, and for bad input the name of each bad field. */
export const Refusal = z.object({
  error: z.string(),
  fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})
export type Refusal = z.infer<typeof Refusal>
