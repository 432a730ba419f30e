import type { IntlShape } from 'react-intl'
import type { RecordRow } from '../../../contract/queries.ts'
import type { Language } from '../../i18n/language.ts'
import { localName } from '../../i18n/names.ts'

/** The combination with its horses' names, where they are known. */
export function combinationText(row: RecordRow, language: Language): string {
  const horses = localName(language, row, 'horses')
  return horses ? `${row.combination}  ${horses.text}` : row.combination
}

export const betTypeOf = (intl: IntlShape, row: Pick<RecordRow, 'gameplay_class'>): string =>
  intl.formatMessage({ id: `gameplay.${row.gameplay_class}` })

export const outcomeOf = (intl: IntlShape, row: Pick<RecordRow, 'outcome'>): string =>
  intl.formatMessage({ id: `outcome.${row.outcome}` })
