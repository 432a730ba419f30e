import { allOf, type Filter } from '../../analytics/filter.ts'
import type { ModelName } from '../../analytics/models.ts'
import { isOfDays } from '../../analytics/view/over-days.ts'
import { usualMeasures } from '../../analytics/view/panel-spec.ts'
import type { Slice } from '../../analytics/view/requests.ts'
import { offeredMeasures } from '../../analytics/view/view-query.ts'

/** Every measure that a panel over race days of a subject can show where all of it is known, as a slice has them. */
export function dayMeasuresOf(
  subject: ModelName,
  filters: readonly Filter[],
): Pick<Slice, 'more'> & { rolled: NonNullable<Slice['rolled']> } {
  const filter = allOf(...filters)
  const more = offeredMeasures({ subject, base: { and: [] }, filter, history: true, own: [], more: [] })
  return { more, rolled: [...usualMeasures(true), ...more].filter(isOfDays) }
}
