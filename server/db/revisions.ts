import type { Queries } from './database.ts'

/**
 * Updates planner statistics after bulk writes: otherwise the planner takes full tables for empty ones and
 * joins them row by row, which takes minutes. PGlite never does this by itself.
 */
export async function analyze(database: Queries, tables: readonly string[]): Promise<void> {
  for (const table of tables) await database.rows(`analyze ${table}`)
}

/** Increments the revision of the season partitions that these races belong to. */
export async function bumpRevisions(database: Queries, raceIds: readonly string[]): Promise<void> {
  await database.rows(
    `insert into partition_revision as p (region_id, season, revision)
     select distinct region_id, season, 1 from race where id = any($1::text[])
     on conflict (region_id, season) do update set revision = p.revision + 1`,
    [raceIds],
  )
}

/** Increments the revision of the season partitions of these races and of all later ones of their regions. */
export async function bumpRevisionsFrom(database: Queries, raceIds: readonly string[]): Promise<void> {
  await database.rows(
    `update partition_revision as p set revision = p.revision + 1
     from (select region_id, min(season) as first from race where id = any($1::text[]) group by region_id) as changed
     where p.region_id = changed.region_id and p.season >= changed.first`,
    [raceIds],
  )
}

/** Increments the revision of a region's reference partition. */
export async function bumpReference(database: Queries, regionId: string): Promise<void> {
  await database.rows(
    `insert into partition_revision as p (region_id, season, revision) values ($1, 0, 1)
     on conflict (region_id, season) do update set revision = p.revision + 1`,
    [regionId],
  )
}
