import { useMemo } from 'react'
import { impliedValues, type Filter } from '../../../analytics/filter.ts'
import type { Dimension, Scalar } from '../../../analytics/model.ts'
import { OWN_SLOTS, ownValue, type OwnSlot } from '../../../analytics/own-slots.ts'
import { MODELS } from '../../../analytics/models.ts'
import { NAME_COLUMNS, type Language } from '../../../domain/languages.ts'
import { sortableColumns } from '../../../analytics/rows.ts'
import {
  flagOf,
  numberOf,
  numberOrNull,
  textOf,
  textOrNull,
  type AnswerRow,
} from '../../../analytics/cells.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useWord, type Word } from '../../i18n/use-word.ts'
import type { GridColumn } from '../../widgets/grid/data-grid.tsx'
import { digitsOf } from '../../widgets/grid/digits-of.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { localName } from '../../i18n/names.ts'
import { useRowText } from '../query/rows.ts'
import { RACE_NAME } from '../../../analytics/view/list-columns.ts'
import { countOf, told } from '../../../analytics/view/totals.ts'
import { EVERY } from '../../../analytics/view/dimension-of.ts'
import type { Subject } from '../../../analytics/view/view.ts'
import { subjectWords } from '../words/subject-words.ts'
import { toldText } from '../words/measure-text.ts'
import { useDimensionText } from '../words/dimension-text.ts'
import { ownNumber } from '../words/measure-text.ts'
import texts from '../../ui/text.module.css'

/** Fields that every row needs, whichever columns are displayed. */
const ALWAYS: Readonly<Record<Subject, readonly string[]>> = {
  predictions: [
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
  ],
  runners: ['race_id', 'horse_no', 'horse', 'win_odds', 'place', 'outcome', 'profit_cents', 'day'],
  races: [
    'race_id',
    'first_no',
    'favourite_no',
    'winner_no',
    ...['first', 'favourite', 'winner'].flatMap((name) => NAME_COLUMNS.map((column) => `${name}_${column}`)),
    'probability',
    'win_odds',
    'first_place',
    'outcome',
    'profit_cents',
    'day',
  ],
}

/** The fields of a column: of the race's name one in each language. */
const fieldsOf = (column: string): string[] =>
  column === RACE_NAME ? NAME_COLUMNS.map((language) => `${RACE_NAME}_${language}`) : [column]

/** Fields to request for the displayed columns. */
export const requestedColumns = (subject: Subject, columns: readonly string[]): string[] => [
  ...new Set([...ALWAYS[subject], ...columns.flatMap(fieldsOf)]),
]

const slotOf = (column: string): OwnSlot | undefined => OWN_SLOTS.find((slot) => ownValue(slot) === column)

/** Columns that can be filled: those of the user's own file need the file to be open. */
export const withoutClosed = (columns: readonly string[], own: readonly string[]): readonly string[] =>
  columns.filter((column) => {
    const slot = slotOf(column)
    return slot === undefined || own.includes(slot)
  })

/** Message id of a column's heading. */
export const headingId = (column: string): string => {
  const dim = slotOf(column) ?? column
  return Object.hasOwn(EVERY.dimensions, dim) ? `dimension.${dim}` : `field.${dim}`
}

/** A row, a group of them, or the totals below the list. */
export type ListRow = AnswerRow | { totals: AnswerRow } | { group: AnswerRow; open: boolean; text: string }
export const isTotals = (row: ListRow): row is { totals: AnswerRow } => 'totals' in row
export const isGroup = (row: ListRow): row is { group: AnswerRow; open: boolean; text: string } =>
  'group' in row

/** What formats the cells of the list. */
interface CellWords {
  language: Language
  word: Word
  format: Format
  rowText: ReturnType<typeof useRowText>
  dimensionText: ReturnType<typeof useDimensionText>
}

type CellText = (row: AnswerRow, words: CellWords, column: string) => string

const oddsText: CellText = (row, { format }, column) => {
  const odds = numberOrNull(row, column)
  return odds === null ? '–' : format.odds(odds)
}
const wholeText: CellText = (row, { format }, column) => {
  const value = numberOrNull(row, column)
  return value === null ? '–' : format.integer(value)
}
/** An amount of the currency that the heading says. */
const plainMoney = (format: Format, cents: number): string => format.signedDecimal(cents / 100, 2)
const horseText: CellText = (row, { rowText }, column) => rowText.numbered(row, column)
const flagText: CellText = (row, { word }, column) => word(flagOf(row, column) ? 'common.yes' : 'common.no')

interface ColumnLook {
  /** In digits. */
  width?: number
  /** Values whose texts, with what the region's readers have in mind, are as long as any: they decide the width. */
  longest?: readonly number[]
  numeric?: true
  /** Message id of a heading that is shorter than the dimension's name. */
  heading?: string
  /** For a column that is not formatted as a dimension. */
  text?: CellText
}

