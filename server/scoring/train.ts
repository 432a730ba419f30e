import type { ModelCardAnswer } from '../../contract/api/model.ts'
import type { Database, Queries } from '../db/database.ts'
import { countUndone } from '../store/operation/import-log.ts'
import { readFormOnly, readResults, yearsOfHistory, type PricedRace } from '../store/racing/history-store.ts'
import type { PastRace } from '../model/features/history.ts'
import { readDividends } from '../store/racing/report-store.ts'
import {
  holdLearning,
  loadCard,
  loadVersions,
  markStale,
  regionsWithResults,
  saveCard,
  saveState,
  saveVersion,
} from '../store/racing/scoring-state-store.ts'
import { makeCard } from './model-card.ts'
import { LEAST_RACES } from './fit-version.ts'
import { walkForward, type Walk, type WalkRequest } from './walk-forward.ts'
import { FORMAT, type ModelVersion } from '../model/models/model-version.ts'

type TrainReport = Awaited<ReturnType<typeof trainRegion>>

interface TrainOptions {
  /** Refits versions that exist already. */
  again?: boolean
  onProgress?: WalkRequest['onProgress']
}

/**
 * A region's whole history as `walkForward` needs it. Read one year at a time, because the embedded database
 * keeps the memory of its results.
 */
export async function readHistory(
  database: Database,
  regionId: string,
): Promise<Pick<WalkRequest, 'results' | 'formOnly'>> {
  const results: PricedRace[] = []
  const formOnly: PastRace[] = []
  const years = await yearsOfHistory(database, regionId)
  for (let year = years.first; year <= years.last; year += 1) {
    const [after, to] = [`${year - 1}-12-31`, `${year}-12-31`]
    results.push(...(await readResults(database, regionId, after, to)))
    formOnly.push(...(await readFormOnly(database, regionId, after, to)))
  }
  return { results, formOnly }
}

/** An import was undone since the history was read. */
class OutdatedHistory extends Error {}

/**
 * Fits the model of every season after the first that has none. Each version is stored as soon as it is
 * fitted, and its season's races are marked for scoring, so that an interruption loses only the current one.
 * Also stores the feature states of season starts and of the last day, and computes the model card. Begins anew if an
 * import is undone meanwhile, of which nothing must remain in what is stored.
 */
export async function trainRegion(database: Database, regionId: string, options: TrainOptions = {}) {
  const started = Date.now()
  for (;;)
    try {
      const fitted = await trainOnce(database, regionId, options)
      return { regionId, fitted, seconds: (Date.now() - started) / 1000 }
    } catch (error) {
      if (!(error instanceof OutdatedHistory)) throw error
    }
}

/** Returns the seasons whose version was fitted; the others existed already. Throws `OutdatedHistory`. */
async function trainOnce(
  database: Database,
  regionId: string,
  { again = false, onProgress }: TrainOptions,
): Promise<number[]> {
  const undone = await countUndone(database)
  const store = (write: (queries: Queries) => Promise<void>): Promise<void> =>
    database.transaction(async (transaction) => {
      // Undoing an import waits for this, or this for its end.
      await holdLearning(transaction, regionId)
      if ((await countUndone(transaction)) !== undone) throw new OutdatedHistory()
      await write(transaction)
    })
  const history = await readHistory(database, regionId)
  const known = again
    ? new Map<number, ModelVersion>()
    : await usableVersions(database, regionId, history.results)
  const { lastSeason } = (await regionsWithResults(database, 0)).find(
    (region) => region.regionId === regionId,
  )!
  const fitted: number[] = []
  const walk = await walkForward({
    regionId,
    ...history,
    known,
    nextSeason: lastSeason,
    onProgress,
    onState: (state, season) => saveState(regionId, state, season, store),
    onVersion: async (version) => {
      fitted.push(version.season)
      // In one transaction: an interruption leaves no version without its races marked for scoring.
      await store(async (queries) => {
        await saveVersion(queries, version)
        await markStale(queries, regionId, [version.season])
      })
    },
  })
  const card = JSON.stringify(await cardOf(database, regionId, walk))
  await store((queries) => saveCard(queries, regionId, card))
  return fitted
}

/** Share of the races before a season that may have changed before its version is refitted. */
const TOLERATED_CHANGE = 0.01

/**
 * Versions of today's format whose training races still roughly match the stored ones; after more history is imported
 * they are refitted. Until then the stored ones go on predicting, also those of an earlier format.
 */
async function usableVersions(
  database: Database,
  regionId: string,
  results: readonly { season: number; starters: readonly unknown[] }[],
): Promise<Map<number, ModelVersion>> {
  const versions = await loadVersions(database, regionId)
  for (const [season, { races, format }] of versions) {
    const now = results.filter((race) => race.season < season && race.starters.length >= 2).length
    if (format !== FORMAT || Math.abs(now - races) > TOLERATED_CHANGE * now) versions.delete(season)
  }
  return versions
}

/**
 * Fits missing versions for all regions with enough results: after a new season, a first import, or history
 * added later.
 */
export async function trainMissing(
  database: Database,
  onProgress?: WalkRequest['onProgress'],
): Promise<TrainReport[]> {
  const reports: TrainReport[] = []
  for (const { regionId, firstSeason, lastSeason } of await regionsWithResults(database, LEAST_RACES)) {
    if (lastSeason === firstSeason) continue
    const counts = await readSeasonCounts(database, regionId)
    const versions = await loadVersions(database, regionId)
    const lacks = counts.some(({ season, before }) => {
      const version = versions.get(season)
      if (before === 0) return false
      if (version?.format !== FORMAT) return true
      return Math.abs(before - version.races) > TOLERATED_CHANGE * before
    })
    // An interruption may have left versions without their model card.
    const unfinished = lacks || (await loadCard(database, regionId)) === null
    if (unfinished) reports.push(await trainRegion(database, regionId, { onProgress }))
  }
  return reports
}

/** Seasons with races, and the number of official results with at least two starters before each. */
async function readSeasonCounts(
  { rows }: Database,
  regionId: string,
): Promise<{ season: number; before: number }[]> {
  return rows(
    `select season, coalesce(sum(count) over (order by season rows between unbounded preceding and 1 preceding), 0)::int as before
     from (
       select season, count(*) filter (where status = 'final' and declared_starters >= 2) as count
       from race where region_id = $1 group by season
     ) as seasons
     where count > 0 or season = (select max(season) from race where region_id = $1) order by season`,
    [regionId],
  )
}

/** Evaluates a region's models by a walk through its whole history; writes nothing. */
export async function backtestRegion(
  database: Database,
  regionId: string,
  onProgress?: WalkRequest['onProgress'],
): Promise<ModelCardAnswer> {
  const walk = await walkForward({ regionId, ...(await readHistory(database, regionId)), onProgress })
  return cardOf(database, regionId, walk)
}

const cardOf = async (database: Database, regionId: string, walk: Walk): Promise<ModelCardAnswer> =>
  makeCard(regionId, walk, await readDividends(database, regionId))
