import type { Model } from '../model.ts'
import { MODELS, type ModelName } from '../models.ts'
import { numberOf, numberOrNull, type AnswerRow } from '../cells.ts'
import {
  BET_MEASURES,
  PANEL_KINDS,
  type BetMeasure,
  type PanelSpec,
  type ShownMeasure,
} from './panel-spec.ts'
import { standardOf } from './standards.ts'
import { countOf, stakedOf } from './totals.ts'

/** A measure that the figures of race days add up to: a ratio of sums, or a sum. `BET_MEASURES` says of the others why not. */
export type DayMeasure = Exclude<ShownMeasure, BetMeasure>
export const isOfDays = (measure: ShownMeasure): measure is DayMeasure =>
  !BET_MEASURES.some((each) => each === measure)

/** What a panel of race days shows: the first measure of its kind where its own is none that their figures add up to. */
export function dayMeasure({ kind, measures: [measure] }: Pick<PanelSpec, 'kind' | 'measures'>): DayMeasure {
  return measure !== undefined && isOfDays(measure) ? measure : PANEL_KINDS[kind].first
}

/** A measure of a race day, in the unit of the model; `null` where it has none: without a bet of known profit, it has neither profit nor return. */
export function dayValue(row: AnswerRow, measure: DayMeasure): number | null {
  if (measure === 'count') return countOf(row)
  const staked = stakedOf(measure)
  // An answer from before the measure was chosen does not have its column.
  if (!(measure in row) || (staked !== null && numberOf(row, staked) === 0)) return null
  return numberOrNull(row, measure)
}

/** A measure that is shown, as a subject's model names it. */
export const modelName = (subject: ModelName, measure: ShownMeasure): string =>
  measure === 'count' ? MODELS[subject].rows : measure

/** The columns of groups that add up to a measure of all of them: those of a ratio, or of a sum, which has nothing below. */
export function termsOf(subject: ModelName, name: string): { above: string; below: string | null } {
  const { measures }: Model = MODELS[subject]
  return measures[name]?.ratio
    ? { above: `${name}_numerator`, below: `${name}_denominator` }
    : { above: name, below: null }
}

/** The measures that are asked for besides a measure itself, to show it and what it is judged against over several days. */
export const termNames = (subject: ModelName, measure: DayMeasure): string[] =>
  [modelName(subject, measure), standardOf(measure)?.value].flatMap((name) => {
    if (typeof name !== 'string') return []
    const { above, below } = termsOf(subject, name)
    return below === null ? [] : [above, below]
  })
