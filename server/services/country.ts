import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Reader, type Response } from 'mmdb-lib'
import type { Language } from '../messages.ts'

type CountryRecord = Response & { country_code?: string }

/** Two-letter country of an address, or `null` where nobody knows. */
export type Country = (address: string) => string | null

const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/** Countries of addresses from the packaged registry data (CC0); read at the first question, 8 MB. */
export function packagedCountries(): Country {
  let reader: Reader<CountryRecord> | null = null
  return (address) => {
    try {
      reader ??= new Reader(readFileSync(createRequire(import.meta.url).resolve(DATABASE)))
      return reader.get(address.replace(/^::ffff:/, ''))?.country_code ?? null
    } catch {
      // An address that is none: the reader falls back to English.
      return null
    }
  }
}

const TRADITIONAL = new Set(['TW', 'HK', 'MO'])

/** Language that a country suggests (decisions section 8): the later builds' rule. */
export function languageOfCountry(country: string | null): Language {
  if (country === 'CN') return 'zh-Hans'
  return country !== null && TRADITIONAL.has(country) ? 'zh-Hant' : 'en'
}
