import { useMemo } from 'react'
import { useIntl, type IntlShape } from 'react-intl'
import type { Model } from '../../../analytics/model.ts'
import { OWN_SLOTS, ownValue, type OwnSlot } from '../../../analytics/own-slots.ts'
import { PREDICTIONS } from '../../../analytics/predictions.ts'
import { sortableColumns } from '../../../analytics/rows.ts'
import {
  flagOf,
  numberOf,
  numberOrNull,
  textOf,
  textOrNull,
  type AnswerRow,
} from '../../data/analytics/cells.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import type { Language } from '../../../domain/languages.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import type { GridColumn } from '../../widgets/grid/data-grid.tsx'
import { useDimensionText } from '../words/dimension-text.ts'
import { ownNumber } from '../words/measure-text.ts'
import { combinationText, oddsText, outcomeOf, profitText } from '../query/rows.ts'
import { judge } from '../query/totals.ts'
import texts from '../../ui/text.module.css'

const MODEL: Model = PREDICTIONS

/** Fields to request for the displayed columns. */
export function requestedColumns(columns: readonly string[]): string[] {
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

/** What formats the cells of the list. */
interface CellWords {
  intl: IntlShape
  format: Format
  language: Language
  dimensionText: ReturnType<typeof useDimensionText>
}

type CellText = (row: AnswerRow, column: string, words: CellWords) => string

const oddsCell: CellText = (row, column, { format }) => {
  const odds = numberOrNull(row, column)
  return odds === null ? '–' : format.odds(odds)
}
const flagCell: CellText = (row, column, { intl }) =>
  intl.formatMessage({ id: flagOf(row, column) ? 'common.yes' : 'common.no' })

/** Columns that are not formatted as a dimension. */
const CELL_TEXTS: Readonly<Record<string, CellText>> = {
  combination: (row, _, { language }) => combinationText(row, language),
  result: (row) => textOrNull(row, 'result') ?? '–',
  probability: (row, column, { format }) => format.percent(numberOf(row, column), 2),
  price: (row, _, { format }) => oddsText(row, format),
  outcome: (row, _, { intl }) => outcomeOf(intl, row),
  profit_cents: (row, _, { intl, format }) =>
    profitText(intl.formatMessage({ id: 'record.unknownShort' }), row, format),
  market_probability: (row, column, { format }) => {
    const share = numberOrNull(row, column)
    return share === null ? '–' : format.percent(share, 2)
  },
  win_odds: oddsCell,
  opening_odds: oddsCell,
  late_odds: oddsCell,
  odds: oddsCell,
  selected: flagCell,
  cautious: flagCell,
  upset_guard: flagCell,
  race_id: (row, column) => textOf(row, column),
}

function cellText(column: string, row: AnswerRow, words: CellWords): string {
  // After a change of columns, the previous rows stay until the new ones are loaded.
  if (!(column in row)) return ''
  const show = Object.hasOwn(CELL_TEXTS, column) ? CELL_TEXTS[column] : undefined
  if (show) return show(row, column, words)
  if (slotOf(column) === undefined) return words.dimensionText(column, row, true)
  const value = numberOrNull(row, column)
  return value === null ? '–' : ownNumber(words.format, value)
}

/** A column of the totals, or of a group. */
function sumText(column: string, row: AnswerRow, { intl, format }: CellWords): string {
  switch (column) {
    case 'combination':
      return intl.formatMessage(
        { id: 'record.totalOf' },
        {
          count: format.integer(numberOf(row, 'predictions')),
          hits: format.integer(numberOf(row, 'hits')),
        },
      )
    case 'outcome': {
      const rate = numberOrNull(row, 'hit_rate')
      return rate === null ? '' : format.percent(rate)
    }
    case 'profit_cents':
      return profitOfTotals(row, format.signedMoney)
    default:
      return ''
  }
}

/** Columns of the list, formatted in the user's language. */
export function useListColumns(columns: readonly string[], model: string): GridColumn<ListRow>[] {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  const dimensionText = useDimensionText(model)
  return useMemo(() => {
    const word = (id: string): string => intl.formatMessage({ id })
    const words: CellWords = { intl, format, language, dimensionText }
    const [first] = columns
    const text = (column: string, row: ListRow): string => {
      if (isTotals(row)) return column === first ? word('record.total') : sumText(column, row.totals, words)
      if (!isGroup(row)) return cellText(column, row, words)
      return column === first ? `${row.open ? '▾' : '▸'} ${row.text}` : sumText(column, row.group, words)
    }
    return columns.map((column): GridColumn<ListRow> => ({
      id: column,
      heading: word(SHORT[column] ?? headingId(column)),
      width: WIDTHS[column] ?? 112,
      ...(column === 'combination' ? { flex: 1 } : {}),
      numeric: NUMERIC.includes(column) || slotOf(column) !== undefined,
      sortable: Object.hasOwn(SORTABLE, column),
      text: (row) => text(column, row),
      className: (row) =>
        column === 'outcome' && !isTotals(row) && !isGroup(row) && row['outcome'] === 'hit'
          ? texts.gain
          : undefined,
    }))
  }, [columns, intl, format, language, dimensionText])
}

/** The total profit if it can be stated; otherwise a dash, as in the figures above. */
export function profitOfTotals(row: AnswerRow, show: (cents: number) => string): string {
  return judge(row).reported ? show(numberOf(row, 'profit')) : '–'
}
