import { groupBy } from './group-by.ts'
import { STAKE_CENTS } from './money.ts'
import { normalised } from './odds.ts'
import { byGroup, ratioOfGroups, type RatioOfGroups } from './statistics.ts'

/** A starter with its probabilities from three sources; `null` if unknown. */
export interface JudgedStarter {
  raceKey: number
  meetingKey: number
  own: number | null
  model: number
  market: number | null
  odds: number | null
  /** 1 for the winner, a share of 1 in a dead heat, otherwise 0. */
  won: number
  /** Number of betting interests in the race: a random pick wins with probability 1/N. */
  interests: number
  isVoid: boolean
  /** Profit of a HK$10 win bet; `null` if unknown. */
  profitCents: number | null
}

const SIDES = ['own', 'model', 'market'] as const
export type Side = (typeof SIDES)[number]

export type Comparison = ReturnType<typeof compareChances>

/** Edges of the calibration's groups. */
const EDGES = [0, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 1]

/**
 * Compares a user's win probabilities with the model's and the market's on the same races: those in which
 * every starter has all three. Each source is scaled to sum to 1 per race. Log loss and R² are Benter's,
 * over the winners (domain notes section 3); returns are of HK$10 on the first choice of each race;
 * intervals are by meeting.
 */
export function compareChances(starters: readonly JudgedStarter[]) {
  const all = [...groupBy(starters, ({ raceKey }) => raceKey).values()]
  const some = all.filter((race) => race.some(({ own }) => own !== null))
  const whole = some.filter((race) =>
    race.every(({ own, market }) => own !== null && own > 0 && market !== null && market > 0),
  )
  const sums = whole.map((race) => race.reduce((sum, { own }) => sum + own!, 0))
  const races = whole.map((race) => {
    const scaled = (side: Side): number[] => normalised(race.map((each) => each[side]!))
    return { race, chances: { own: scaled('own'), model: scaled('model'), market: scaled('market') } }
  })
  const lossOf = ({ race, chances }: (typeof races)[number], side: Side): number =>
    race.reduce((sum, { won }, at) => sum - (won > 0 ? won * Math.log(chances[side][at]!) : 0), 0)
  const uniform = races.reduce(
    (sum, { race }) => sum + race.reduce((own, { won, interests }) => own + won * Math.log(interests), 0),
    0,
  )
  const judged = races.flatMap(({ race, chances }) =>
    race.map((starter, at) => ({ starter, own: chances.own[at]!, market: chances.market[at]! })),
  )
  const valued = judged.filter(({ starter, own }) => starter.odds !== null && own * starter.odds > 1)
  return {
    /** Races in which every starter has a probability from the user, the model and the market. */
    races: races.length,
    /** Races in which the user has probabilities for only some starters, or the market's are incomplete. */
    incomplete: some.length - whole.length,
    /** Mean over races of the sum of the user's probabilities, before they are scaled to 1. */
    meanSum: sums.length === 0 ? null : sums.reduce((sum, each) => sum + each, 0) / sums.length,
    sides:
      races.length === 0
        ? []
        : SIDES.map((side) => {
            const loss = races.reduce((sum, each) => sum + lossOf(each, side), 0)
            const picks = races.map(({ race, chances }) => race[firstOf(chances[side])]!)
            return {
              side,
              logLoss: loss / races.length,
              r2: 1 - loss / uniform,
              hitRate: picks.reduce((sum, { won }) => sum + (won > 0 ? 1 : 0), 0) / picks.length,
              return: returnOf(picks),
            }
          }),
    /** Log loss of the model minus the user's, by race: above 0 the user's is better. */
    gain: ratioByMeeting(
      races.map((each) => ({
        group: each.race[0]!.meetingKey,
        numerator: lossOf(each, 'model') - lossOf(each, 'own'),
        denominator: 1,
      })),
    ),
    calibration: EDGES.slice(1).flatMap((to, at) => {
      const from = EDGES[at]!
      const group = judged.filter(({ own }) => own >= from && (own < to || to === 1))
      const mean = (of: (each: (typeof group)[number]) => number): number =>
        group.reduce((sum, each) => sum + of(each), 0) / group.length
      if (group.length === 0) return []
      return [
        {
          from,
          to,
          starters: group.length,
          mean: mean(({ own }) => own),
          won: mean(({ starter }) => starter.won),
          market: mean(({ market }) => market),
        },
      ]
    }),
    /** Bets where the user's probability times the final odds is above 1. */
    value: { bets: valued.length, return: returnOf(valued.map(({ starter }) => starter)) },
  }
}

/** Index of the largest value; of equal values the first. */
const firstOf = (values: readonly number[]): number => values.indexOf(Math.max(...values))

const ratioByMeeting = (rows: Parameters<typeof byGroup>[0]): RatioOfGroups | null =>
  rows.length === 0 ? null : ratioOfGroups(byGroup(rows))

/** Return on stake of the bets with known profit, with its interval by meeting; `null` without any. */
function returnOf(bets: readonly JudgedStarter[]): RatioOfGroups | null {
  return ratioByMeeting(
    bets.flatMap(({ meetingKey: group, isVoid, profitCents }) =>
      isVoid || profitCents === null ? [] : [{ group, numerator: profitCents, denominator: STAKE_CENTS }],
    ),
  )
}
