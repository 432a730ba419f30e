import type { Finisher } from '../../../domain/finish.ts'
import type { DividendLine, Settled } from '../../../domain/settlement.ts'
import type { GameplayClass } from '../../../domain/gameplay.ts'
import { ODDS_FREE_MODELS } from '../../../contract/model-ids.ts'
import type { Forecast, PredictionLine } from '../../model/lines.ts'
import { bulkInsert, type InsertTable } from '../../db/bulk-upsert.ts'
import type { Queries } from '../../db/database.ts'
import { readDividendLines, readFinishers } from './outcome-store.ts'
import { HALF_WRITTEN } from '../operation/pieces-store.ts'
import { replaceLookBacks, type PackedLookBack } from './scoring-state-store.ts'
import { bumpRevisions } from '../../db/revisions.ts'

export interface RaceToScore {
  id: string
  regionId: string
  date: string
  /**
   * Post time, UTC; the start of the race day if no time is known, so that nothing wrongly counts as locked
   * in time.
   */
  off: string
  status: 'scheduled' | 'final' | 'abandoned'
  places: number
  runners: (Required<Finisher> & { winOdds: number | null })[]
  dividends: DividendLine[]
}

/** A prediction with its settlement, `null` before the result. */
type SettledLine = PredictionLine & { settled: Settled | null }

/** A line that was locked before post time. */
export type LockedLine = Pick<PredictionLine, 'gameplayClass' | 'rank' | 'horses'> & { modelId: string }

export interface ModelScores {
  race: RaceToScore
  /** Dividends were paid on a result other than the official one. */
  amended: boolean
  /** Models whose predictions are locked and must stay unchanged. */
  locked: readonly string[]
  /** The locked models' lines, of which only the settlement is written. */
  lockedLines: (LockedLine & { settled: Settled | null })[]
  /** What its forecasts were made from, if it is to be kept for trials. */
  lookBack: PackedLookBack | null
  fresh: (Omit<Forecast, 'lines'> & { lines: SettledLine[] })[]
}

export async function countStale({ rows }: Queries): Promise<number> {
  const [row] = await rows<{ count: number }>(`select count(*) as count from race where scoring = 'stale'`)
  return row?.count ?? 0
}

type StaleRace = Omit<RaceToScore, 'runners' | 'dividends'>

/**
 * Up to `$1` races to score, of those with the ids `$2` if it is not null, in the order in which they are scored; none
 * while an import is half written.
 */
const STALE_RACES = `select race.id, region_id, race_date as date, status, places,
    coalesce(starts_at, race_date::timestamp at time zone region.time_zone) as off
  from race join region on region.id = race.region_id
  where scoring = 'stale' and not ${HALF_WRITTEN} and ($2::text[] is null or race.id = any($2::text[]))
  order by region_id, race_date, race.id limit $1`

/** The races that `staleRaces` would return now, without locking them. */
export const nextStaleRaces = ({ rows }: Queries, limit: number): Promise<StaleRace[]> =>
  rows<StaleRace>(STALE_RACES, [limit, null])

/**
 * Up to `limit` races whose predictions are missing or based on outdated rows, in a fixed order; only of those with
 * `ids`, if given. The rows are locked until the transaction ends: an import that changes them waits, and marks them
 * again. None while an import is half written.
 */
export async function staleRaces(
  { rows }: Queries,
  limit: number,
  ids: readonly string[] | null = null,
): Promise<RaceToScore[]> {
  const races = await rows<StaleRace>(`${STALE_RACES} for update of race skip locked`, [limit, ids])
  const found = races.map(({ id }) => id)
  const runners = await readFinishers({ rows }, found)
  const dividends = await readDividendLines({ rows }, found)
  return races.map((race) => ({
    ...race,
    runners: runners.get(race.id) ?? [],
    dividends: dividends.get(race.id) ?? [],
  }))
}

/** The key of a line, and of its settlement. */
interface LineKey {
  raceId: string
  modelId: string
  gameplayClass: number
  rank: number
}

/** A race's lines locked by these models, with the fields that settlement needs. */
export async function readLockedLines(
  { rows }: Queries,
  raceId: string,
  models: readonly string[],
): Promise<LockedLine[]> {
  const found = await rows<{
    modelId: string
    gameplayClass: GameplayClass
    rank: number
    combination: string
  }>(
    `select model_id, gameplay_class, rank, combination from prediction
     where race_id = $1 and model_id = any($2::text[]) order by model_id, gameplay_class, rank`,
    [raceId, models],
  )
  return found.map(({ combination, ...line }) => ({ ...line, horses: combination.split('-').map(Number) }))
}

