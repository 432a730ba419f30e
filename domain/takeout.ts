import type { GameplayClass } from './gameplay.ts'

/**
 * Share of a pool that is retained, from a date on: Hong Kong's dated table (domain notes section 1, trap 2). Rows that
 * those notes call unverified are flagged.
 */
const HONG_KONG_TAKEOUT: readonly { class: GameplayClass; from: string; share: number; unverified?: true }[] =
  [
    { class: 1, from: '0000', share: 0.175 },
    { class: 2, from: '0000', share: 0.175 },
    { class: 3, from: '0000', share: 0.175 },
    { class: 4, from: '0000', share: 0.175 },
    { class: 5, from: '0000', share: 0.195 },
    { class: 6, from: '0000', share: 0.25 },
    { class: 6, from: '2020-09-01', share: 0.195 },
    { class: 6, from: '2023-09-10', share: 0.23 },
    { class: 7, from: '0000', share: 0.25, unverified: true },
    { class: 7, from: '2023-09-10', share: 0.25 },
    { class: 8, from: '0000', share: 0.23, unverified: true },
    { class: 9, from: '0000', share: 0.25, unverified: true },
  ]

/** The share deducted from a Hong Kong pool on a day (`yyyy-mm-dd`), and whether its source is confirmed. */
export function hongKongTakeout(classId: GameplayClass, date: string): { share: number; verified: boolean } {
  const row = HONG_KONG_TAKEOUT.findLast((each) => each.class === classId && each.from <= date)
  return row ? { share: row.share, verified: row.unverified !== true } : { share: 0, verified: false }
}
