export const DRAW_THIRDS = ['low', 'middle', 'high'] as const

/**
 * The third of the field of a stall, counted from the inside; SQL has the same as the dimension `draw_third`. Both are 1 or
 * more; a stall beyond the number of starters, where some were withdrawn, is in the outer third.
 *
 * ```ts
 * [1, 5, 12, 14].map((draw) => drawThird(draw, 12)) // => ['low', 'middle', 'high', 'high']
 * ```
 */
export const drawThird = (draw: number, starters: number): (typeof DRAW_THIRDS)[number] =>
  DRAW_THIRDS[Math.min(3, Math.ceil((draw * 3) / starters)) - 1]!
