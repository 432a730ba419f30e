import { isDeepStrictEqual } from 'node:util'
import { lockHash, type LockedRace } from '../../domain/prediction-lock.ts'
import { settle, type RaceOutcome, type Settled } from '../../domain/settlement.ts'
import type { Database, Queries } from '../db/database.ts'
import { steadyTime } from '../db/clock-store.ts'
import { readRaces } from '../store/racing/history-store.ts'
import { appendLocks, holdChains, newestLocks, type Commitment } from '../store/racing/lock-store.ts'
import { analyze } from '../db/revisions.ts'
import { refreshDailyTotals } from '../store/racing/daily-hits-store.ts'
import { outcomeOf } from '../store/racing/outcome-store.ts'
import { noteRaceEvents } from '../store/operation/site-store.ts'
import { noteTipAlerts } from '../store/operation/alert-events.ts'
import {
  countStale,
  readLockedLines,
  replaceScores,
  staleRaces,
  type LockedLine,
  type ModelScores,
  type RaceToScore,
} from '../store/racing/scoring-store.ts'
import { learningStamp, listPromotions } from '../store/racing/scoring-state-store.ts'
import {
  needsForecast,
  pricedOf,
  batchesOf,
  type Made,
  type NextRaces,
  type PreparedRaces,
} from './batches.ts'
import { Forecasters } from './forecast.ts'
import { headlineOf, promotedBy, type Promotion } from '../model/headline.ts'
import type { Forecast } from '../model/lines.ts'
import { MODELS } from '../model/models/sources.ts'

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
  const batches = batchesOf(database, forecasters, total)
  let analyzeAt = MANY
  try {
    for (;;) {
      const next = await batches.next()
      if (next.races?.ids.length === 0) break
      const began = performance.now()
      const batch = await database.transaction((transaction) =>
        scoreBatch(transaction, forecasters, now, next, database.kind === 'pglite'),
      )
      // What the forecasts were made from changed meanwhile.
      const isMissed = next.races !== null && batch.scored.length === 0
      if (!isMissed && batch.scored.length === 0) break
      addToReport(report, batch)
      if (!isMissed) onProgress(report.races, total)
      // Without statistics the planner reads these tables whole for every batch, and they grow with each.
      if (report.races >= analyzeAt) {
        await analyze(database, SCORED_TABLES)
        analyzeAt = report.races * 4
      }
      await batches.after({
        scored: batch.scored.length,
        forecast: batch.forecast,
        milliseconds: performance.now() - began,
        isMissed,
        goesOn: report.races < total,
      })
    }
  } finally {
    await batches.end()
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

/** Prepared races only, if there are some; none of them if what their forecasts were made from has changed. */
async function scoreBatch(
  transaction: Queries,
  forecasters: Forecasters,
  now: () => Date,
  { most, races: prepared }: NextRaces,
  exclusive: boolean,
): Promise<Batch> {
  const races = await staleRaces(transaction, most, prepared?.ids ?? null)
  if (races.length === 0) return NOTHING
  const ids = races.map(({ id }) => id)
  // Only scheduled races get locks, so those of a closed race stay as they are.
  const before = await newestLocks(transaction, ids)
  const toForecast = races.filter((race) => needsForecast(race, before))
  if (prepared !== null && !(await isCurrent(transaction, prepared, regionsOf(toForecast)))) return NOTHING
  const made = await forecastAll(transaction, forecasters, toForecast, prepared)
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
    scores.push(scoresOf(race, locked, lines, made.get(race.id) ?? NOTHING_MADE))
  }
  const locked = await commit(transaction, scores, locks, soon, at)
  const headlines = await headlinesOf(transaction, scores)
  await replaceScores(transaction, scores, headlines, exclusive)
  await refreshDailyTotals(transaction, ids)
  const predicted = scores.flatMap(({ race, fresh, lockedLines }) =>
    fresh.length + lockedLines.length > 0 ? [race.id] : [],
  )
  await noteRaceEvents(transaction, 'tip', predicted, at)
  await noteTipAlerts(transaction, predicted, at)
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

/** Whether what the prepared forecasts had learnt is what would be learnt now. */
async function isCurrent(
  transaction: Queries,
  { stamps }: PreparedRaces,
  regionIds: Iterable<string>,
): Promise<boolean> {
  for (const regionId of regionIds)
    if (stamps.get(regionId) !== (await learningStamp(transaction, regionId))) return false
  return true
}

const NOTHING_MADE: Made = { forecasts: [], lookBack: null }

/** Forecasts by race: the prepared one, where the race is as it was read for it. */
async function forecastAll(
  transaction: Queries,
  forecasters: Forecasters,
  races: readonly RaceToScore[],
  prepared: PreparedRaces | null,
): Promise<Map<string, Made>> {
  const ids = races.map(({ id }) => id)
  const cards = new Map((await readRaces(transaction, ids)).map((race) => [race.id, race]))
  const all = new Map<string, Made>()
  for (const race of races) {
    const source = { card: cards.get(race.id)!, priced: pricedOf(race.runners) }
    const made = prepared?.made.get(race.id)
    if (made && isDeepStrictEqual(made.source, source)) all.set(race.id, made)
    else {
      const { forecaster } = await forecasters.of(transaction, race.regionId)
      const forecasts = await forecaster.forecast(transaction, source.card, source.priced)
      all.set(race.id, { forecasts, lookBack: await forecaster.lookBackOf(source.card) })
    }
  }
  return all
}

/** The locked lines of a race, and the forecasts of the models that are not locked, settled if the race is final. */
function scoresOf(
  race: RaceToScore,
  locked: string[],
  lines: readonly LockedLine[],
  { forecasts, lookBack }: Made,
): ModelScores {
  const fresh = forecasts.filter(({ modelId }) => !locked.includes(modelId))
  const outcome = race.status === 'final' ? outcomeOf(race) : null
  return {
    race,
    amended: outcome?.amended ?? false,
    locked,
    lockedLines: lines.map((line) => settledBy(outcome, line)),
    lookBack,
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
