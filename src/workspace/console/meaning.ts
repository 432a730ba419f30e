import type { IntlShape } from 'react-intl'

/** Key of what a table or column means, from its words in `analytics/tables.ts`: `meaning.race-id`. */
const keyOfMeaning = (text: string): string => {
  const words = text.toLowerCase().split(/[^a-z0-9]+/)
  return `meaning.${words.filter((word) => word !== '').join('-')}`
}

/** What a table or column means, in the reader's language; `analytics/tables.ts` says it in English. */
export const meaningOf = (intl: IntlShape, text: string): string =>
  intl.formatMessage({ id: keyOfMeaning(text) })
