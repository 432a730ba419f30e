import type { Queries } from './database.ts'

/**
 * Lets the planner see rows that were just written: it would otherwise take full tables for empty ones and join them
 * row by row, for minutes. PGlite never does it by itself.
 */
export async function analyze(database: Queries, tables: readonly string[]): Promise<void> {
  for (const table of tables) await database.rows(`analyze ${table}`)
}

/** Counts one more revision of the season partitions that these races belong to. */
export async function bumpRevisions(database: Queries, raceIds: readonly string[]): Promise<void> {
  await database.rows(
    `insert into partition_revision as p (region_id, season, revision)
     select distinct region_id, season, 1 from race where id = any($1::text[])
     on conflict (region_id, season) do update set revision = p.revision + 1`,
    [raceIds],
  )
}

/** The same of a region's reference partition. */
export async function bumpReference(database: Queries, regionId: string): Promise<void> {
  await database.rows(
    `insert into partition_revision as p (region_id, season, revision) values ($1, 0, 1)
     on conflict (region_id, season) do update set revision = p.revision + 1`,
    [regionId],
  )
}
