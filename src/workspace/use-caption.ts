import { useIntl } from 'react-intl'
import type { Filter } from '../../analytics/filter.ts'
import { intervalOf, numberOf } from '../data/analytics/cells.ts'
import { useScope } from '../data/analytics/use-analytics.ts'
import { useFormat } from '../i18n/format.ts'
import type { ChartPicture } from '../widgets/chart/picture.ts'
import { useClauseText } from './chips.tsx'
import { TOTAL } from './requests.ts'
import { useIntervals, type SliceAnswer } from './use-slice.ts'

const NO_DIMS: readonly string[] = []

/** Caption of a saved chart: slice, number of predictions, interval of the return, and date of the data. */
export function useCaption(slice: SliceAnswer, model: string, name: string): ChartPicture {
  const intl = useIntl()
  const format = useFormat()
  const { asOf } = useScope()
  const textOf = useClauseText(model, slice.names)
  const found = useIntervals(slice, NO_DIMS)?.[0]
  const interval = found ? intervalOf(found, 'return') : null
  const partsOf = (filter: Filter | null): Filter[] =>
    filter === null ? [] : 'and' in filter ? filter.and : [filter]
  const total = slice.rows[TOTAL]?.[0]
  const caption = (): string =>
    [
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
