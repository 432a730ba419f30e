import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import type { Model } from '../../../analytics/model.ts'
import { OWN_SLOTS, ownValue, type OwnSlot } from '../../../analytics/own-slots.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import { sortableColumns } from '../../../analytics/rows.ts'
import { flagOf, numberOf, numberOrNull, textOf, textOrNull } from '../../data/analytics/cells.ts'
import type { AnswerRow } from '../../data/analytics/decode.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import type { GridColumn } from '../../widgets/grid/data-grid.tsx'
import { useDimensionText } from '../words/dimension-text.ts'
import { ownNumber } from '../query/own-number.ts'
import { combinationText, oddsText, outcomeOf, profitText } from '../query/rows.ts'
import { judge } from '../query/totals.ts'
import texts from '../../ui/layout/text.module.css'

const MODEL: Model = PREDICTIONS

/** Fields to request for the displayed columns. */
export function askedColumns(columns: readonly string[]): string[] {
  const always = [
    'race_id',
    'combination',
    'horses_en',
    'horses_hant',
    'horses_hans',
    'price',
    'price_paid',
    'outcome',
    'result',
    'profit_cents',
    'day',
    'bet_type',
    'rank',
  ]
  return [...new Set([...always, ...columns])]
}

const slotOf = (column: string): OwnSlot | undefined => OWN_SLOTS.find((slot) => ownValue(slot) === column)

/** Columns that can be filled: those of the user's own file need the file to be open. */
export const withoutClosed = (columns: readonly string[], own: readonly string[]): readonly string[] =>
  columns.filter((column) => {
    const slot = slotOf(column)
    return slot === undefined || own.includes(slot)
  })

export const headingId = (column: string): string => {
  const slot = slotOf(column)
  return slot === undefined ? fieldHeadingId(column) : `dimension.${slot}`
}

const fieldHeadingId = (column: string): string =>
  Object.hasOwn(MODEL.dimensions, column) ? `dimension.${column}` : `field.${column}`

const WIDTHS: Readonly<Record<string, number>> = {
  day: 86,
  racecourse: 96,
  race_no: 56,
  bet_type: 80,
  rank: 54,
  combination: 136,
  result: 88,
  probability: 88,
  price: 64,
  outcome: 66,
  profit_cents: 96,
  race_id: 152,
}
/** Shorter headings than the dimensions' names. */
const SHORT: Readonly<Record<string, string>> = {
  race_no: 'workspace.raceShort',
  profit_cents: 'record.profit',
}
const SORTABLE = sortableColumns('predictions', MODEL)
const NUMERIC = [
  'race_no',
  'rank',
  'probability',
  'price',
  'profit_cents',
  'win_odds',
  'opening_odds',
  'late_odds',
  'odds_move',
  'market_probability',
  'odds',
  'value',
  'distance',
  'field_size',
  'favourite_rank',
]

/** A prediction's row, a group of them, or the totals below the list. */
export type ListRow = AnswerRow | { totals: AnswerRow } | { group: AnswerRow; open: boolean; text: string }
export const isTotals = (row: ListRow): row is { totals: AnswerRow } => 'totals' in row
export const isGroup = (row: ListRow): row is { group: AnswerRow; open: boolean; text: string } =>
  'group' in row

/** Columns of the list, formatted in the user's language. */
export function useListColumns(columns: readonly string[], model: string): GridColumn<ListRow>[] {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  const textOfDimension = useDimensionText(model)
  return useMemo(() => {
    const word = (id: string): string => intl.formatMessage({ id })
    const own = (column: string, row: AnswerRow): string => {
      switch (column) {
        case 'combination':
          return combinationText(row, language)
        case 'result':
          return textOrNull(row, 'result') ?? '–'
        case 'probability':
          return format.percent(numberOf(row, 'probability'), 2)
        case 'price':
          return oddsText(row, format)
        case 'outcome':
          return outcomeOf(intl, row)
        case 'profit_cents':
          return profitText(word('record.unknownShort'), row, format)
        case 'market_probability': {
          const share = numberOrNull(row, column)
          return share === null ? '–' : format.percent(share, 2)
        }
        case 'win_odds':
        case 'opening_odds':
        case 'late_odds':
        case 'odds': {
          const odds = numberOrNull(row, column)
          return odds === null ? '–' : format.odds(odds)
        }
        case 'selected':
        case 'cautious':
        case 'upset_guard':
          return word(flagOf(row, column) ? 'common.yes' : 'common.no')
        case 'race_id':
          return textOf(row, column)
        default: {
          const value = slotOf(column) === undefined ? undefined : numberOrNull(row, column)
          if (value !== undefined) return value === null ? '–' : ownNumber(format, value)
          return textOfDimension(column, row, true)
        }
      }
    }
    const sums = (column: string, row: AnswerRow): string => {
      if (column === 'combination')
        return intl.formatMessage(
          { id: 'record.totalOf' },
          {
            count: format.integer(numberOf(row, 'predictions')),
            hits: format.integer(numberOf(row, 'hits')),
          },
        )
      if (column === 'outcome') {
        const rate = numberOrNull(row, 'hit_rate')
        return rate === null ? '' : format.percent(rate)
      }
      return column === 'profit_cents' ? profitOfTotals(row, format.signedMoney) : ''
    }
    const [first] = columns
    return columns.map((column): GridColumn<ListRow> => ({
      id: column,
      heading: word(SHORT[column] ?? headingId(column)),
      width: WIDTHS[column] ?? 112,
      ...(column === 'combination' ? { flex: 1 } : {}),
      numeric: NUMERIC.includes(column) || slotOf(column) !== undefined,
      sortable: Object.hasOwn(SORTABLE, column),
      text: (row) => {
        if (isTotals(row)) return column === first ? word('record.total') : sums(column, row.totals)
        if (isGroup(row))
          return column === first ? `${row.open ? '▾' : '▸'} ${row.text}` : sums(column, row.group)
        // After a change of columns, the previous rows stay until the new ones are loaded.
        return column in row ? own(column, row) : ''
      },
      className: (row) =>
        column === 'outcome' && !isTotals(row) && !isGroup(row) && row['outcome'] === 'hit'
          ? texts.gain
          : undefined,
    }))
  }, [columns, intl, format, language, textOfDimension])
}

/** The total profit if it can be stated; otherwise a dash, as in the figures above. */
export function profitOfTotals(row: AnswerRow, show: (cents: number) => string): string {
  return judge(row).told ? show(numberOf(row, 'profit')) : '–'
}
