import { ownMean, OWN_SLOTS, ownValue } from './own-slots.ts'
import type { Measure, Sum } from './model.ts'
import { closingSums, count, distinct, formula, inOrder, plain, ratio, total } from './sums.ts'
import { TRIMMED_MEASURES } from './trimmed.ts'

/**
 * What every model's rows have in common: each is a bet of HK$10, on a prediction or on a runner to win. The same names
 * mean the same in each model, so that a screen shows any of them.
 */

export const HIT = `(outcome = 'hit')`
export const PLAYED = `outcome <> 'void'`
export const PRICED = `${PLAYED} AND market_probability IS NOT NULL`

/** Hits whose dividend and whose probability by the market line are known. */
const PAID = `${HIT} AND profit_cents IS NOT NULL AND market_probability IS NOT NULL`

/** The sums of bets; `randomChance`: the chance, in SQL, that a bet drawn at random wins. */
export const betSums = (randomChance: string) =>
  ({
    races: distinct('race_key'),
    meetings: distinct('meeting_key'),
    hits: count(HIT),
    voids: count(`outcome = 'void'`),
    unknown: count('profit_cents IS NULL'),
    unknown_hits: count(`profit_cents IS NULL AND ${HIT}`),
    staked: count(`profit_cents IS NOT NULL AND ${PLAYED}`, 1000),
    profit: total('profit_cents'),
    /**
     * Upper bound for winners of unknown dividend: the fair price, which a pool without takeout
     * would pay at the market line.
     */
    best_unknown: total(
      '1000 * (1 / coalesce(market_probability, probability)::DOUBLE - 1)',
      `profit_cents IS NULL AND ${HIT}`,
    ),
    chance_hits: total(randomChance, PLAYED),
    /** What hits were paid, stake included, and what they would have been paid without takeout at the market line. */
    paid: total('profit_cents + 1000', PAID),
    fair: total('1000 / market_probability::DOUBLE', PAID),
    odds: total('win_odds::DOUBLE'),
    priced: count('win_odds IS NOT NULL'),
    ...closingSums('true'),
  }) satisfies Record<string, Sum>

/** The sums of the reader's own columns. */
export const OWN_SUMS: Readonly<Record<string, Sum>> = Object.fromEntries(
  OWN_SLOTS.flatMap((slot) => [
    [`${slot}_total`, { ...total(ownValue(slot), `${ownValue(slot)} IS NOT NULL`), own: true }],
    [`${slot}_known`, { ...count(`${ownValue(slot)} IS NOT NULL`), own: true }],
  ]),
)

/** The means of the reader's own columns. */
export const OWN_MEANS = Object.fromEntries<Measure>(
  OWN_SLOTS.map((slot) => [ownMean(slot), ratio(`{${slot}_total}`, `{${slot}_known}`, 'ratio')]),
) as Record<ReturnType<typeof ownMean>, Measure>

const UNKNOWN_MISSES = '({unknown} - {unknown_hits})'
/**
 * Assumes that every unknown bet was placed, and that winners got only their stake back
 * while the others lost it.
 */
const WORST_PROFIT = `{profit} - 1000 * ${UNKNOWN_MISSES}`
const WORST_STAKED = '{staked} + 1000 * {unknown}'
/**
 * Assumes that unknown winners paid their fair price, and that the other unknown bets could not be placed.
 */
const BEST_PROFIT = '{profit} + {best_unknown}'
const BEST_STAKED = '{staked} + 1000 * {unknown_hits}'

/** The number of bets that were placed; `rows`: the sum that counts a model's rows. */
export const placed = (rows: string): string => `{${rows}} - {voids}`

/** The figures of bets; `rows`: the sum that counts a model's rows. */
export const betMeasures = (rows: string) =>
  ({
    races: plain('races'),
    meetings: plain('meetings'),
    hits: plain('hits'),
    voids: plain('voids'),
    unknown: plain('unknown'),
    unknown_hits: plain('unknown_hits'),
    hit_rate: ratio('{hits}', placed(rows), 'share', 'share'),
    chance_rate: ratio('{chance_hits}', placed(rows), 'share'),
    chance_hits: plain('chance_hits'),
    staked: plain('staked', 'cents'),
    profit: plain('profit', 'cents'),
    profit_worst: formula(WORST_PROFIT, 'cents'),
    profit_best: formula(BEST_PROFIT, 'cents'),
    return: ratio('{profit}', '{staked}', 'share'),
    return_worst: formula(`(${WORST_PROFIT}) / nullif(${WORST_STAKED}, 0)`, 'share'),
    return_best: formula(`(${BEST_PROFIT}) / nullif(${BEST_STAKED}, 0)`, 'share'),
    mean_odds: ratio('{odds}', '{priced}', 'ratio'),
    /** What hits were paid over their fair price by the market line: 0.8 is a pool with a takeout of a fifth. */
    paid_fair: ratio('{paid}', '{fair}', 'ratio'),
    /**
     * Closing line value: how much longer the first recorded odds were than the final ones, on average. Above
     * 0, the market moved toward the bet.
     */
    closing_value: ratio('{beaten}', '{moved}', 'share'),
    /** The longest run of bets without a hit: the outcome of a bet is known even where its dividend is not. */
    losing_run: inOrder('losing_run', 'count'),
    /** The same without misses of unknown profit: where a pool published nothing, nobody knows that they could be placed. */
    losing_run_best: inOrder('losing_run_best', 'count'),
    ...TRIMMED_MEASURES,
    /** The profit of a meeting with a bet of known profit: its mean, and its standard deviation, which a single meeting does not have. */
    meeting_profit: inOrder('meeting_profit', 'cents'),
    meeting_deviation: inOrder('meeting_deviation', 'cents'),
    /** The largest fall of the profit from a peak, of the bets whose profit is known. */
    drawdown: inOrder('drawdown', 'cents'),
    /** The same under the assumptions of `profit_worst` and `profit_best`. */
    drawdown_worst: inOrder('drawdown_worst', 'cents'),
    drawdown_best: inOrder('drawdown_best', 'cents'),
  }) satisfies Record<string, Measure>
