import type { Language } from '../../domain/languages.ts'

/** Who is told, in which language. */
export interface AlertReader {
  customerId: string
  isVip: boolean
  language: Language
}

export interface AlertText {
  title: string
  body: string
  /** Where it leads: an address of the site, behind the hash. */
  path: string
}
