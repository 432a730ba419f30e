import {
  AUSTRALIA,
  FRANCE,
  GREAT_BRITAIN,
  IRELAND,
  JAPAN,
  UNITED_STATES,
  type RegionRules,
} from './region.ts'

/**
 * The month in which all horses of a region have their birthday, on its first day: January in the north, August in Australia.
 * Hong Kong has none of its own: each of its horses keeps that of the country that it comes from.
 */
const BIRTHDAY_MONTHS: Readonly<Record<string, number>> = {
  [UNITED_STATES.id]: 1,
  [GREAT_BRITAIN.id]: 1,
  [IRELAND.id]: 1,
  [FRANCE.id]: 1,
  [JAPAN.id]: 1,
  [AUSTRALIA.id]: 8,
}

/** Countries of the southern hemisphere, as they stand after a horse's name. */
const SOUTHERN = new Set(['ARG', 'AUS', 'BRZ', 'CHI', 'NZ', 'PER', 'SAF', 'URU', 'ZIM'])

/**
 * The year of birth that the age of a horse on a day means: one number for all days on which the horse tells its age by the
 * region's birthday. `country` stands after its name. Nothing is told of a horse from the other hemisphere, because sources differ
 * in which of the two birthdays they reckon by: between January and August that would be another year.
 *
 * ```ts
 * birthYearOf(GREAT_BRITAIN, '2025-05-23', { age: 2, country: 'IRE' }) // => 2023
 * birthYearOf(AUSTRALIA, '2025-09-01', { age: 3, country: null }) // => 2022: it was 3 on 1 August
 * ```
 */
export function birthYearOf(
  { id }: Pick<RegionRules, 'id'>,
  date: string,
  { age, country }: { age: number | null; country: string | null },
): number | null {
  const birthday = BIRTHDAY_MONTHS[id]
  if (age === null || birthday === undefined) return null
  if (country !== null && SOUTHERN.has(country) !== (id === AUSTRALIA.id)) return null
  const [year, month] = date.split('-').map(Number) as [number, number]
  return (month >= birthday ? year : year - 1) - age
}
