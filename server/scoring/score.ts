import { lockHash, type LockedRace } from '../../domain/prediction-lock.ts'
import { settle, type RaceOutcome, type Settled } from '../../domain/settlement.ts'
import { addDays } from '../../domain/region.ts'
import type { Database, Queries } from '../db/database.ts'
import { steadyTime } from '../db/clock-store.ts'
import { readRaces } from '../store/racing/history-store.ts'
import { appendLocks, holdChains, newestLocks, type Commitment } from '../store/racing/lock-store.ts'
import { analyze } from '../db/revisions.ts'
import { refreshDailyTotals } from '../store/racing/daily-hits-store.ts'
import { outcomeOf } from '../store/racing/outcome-store.ts'
import { noteRaceEvents } from '../store/operation/site-store.ts'
import {
  countStale,
  nextStaleRaces,
  readLockedLines,
  replaceScores,
  staleRaces,
  type LockedLine,
  type ModelScores,
  type RaceToScore,
} from '../store/racing/scoring-store.ts'
import { listPromotions } from '../store/racing/scoring-state-store.ts'
import { Forecasters, type Forecaster } from './forecast.ts'
import { headlineOf, promotedBy, type Promotion } from '../model/headline.ts'
import type { Forecast } from '../model/lines.ts'
import { MODELS } from '../model/models/sources.ts'

/** Races per transaction. */
const BATCH = 120
/**
 * If requests wait for each transaction, it starts with few races, and their number follows the time it took, in
 * milliseconds.
 */
const SHARED = { first: 10, least: 5, most: 60, ms: 250 }
/** Times in a row that a batch is prepared again because its data changed, before requests wait while it is read. */
const MOST_MISSED = 5
/** Days of results that a transaction for which requests wait may learn. */
const MOST_LEARNT_DAYS = 30
/** Number of scored races from which planner statistics are updated, and again each time it has quadrupled. */
const MANY = 120
const SCORED_TABLES = ['prediction', 'settlement', 'win_chance']

const newReport = () => ({
  races: 0,
  predictions: 0,
  /** Races that could not be predicted or were abandoned. */
  withoutPrediction: 0,
  /** Races whose places contradict each other: predicted, never settled. */
  unsettled: [] as string[],
  /** Number of commitments added before post time. */
  locked: 0,
  seconds: 0,
})
export type ScoreReport = ReturnType<typeof newReport>

/**
 * Predicts, locks and settles every race whose rows changed, one batch per transaction: an interruption loses
 * only the current batch, which the next call repeats. Predictions locked before post time are never changed,
 * only settled. `forecasters` may be reused for the next call.
 */
export async function scoreStaleRaces(
  database: Database,
  onProgress: (done: number, total: number) => void = () => {},
  now: () => Date = () => new Date(),
  forecasters = new Forecasters(),
): Promise<ScoreReport> {
  const started = Date.now()
  const total = await countStale(database)
  const report = newReport()
  const batches = database.shared ? sharedBatches(database, forecasters) : WHOLE_BATCHES
  let analyzeAt = MANY
  for (;;) {
    const next = await batches.next()
    if (next.races?.length === 0) break
    const began = performance.now()
    const batch = await database.transaction((transaction) =>
      scoreBatch(transaction, forecasters, now, next.most, database.kind === 'pglite', next.races),
    )
    // The data that the forecasts need changed after they were read.
    const isMissed = next.races !== null && batch.scored.length === 0
    if (!isMissed && batch.scored.length === 0) break
    addToReport(report, batch)
    if (!isMissed) onProgress(report.races, total)
    // Without statistics the planner reads these tables whole for every batch, and they grow with each.
    if (report.races >= analyzeAt) {
      await analyze(database, SCORED_TABLES)
      analyzeAt = report.races * 4
    }
    await batches.after(batch, performance.now() - began, isMissed, report.races < total)
  }
  if (report.races > 0) {
    await forecasters.save(database)
    // A few races hardly change the statistics, and on a race day each second counts.
    if (report.races >= MANY) await analyze(database, ['race', 'runner', 'dividend', ...SCORED_TABLES])
  }
  report.seconds = (Date.now() - started) / 1000
  return report
}

function addToReport(report: ScoreReport, batch: Batch): void {
  report.locked += batch.locked
  for (const { race, lines, settled } of batch.scored) {
    report.predictions += lines
    if (lines === 0) report.withoutPrediction += 1
    else if (race.status === 'final' && !settled) report.unsettled.push(race.id)
  }
  report.races += batch.scored.length
}

/** How many races one transaction scores, and which. */
interface Batches {
  /** `races`: only these, whose data were read before the transaction; `null`: whichever are next. */
  next(): Promise<{ most: number; races: string[] | null }>
  after(batch: Batch, milliseconds: number, isMissed: boolean, goesOn: boolean): Promise<void>
}

/** For a database that nobody waits for. */
const WHOLE_BATCHES: Batches = {
  next: async () => ({ most: BATCH, races: null }),
  after: async () => {},
}

