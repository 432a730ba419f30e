import type { RegionRules } from '../../../domain/region.ts'
import type { DividendDraft, Names, RunnerSections } from '../../drafts/drafts.ts'
import { bulkUpsert, type WriteCount } from '../../db/bulk-upsert.ts'
import { allValues, type Queries } from '../../db/database.ts'
import { SECTION, type RunnerRow, type SectionRow } from './racing-tables.ts'
import { REGION_NAMES } from '../../db/region-names.ts'

/** Inserts the region unless it exists. */
export async function ensureRegion({ rows }: Queries, region: RegionRules): Promise<void> {
  const names = REGION_NAMES[region.id]
  await rows(
    `insert into region (id, code, name_en, name_hant, name_hans, time_zone, currency, season_start_month)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do nothing`,
    [
      region.id,
      region.code,
      names?.en ?? region.code,
      names?.hant ?? region.code,
      names?.hans ?? region.code,
      region.timeZone,
      region.currency,
      region.seasonStartMonth,
    ],
  )
}

/** Deletes the races' stored runners that are not among these. Returns the races that had one. */
export async function dropRunnersNotIn(
  { rows }: Queries,
  raceIds: readonly string[],
  runners: readonly RunnerRow[],
): Promise<string[]> {
  if (raceIds.length === 0) return []
  const ids = new Set(raceIds)
  const remaining = runners.filter(({ raceId }) => ids.has(raceId))
  const gone = await rows<{ raceId: string }>(
    `delete from runner r where r.race_id = any($1::text[]) and not exists (
       select from unnest($2::text[], $3::text[]) as kept (race_id, horse_id)
       where kept.race_id = r.race_id and kept.horse_id = r.horse_id)
     returning race_id`,
    [[...ids], remaining.map(({ raceId }) => raceId), remaining.map(({ horseId }) => horseId)],
  )
  return gone.map(({ raceId }) => raceId)
}

/**
 * Deletes stored dividend lines, of the given races and pools, that are not in the newest file. Returns the
 * races that had one. Settlement depends on these lines: a corrected line replaces the wrong one, and a pool
 * that pays is no longer refunded.
 */
export const dropLinesNotIn = (queries: Queries, dividends: readonly DividendDraft[]): Promise<string[]> =>
  allValues(
    queries,
    `with line as (
       select * from unnest($1::text[], $2::text[], $3::text[]) as line (race_id, pool, combination))
     delete from dividend d using (select distinct race_id, pool from line) as read
     where d.race_id = read.race_id and d.pool = read.pool and not exists (
       select from line
       where line.race_id = d.race_id and line.pool = d.pool and line.combination = d.combination)
     returning d.race_id`,
    [
      dividends.map(({ raceId }) => raceId),
      dividends.map(({ pool }) => pool),
      dividends.map(({ combination }) => combination),
    ],
  )

/**
 * Stores the silks of runners of which they are known. No forecast depends on them, so that the races need not be scored
 * again.
 */
export async function writeSilks({ rows }: Queries, runners: readonly RunnerRow[]): Promise<void> {
  const known = runners.filter(({ silks }) => silks !== null)
  if (known.length === 0) return
  await rows(
    `update runner r set silks = n.silks
     from unnest($1::text[], $2::text[], $3::text[]) as n (race_id, horse_id, silks)
     where r.race_id = n.race_id and r.horse_id = n.horse_id and r.silks is distinct from n.silks`,
    [known.map(({ raceId }) => raceId), known.map(({ horseId }) => horseId), known.map(({ silks }) => silks)],
  )
}

/** An English name of a race. */
export interface RaceName {
  raceId: string
  names: Names
}

/** Stores the names of races. Returns the ids of those whose name changed. */
export const renameRaces = (queries: Queries, names: readonly RaceName[]): Promise<string[]> =>
  allValues(
    queries,
    `update race r set name_en = coalesce(n.en, r.name_en)
     from unnest($1::text[], $2::text[]) as n (id, en)
     where n.id = r.id and r.name_en is distinct from coalesce(n.en, r.name_en) returning r.id`,
    [names.map(({ raceId }) => raceId), names.map((name) => name.names.en)],
  )

/**
 * Replaces the sections of runners, and the medians of their races. No forecast depends on them, so that the races need
 * not be scored again. The races of which a section changed are added to `changed`.
 */
export async function writeSections(
  queries: Queries,
  runners: readonly Pick<RunnerSections, 'raceId' | 'horseNo' | 'sections'>[],
  changed: Set<string>,
): Promise<WriteCount> {
  const rows = runners.flatMap(({ raceId, horseNo, sections }) =>
    sections.map((section): SectionRow => ({ ...section, raceId, horseNo })),
  )
  const deleted = await queries.rows<{ raceId: string }>(
    `delete from section s using unnest($1::text[], $2::smallint[], $3::smallint[]) as read (race_id, horse_no, sections)
     where s.race_id = read.race_id and s.horse_no = read.horse_no and s.section_no > read.sections
     returning s.race_id`,
    [
      runners.map(({ raceId }) => raceId),
      runners.map(({ horseNo }) => horseNo),
      runners.map(({ sections }) => Math.max(0, ...sections.map(({ sectionNo }) => sectionNo))),
    ],
  )
  for (const { raceId } of deleted) changed.add(raceId)
  const count = await bulkUpsert(queries, SECTION, rows, changed)
  await writeMedians(queries, [...new Set(runners.map(({ raceId }) => raceId))])
  return count
}

/** Computes the median time of each section of these races anew. */
async function writeMedians({ rows }: Queries, raceIds: readonly string[]): Promise<void> {
  await rows(`delete from race_section where race_id = any($1::text[])`, [raceIds])
  await rows(
    `insert into race_section (race_id, section_no, runners, median_ms)
     select race_id, section_no, count(*), percentile_cont(0.5) within group (order by time_ms)
     from section where race_id = any($1::text[]) and time_ms is not null group by race_id, section_no`,
    [raceIds],
  )
}

/** Those of these races of which anything is stored under the numbers of horses. */
export const numberedAmong = (queries: Queries, raceIds: readonly string[]): Promise<string[]> =>
  allValues(
    queries,
    `select race_id from unnest($1::text[]) as race (race_id)
     where exists (select from dividend where race_id = race.race_id)
       or exists (select from odds_tick where race_id = race.race_id)
       or exists (select from section where race_id = race.race_id)`,
    [raceIds],
  )

/** Deletes what is stored of these races under the numbers of horses. */
export async function dropNumbered({ rows }: Queries, raceIds: readonly string[]): Promise<void> {
  for (const table of ['dividend', 'odds_tick', 'section', 'race_section'])
    await rows(`delete from ${table} where race_id = any($1::text[])`, [raceIds])
}
