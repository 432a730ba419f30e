import { numberIn, type ConsoleCell, type ConsoleKind } from '../../data/analytics/console-rows.ts'

/** Orders the values of a column as DuckDB does, from the texts that it prints. */
type Order = (a: string, b: string) => number

const byText: Order = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

const WHOLE = /^-?\d+$/

/** NaN is above infinity. Whole numbers are exact, whatever their size. */
const byNumber: Order = (a, b) => {
  const [left, right] = [numberIn(a), numberIn(b)]
  if (left === right && WHOLE.test(a) && WHOLE.test(b)) {
    const [exactLeft, exactRight] = [BigInt(a), BigInt(b)]
    return exactLeft < exactRight ? -1 : exactLeft > exactRight ? 1 : 0
  }
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right))
  return left < right ? -1 : left > right ? 1 : 0
}

/** Year of a day or instant, which may have more than four digits or be before Christ; infinite for `infinity`. */
function yearOf(text: string): number {
  if (text.endsWith('infinity')) return text.startsWith('-') ? -Infinity : Infinity
  const year = Number.parseInt(text, 10)
  return text.includes('(BC)') ? 1 - year : year
}

const byTime: Order = (a, b) => {
  const [left, right] = [yearOf(a), yearOf(b)]
  if (left !== right) return left < right ? -1 : 1
  return byText(a.slice(a.indexOf('-')), b.slice(b.indexOf('-')))
}

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
const UNITS = { year: 360 * DAY_S, month: 30 * DAY_S, day: DAY_S } as const

/** Seconds of an interval, whose months count 30 days, as in DuckDB's own order. */
function secondsOf(interval: string): number {
  const units = [...interval.matchAll(/(-?\d+) (year|month|day)/g)].map(
    ([, count, unit]) => Number(count) * UNITS[unit as keyof typeof UNITS],
  )
  const clock = /(-?)(\d+):(\d+):(\d+(?:\.\d+)?)/.exec(interval)
  const seconds = clock ? Number(clock[2]) * HOUR_S + Number(clock[3]) * 60 + Number(clock[4]) : 0
  return units.reduce((sum, each) => sum + each, clock?.[1] === '-' ? -seconds : seconds)
}

const ORDERS: Readonly<Record<ConsoleKind, Order>> = {
  number: byNumber,
  text: byText,
  boolean: byText,
  time: byText,
  day: byTime,
  instant: byTime,
  interval: (a, b) => secondsOf(a) - secondsOf(b),
}

/** Compares two cells of a column; a missing one is last. */
export function compareCells(kind: ConsoleKind, a: ConsoleCell, b: ConsoleCell): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return ORDERS[kind](a, b)
}