/** For a database that requests wait for during each transaction: what forecasts need is read before it begins. */
function sharedBatches(database: Database, forecasters: Forecasters): Batches {
  let most = SHARED.first
  let missed = 0
  return {
    async next() {
      return { most, races: missed < MOST_MISSED ? await prepareNext(database, forecasters, most) : null }
    },
    async after(batch, milliseconds, isMissed, goesOn) {
      missed = isMissed ? missed + 1 : 0
      // Settling alone says nothing of how long forecasts take.
      if (isMissed || !goesOn || batch.forecast === 0) return
      const next = Math.round((batch.scored.length * SHARED.ms) / milliseconds)
      most = Math.min(SHARED.most, Math.max(SHARED.least, next))
      await forecasters.readOn(database)
    },
  }
}

/**
 * Ids of the next races to score. Those that need no forecast come before others of the next few; for the others, reads
 * what their forecasts need, while others can use the database.
 */
async function prepareNext(database: Database, forecasters: Forecasters, most: number): Promise<string[]> {
  const races = await nextStaleRaces(database, SHARED.most)
  const ids = races.map(({ id }) => id)
  const locks = await newestLocks(database, ids)
  const ready = races.filter((race) => !needsForecast(race, locks))
  if (ready.length > 0) return ready.map(({ id }) => id)
  const lastDays = new Map<string, string>()
  const next = races.slice(0, most)
  for (const { regionId, date } of next)
    if (!lastDays.has(regionId)) {
      const readable = await (await forecasters.of(database, regionId)).prepare(database, date)
      const horizon = addDays(date, MOST_LEARNT_DAYS)
      lastDays.set(regionId, readable < horizon ? readable : horizon)
    }
  return next.filter(({ regionId, date }) => date <= lastDays.get(regionId)!).map(({ id }) => id)
}

/** False for an abandoned race, and for a closed race with a lock of every model: nothing would be written of a forecast. */
const needsForecast = (
  { id, status }: Pick<RaceToScore, 'id' | 'status'>,
  locks: ReadonlyMap<string, unknown>,
): boolean =>
  status !== 'abandoned' &&
  (status === 'scheduled' || MODELS.some((modelId) => !locks.has(`${id} ${modelId}`)))

interface Scored {
  race: RaceToScore
  /** Number of its predictions now, and whether they are settled. */
  lines: number
  settled: boolean
}

interface Batch {
  scored: Scored[]
  /** Number of commitments added, and of races that were predicted anew. */
  locked: number
  forecast: number
}

const NOTHING: Batch = { scored: [], locked: 0, forecast: 0 }

/**
 * Predictions are locked only until this long before post time, so that the commitment is stored before the
 * start.
 */
const LOCK_MARGIN_MS = 15_000

/** `prepared`: only these races, and none if data that their forecasts need changed after `prepareNext`. */
async function scoreBatch(
  transaction: Queries,
  forecasters: Forecasters,
  now: () => Date,
  most: number,
  exclusive: boolean,
  prepared: readonly string[] | null,
): Promise<Batch> {
  const races = await staleRaces(transaction, most, prepared)
  if (races.length === 0) return NOTHING
  const ids = races.map(({ id }) => id)
  // Only scheduled races get locks, so those of a closed race stay as they are.
  const before = await newestLocks(transaction, ids)
  const toForecast = races.filter((race) => needsForecast(race, before))
  if (prepared !== null && !(await forecasters.areCurrent(transaction, regionsOf(toForecast)))) return NOTHING
  const forecasts = await forecastAll(transaction, forecasters, toForecast)
  // Forecasting may take long, so the clock is read only now, after excluding other appends to the chains.
  const isAhead = races.some(({ status }) => status === 'scheduled')
  if (isAhead) await holdChains(transaction)
  const at = isAhead ? await steadyTime(transaction, now()) : now()
  const soon = new Date(at.getTime() + LOCK_MARGIN_MS).toISOString()
  const locks = isAhead ? await newestLocks(transaction, ids) : before
  const scores: ModelScores[] = []
  for (const race of races) {
    const isClosed = race.status !== 'scheduled' || race.off <= soon
    const locked = MODELS.filter((modelId) => isClosed && locks.has(`${race.id} ${modelId}`))
    const lines = locked.length === 0 ? [] : await readLockedLines(transaction, race.id, locked)
    scores.push(scoresOf(race, locked, lines, forecasts.get(race.id) ?? []))
  }
  const locked = await commit(transaction, scores, locks, soon, at)
  await replaceScores(transaction, scores, await headlinesOf(transaction, scores), exclusive)
  await refreshDailyTotals(transaction, ids)
  const predicted = scores.flatMap(({ race, fresh, lockedLines }) =>
    fresh.length + lockedLines.length > 0 ? [race.id] : [],
  )
  await noteRaceEvents(transaction, 'tip', predicted, at)
  await noteRaceEvents(transaction, 'result', ids, at)
  return {
    locked,
    forecast: toForecast.length,
    scored: scores.map(({ race, fresh, lockedLines }) => {
      const all = [...lockedLines, ...fresh.flatMap(({ lines }) => lines)]
      return { race, lines: all.length, settled: all.length > 0 && all[0]!.settled !== null }
    }),
  }
}

