import { useRef } from 'react'
import { regionRules } from '../../../domain/region.ts'
import { intervalOf } from '../../../analytics/cells.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWord } from '../../i18n/use-word.ts'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { useIntervals } from '../query/intervals.tsx'
import { NO_DIMS, TOTAL } from '../../../analytics/view/requests.ts'
import { countOf } from '../../../analytics/view/totals.ts'
import type { SliceAnswer } from '../query/use-slice.ts'
import { useFilterText } from './filter-text.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** Joins the parts of a picture's caption, and adds the date of the data and the name of the site. */
export function useCaptionOf(): (parts: readonly string[]) => string {
  const word = useWord()
  const format = useFormat()
  const { asOf, regionId } = useScope()
  return (parts) =>
    [
      ...parts,
      word('record.asOf', { instant: format.instantIn(asOf, regionRules(regionId).timeZone) }),
      'Furlong',
    ]
      .filter(Boolean)
      .join(BETWEEN_FACTS)
}

/** Caption of a saved chart: slice, number of predictions, interval of the return, and date of the data. */
export function useCaption(slice: SliceAnswer, model: string, name: string): ChartPicture {
  const saver = useRef(null)
  const word = useWord()
  const format = useFormat()
  const captionOf = useCaptionOf()
  const filterText = useFilterText(model, slice.names)
  const found = useIntervals(slice, NO_DIMS)?.[0]
  const caption = (): string => {
    const interval = found ? intervalOf(found, 'return') : null
    const total = slice.rows[TOTAL]?.[0]
    return captionOf([
      filterText(slice.slice.base),
      filterText(slice.slice.filter),
      word('workspace.captionCount', {
        count: total ? format.integer(countOf(total)) : '0',
      }),
      interval
        ? word('workspace.captionReturn', {
            low: format.signedPercent(interval.low),
            high: format.signedPercent(interval.high),
          })
        : '',
    ])
  }
  return { name: `furlong-${name}`, caption, saver }
}
