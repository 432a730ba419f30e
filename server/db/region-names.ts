import type { NameColumn } from '../../domain/languages.ts'

/** Names of regions in each column of names, by region id. */
export const REGION_NAMES: Readonly<Record<string, Readonly<Record<NameColumn, string>>>> = {
  '100000': { en: 'Hong Kong', hant: '香港', hans: '香港' },
  '100036': { en: 'Australia', hant: '澳洲', hans: '澳大利亚' },
  '100840': { en: 'United States', hant: '美國', hans: '美国' },
}
