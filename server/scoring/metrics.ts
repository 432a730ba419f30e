import { ratioOfGroups, returnInterval, type Interval } from '../../domain/statistics.ts'
import { seededRandom } from '../../domain/random.ts'
import { choiceLikelihood, fitExponent, type Choice } from '../model/models/exponent.ts'
import type { Source } from '../model/models/sources.ts'
import type { Walk } from './walk-forward.ts'

/** Figures of one source for one race with a single winner. */
export interface RaceFigures {
  season: number
  /** Day and racecourse: the groups by which intervals are resampled. */
  meeting: string
  logLoss: number
  uniformLoss: number
  /** 1 or 0; for the uniform source its probability. */
  top1: number
  top3: number
  brier: number
  /** Return in cents for 1,000 cents staked on its first choice; `null` if no dividend is known. */
  backCents: number | null
  choice: Choice
}

export interface SourceMetrics {
  races: number
  /** Mean −ln of the winner's probability per race. */
  logLoss: number
  /** 1 − log loss / log loss of 1/N, as sums over the races. */
  r2: number
  /** Standard error of R², clustered by meeting; `null` below two meetings and for the uniform source. */
  r2Error: number | null
  top1: number
  /** Share of races in which the winner is among the three most probable. */
  top3: number
  /** Mean of Σ (p − won)² over the starters. */
  brier: number
  /** Exponent that fits the probabilities best: 1 is ideal, below 1 they are overconfident. */
  slope: number
  /** `null` if the slope cannot be estimated; 0 for the uniform source. */
  slopeError: number | null
  /** Profit over stake of the first choice at a flat stake, with its 95% interval by meeting. */
  returns: { rate: number; interval: Interval | null; bets: number } | null
}

const STAKE_CENTS = 1000

/** Figures of every race of the seasons that has a single winner and probabilities of the source. */
export function raceFigures(
  { races, data, chances }: Walk,
  source: Source,
  seasons: readonly number[],
  winDividends: ReadonlyMap<string, ReadonlyMap<number, number>>,
): RaceFigures[] {
  const figures: RaceFigures[] = []
  const list = chances[source]
  for (const [index, race] of races.entries()) {
    const from = data.starts[index]!
    const winner = data.first[index]! - from
    if (!seasons.includes(race.season) || winner < 0 || Number.isNaN(list[from]!)) continue
    // All sources are compared on the same races: those whose odds are known.
    if (Number.isNaN(chances.market[from]!)) continue
    const shares = [...list.subarray(from, data.starts[index + 1])]
    const count = shares.length
    const own = shares[winner]!
    const ahead = shares.filter((share, row) => share > own || (share === own && row < winner)).length
    const pick = shares.indexOf(Math.max(...shares))
    const uniform = source === 'uniform'
    const dividend = winDividends.get(race.id)?.get(race.starters[winner]!.horseNo) ?? null
    const won = uniform ? 1 / count : pick === winner ? 1 : 0
    figures.push({
      season: race.season,
      meeting: `${race.date} ${race.stadiumId}`,
      logLoss: -Math.log(own),
      uniformLoss: Math.log(count),
      top1: won,
      top3: uniform ? Math.min(1, 3 / count) : ahead < 3 ? 1 : 0,
      brier: shares.reduce((sum, share, row) => sum + (share - (row === winner ? 1 : 0)) ** 2, 0),
      backCents: dividend === null ? null : won * dividend,
      choice: { logs: shares.map(Math.log), chosen: winner },
    })
  }
  return figures
}

const meanOf = (figures: readonly RaceFigures[], value: (figure: RaceFigures) => number): number =>
  figures.reduce((sum, figure) => sum + value(figure), 0) / figures.length

/** Numerators and denominators summed by meeting. */
function byMeeting(
  figures: readonly RaceFigures[],
  valueOf: (figure: RaceFigures) => { numerator: number; denominator: number },
): { numerator: number; denominator: number }[] {
  const groups = new Map<string, { numerator: number; denominator: number }>()
  for (const figure of figures) {
    const group = groups.get(figure.meeting) ?? { numerator: 0, denominator: 0 }
    groups.set(figure.meeting, group)
    const { numerator, denominator } = valueOf(figure)
    group.numerator += numerator
    group.denominator += denominator
  }
  return [...groups.values()]
}

export function summarise(figures: readonly RaceFigures[], isUniform = false): SourceMetrics | null {
  if (figures.length === 0) return null
  const logLoss = meanOf(figures, (figure) => figure.logLoss)
  const r2 = ratioOfGroups(
    byMeeting(figures, ({ logLoss: own, uniformLoss }) => ({
      numerator: uniformLoss - own,
      denominator: uniformLoss,
    })),
  )
  const slope = isUniform
    ? { exponent: 1, standardError: 0 }
    : fitExponent(figures.map(({ choice }) => choice))
  return {
    races: figures.length,
    logLoss,
    r2: r2.ratio,
    r2Error: isUniform ? null : r2.standardError,
    top1: meanOf(figures, (figure) => figure.top1),
    top3: meanOf(figures, (figure) => figure.top3),
    brier: meanOf(figures, (figure) => figure.brier),
    slope: slope.exponent,
    slopeError: Number.isFinite(slope.standardError) ? slope.standardError : null,
    returns: returnsOf(figures),
  }
}

function returnsOf(figures: readonly RaceFigures[]): SourceMetrics['returns'] {
  const meetings = new Map<string, { stakeCents: number; profitCents: number }>()
  let bets = 0
  for (const { meeting, backCents } of figures) {
    if (backCents === null) continue
    const sums = meetings.get(meeting) ?? { stakeCents: 0, profitCents: 0 }
    sums.stakeCents += STAKE_CENTS
    sums.profitCents += backCents - STAKE_CENTS
    meetings.set(meeting, sums)
    bets += 1
  }
  if (bets === 0) return null
  const list = [...meetings.values()]
  const profit = list.reduce((sum, { profitCents }) => sum + profitCents, 0)
  return { rate: profit / (bets * STAKE_CENTS), interval: returnInterval(list), bets }
}

const RESAMPLES = 2000

/** R² of one source minus another's over the same races, with a 95% interval by a bootstrap over meetings. */
export function r2Gain(
  figures: readonly RaceFigures[],
  others: readonly RaceFigures[],
): { gain: number; interval: Interval } {
  const byMeeting = new Map<string, { less: number; uniform: number }>()
  for (const [index, { meeting, logLoss, uniformLoss }] of figures.entries()) {
    const sums = byMeeting.get(meeting) ?? { less: 0, uniform: 0 }
    sums.less += others[index]!.logLoss - logLoss
    sums.uniform += uniformLoss
    byMeeting.set(meeting, sums)
  }
  const meetings = [...byMeeting.values()]
  const gainOf = (list: readonly { less: number; uniform: number }[]): number =>
    list.reduce((sum, { less }) => sum + less, 0) / list.reduce((sum, { uniform }) => sum + uniform, 0)
  const random = seededRandom(meetings.length)
  const gains = Array.from({ length: RESAMPLES }, () =>
    gainOf(meetings.map(() => meetings[Math.floor(random() * meetings.length)]!)),
  ).toSorted((a, b) => a - b)
  return {
    gain: gainOf(meetings),
    interval: { low: gains[Math.floor(0.025 * RESAMPLES)]!, high: gains[Math.ceil(0.975 * RESAMPLES) - 1]! },
  }
}

/** Mean log-likelihood of choices under an exponent, per race. */
export const meanLikelihood = (choices: readonly Choice[], exponent: number): number =>
  choiceLikelihood(choices, exponent) / choices.length
