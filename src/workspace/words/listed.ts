import type { IntlShape } from 'react-intl'

/** Texts as one list. `Intl.ListFormat` puts nothing between them in Chinese where it has no word for "and". */
export const listed = (intl: IntlShape, texts: readonly string[]): string =>
  texts.join(intl.formatMessage({ id: 'workspace.separator' }))