/** A hit rate below the outcomes, in digits: `31.2%`, in the totals' bold. */
const RATE_WIDTH = 7

const LOOKS: Readonly<Record<string, ColumnLook>> = {
  racecourse: { width: 12 },
  race_no: { width: 3, numeric: true, heading: 'workspace.raceShort' },
  rank: { width: 3, numeric: true },
  combination: { width: 16, text: (row, { rowText }) => rowText.combination(row) },
  result: { width: 11, text: (row) => textOrNull(row, 'result') ?? '–' },
  probability: {
    width: 7,
    numeric: true,
    text: (row, { format }) => format.percent(numberOf(row, 'probability'), 2),
  },
  price: { width: 7, numeric: true, text: (row, { rowText }) => rowText.odds('predictions', row) },
  outcome: { text: (row, { rowText }) => rowText.outcome('predictions', row) },
  profit_cents: {
    // The total of a long list.
    width: 11,
    numeric: true,
    text: (row, { word, format }) => {
      const profit = numberOrNull(row, 'profit_cents')
      return profit === null ? word('record.unknownShort') : plainMoney(format, profit)
    },
  },
  horse_no: { width: 3, numeric: true, heading: 'workspace.horseNoShort', text: wholeText },
  horse: { width: 16 },
  jockey: { width: 14 },
  trainer: { width: 14 },
  draw: { width: 3, numeric: true },
  place: { width: RATE_WIDTH, numeric: true, text: wholeText },
  model_rank: { width: 3, numeric: true },
  market_rank: { width: 3, numeric: true },
  rank_difference: { width: 3, numeric: true },
  [RACE_NAME]: { width: 24, text: (row, { language }) => localName(language, row, RACE_NAME)?.text ?? '–' },
  horse_id: { width: 9, text: (row) => textOrNull(row, 'horse_id') ?? '–' },
  brand: { width: 9, text: (row) => textOrNull(row, 'brand') ?? '–' },
  race_id: { width: 17, text: (row) => textOf(row, 'race_id') },
  market_probability: {
    width: 7,
    numeric: true,
    text: (row, { format }) => {
      const share = numberOrNull(row, 'market_probability')
      return share === null ? '–' : format.percent(share, 2)
    },
  },
  win_odds: { width: 7, numeric: true, text: oddsText },
  opening_odds: { width: 7, numeric: true, text: oddsText },
  late_odds: { width: 7, numeric: true, text: oddsText },
  odds: { width: 7, numeric: true, text: oddsText },
  odds_move: { width: 7, numeric: true },
  value: { width: 6, numeric: true },
  distance: { longest: [1710, 2012], numeric: true },
  last_distance: { longest: [1710, 2012], numeric: true },
  weight_carried: { longest: [126], numeric: true },
  field_size: { width: 3, numeric: true },
  favourite_rank: { width: 3, numeric: true },
  favourite_odds: { width: 7, numeric: true, text: oddsText },
  first_no: { width: 14, text: horseText },
  first_place: { width: RATE_WIDTH, numeric: true, heading: 'field.place', text: wholeText },
  favourite_no: { width: 14, text: horseText },
  favourite_place: { width: 3, numeric: true, text: wholeText },
  winner_no: { width: 14, text: horseText },
  winner_odds: { width: 7, numeric: true, text: oddsText },
  winner_market_rank: { width: 3, numeric: true, text: wholeText },
  winner_model_rank: { width: 3, numeric: true, text: wholeText },
  win_dividend: {
    width: 8,
    numeric: true,
    text: (row, { format }) => {
      const cents = numberOrNull(row, 'win_dividend')
      return cents === null ? '–' : format.decimal(cents / 100, 2)
    },
  },
  selected: { text: flagText },
  cautious: { text: flagText },
  upset_guard: { text: flagText },
}

/** A column of the user's own file. */
const OWN_LOOK: ColumnLook = {
  numeric: true,
  text: (row, { format }, column) => {
    const value = numberOrNull(row, column)
    return value === null ? '–' : ownNumber(format, value)
  },
}

const NO_LOOK: ColumnLook = {}
const lookOf = (column: string): ColumnLook =>
  LOOKS[column] ?? (slotOf(column) === undefined ? NO_LOOK : OWN_LOOK)

/** The column of each subject that has the hits of so many rows. */
const TOTALLED = { combination: 'predictions', horse: 'runners', first_no: 'races' } as const

/** Columns of names, which share the room that the others leave. */
const FLEXIBLE: ReadonlySet<string> = new Set([...Object.keys(TOTALLED), 'winner_no'])

