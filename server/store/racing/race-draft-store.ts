import type {
  DividendDraft,
  OddsTickDraft,
  PersonDraft,
  RaceDraft,
  RunnerDraft,
} from '../../drafts/drafts.ts'
import type { FieldRunner, RaceField } from '../../drafts/race-field.ts'
import type { Queries } from '../../db/database.ts'
import { slicesOf } from '../../db/slices.ts'

type RaceRow = Omit<RaceDraft, 'name' | 'runners'> & {
  nameEn: string | null
  nameHant: string | null
  nameHans: string | null
}

type RunnerRow = Omit<RunnerDraft, 'horse' | 'jockey' | 'trainer' | 'sections'> & {
  raceId: string
  horseEn: string | null
  horseHant: string | null
  horseHans: string | null
  sire: string | null
  dam: string | null
  damSire: string | null
  birthYear: number | null
  jockeyId: string | null
  jockeyEn: string | null
  trainerId: string | null
  trainerEn: string | null
}

/** A person's id is the region's code (two letters), a hyphen, and the name printed in the results. */
const CODE_LENGTH = 3

const personOf = (id: string | null, en: string | null): PersonDraft | null =>
  id === null ? null : { name: id.slice(CODE_LENGTH), en, hant: null, hans: null }

type StoredPerson = Pick<PersonDraft, 'name' | 'en' | 'hant'>

/** Names of a region's people, and English names of its horses by brand. */
export async function readNames(
  { rows }: Queries,
  regionId: string,
): Promise<Record<'jockey' | 'trainer', StoredPerson[]> & { horses: Map<string, string> }> {
  const people = async (kind: 'jockey' | 'trainer'): Promise<StoredPerson[]> => {
    const list = await rows<Pick<StoredPerson, 'en' | 'hant'> & { id: string }>(
      `select id, name_en as en, name_hant as hant from ${kind} where region_id = $1 order by id`,
      [regionId],
    )
    return list.map(({ id, ...names }) => ({ ...names, name: id.slice(CODE_LENGTH) }))
  }
  const horses = await rows<{ brand: string; en: string }>(
    'select brand, name_en as en from horse where region_id = $1 and name_en is not null order by id',
    [regionId],
  )
  return {
    jockey: await people('jockey'),
    trainer: await people('trainer'),
    horses: new Map(horses.map(({ brand, en }) => [brand, en])),
  }
}

/**
 * Stored races with their runners in the form that an import reads, so that part of a race can be changed and
 * written back.
 */
export async function readDrafts(
  { rows }: Queries,
  raceIds: readonly string[],
): Promise<Map<string, RaceDraft>> {
  const races = await rows<RaceRow>(
    `select id, stadium_id, race_date as date, race_no, starts_at,
       name_en, name_hant, name_hans, race_class, track, course,
       distance_m, going, weather, rating_range, prize_cents,
       winning_time_ms, status, numbers_by_name
     from race where id = any($1::text[])`,
    [raceIds],
  )
  const runners = await rows<RunnerRow>(
    `select race_id, coalesce(source_brand, horse.brand) as brand, horse.name_en as horse_en, horse.name_hant as horse_hant,
       horse.name_hans as horse_hans, sire, dam, dam_sire, birth_year, horse_no, entry_no, jockey_id, jockey.name_en as jockey_en,
       trainer_id, trainer.name_en as trainer_en, draw, actual_weight_lb, declared_weight_lb,
       rating, gear, runner.age, runner.sex, runner.owner, silks, runner.status, place, place_code, dead_heat, margin,
       running_position, finish_time_ms, win_odds
     from runner join horse on horse.id = runner.horse_id
       left join jockey on jockey.id = jockey_id left join trainer on trainer.id = trainer_id
     where race_id = any($1::text[]) order by horse_no, horse.id`,
    [raceIds],
  )
  const drafts = new Map<string, RaceDraft>()
  for (const { nameEn, nameHant, nameHans, ...race } of races)
    drafts.set(race.id, { ...race, name: { en: nameEn, hant: nameHant, hans: nameHans }, runners: [] })
  for (const {
    raceId,
    horseEn,
    horseHant,
    horseHans,
    sire,
    dam,
    damSire,
    birthYear,
    jockeyId,
    jockeyEn,
    trainerId,
    trainerEn,
    ...runner
  } of runners)
    drafts.get(raceId)!.runners.push({
      ...runner,
      horse: { en: horseEn, hant: horseHant, hans: horseHans, sire, dam, damSire, born: birthYear },
      jockey: personOf(jockeyId, jockeyEn),
      trainer: personOf(trainerId, trainerEn),
      sections: null,
    })
  return drafts
}

/** Races in one statement: their runners arrive as one answer. */
const SLICE = 500

/** The stored races with what the rows about them are compared with, by id. */
export async function readFields(
  { rows }: Queries,
  raceIds: readonly string[],
): Promise<Map<string, RaceField>> {
  const fields = new Map<string, RaceField>()
  for (const ids of slicesOf(raceIds, { size: SLICE })) {
    const races = await rows<Omit<RaceField, 'runners'>>(
      `select id, stadium_id, race_date as date, starts_at, status, numbers_by_name, places
       from race where id = any($1::text[])`,
      [ids],
    )
    for (const race of races) fields.set(race.id, { ...race, runners: [] })
    const runners = await rows<FieldRunner & { raceId: string }>(
      `select race_id, coalesce(source_brand, brand) as brand, horse_no, entry_no, runner.status, place, finish_time_ms
       from runner join horse on horse.id = horse_id
       where race_id = any($1::text[]) order by race_id, horse_no, horse.id`,
      [ids],
    )
    for (const { raceId, ...runner } of runners) fields.get(raceId)!.runners.push(runner)
  }
  return fields
}

/** The stored dividend lines of these races. */
export async function readPoolLines({ rows }: Queries, raceIds: readonly string[]): Promise<DividendDraft[]> {
  const lines: DividendDraft[] = []
  for (const ids of slicesOf(raceIds, { size: SLICE }))
    lines.push(
      ...(await rows<DividendDraft>(
        `select race_id, pool, gameplay_class, combination, status, dividend_cents from dividend
         where race_id = any($1::text[]) order by race_id, pool, combination`,
        [ids],
      )),
    )
  return lines
}

/** Of which runners of these races odds over time are stored, and when they were seen. */
export async function readOddsTimes(
  { rows }: Queries,
  raceIds: readonly string[],
): Promise<Pick<OddsTickDraft, 'raceId' | 'horseNo' | 'seenAt'>[]> {
  return raceIds.length === 0
    ? []
    : rows('select race_id, horse_no, seen_at from odds_tick where race_id = any($1::text[])', [raceIds])
}
