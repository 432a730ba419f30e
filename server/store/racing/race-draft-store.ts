import type { PersonDraft, RaceDraft, RunnerDraft } from '../../drafts/drafts.ts'
import type { Queries } from '../../db/database.ts'

type RaceRow = Omit<RaceDraft, 'name' | 'runners'> & {
  nameEn: string | null
  nameHant: string | null
  nameHans: string | null
}

type RunnerRow = Omit<RunnerDraft, 'horse' | 'jockey' | 'trainer'> & {
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
    `select id, stadium_id as "stadiumId", race_date as date, race_no as "raceNo", starts_at as "startsAt",
       name_en as "nameEn", name_hant as "nameHant", name_hans as "nameHans", race_class as "raceClass", track, course,
       distance_m as "distanceM", going, weather, rating_range as "ratingRange", prize_cents as "prizeCents",
       winning_time_ms as "winningTimeMs", status
     from race where id = any($1::text[])`,
    [raceIds],
  )
  const runners = await rows<RunnerRow>(
    `select race_id as "raceId", horse.brand, horse.name_en as "horseEn", horse.name_hant as "horseHant",
       horse.name_hans as "horseHans", horse_no as "horseNo", entry_no as "entryNo", jockey_id as "jockeyId",
       trainer_id as "trainerId", draw, actual_weight_lb as "actualWeightLb", declared_weight_lb as "declaredWeightLb",
       rating, gear, runner.status, place, place_code as "placeCode", dead_heat as "deadHeat", margin,
       running_position as "runningPosition", finish_time_ms as "finishTimeMs", win_odds as "winOdds"
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
    })
  return drafts
}
