import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Reader, type Response } from 'mmdb-lib'
import { LANGUAGE_RULES, type Language, type LanguageRules } from '../../domain/languages.ts'

type CountryRecord = Response & { country_code?: string }

/** Two-letter country of an IP address; `null` if unknown. */
export type Country = (address: string) => string | null

const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/** Countries of IP addresses from the packaged registry data (CC0, 8 MB), loaded on first use. */
export function packagedCountries(): Country {
  let reader: Reader<CountryRecord> | null = null
  return (address) => {
    try {
      reader ??= new Reader(readFileSync(createRequire(import.meta.url).resolve(DATABASE)))
      return reader.get(address.replace(/^::ffff:/, ''))?.country_code ?? null
    } catch {
      // The address is invalid or the data unreadable: the language falls back to English.
      return null
    }
  }
}

/** The language that a country suggests, by the rule of the later builds (decisions section 8). */
export function languageOfCountry(country: string | null): Language {
  const speaks = ({ countries }: LanguageRules): boolean => country !== null && countries.includes(country)
  return LANGUAGE_RULES.find(speaks)?.id ?? 'en'
}
