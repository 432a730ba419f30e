import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useIntl, type IntlShape } from 'react-intl'
import type { Sort } from '../../../analytics/check.ts'
import type { Filter } from '../../../analytics/filter.ts'
import type { ModelName } from '../../../analytics/models.ts'
import type { Language } from '../../../domain/languages.ts'
import { flagOf, numberOf, numberOrNull, textOf, type AnswerRow } from '../../../analytics/cells.ts'
import { isJapanese } from '../../i18n/is-japanese.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { noteName } from '../../i18n/name-notes.ts'
import { localName } from '../../i18n/names.ts'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

/** Requests a page of the list of a subject. */
export const pageRequest = (
  subject: ModelName,
  where: Filter,
  columns: readonly string[],
  sort: readonly Sort[],
  offset: number,
  limit: number,
) => ({
  rows: { model: subject, columns: [...columns], where, sort: [...sort], offset, limit },
})

/** Between the horses' names of a combination, as SQL joins them. */
const BETWEEN_NAMES = ' · '

/** The combination with its horses' names, if known. */
export function combinationText(row: AnswerRow, language: Language): string {
  const combination = textOf(row, 'combination')
  const horses = localName(language, row, 'horses')
  return horses ? `${combination}  ${horses.text.split(BETWEEN_NAMES).join(BETWEEN_FACTS)}` : combination
}

/** The column of the names that a row of each subject is called by, without its language. */
const CALLED: Readonly<Record<ModelName, string>> = {
  predictions: 'horses',
  runners: 'horse',
  races: 'first',
}

/** The other languages that the names of a row are in. */
export function languagesOf(subject: ModelName, row: AnswerRow, language: Language): Language[] {
  const called = localName(language, row, CALLED[subject])
  if (!called) return []
  return called.text.split(BETWEEN_NAMES).flatMap((name) => {
    const from = called.fallback ? called.language : otherLanguage(language, name)
    return from === null || isJapanese(name) ? [] : [from]
  })
}

/** Returns a function that has the page say which other languages the names of rows are in, as long as it shows them. */
export function useNoteNames(subject: ModelName): (rows: readonly AnswerRow[]) => void {
  const { language } = useLanguage()
  const noted = useRef(new Map<Language, () => void>())
  useEffect(() => {
    const notes = noted.current
    return () => {
      for (const forget of notes.values()) forget()
      notes.clear()
    }
  }, [subject, language])
  return useCallback(
    (rows) => {
      for (const row of rows)
        for (const from of languagesOf(subject, row, language))
          if (!noted.current.has(from)) noted.current.set(from, noteName(from))
    },
    [subject, language],
  )
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

const betTypeOf = (intl: IntlShape, row: AnswerRow): string =>
  intl.formatMessage({ id: `gameplay.${numberOf(row, 'bet_type')}` })

/** Saddle numbers with their horses' names: `name` is the column of the names, without its language. */
const numberedText = (row: AnswerRow, numbers: string, name: string, language: Language): string =>
  `${row[numbers] ?? '–'}  ${localName(language, row, name)?.text ?? ''}`.trim()

/** What identifies a row among those of its race, and what it is of: the combination with its horses, or a horse. */
const ROWS: Readonly<
  Record<ModelName, { key: readonly string[]; title(row: AnswerRow, language: Language): string }>
> = {
  predictions: { key: ['bet_type', 'combination'], title: combinationText },
  runners: {
    key: ['horse_no'],
    title: (row, language) => numberedText(row, 'horse_no', 'horse', language),
  },
  races: { key: [], title: (row, language) => numberedText(row, 'first_no', 'first', language) },
}

/** Identifies a row among those of its subject. */
export const keyOfRow = (subject: ModelName, row: AnswerRow): string =>
  [textOf(row, 'race_id'), ...ROWS[subject].key.map((column) => String(row[column]))].join(' ')

/** The column with the place of a subject's horse; bets on combinations have none. */
const PLACES: Readonly<Partial<Record<ModelName, string>>> = { runners: 'place', races: 'first_place' }

/** Formats what a row has, in the user's language. */
export function useRowText() {
  const intl = useIntl()
  const format = useFormat()
  const { language } = useLanguage()
  return useMemo(
    () => ({
      combination: (row: AnswerRow) => combinationText(row, language),
      /** A saddle number, or those of several, with names: `winner_no` has those of the columns `winner_…`. */
      numbered: (row: AnswerRow, column: string) =>
        numberedText(row, column, column.replace(/_no$/, ''), language),
      title: (subject: ModelName, row: AnswerRow) => ROWS[subject].title(row, language),
      /** The bet type, who rides the runner, or who won the race. */
      about: (subject: ModelName, row: AnswerRow) => {
        if (subject === 'predictions') return betTypeOf(intl, row)
        if (subject === 'runners') return localName(language, row, 'jockey')?.text ?? '–'
        const winner = numberedText(row, 'winner_no', 'winner', language)
        return intl.formatMessage({ id: 'workspace.wonBy' }, { winner })
      },
      /** The outcome of a bet, or the place of a horse. */
      outcome: (subject: ModelName, row: AnswerRow) => {
        const column = PLACES[subject]
        const place = column === undefined ? null : numberOrNull(row, column)
        return place === null
          ? intl.formatMessage({ id: `outcome.${textOf(row, 'outcome')}` })
          : intl.formatMessage({ id: 'workspace.placed' }, { place })
      },
      /** Odds that were paid, or the last recorded ones in brackets. */
      odds: (subject: ModelName, row: AnswerRow) => {
        if (subject !== 'predictions') {
          const odds = numberOrNull(row, 'win_odds')
          return odds === null ? '–' : format.odds(odds)
        }
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
