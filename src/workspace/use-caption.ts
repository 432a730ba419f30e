import { useIntl } from 'react-intl'
import type { Filter } from '../../analytics/filter.ts'
import { intervalOf, numberOf } from '../data/analytics/cells.ts'
import { useAnalytics, useScope } from '../data/analytics/use-analytics.ts'
import { useFormat } from '../i18n/format.ts'
import type { ChartPicture } from '../widgets/chart/download.ts'
import { useClauseText } from './chips.tsx'
import { intervalRequest, TOTAL } from './requests.ts'
import type { SliceAnswer } from './use-slice.ts'

/** What stands below a picture of a chart: slice, number of predictions, interval of the return, and as of when. */
export function useCaption(slice: SliceAnswer, model: string, name: string): ChartPicture {
  const intl = useIntl()
  const format = useFormat()
  const { asOf } = useScope()
  const textOf = useClauseText(model, slice.names)
  // The same question as the figures': it is answered from memory.
  const asked = useAnalytics(intervalRequest(slice.where, slice.slice.history), { priority: 'visible' })
  const found = asked.isPlaceholderData ? undefined : asked.data?.rows[0]
  const interval = found ? intervalOf(found, 'return') : null
  const partsOf = (filter: Filter | null): Filter[] =>
    filter === null ? [] : 'and' in filter ? filter.and : [filter]
  const total = slice.rows[TOTAL]?.[0]
  const caption = [
    ...partsOf(slice.slice.base).map(textOf),
    ...partsOf(slice.slice.filter).map(textOf),
    intl.formatMessage(
      { id: 'workspace.captionCount' },
      { count: total ? format.integer(numberOf(total, 'predictions')) : '0' },
    ),
    interval
      ? intl.formatMessage(
          { id: 'workspace.captionReturn' },
          { low: format.signedPercent(interval.low), high: format.signedPercent(interval.high) },
        )
      : '',
    intl.formatMessage({ id: 'record.asOf' }, { instant: format.instant(asOf) }),
    'Furlong',
  ]
    .filter(Boolean)
    .join(' · ')
  return { name: `furlong-${name}`, caption }
}