const regionsOf = (races: readonly RaceToScore[]): Set<string> =>
  new Set(races.map(({ regionId }) => regionId))

/** Forecasts by race. */
async function forecastAll(
  transaction: Queries,
  forecasters: Forecasters,
  races: readonly RaceToScore[],
): Promise<Map<string, Forecast[]>> {
  const ids = races.map(({ id }) => id)
  const cards = new Map((await readRaces(transaction, ids)).map((race) => [race.id, race]))
  const byRegion = new Map<string, Forecaster>()
  for (const regionId of regionsOf(races)) byRegion.set(regionId, await forecasters.of(transaction, regionId))
  const forecasts = new Map<string, Forecast[]>()
  for (const race of races) {
    const priced = race.runners.flatMap(({ horseNo, started, winOdds, entryNo }) =>
      started && winOdds !== null ? [{ horseNo, winOdds, entryNo }] : [],
    )
    const forecaster = byRegion.get(race.regionId)!
    forecasts.set(race.id, await forecaster.forecast(transaction, cards.get(race.id)!, priced))
  }
  return forecasts
}

/** The locked lines of a race, and the forecasts of the models that are not locked, settled if the race is final. */
function scoresOf(
  race: RaceToScore,
  locked: string[],
  lines: readonly LockedLine[],
  forecasts: readonly Forecast[],
): ModelScores {
  const fresh = forecasts.filter(({ modelId }) => !locked.includes(modelId))
  const outcome = race.status === 'final' ? outcomeOf(race) : null
  return {
    race,
    amended: outcome?.amended ?? false,
    locked,
    lockedLines: lines.map((line) => settledBy(outcome, line)),
    fresh: fresh.map((forecast) => ({
      ...forecast,
      lines: forecast.lines.map((line) => settledBy(outcome, line)),
    })),
  }
}

const settledBy = <Line extends Pick<LockedLine, 'gameplayClass' | 'horses'>>(
  outcome: RaceOutcome | null,
  line: Line,
): Line & { settled: Settled | null } => ({
  ...line,
  settled: outcome && settle(line.gameplayClass, line.horses, outcome),
})

/**
 * The model that each race shows first, by race id. A region's promotion counts from its instant on: for a race whose
 * predictions were locked, the last lock decides, else post time. So scoring a race again never changes what it showed
 * before a promotion. Call it after `commit`.
 */
async function headlinesOf(
  transaction: Queries,
  scores: readonly ModelScores[],
): Promise<Map<string, string>> {
  const promotions = new Map<string, readonly Promotion[]>()
  for (const regionId of regionsOf(scores.map(({ race }) => race)))
    promotions.set(regionId, await listPromotions(transaction, regionId))
  const promoted = scores.flatMap(({ race }) => (promotions.get(race.regionId)!.length > 0 ? [race.id] : []))
  const lockedAt = new Map<string, string>()
  if (promoted.length > 0)
    for (const lock of (await newestLocks(transaction, promoted)).values())
      if (lock.lockedAt > (lockedAt.get(lock.raceId) ?? '')) lockedAt.set(lock.raceId, lock.lockedAt)
  return new Map(
    scores.map(({ race, lockedLines, fresh }) => {
      // The models locked before post time are kept.
      const models = (lockedLines.length > 0 ? lockedLines : fresh).map(({ modelId }) => modelId)
      const instant = lockedAt.get(race.id) ?? race.off
      return [race.id, headlineOf(models, promotedBy(promotions.get(race.regionId)!, instant))]
    }),
  )
}

/**
 * Appends the commitments: every forecast of a race before its lock time, and an empty one for a model that
 * was locked but no longer forecasts the race. Returns the number of new entries.
 */
async function commit(
  transaction: Queries,
  scores: readonly ModelScores[],
  locks: ReadonlyMap<string, unknown>,
  soon: string,
  at: Date,
): Promise<number> {
  const byRegion = new Map<string, Commitment[]>()
  for (const { race, fresh } of scores) {
    if (race.status !== 'scheduled' || race.off <= soon) continue
    const list = byRegion.get(race.regionId) ?? []
    byRegion.set(race.regionId, list)
    for (const modelId of MODELS) {
      const forecast = fresh.find((each) => each.modelId === modelId)
      if (!forecast && !locks.has(`${race.id} ${modelId}`)) continue
      const sha256 = lockHash(lockedRace(race.id, forecast ?? { modelId, chances: [], lines: [] }))
      list.push({ raceId: race.id, modelId, raceDate: race.date, sha256 })
    }
  }
  let appended = 0
  for (const [regionId, commitments] of byRegion) {
    appended += await appendLocks(transaction, regionId, commitments, at)
  }
  return appended
}

/** A forecast in the form that is hashed. */
export const lockedRace = (raceId: string, { modelId, chances, lines }: Forecast): LockedRace => ({
  raceId,
  modelId,
  chances: chances.map(({ horseNo, win }) => ({ horseNo, probability: win })),
  predictions: lines.map(({ types, ...line }) => ({
    ...line,
    selected: types.includes(1),
    cautious: types.includes(2),
    upsetGuard: types.includes(3),
  })),
})