/** `jockey 0.312 draw -0.100`: precise enough for a chart, small enough to store for every starter. */
const reasonsText = (reasons: Forecast['chances'][number]['reasons']): string =>
  reasons.map(({ feature, value }) => `${feature} ${value.toFixed(3)}`).join(' ')

/**
 * Replaces the predictions of these races, except locked ones, and all their settlements, and marks the races
 * as scored. `headlines`: the model that each race shows first, by its id. `exclusive`: no other transaction can run
 * meanwhile, as on the embedded database.
 */
export async function replaceScores(
  database: Queries,
  scores: readonly ModelScores[],
  headlines: ReadonlyMap<string, string>,
  exclusive = false,
): Promise<void> {
  const raceIds = scores.map(({ race }) => race.id)
  await database.rows('delete from settlement where race_id = any($1::text[])', [raceIds])
  const keeps = scores.flatMap(({ race, locked }) => locked.map((modelId) => `${race.id} ${modelId}`))
  for (const table of ['prediction', 'win_chance']) {
    await database.rows(
      `delete from ${table} where race_id = any($1::text[]) and race_id || ' ' || model_id <> all($2::text[])`,
      [raceIds, keeps],
    )
  }
  // Looking up the keys of each row takes longer than writing it, and these keys are known to exist: the races
  // and kept predictions were read in this transaction, the models are fixed.
  if (exclusive) await database.rows('set local session_replication_role = replica')
  await insertScores(database, scores)
  if (exclusive) await database.rows('set local session_replication_role = origin')
  const remade = scores.filter(({ locked }) => !ODDS_FREE_MODELS.some((model) => locked.includes(model)))
  await replaceLookBacks(
    database,
    remade.map(({ race, lookBack }) => ({ raceId: race.id, lookBack })),
  )
  await database.rows(
    `update race set scoring = 'done', headline_model = scored.model, amended = scored.amended
     from unnest($1::text[], $2::text[], $3::boolean[]) as scored (id, model, amended) where race.id = scored.id`,
    [raceIds, raceIds.map((id) => headlines.get(id)!), scores.map(({ amended }) => amended)],
  )
  await bumpRevisions(database, raceIds)
}

const LINE_KEY = { text: ['raceId', 'modelId'], smallint: ['gameplayClass', 'rank'] } as const

const PREDICTION = {
  name: 'prediction',
  columns: {
    ...LINE_KEY,
    text: [...LINE_KEY.text, 'combination'],
    'double precision': ['probability', 'oddsSeen'],
    boolean: ['selected', 'cautious', 'upsetGuard'],
  },
} as const

const WIN_CHANCE = {
  name: 'win_chance',
  columns: {
    text: ['raceId', 'modelId', 'reasons'],
    smallint: ['horseNo'],
    'double precision': ['probability'],
  },
} as const

const SETTLEMENT: InsertTable<LineKey & Settled> = {
  name: 'settlement',
  columns: {
    ...LINE_KEY,
    text: [...LINE_KEY.text, 'outcome'],
    bigint: ['profitCents'],
    'double precision': ['paidOdds'],
  },
}

async function insertScores(database: Queries, scores: readonly ModelScores[]): Promise<void> {
  const fresh = scores.flatMap(({ race, fresh: own }) => own.map((model) => ({ ...model, raceId: race.id })))
  const lines = fresh.flatMap(({ raceId, modelId, lines: own }) =>
    own.map(({ gameplayClass, rank, combination, probability, oddsSeen, types, settled }) => ({
      // Named one by one: copying the rest of a line took as long as all else that is done here for a season.
      raceId,
      modelId,
      gameplayClass,
      rank,
      combination,
      probability,
      oddsSeen,
      selected: types.includes(1),
      cautious: types.includes(2),
      upsetGuard: types.includes(3),
      settled,
    })),
  )
  const chances = fresh.flatMap(({ raceId, modelId, chances: own }) =>
    own.map(({ horseNo, win, reasons }) => ({
      raceId,
      modelId,
      horseNo,
      probability: win,
      reasons: reasonsText(reasons),
    })),
  )
  const lockedLines = scores.flatMap(({ race, lockedLines: own }) =>
    own.map((line) => ({ ...line, raceId: race.id })),
  )
  const settlements = [...lockedLines, ...lines].flatMap(
    ({ raceId, modelId, gameplayClass, rank, settled }) =>
      settled === null ? [] : [{ raceId, modelId, gameplayClass, rank, ...settled }],
  )
  await bulkInsert(database, PREDICTION, lines)
  await bulkInsert(database, WIN_CHANCE, chances)
  await bulkInsert(database, SETTLEMENT, settlements)
}
