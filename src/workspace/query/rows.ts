import { useMemo } from 'react'
import { useIntl, type IntlShape } from 'react-intl'
import type { Sort } from '../../../analytics/check.ts'
import type { Filter } from '../../../analytics/filter.ts'
import { languageRules, type Language } from '../../../domain/languages.ts'
import { flagOf, numberOf, numberOrNull, textOf, type AnswerRow } from '../../data/analytics/cells.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { localName } from '../../i18n/names.ts'

/** Requests a page of the list. */
export const pageRequest = (
  where: Filter,
  columns: readonly string[],
  sort: readonly Sort[],
  offset: number,
  limit: number,
) => ({
  rows: { model: 'predictions' as const, columns: [...columns], where, sort: [...sort], offset, limit },
})

/** Between the horses' names of a combination. */
const BETWEEN = ' · '

/** The combination with its horses' names, if known; each name in another language is marked. */
export function combinationText(row: AnswerRow, language: Language): string {
  const combination = textOf(row, 'combination')
  const horses = localName(language, row, 'horses')
  if (!horses) return combination
  const marked = horses.text.split(BETWEEN).map((name) => {
    const from = horses.fallback ? horses.language : otherLanguage(language, name)
    return from === null ? name : `${name} [${languageRules(from).sign}]`
  })
  return `${combination}  ${marked.join(BETWEEN)}`
}

/**
 * The language of a name that the reader's language lacks, by its script: where a name is unknown, the text has
 * another language's. A brand, which has digits, is in no language.
 */
function otherLanguage(language: Language, name: string): Language | null {
  const isChinese = /\p{Script=Han}/u.test(name)
  if (language === 'en') return isChinese ? 'zh-Hant' : null
  return isChinese || /\d/.test(name) ? null : 'en'
}

export const betTypeOf = (intl: IntlShape, row: AnswerRow): string =>
  intl.formatMessage({ id: `gameplay.${numberOf(row, 'bet_type')}` })

/** Formats what a prediction's row has, in the user's language. */
export function useRowText() {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  return useMemo(
    () => ({
      combination: (row: AnswerRow) => combinationText(row, language),
      betType: (row: AnswerRow) => betTypeOf(intl, row),
      outcome: (row: AnswerRow) => intl.formatMessage({ id: `outcome.${textOf(row, 'outcome')}` }),
      /** Odds that were paid, or the last recorded ones in brackets. */
      odds: (row: AnswerRow) => {
        const price = numberOrNull(row, 'price')
        if (price === null) return '–'
        return flagOf(row, 'price_paid') ? format.odds(price) : `(${format.odds(price)})`
      },
      profit: (row: AnswerRow) => {
        const profit = numberOrNull(row, 'profit_cents')
        return profit === null
          ? intl.formatMessage({ id: 'record.unknownShort' })
          : format.signedMoney(profit)
      },
    }),
    [intl, format, language],
  )
}
