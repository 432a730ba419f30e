const KILOGRAMS_PER_POUND = 0.453_592_37
const METRES_PER_YARD = 0.9144
const YARDS_PER_FURLONG = 220

/** Numbers in a unit as numbers in that of our layout. */
type Convert = (value: number) => number

const whole =
  (factor: number): Convert =>
  (value) =>
    Math.round(value * factor)
const POUNDS = { lb: whole(1), kg: whole(1 / KILOGRAMS_PER_POUND) }
/** Dividends are for a stake of 10; rounded to a cent. */
const perStake =
  (stake: number): Convert =>
  (value) =>
    Math.round((value * 1000) / stake) / 100

const ODDS_STEPS = 1e4
/** Odds with four decimals: 1.57 to one is 2.57, not 2.5700000000000003. */
export const roundedOdds = (value: number): number => Math.round(value * ODDS_STEPS) / ODDS_STEPS

/** Fields of times, whose texts are read by their own reader. */
export const TIMES: ReadonlySet<string> = new Set(['finish_time', 'time'])
const TIME_UNITS = ['clock', 'seconds']

/** The units that a field's numbers may be in; the first is that of our layout. */
export const unitsOf = (field: string): readonly string[] =>
  TIMES.has(field) ? TIME_UNITS : Object.keys(UNITS[field] ?? {})

/** How numbers in each unit are converted to that of our layout. */
export const UNITS: Readonly<Record<string, Readonly<Record<string, Convert>>>> = {
  actual_weight_lb: POUNDS,
  declared_weight_lb: POUNDS,
  distance_m: {
    m: whole(1),
    yards: whole(METRES_PER_YARD),
    furlongs: whole(METRES_PER_YARD * YARDS_PER_FURLONG),
  },
  // Fractions such as 5/2 are always odds to one.
  win_odds: { decimal: (value) => value, 'to-one': (value) => roundedOdds(value + 1) },
  dividend: { 'for-10': perStake(10), 'for-1': perStake(1), 'for-2': perStake(2), 'for-100': perStake(100) },
}
