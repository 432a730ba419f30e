import type { GameplayClass } from './gameplay.ts'
import { HONG_KONG, JAPAN, regionOfStadium } from './region.ts'

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

const JAPAN_FROM = '2014-06-07'
/**
 * Shares that the Japan Racing Association retains since June 2014
 * (https://megalodon.jp/ref/2014-0912-1943-16/www.hochi.co.jp/horserace/20140605-OHT1T50188.html); before, some days paid more.
 */
const JAPAN_TAKEOUT: Partial<Record<GameplayClass, number>> = {
  1: 0.2,
  2: 0.2,
  3: 0.225,
  4: 0.225,
  5: 0.25,
  6: 0.25,
  7: 0.275,
}

/**
 * The share deducted from a pool of a racecourse on a day (`yyyy-mm-dd`), and whether its source is confirmed; `null` where it is
 * not known: it differs from track to track in the United States and from tote to tote in Australia, and starting prices have none.
 */
export function takeoutOf(
  stadiumId: string,
  classId: GameplayClass,
  date: string,
): { share: number; verified: boolean } | null {
  const region = regionOfStadium(stadiumId)
  if (region === HONG_KONG) return hongKongTakeout(classId, date)
  const share = region === JAPAN && date >= JAPAN_FROM ? JAPAN_TAKEOUT[classId] : undefined
  return share === undefined ? null : { share, verified: true }
}
