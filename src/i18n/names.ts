import { languageOfColumn, languageRules, NAME_COLUMNS, type Language } from '../../domain/languages.ts'
import { programNumber, type Numbered } from '../../domain/program-number.ts'

export interface LocalName {
  text: string
  /** Whether another language's name is shown because the user's language has none. */
  fallback: boolean
  /** Language of the name. */
  language: Language
}

/** The name to show, from columns such as `name_en`; `null` if no language has one. */
export function localName(language: Language, row: object, prefix = 'name'): LocalName | null {
  const columns = row as Readonly<Record<string, unknown>>
  for (const column of languageRules(language).names) {
    const text = columns[`${prefix}_${column}`]
    if (typeof text !== 'string' || text === '') continue
    const found = languageOfColumn(column)
    return { text, fallback: found !== language, language: found }
  }
  return null
}

/** Every name that a row has, in any language, as one text to search in. */
export function knownNames(row: object, prefix: string): string {
  const columns = row as Readonly<Record<string, unknown>>
  return NAME_COLUMNS.map((column) => columns[`${prefix}_${column}`])
    .filter((text) => typeof text === 'string')
    .join(' ')
}

/** A runner by the number that the program prints, if it has one yet, and its name: `4 Iron Arrow`, `1A Tin Kettle`. */
export function numberedName(runner: Numbered & { name: string }): string {
  const number = programNumber(runner)
  return number === null ? runner.name : `${number} ${runner.name}`
}
