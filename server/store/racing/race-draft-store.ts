import type { PersonDraft, RaceDraft, RunnerDraft } from '../../drafts/drafts.ts'
import type { FieldRunner, PoolLine, RaceField } from '../../drafts/race-field.ts'
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
  jockeyId: string | null
  trainerId: string | null
}

/** A person's id is the region's code (two letters), a hyphen, and the name printed in the results. */
const CODE_LENGTH = 3

const personOf = (id: string | null): PersonDraft | null =>
  id === null ? null : { name: id.slice(CODE_LENGTH), en: null, hant: null, hans: null }

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
       winning_time_ms, status
     from race where id = any($1::text[])`,
    [raceIds],
  )
  const runners = await rows<RunnerRow>(
    `select race_id, horse.brand, horse.name_en as horse_en, horse.name_hant as horse_hant,
       horse.name_hans as horse_hans, horse_no, entry_no, jockey_id,
       trainer_id, draw, actual_weight_lb, declared_weight_lb,
       rating, gear, silks, runner.status, place, place_code, dead_heat, margin,
       running_position, finish_time_ms, win_odds
     from runner join horse on horse.id = runner.horse_id
     where race_id = any($1::text[]) order by horse_no, horse.id`,
    [raceIds],
  )
  const drafts = new Map<string, RaceDraft>()
  for (const { nameEn, nameHant, nameHans, ...race } of races)
    drafts.set(race.id, { ...race, name: { en: nameEn, hant: nameHant, hans: nameHans }, runners: [] })
  for (const { raceId, horseEn, horseHant, horseHans, jockeyId, trainerId, ...runner } of runners)
    drafts.get(raceId)!.runners.push({
      ...runner,
      horse: { en: horseEn, hant: horseHant, hans: horseHans },
      jockey: personOf(jockeyId),
      trainer: personOf(trainerId),
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
      `select id, stadium_id, race_date as date, starts_at, status, places from race where id = any($1::text[])`,
      [ids],
    )
    for (const race of races) fields.set(race.id, { ...race, runners: [] })
    const runners = await rows<FieldRunner & { raceId: string }>(
      `select race_id, brand, horse_no, entry_no, runner.status, place, finish_time_ms
       from runner join horse on horse.id = horse_id
       where race_id = any($1::text[]) order by race_id, horse_no, horse.id`,
      [ids],
    )
    for (const { raceId, ...runner } of runners) fields.get(raceId)!.runners.push(runner)
  }
  return fields
}

/** The stored dividend lines of these races. */
export async function readPoolLines({ rows }: Queries, raceIds: readonly string[]): Promise<PoolLine[]> {
  const lines: PoolLine[] = []
  for (const ids of slicesOf(raceIds, { size: SLICE }))
    lines.push(
      ...(await rows<PoolLine>(
        `select race_id, pool, combination, status from dividend
         where race_id = any($1::text[]) order by race_id, pool, combination`,
        [ids],
      )),
    )
  return lines
}
