import type { Sex } from '../../../domain/reading/read-sex.ts'
import type { Queries } from '../../db/database.ts'
import type { RaceDraft } from '../../drafts/drafts.ts'

/** A stored horse, by what files may call it. */
export interface NamedHorse {
  brand: string
  en: string | null
  hant: string | null
  /** Its year of birth. */
  born: number | null
  sire: string | null
  dam: string | null
}

/** What a source calls a horse that is stored under a brand of another one. */
export interface HorseAlias {
  regionId: string
  alias: string
  /** That of the stored horse. */
  brand: string
}

export interface NewAlias extends HorseAlias {
  /** The year of birth of the horse, where several have its brand. */
  born: number | null
}

export interface StoredAlias extends HorseAlias {
  horseId: string
}

/** A race that a horse has run in, or is declared for. */
export interface HorseRun {
  brand: string
  raceId: string
  /** `2021-04-01` */
  date: string
  /** The year of birth of the horse. */
  born: number | null
  /** On that day, as the source of the race tells it. */
  sex: Sex | null
}

/** The horses of a region. A brand that was given to two horses has two. */
export const readNamedHorses = ({ rows }: Queries, regionId: string): Promise<NamedHorse[]> =>
  rows(
    `select brand, name_en as en, name_hant as hant, birth_year as born, sire, dam
     from horse where region_id = $1 order by id`,
    [regionId],
  )

/** What other sources call horses, in all regions. */
export const readAliases = ({ rows }: Queries): Promise<StoredAlias[]> =>
  rows(
    `select horse_alias.region_id, horse_alias.brand as alias, horse.brand, horse_id
     from horse_alias join horse on horse.id = horse_alias.horse_id order by 1, 2`,
  )

/** The races of horses, by their brands, that they were not withdrawn from; `days`: only those of these days, unless `null`. */
export const readRuns = (
  { rows }: Queries,
  regionId: string,
  brands: readonly string[],
  days: readonly string[] | null,
): Promise<HorseRun[]> =>
  rows(
    `select horse.brand, race.id as race_id, race_date as date, birth_year as born, runner.sex
     from horse join runner on runner.horse_id = horse.id join race on race.id = runner.race_id
     where horse.region_id = $1 and horse.brand = any($2::text[]) and runner.status <> 'withdrawn'
       and ($3::date[] is null or race_date = any($3::date[])) order by race_date, race.id`,
    [regionId, brands, days],
  )

/**
 * The years of birth of the stored horses of races, by the race and what its source calls the horse: for runners without an age
 * whose name is that of several horses.
 */
export async function readBirths(
  { rows }: Queries,
  races: readonly RaceDraft[],
  isOfSeveral: (stadiumId: string, brand: string) => boolean,
): Promise<ReadonlyMap<string, number>> {
  const unsure = races.flatMap(({ id, stadiumId, runners }) =>
    runners
      .filter(({ age, brand }) => age === null && isOfSeveral(stadiumId, brand))
      .map(({ brand }) => ({ id, brand })),
  )
  if (unsure.length === 0) return new Map()
  const stored = await rows<{ raceId: string; brand: string; born: number }>(
    `select race_id, coalesce(source_brand, brand) as brand, birth_year as born
     from runner join horse on horse.id = horse_id
     where race_id = any($1::text[]) and coalesce(source_brand, brand) = any($2::text[]) and birth_year is not null`,
    [unsure.map(({ id }) => id), unsure.map(({ brand }) => brand)],
  )
  return new Map(stored.map(({ raceId, brand, born }) => [`${raceId} ${brand}`, born]))
}

/**
 * Stores what other sources call stored horses, and returns what was not stored. What is the brand of a horse, which another
 * writer has stored since, calls no other one.
 */
export const writeAliases = (
  { rows }: Queries,
  aliases: readonly NewAlias[],
): Promise<Pick<StoredAlias, 'regionId' | 'alias' | 'horseId'>[]> =>
  rows(
    `insert into horse_alias (region_id, brand, horse_id)
     select called.region_id, called.alias, horse.id
     from unnest($1::text[], $2::text[], $3::text[], $4::smallint[]) as called (region_id, alias, brand, born)
     join horse on horse.region_id = called.region_id and horse.brand = called.brand
       and (called.born is null or horse.birth_year = called.born)
     where not exists (select from horse own where own.region_id = called.region_id and own.brand = called.alias)
     on conflict (region_id, brand) do nothing returning region_id, brand as alias, horse_id`,
    [
      aliases.map(({ regionId }) => regionId),
      aliases.map(({ alias }) => alias),
      aliases.map(({ brand }) => brand),
      aliases.map(({ born }) => born),
    ],
  )
