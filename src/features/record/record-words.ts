import type { IntlShape } from 'react-intl'
import type { RecordRow } from '../../../contract/queries.ts'
import type { Language } from '../../i18n/language.ts'
import { localName, SIGNS } from '../../i18n/names.ts'

/** The combination with its horses' names, where they are known; names of another language are marked. */
export function combinationText(row: RecordRow, language: Language): string {
  const horses = localName(language, row, 'horses')
  if (!horses) return row.combination
  const mark = horses.fallback ? ` [${SIGNS[horses.language]}]` : ''
  return `${row.combination}  ${horses.text}${mark}`
}

export const betTypeOf = (intl: IntlShape, row: Pick<RecordRow, 'gameplay_class'>): string =>
  intl.formatMessage({ id: `gameplay.${row.gameplay_class}` })

export const outcomeOf = (intl: IntlShape, row: Pick<RecordRow, 'outcome'>): string =>
  intl.formatMessage({ id: `outcome.${row.outcome}` })
