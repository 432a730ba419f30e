/** What the product knows about a language; its texts are in `locales/<id>/` and `public/legal/`. */
export interface LanguageRules {
  /** BCP 47 tag of the page, of `Intl` and of the folder of its texts. */
  id: string
  /** Its own name, the same in every language. */
  name: string
  /** The tags of a browser or a request that mean it; the first language that matches is taken. */
  tags: RegExp
  /** Two-letter codes of the countries whose visitors start with it. */
  countries: readonly string[]
  /** The columns of names in the data (`name_hant`), best first; its own is the first, if it has one. */
  names: readonly NameColumn[]
  /** Those that its readers can read, best first: a horse without any of them is shown by its brand. */
  readable: readonly NameColumn[]
  /** Whether the first of these columns is in this language. */
  hasOwnNames: boolean
  /** Locale of calendars: how its readers name days and where their week starts. */
  calendar: string
  /** Locale of Stripe's payment page (https://docs.stripe.com/api/checkout/sessions/create). */
  stripe: string
  /** The vendor's texts of the grid; `null` if they are the grid's built-in ones. `tools/grid-locales.mjs` writes them. */
  gridTexts: string | null
  /** What is shown if no texts could be loaded. */
  notLoaded: string
}

/** The suffixes of name columns; another one needs a migration and a column in the files. */
export const NAME_COLUMNS = ['en', 'hant', 'hans'] as const
export type NameColumn = (typeof NAME_COLUMNS)[number]

/** The languages in the order in which they are offered; the first is the one of last resort. */
export const LANGUAGE_RULES = [
  {
    id: 'en',
    name: 'English',
    tags: /^en\b/i,
    countries: [],
    names: ['en', 'hant', 'hans'],
    readable: ['en'],
    hasOwnNames: true,
    calendar: 'en-GB',
    stripe: 'en',
    gridTexts: null,
    notLoaded: 'Furlong could not be loaded.',
  },
  {
    id: 'zh-Hant',
    name: '繁體中文',
    tags: /^zh\b.*\b(hant|tw|hk|mo)\b/i,
    countries: ['TW', 'HK', 'MO'],
    names: ['hant', 'hans', 'en'],
    readable: ['hant', 'hans', 'en'],
    hasOwnNames: true,
    calendar: 'zh-TW',
    stripe: 'zh-HK',
    gridTexts: 'AG_GRID_LOCALE_HK',
    notLoaded: '未能載入 Furlong。',
  },
  {
    id: 'zh-Hans',
    name: '简体中文',
    tags: /^zh\b/i,
    countries: ['CN'],
    names: ['hans', 'hant', 'en'],
    readable: ['hans', 'hant', 'en'],
    hasOwnNames: true,
    calendar: 'zh-CN',
    stripe: 'zh',
    gridTexts: 'AG_GRID_LOCALE_CN',
    notLoaded: '无法加载 Furlong。',
  },
] as const satisfies readonly LanguageRules[]

export type Language = (typeof LANGUAGE_RULES)[number]['id']

/** The languages' ids, in the order in which they are offered. */
export const LANGUAGES: readonly Language[] = LANGUAGE_RULES.map(({ id }) => id)

const RULES: ReadonlyMap<string, LanguageRules> = new Map(LANGUAGE_RULES.map((rules) => [rules.id, rules]))

export const isLanguage = (id: string | null): id is Language => id !== null && RULES.has(id)

/** The rules of a language; those of English for an unknown id. */
export const languageRules = (id: string): LanguageRules => RULES.get(id) ?? LANGUAGE_RULES[0]

/** The language that the first of some tags means, as of `Accept-Language`; English if none does. */
export function languageOfTags(tags: readonly string[]): Language {
  for (const tag of tags) {
    const found = LANGUAGE_RULES.find((rules) => rules.tags.test(tag))
    if (found) return found.id
  }
  return 'en'
}

/** The field of a record with the name of a column: `nameHant`. */
export const nameField = <Column extends NameColumn>(column: Column) =>
  `name${column.charAt(0).toUpperCase()}${column.slice(1)}` as `name${Capitalize<Column>}`

/** The columns of a table's names for a reader of a language, best first. */
export const columnsOf = (
  { names, readable }: Pick<LanguageRules, 'names' | 'readable'>,
  table: string,
): readonly NameColumn[] => (table === 'horse' ? readable : names)

/** The same for a reader whose own column is this one. */
export const columnsFor = (column: NameColumn, table: string): readonly NameColumn[] =>
  columnsOf(
    LANGUAGE_RULES.find(({ names }) => names[0] === column)!,
    table,
  )

/** The column of names that fits a language best. */
export const nameColumn = (language: Language): NameColumn => languageRules(language).names[0]!

/** The language of the names in a column. */
export const languageOfColumn = (column: NameColumn): Language =>
  LANGUAGE_RULES.find(({ names, hasOwnNames }) => hasOwnNames && names[0] === column)!.id
