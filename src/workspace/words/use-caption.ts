import { useIntl } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import { intervalOf, numberOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { useScope } from '../../data/analytics/use-analytics.ts'
import { useFormat } from '../../i18n/format.ts'
import type { ChartPicture } from '../../widgets/chart/picture.ts'
import { useClauseText } from './chips.tsx'
import { TOTAL } from '../query/requests.ts'
import { useIntervals, type SliceAnswer } from '../query/use-slice.ts'

const NO_DIMS: readonly string[] = []

/** Formats a filter as text: each of its clauses, separated by dots. */
export function useFilterText(
  model: string,
  names: ReadonlyMap<string, AnswerRow>,
): (filter: Filter | null) => string {
  const clauseText = useClauseText(model, names)
  const partsOf = (filter: Filter | null): Filter[] =>
    filter === null ? [] : 'and' in filter ? filter.and : [filter]
  return (filter) => partsOf(filter).map(clauseText).join(' · ')
}

/** Joins the parts of a picture's caption, and adds the date of the data and the name of the site. */
export function useCaptionOf(): (parts: readonly string[]) => string {
  const intl = useIntl()
  const format = useFormat()
  const { asOf } = useScope()
  return (parts) =>
    [...parts, intl.formatMessage({ id: 'record.asOf' }, { instant: format.instant(asOf) }), 'Furlong']
      .filter(Boolean)
      .join(' · ')
}

/** Caption of a saved chart: slice, number of predictions, interval of the return, and date of the data. */
export function useCaption(slice: SliceAnswer, model: string, name: string): ChartPicture {
  const intl = useIntl()
  const format = useFormat()
  const captionOf = useCaptionOf()
  const filterText = useFilterText(model, slice.names)
  const found = useIntervals(slice, NO_DIMS)?.[0]
  const interval = found ? intervalOf(found, 'return') : null
  const total = slice.rows[TOTAL]?.[0]
  const caption = (): string =>
    captionOf([
      filterText(slice.slice.base),
      filterText(slice.slice.filter),
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
    ])
  return { name: `furlong-${name}`, caption }
}
