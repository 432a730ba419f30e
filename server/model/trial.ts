import type { TrialChange } from '../../contract/api/trial.ts'
import type { OddsFreeModel } from '../../contract/model-ids.ts'
import { FurlongError } from '../../domain/errors.ts'
import { lockedProbability } from '../../domain/prediction-lock.ts'
import { computeInputs } from './features/catalogue.ts'
import type { Card } from './features/history.ts'
import { jockeysToTry, type RaceLookBack } from './features/race-state.ts'
import type { FeatureState } from './features/state.ts'
import { interestsOf } from './lines.ts'
import type { Contribution } from './models/predict.ts'
import type { ModelVersion } from './models/model-version.ts'
import { chancesWithoutOdds, changesWithoutOdds } from './models/without-odds.ts'

/** What is tried: another going, and changes of runners. */
export interface Tried {
  going?: string | undefined
  changes: readonly TrialChange[]
}

interface Reason {
  /** A group of features, or `field`. */
  feature: Contribution['feature'] | 'field'
  value: number
}

/** A starter's win probability before and after; those of its betting interest, as predictions have them. */
interface Outcome {
  before: number
  /** `null` if it is withdrawn. */
  after: number | null
  reasons: Reason[]
}

/** Smaller reasons are rounding alone. */
const NOTHING = 1e-12

/** What the trials of a race begin with: the same for all of them. */
export interface Beginning {
  version: Pick<ModelVersion, 'fundamental' | 'network'>
  model: OddsFreeModel
  card: Card
  state: FeatureState
  inputs: ReturnType<typeof computeInputs>
  /** Win probability of each starter's betting interest as it was predicted, by its number. */
  chances: ReadonlyMap<number, number>
  /** Who can be tried. */
  jockeyIds: readonly string[]
}

/** What a version's model says of a race as it was predicted, to try other cards on; `null` if it does not have the model. */
export function beginTrials(
  version: Beginning['version'],
  model: OddsFreeModel,
  { card, state }: Pick<RaceLookBack, 'card' | 'state'>,
): Beginning | null {
  const inputs = computeInputs(state, card)
  const said = chancesWithoutOdds(version, model, card, inputs)
  if (said === null) return null
  const jockeyIds = jockeysToTry(state, card)
  return { version, model, card, state, inputs, chances: chancesOf(card, said), jockeyIds }
}

/**
 * What the model says of the race with another card, by the same functions as its predictions: the features of all
 * starters are computed again, those relative to the field too. With nothing tried, `before` and `after` are the
 * prediction to the bit. By starter of the kept card. Throws `bad-parameters` for a card that cannot be.
 */
export function tryCard(beginning: Beginning, tried: Tried): Outcome[] {
  const { version, model, card, state, inputs, chances } = beginning
  const trial = cardWith(beginning, tried)
  const after = { race: trial, inputs: computeInputs(state, trial) }
  const second = chancesOf(trial, chancesWithoutOdds(version, model, trial, after.inputs)!)
  const left = trial.starters.map(({ horseNo }) => chances.get(horseNo)!)
  const before = { race: card, inputs }
  const changes = relativeToField(left, changesWithoutOdds(version, model, before, after))
  return card.starters.map(({ horseNo }) => {
    const row = trial.starters.findIndex((starter) => starter.horseNo === horseNo)
    const outcome = { before: chances.get(horseNo)!, after: second.get(horseNo) ?? null }
    return { ...outcome, reasons: outcome.after === null ? [] : reasonsOf(outcome, changes[row]!) }
  })
}

/** The card with what is tried. */
function cardWith({ card, jockeyIds }: Beginning, { going, changes }: Tried): Card {
  const stalls = new Set(card.starters.map(({ draw }) => draw))
  const need = (holds: boolean, reason: string): void => {
    if (!holds) throw new FurlongError('bad-parameters', { reason })
  }
  const byNumber = new Map(changes.map((change) => [change.horseNumber, change]))
  need(byNumber.size === changes.length, 'changes: at most one a runner')
  for (const { horseNumber, draw, jockeyId } of changes) {
    need(
      card.starters.some(({ horseNo }) => horseNo === horseNumber),
      `changes: no runner ${horseNumber}`,
    )
    need(draw === undefined || stalls.has(draw), `changes: no stall ${draw}`)
    need(jockeyId === undefined || jockeyIds.includes(jockeyId), `changes: no jockey ${jockeyId}`)
  }
  const starters = card.starters.flatMap((starter) => {
    const change = byNumber.get(starter.horseNo)
    if (change?.withdrawn === true) return []
    const { draw, jockeyId, weightLb, gear } = change ?? {}
    return [
      {
        ...starter,
        draw: draw ?? starter.draw,
        jockeyId: jockeyId ?? starter.jockeyId,
        weightLb: weightLb ?? starter.weightLb,
        gear: gear ?? starter.gear,
      },
    ]
  })
  need(starters.length >= 2, 'changes: at least two runners')
  const drawn = starters.flatMap(({ draw }) => draw ?? [])
  need(
    new Set(drawn).size === drawn.length || !changes.some(({ draw }) => draw !== undefined),
    'changes: two runners in one stall',
  )
  return { ...card, going: going ?? card.going, starters }
}

/** The probability of each starter's betting interest, by its number. */
function chancesOf({ starters }: Card, probabilities: readonly number[]): Map<number, number> {
  const interests = interestsOf(starters.map((starter, row) => ({ ...starter, win: probabilities[row]! })))
  return new Map(
    interests.flatMap(([, horses]) => {
      const win = lockedProbability(horses.reduce((sum, horse) => sum + horse.win, 0))
      return horses.map(({ horseNo }) => [horseNo, win] as const)
    }),
  )
}

/**
 * Changes of scores less their mean over the field, each starter weighted by its chance: what all have in common moves no
 * chance, and a rival that gains is a loss to the others in the same group.
 */
function relativeToField(chances: readonly number[], changes: readonly Contribution[][]): Contribution[][] {
  const total = chances.reduce((sum, chance) => sum + chance, 0)
  const means = new Map<Contribution['feature'], number>()
  for (const [row, own] of changes.entries())
    for (const { feature, value } of own)
      means.set(feature, (means.get(feature) ?? 0) + (chances[row]! / total) * value)
  return changes.map((own) => {
    const values = new Map(own.map(({ feature, value }) => [feature, value]))
    return [...means].map(([feature, mean]) => ({ feature, value: (values.get(feature) ?? 0) - mean }))
  })
}

/** The reasons, and what they leave of the change. */
function reasonsOf({ before, after }: Omit<Outcome, 'reasons'>, changes: readonly Contribution[]): Reason[] {
  const told = changes.reduce((sum, { value }) => sum + value, 0)
  const reasons: Reason[] = [...changes, { feature: 'field', value: Math.log(after! / before) - told }]
  return reasons
    .filter(({ value }) => Math.abs(value) > NOTHING)
    .toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value))
}