/** A column of the totals, or of a group. */
function sumText(column: string, row: AnswerRow, { word, format }: CellWords): string {
  switch (column) {
    case 'combination':
    case 'horse':
    case 'first_no':
      return word(subjectWords(TOTALLED[column]).total, {
        count: format.integer(countOf(row)),
        hits: format.integer(numberOf(row, 'hits')),
      })
    case 'outcome':
    case 'place':
    case 'first_place': {
      const rate = numberOrNull(row, 'hit_rate')
      return rate === null ? '' : format.percent(rate)
    }
    case 'profit_cents': {
      const found = told(row, 'profit')
      return typeof found === 'number' ? plainMoney(format, found) : toldText(word, format, row, 'profit')
    }
    default:
      return ''
  }
}

/** Columns that have something of the total; that of the hits is longer than its column, and extends over the next one. */
const SUM_COLUMNS: ReadonlySet<string> = new Set([
  ...Object.keys(TOTALLED),
  'outcome',
  'place',
  'first_place',
  'profit_cents',
])
const isLongSum = (column: string): boolean => Object.hasOwn(TOTALLED, column)
/** The column that says what came of a subject's bet. */
const CAME: ReadonlySet<string> = new Set(['outcome', 'place', 'first_place'])

/** A day whose text is as long as any. */
const LONG_DAY = '2026-12-30'
/** Columns whose texts are not known ahead, in digits. */
const USUAL_WIDTH = 12

/** The dimension that a column has; the other columns are fields of a row. */
const dimensionAt = (column: string): Dimension | undefined => EVERY.dimensions[column]

/** The width of a column of days, or of one of few words, in digits. */
function widthOf(column: string, { word, format, dimensionText }: CellWords): number {
  const { longest } = lookOf(column)
  if (longest !== undefined)
    return Math.max(...longest.map((value) => digitsOf(dimensionText(column, { [column]: value }, true))))
  const dimension = dimensionAt(column)
  if (dimension?.display === 'day') return digitsOf(format.day(LONG_DAY))
  const { words, values } = dimension ?? {}
  if (words === undefined || values === undefined) return USUAL_WIDTH
  const widest = Math.max(...values.map((value) => digitsOf(word(`${words}.${value}`))))
  return column === 'outcome' ? Math.max(widest, RATE_WIDTH) : widest
}

/** The main pick is the first of its bet type. */
const FIRST_RANK = 1

/** The columns that have one and the same value in every row of a filter, with that value: the list says them once. */
export function sameInAll(columns: readonly string[], where: Filter): { column: string; value: Scalar }[] {
  const isMainPick = impliedValues(where, 'prediction_type')?.join() === '1'
  const same = columns.flatMap((column) => {
    // A band is no single value.
    if (dimensionAt(column)?.bins !== undefined) return []
    const [value, ...others] = impliedValues(where, column) ?? []
    if (value !== undefined) return others.length === 0 ? [{ column, value }] : []
    return isMainPick && column === 'rank' ? [{ column, value: FIRST_RANK }] : []
  })
  // A list of nothing else has its columns.
  return same.length === columns.length ? [] : same
}

/** Columns of the list, formatted in the user's language. */
export function useListColumns(
  subject: Subject,
  columns: readonly string[],
  model: string,
): GridColumn<ListRow>[] {
  const word = useWord()
  const format = useFormat()
  const { language } = useLanguage()
  const rowText = useRowText()
  const dimensionText = useDimensionText(model)
  return useMemo(() => {
    const words: CellWords = { language, word, format, rowText, dimensionText }
    const [first] = columns
    const sortable = sortableColumns(subject, MODELS[subject])
    return columns.map((column, at): GridColumn<ListRow> => ({
      id: column,
      heading: word(lookOf(column).heading ?? headingId(column)),
      width: lookOf(column).width ?? widthOf(column, words),
      ...(FLEXIBLE.has(column) ? { flex: 1 } : {}),
      numeric: lookOf(column).numeric ?? false,
      sortable: Object.hasOwn(sortable, column),
      ...(isLongSum(column) && at > 0 && at + 1 < columns.length && !SUM_COLUMNS.has(columns[at + 1]!)
        ? { span: (row) => (isTotals(row) ? 2 : 1) }
        : {}),
      text: (row) => {
        if (isTotals(row)) return column === first ? word('record.total') : sumText(column, row.totals, words)
        if (isGroup(row))
          return column === first ? `${row.open ? '▾' : '▸'} ${row.text}` : sumText(column, row.group, words)
        // After a change of columns, the previous rows stay until the new ones are loaded.
        if (!fieldsOf(column).some((field) => field in row)) return ''
        return lookOf(column).text?.(row, words, column) ?? dimensionText(column, row, true)
      },
      className: (row) =>
        CAME.has(column) && !isTotals(row) && !isGroup(row) && row['outcome'] === 'hit'
          ? texts.gain
          : undefined,
    }))
  }, [subject, columns, language, word, format, rowText, dimensionText])
}
