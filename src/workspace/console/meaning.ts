import type { IntlShape } from 'react-intl'

/**
 * Message id for the meaning of a table or column, derived from its text in
 * `analytics/tables.ts`: `meaning.race-id`.
 */
const keyOfMeaning = (text: string): string => {
  const words = text.toLowerCase().split(/[^a-z0-9]+/)
  return `meaning.${words.filter((word) => word !== '').join('-')}`
}

/** The meaning of a table or column in the user's language; `analytics/tables.ts` has it in English. */
export const meaningOf = (intl: IntlShape, text: string): string =>
  intl.formatMessage({ id: keyOfMeaning(text) })
