import type { Queries } from '../../db/database.ts'
import type { WriteCount } from '../../db/bulk-upsert.ts'

/** A stored horse, by what files may call it. */
export interface NamedHorse {
  brand: string
  en: string | null
  hant: string | null
}

/** What a source calls a horse that is stored under a brand of another one. */
export interface HorseAlias {
  regionId: string
  alias: string
  /** That of the stored horse. */
  brand: string
}

export interface StoredAlias extends HorseAlias {
  horseId: string
}

/** A race that a horse has started in. */
export interface HorseRun {
  brand: string
  raceId: string
  /** `2021-04-01` */
  date: string
}

/** The horses of a region. A brand that was given to two horses has two. */
export const readNamedHorses = ({ rows }: Queries, regionId: string): Promise<NamedHorse[]> =>
  rows('select brand, name_en as en, name_hant as hant from horse where region_id = $1 order by id', [
    regionId,
  ])

/** What other sources call horses, in all regions. */
export const readAliases = ({ rows }: Queries): Promise<StoredAlias[]> =>
  rows(
    `select horse_alias.region_id, horse_alias.brand as alias, horse.brand, horse_id
     from horse_alias join horse on horse.id = horse_alias.horse_id order by 1, 2`,
  )

/** The races of horses, by their brands, that they were not withdrawn from. */
export const readRuns = (
  { rows }: Queries,
  regionId: string,
  brands: readonly string[],
): Promise<HorseRun[]> =>
  rows(
    `select horse.brand, race.id as race_id, race_date as date
     from horse join runner on runner.horse_id = horse.id join race on race.id = runner.race_id
     where horse.region_id = $1 and horse.brand = any($2::text[]) and runner.status <> 'withdrawn' order by race_date, race.id`,
    [regionId, brands],
  )

/** Stores what other sources call stored horses. */
export async function writeAliases({ rows }: Queries, aliases: readonly HorseAlias[]): Promise<WriteCount> {
  const inserted = await rows(
    `insert into horse_alias (region_id, brand, horse_id)
     select called.region_id, called.alias, horse.id
     from unnest($1::text[], $2::text[], $3::text[]) as called (region_id, alias, brand)
     join horse on horse.region_id = called.region_id and horse.brand = called.brand
     on conflict (region_id, brand) do nothing returning brand`,
    [
      aliases.map(({ regionId }) => regionId),
      aliases.map(({ alias }) => alias),
      aliases.map(({ brand }) => brand),
    ],
  )
  return { inserted: inserted.length, updated: 0, unchanged: aliases.length - inserted.length }
}
