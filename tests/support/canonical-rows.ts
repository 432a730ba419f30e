import { createHash } from 'node:crypto'
import type { TestDatabase } from './databases.ts'

/**
 * What an import says of the past, table by table, in columns that follow from its files alone: none that a database numbers
 * itself, and none that follows from the rules of a region, which may change (the season, the places paid).
 */
const FACTS: Readonly<Record<string, string>> = {
  race: `select id, race_date::text, race_no, to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'), name_en, name_hant,
    race_class, track, course, distance_m, going, weather, rating_range, prize_cents, winning_time_ms, declared_starters, status
    from race`,
  runner: `select race_id, brand, horse_no, entry_no, jockey.name_en, jockey.name_hant, trainer.name_en, trainer.name_hant, draw,
    actual_weight_lb, declared_weight_lb, rating, gear, runner.status, place, place_code, dead_heat, margin, running_position,
    finish_time_ms, win_odds from runner join horse on horse.id = horse_id left join jockey on jockey.id = jockey_id
    left join trainer on trainer.id = trainer_id`,
  horse: `select region_id, brand, name_en, name_hant, status, origin, sex, colour, import_type, owner, sire, dam, dam_sire,
    season_prize_cents, total_prize_cents, last_rating, age, age_on::text from horse`,
  jockey: 'select region_id, name_en, name_hant from jockey',
  trainer: 'select region_id, name_en, name_hant from trainer',
  dividend: 'select race_id, pool, gameplay_class, combination, status, dividend_cents from dividend',
  form_line: `select region_id, brand, race_date::text, race_index, stadium_id, place_code, track, course, distance_m, going,
    race_class, draw, rating, trainer, jockey, margin, win_odds, actual_weight_lb, declared_weight_lb, running_position,
    finish_time_ms, gear from form_line`,
  odds_tick: `select race_id, horse_no, to_char(seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), odds from odds_tick`,
}

const SHOWN_DIGITS = 16

/** Of each table that has rows: how many, and the beginning of the SHA-256 of all their facts. */
export async function digestOf({
  database,
}: Pick<TestDatabase, 'database'>): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const [table, facts] of Object.entries(FACTS)) {
    const rows = await database.rows<{ row: string }>(
      `select facts::text as row from (${facts}) facts order by facts::text collate "C"`,
    )
    if (rows.length === 0) continue
    const hash = createHash('sha256')
    for (const { row } of rows) hash.update(`${row}\n`)
    digests[table] = `${rows.length} ${hash.digest('hex').slice(0, SHOWN_DIGITS)}`
  }
  return digests
}
