import { birthYearOf } from '../../domain/birth-year.ts'
import type { RegionRules } from '../../domain/region.ts'
import type { Names } from './drafts.ts'

const COUNTRY = /\s*\(([A-Z]{2,3})\)$/

/** The letters and digits of a text, without accents, in small letters. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toLowerCase()

/** What is the same in all spellings of a horse's name: `Suzi's Connoisseur (GB)`, `Suzis Connoisseur`. */
export const spelling = (name: string): string => lettersOf(name.replace(COUNTRY, ''))

/** The country that stands after a name; `null` if there is none. */
const countryOf = (name: string): string | null => COUNTRY.exec(name)?.[1] ?? null

/** Whether two names may be those of one horse: they differ in their spelling, or in a country that one of them lacks. */
export const isAlike = (one: string, other: string): boolean => {
  const [first, second] = [countryOf(one), countryOf(other)]
  return spelling(one) === spelling(other) && (first === null || second === null || first === second)
}

/** The only horse that may have a name, by its country first; `null` if there is none, or more than one. */
export function namesake<Horse>(
  name: string,
  horses: readonly Horse[],
  nameOf: (horse: Horse) => string,
): Horse | null {
  const alike = horses.filter((horse) => isAlike(name, nameOf(horse)))
  const exact = alike.filter((horse) => countryOf(nameOf(horse)) === countryOf(name))
  const [only = null, ...more] = exact.length > 0 ? exact : alike
  return more.length === 0 ? only : null
}

/** Whether a brand is the name of the horse, with any country or without one, and no number or code of the source. */
export function isByName(brand: string, { en, hant }: Pick<Names, 'en' | 'hant'>): boolean {
  if (brand === hant) return true
  const letters = lettersOf(brand)
  const name = en === null ? '' : spelling(en)
  return name !== '' && letters.startsWith(name) && /^[a-z]{0,3}$/.test(letters.slice(name.length))
}

/** Whether two names have the same country, or both none. */
export const haveOneCountry = (one: string, other: string): boolean => countryOf(one) === countryOf(other)

/** The year of birth that a horse's age on a day means, as `birthYearOf` has it. */
export const yearOfBirth = (
  region: RegionRules,
  date: string,
  { age, name }: { age: number | null; name: string | null },
): number | null => birthYearOf(region, date, { age, country: name === null ? null : countryOf(name) })

/** Whether two years of birth are known and differ. */
export const areDifferentYears = (one: number | null, other: number | null): boolean =>
  one !== null && other !== null && one !== other
