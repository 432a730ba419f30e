import { FurlongError, nullOn } from '../../domain/errors.ts'
import type { OrderRule } from '../../domain/order-rule.ts'
import { regionRules, seasonLabel } from '../../domain/region.ts'
import { bootstrapRatio, byGroup, type Interval } from '../../domain/statistics.ts'
import { tuningSeasons } from '../../domain/tuning.ts'
import { LEAST_GAIN, untilTuned, type History } from './choose-settings.ts'
import { FIT } from './fit-version.ts'
import { exponentsBefore, orderedRaces, placeLogs } from './stages.ts'
import { gatherFeatures, walkSeasons, type Walk, type WalkRequest } from './walk-forward.ts'

/** Between a shape near plain Harville and one near normal times. */
const SHAPES = [2, 4, 6, 8, 10, 12, 16, 24, 32] as const
/** The models whose places judge a shape: one with odds and one without. */
const JUDGES = ['market-baseline', 'fundamental'] as const
type Judge = (typeof JUDGES)[number]

interface OrderTrial {
  /** `null`: stage exponents fitted to earlier seasons, for comparison; they are no candidate. */
  shape: number | null
  /** −ln of the probability of the second, third and fourth, given the winner: nats per race. */
  logLoss: Record<Judge, number>
  /** What it gains on the exponents, the mean of both models: nats per race, with its 95% interval by meeting. */
  gain: number
  interval: Interval
}

interface OrderChoice {
  seasons: readonly number[]
  races: number
  trials: OrderTrial[]
  shape: number
}

/** A race that both models can predict. */
interface RaceLosses {
  meeting: string
  losses: Record<Judge, number[]>
}

/**
 * Chooses the shape of the finishing times for all models by one rule, on the tuning seasons alone: no later race is read.
 * It is the one with the smallest log loss of the second to fourth, the mean over a model with odds and one without; of
 * shapes that differ by less than `LEAST_GAIN`, the smaller. Win chances are those of versions with the settings in use.
 * Throws `no-tuning-results` if no race of the tuning seasons can be judged.
 */
export async function chooseOrder(
  request: History,
  onProgress?: WalkRequest['onProgress'],
): Promise<OrderChoice> {
  const { regionId } = request
  const seasons = tuningSeasons(regionId)
  const fit = { ...FIT, network: null }
  const walk = await walkSeasons({ regionId, fit, onProgress }, await gatherFeatures(untilTuned(request)))
  const market = lossesOf(walk, 'market-baseline', seasons, onProgress)
  const own = lossesOf(walk, 'fundamental', seasons, onProgress)
  const races = [...market].flatMap(([id, { meeting, losses }]): RaceLosses[] => {
    const others = own.get(id)
    return others ? [{ meeting, losses: { 'market-baseline': losses, fundamental: others.losses } }] : []
  })
  if (races.length === 0) throw new FurlongError('no-tuning-results', { seasons: seasons.join(', ') })
  const trials = [null, ...SHAPES].map((shape, index) => trialOf(shape, index, races))
  const [first, ...others] = trials.slice(1)
  const best = others.reduce(
    (taken, trial) => (meanOf(trial) > meanOf(taken) - LEAST_GAIN ? taken : trial),
    first!,
  )
  return { seasons, races: races.length, trials, shape: best.shape! }
}

const meanOf = ({ logLoss }: OrderTrial): number =>
  JUDGES.reduce((sum, model) => sum + logLoss[model], 0) / JUDGES.length

/** A model's losses by race: of the exponents, then of each shape. */
function lossesOf(
  walk: Walk,
  model: Judge,
  seasons: readonly number[],
  onProgress: WalkRequest['onProgress'],
): Map<string, { meeting: string; losses: number[] }> {
  const exponents = new Map(seasons.map((season) => [season, exponentsBefore(walk, model, season)]))
  const races = orderedRaces(walk, model, seasons)
  const found: ReturnType<typeof lossesOf> = new Map()
  for (const [index, { race, meeting, win, order }] of races.entries()) {
    onProgress?.(model, index, races.length)
    const rules: OrderRule[] = [exponents.get(race.season)!, ...SHAPES.map((shape) => ({ shape }))]
    const losses = nullOn('bad-field', () =>
      rules.map((rule) => -placeLogs(win, rule, order).reduce((sum, log) => sum + log, 0)),
    )
    if (losses !== null) found.set(race.id, { meeting, losses })
  }
  return found
}

function trialOf(shape: number | null, index: number, races: readonly RaceLosses[]): OrderTrial {
  const mean = (model: Judge): number =>
    races.reduce((sum, { losses }) => sum + losses[model][index]!, 0) / races.length
  return {
    shape,
    logLoss: { 'market-baseline': mean('market-baseline'), fundamental: mean('fundamental') },
    ...bootstrapRatio(
      byGroup(
        races.map(({ meeting, losses }) => ({
          group: meeting,
          numerator:
            JUDGES.reduce((sum, model) => sum + losses[model][0]! - losses[model][index]!, 0) / JUDGES.length,
          denominator: 1,
        })),
      ),
    ),
  }
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`

/** A choice of the shape as Markdown. */
export function orderMarkdown(
  regionId: string,
  { seasons, races, trials, shape: chosen }: OrderChoice,
): string {
  const { seasonStartMonth } = regionRules(regionId)
  const labels = seasons.map((season) => seasonLabel(seasonStartMonth, season))
  return [
    `Region ${regionId}, seasons ${labels.join(', ')}: ${races} races. Log loss of the second to fourth, nats a race; of shapes that differ by less than ${LEAST_GAIN}, the smaller is taken.`,
    '',
    '| order rule | market with power | model without odds | mean | gain on exponents [95%] | taken |',
    '| --- | ---: | ---: | ---: | ---: | --- |',
    ...trials.map((trial) => {
      const { shape, logLoss, gain, interval } = trial
      const figures = [logLoss['market-baseline'], logLoss.fundamental, meanOf(trial)]
      return [
        `| ${shape === null ? 'fitted exponents' : `shape ${shape}`}`,
        ...figures.map((figure) => figure.toFixed(4)),
        shape === null ? '' : `${signed(gain)} [${signed(interval.low)}, ${signed(interval.high)}]`,
        `${shape === chosen ? 'yes' : ''} |`,
      ].join(' | ')
    }),
  ].join('\n')
}
