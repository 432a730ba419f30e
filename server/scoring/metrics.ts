import type { CardMetrics } from '../../contract/api/model.ts'
import { STAKE_CENTS } from '../../domain/money.ts'
import { pairedGainOf, type PairedGain } from '../../domain/paired-gain.ts'
import { byGroup, ratioOfGroups, returnInterval } from '../../domain/statistics.ts'
import { fitExponent } from '../model/models/exponent.ts'
import type { Source } from '../model/models/sources.ts'
import type { Walk } from './walk-forward.ts'

export type RaceFigures = ReturnType<typeof raceFigures>[number]

/** Figures of every race of the seasons that has a single winner and probabilities of the source. */
export function raceFigures(
  { races, data, chances }: Walk,
  source: Source,
  seasons: readonly number[],
  winDividends: ReadonlyMap<string, ReadonlyMap<number, number>>,
) {
  const list = chances[source]
  return races.flatMap((race, index) => {
    const from = data.starts[index]!
    const winner = data.first[index]! - from
    if (!seasons.includes(race.season) || winner < 0 || Number.isNaN(list[from]!)) return []
    // All sources are compared on the same races: those whose odds are known.
    if (Number.isNaN(chances.market[from]!)) return []
    const shares = [...list.subarray(from, data.starts[index + 1])]
    const count = shares.length
    const own = shares[winner]!
    const ahead = shares.filter((share, row) => share > own || (share === own && row < winner)).length
    const pick = shares.indexOf(Math.max(...shares))
    const uniform = source === 'uniform'
    const dividend = winDividends.get(race.id)?.get(race.starters[winner]!.horseNo) ?? null
    const won = uniform ? 1 / count : pick === winner ? 1 : 0
    return [
      {
        raceId: race.id,
        /** Day and racecourse: the groups by which intervals are resampled. */
        meeting: `${race.date} ${race.stadiumId}`,
        logLoss: -Math.log(own),
        uniformLoss: Math.log(count),
        /** 1 or 0; for the uniform source its probability. */
        top1: won,
        top3: uniform ? Math.min(1, 3 / count) : ahead < 3 ? 1 : 0,
        brier: shares.reduce((sum, share, row) => sum + (share - (row === winner ? 1 : 0)) ** 2, 0),
        /** Return in cents for 1,000 cents staked on its first choice; `null` if no dividend is known. */
        backCents: dividend === null ? null : won * dividend,
        choice: { logs: shares.map(Math.log), chosen: winner },
      },
    ]
  })
}

const meanOf = (figures: readonly RaceFigures[], value: (figure: RaceFigures) => number): number =>
  figures.reduce((sum, figure) => sum + value(figure), 0) / figures.length

export function summarise(figures: readonly RaceFigures[], isUniform = false): CardMetrics | null {
  if (figures.length === 0) return null
  const r2 = ratioOfGroups(
    byGroup(
      figures.map(({ meeting, logLoss, uniformLoss }) => ({
        group: meeting,
        numerator: uniformLoss - logLoss,
        denominator: uniformLoss,
      })),
    ),
  )
  const slope = isUniform
    ? { exponent: 1, standardError: 0 }
    : fitExponent(figures.map(({ choice }) => choice))
  return {
    races: figures.length,
    logLoss: meanOf(figures, ({ logLoss }) => logLoss),
    r2: r2.ratio,
    r2Error: isUniform ? null : r2.standardError,
    top1: meanOf(figures, ({ top1 }) => top1),
    top3: meanOf(figures, ({ top3 }) => top3),
    brier: meanOf(figures, ({ brier }) => brier),
    slope: slope.exponent,
    slopeError: Number.isFinite(slope.standardError) ? slope.standardError : null,
    returns: returnsOf(figures),
  }
}

function returnsOf(figures: readonly RaceFigures[]): CardMetrics['returns'] {
  const meetings = byGroup(
    figures.flatMap(({ meeting, backCents }) =>
      backCents === null
        ? []
        : [{ group: meeting, numerator: backCents - STAKE_CENTS, denominator: STAKE_CENTS }],
    ),
  )
  if (meetings.length === 0) return null
  const staked = meetings.reduce((sum, { denominator }) => sum + denominator, 0)
  return {
    rate: meetings.reduce((sum, { numerator }) => sum + numerator, 0) / staked,
    interval: returnInterval(meetings),
    bets: staked / STAKE_CENTS,
  }
}

/** What one source gains on another over the races that both predicted; `null` without such races. */
export function pairedGain(
  figures: readonly RaceFigures[],
  others: readonly RaceFigures[],
): PairedGain | null {
  const byRace = new Map(others.map((other) => [other.raceId, other]))
  return pairedGainOf(
    figures.flatMap(({ raceId, meeting, logLoss, uniformLoss }) => {
      const other = byRace.get(raceId)
      if (other === undefined) return []
      return [{ group: meeting, races: 1, own: logLoss, other: other.logLoss, uniform: uniformLoss }]
    }),
  )
}
