import { z } from 'zod'

/**
 * A regression tree as arrays: node `i` sends values up to `threshold[i]` of column `column[i]` left, others
 * right.
 */
export const Tree = z.strictObject({
  /** Split column; -1 for a leaf. */
  column: z.array(z.number().int()),
  threshold: z.array(z.number()),
  left: z.array(z.number().int()),
  right: z.array(z.number().int()),
  /** What a leaf adds to the score. */
  value: z.array(z.number()),
})
export type Tree = z.infer<typeof Tree>
