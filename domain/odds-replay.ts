import { groupBy } from './group-by.ts'

/** Win odds of a horse as displayed at an instant (ISO 8601, UTC). */
export interface OddsTick {
  horseNumber: number
  createTime: string
  odds: number
}

/** Minutes before post time at which a market has formed, and from which on a move is a late one. */
export const EARLY_MIN = 30
export const LATE_MIN = 10

/** Minutes before post time at which markets are customarily compared. */
export const MARKS_MIN = [EARLY_MIN, LATE_MIN, 2] as const

/** A steamer's odds shortened by at least this share, a drifter's lengthened by at least this share. */
const STEAMER = -0.2
const DRIFTER = 0.25
/** Odds of 8 after 10 are a fifth shorter, although their quotient minus 1 is not exactly −0.2. */
const ROUNDING = 1e-9

export type Move = 'steamer' | 'drifter'

/** Odds over earlier ones, minus 1: −0.2 is a fifth shorter; `null` if either are unknown. */
export const movementBetween = (from: number | null, to: number | null): number | null =>
  from === null || to === null ? null : to / from - 1

/**
 * What a movement of the odds is called, if it is large: a steamer shortened by a fifth or more, a drifter lengthened by a
 * quarter or more. The money on a horse then grew, or shrank, by a quarter or a fifth against that on the others.
 */
export const moveOf = (movement: number | null): Move | null => {
  if (movement === null) return null
  if (movement <= STEAMER + ROUNDING) return 'steamer'
  return movement >= DRIFTER - ROUNDING ? 'drifter' : null
}

export type MarketLine = ReturnType<typeof marketLines>[number]

/** The odds displayed at an instant: the last recorded at or before it; `null` before the first. */
export function oddsAt(ticks: readonly { at: number; odds: number }[], at: number): number | null {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ticks[middle]!.at <= at) low = middle + 1
    else high = middle
  }
  return low === 0 ? null : ticks[low - 1]!.odds
}

/**
 * The market of a race, one line per horse ordered by number. `off`: post time, ISO
 * 8601; `now`: milliseconds.
 */
export function marketLines(ticks: readonly OddsTick[], off: string | null, now: number) {
  const start = off === null ? null : Date.parse(off)
  return [...groupBy(ticks, ({ horseNumber }) => horseNumber)]
    .map(([horseNumber, own]) => {
      const line = own
        .map(({ createTime, odds }) => ({ at: Date.parse(createTime), odds }))
        .toSorted((a, b) => a.at - b.at)
      const open = line[0]!.odds
      const last = line.at(-1)!.odds
      return {
        horseNumber,
        /** Ordered by time. */
        ticks: line,
        open,
        /**
         * Odds at each of `MARKS_MIN`; `null` before the first tick, for a mark in the future, and if post time is
         * unknown.
         */
        marks: MARKS_MIN.map((minutes) => {
          const mark = start === null ? Number.POSITIVE_INFINITY : start - minutes * 60_000
          return mark > now ? null : oddsAt(line, mark)
        }),
        last,
        /** Last odds over the first, minus 1: −0.2 is a fifth shorter. */
        change: movementBetween(open, last)!,
      }
    })
    .toSorted((a, b) => a.horseNumber - b.horseNumber)
}
