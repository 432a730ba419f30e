import type { NameColumn } from '../../domain/languages.ts'

/** Names of regions in each column of names, by region id. */
export const REGION_NAMES: Readonly<Record<string, Readonly<Record<NameColumn, string>>>> = {
  '100000': { en: 'Hong Kong', hant: '香港', hans: '香港' },
  '100036': { en: 'Australia', hant: '澳洲', hans: '澳大利亚' },
  '100250': { en: 'France', hant: '法國', hans: '法国' },
  '100372': { en: 'Ireland', hant: '愛爾蘭', hans: '爱尔兰' },
  '100392': { en: 'Japan', hant: '日本', hans: '日本' },
  '100826': { en: 'Great Britain', hant: '英國', hans: '英国' },
  '100840': { en: 'United States', hant: '美國', hans: '美国' },
}
