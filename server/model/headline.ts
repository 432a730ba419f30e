import { FIRST_HEADLINE, modelOrder, type OddsFreeModel } from '../../contract/model-ids.ts'

/** A model's id; `null`: each race's headline model (`race.headline_model`). */
export type ModelChoice = string | null

/** The models shown in tips, records and totals. */
export const HEADLINE: ModelChoice = null

/** A model without odds, and from which instant on (UTC) a region's races show it first. */
export interface Promotion {
  model: OddsFreeModel
  promotedAt: string
}

/** The model without odds that stood promoted at an instant. `promotions`: a region's, oldest first. */
export const promotedBy = (promotions: readonly Promotion[], instant: string): OddsFreeModel =>
  promotions.findLast(({ promotedAt }) => Date.parse(promotedAt) <= Date.parse(instant))?.model ??
  FIRST_HEADLINE

/** Which of a race's models it shows first: with odds the blend, without them the promoted one, otherwise the public's. */
export const headlineOf = (models: readonly string[], promoted: OddsFreeModel): string =>
  ['blended', promoted, FIRST_HEADLINE].find((model) => models.includes(model)) ?? 'market-baseline'

/**
 * The models whose reasons a race has, in the order in which they are shown: the race's headline model, then those by the
 * region's promoted model, which the blend mixes with the public's.
 */
export function explainedFirst(
  models: readonly string[],
  headline: string,
  promoted: OddsFreeModel | undefined,
): string[] {
  const order: readonly string[] = [headline, ...modelOrder(promoted)]
  return models.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
}
