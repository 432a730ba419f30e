import type { IntlShape } from 'react-intl'
import type { Filter } from '../../../analytics/filter.ts'
import type { Request } from '../../../analytics/request.ts'
import { flagOf, numberOf, numberOrNull, textOf, type AnswerRow } from '../../data/analytics/cells.ts'
import type { Format } from '../../i18n/format.ts'
import { languageRules, type Language } from '../../../domain/languages.ts'
import { localName } from '../../i18n/names.ts'

export interface RowSort {
  by: string
  descending: boolean
}

/** Requests a page of the list. */
export const pageRequest = (
  where: Filter,
  columns: readonly string[],
  sort: readonly RowSort[],
  offset: number,
  limit: number,
): Request => ({
  rows: { model: 'predictions', columns: [...columns], where, sort: [...sort], offset, limit },
})

/** The combination with its horses' names, if known; names in another language are marked. */
export function combinationText(row: AnswerRow, language: Language): string {
  const combination = textOf(row, 'combination')
  const horses = localName(language, row, 'horses')
  if (!horses) return combination
  const mark = horses.fallback ? ` [${languageRules(horses.language).sign}]` : ''
  return `${combination}  ${horses.text}${mark}`
}

export const betTypeOf = (intl: IntlShape, row: AnswerRow): string =>
  intl.formatMessage({ id: `gameplay.${numberOf(row, 'bet_type')}` })

export const outcomeOf = (intl: IntlShape, row: AnswerRow): string =>
  intl.formatMessage({ id: `outcome.${textOf(row, 'outcome')}` })

/** Odds that were paid, or the last recorded ones in brackets. */
export function oddsText(row: AnswerRow, format: Format): string {
  const price = numberOrNull(row, 'price')
  if (price === null) return '–'
  return flagOf(row, 'price_paid') ? format.odds(price) : `(${format.odds(price)})`
}

export function profitText(unknown: string, row: AnswerRow, format: Format): string {
  const profit = numberOrNull(row, 'profit_cents')
  return profit === null ? unknown : format.signedMoney(profit)
}
