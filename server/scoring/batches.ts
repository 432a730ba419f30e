import type { Database } from '../db/database.ts'
import { readRaces, type PricedRace } from '../store/racing/history-store.ts'
import { newestLocks } from '../store/racing/lock-store.ts'
import { readFinishers } from '../store/racing/outcome-store.ts'
import { nextStaleRaces, type RaceToScore } from '../store/racing/scoring-store.ts'
import type { PackedLookBack } from '../store/racing/scoring-state-store.ts'
import type { Forecast } from '../model/lines.ts'
import { MODELS } from '../model/models/sources.ts'
import type { Forecaster, Forecasters } from './forecast.ts'
import { forecastRace, type ForecastTask } from './race-forecast.ts'
import { ThreadedForecasts } from './threaded-forecasts.ts'
import type { PricedRunner } from './market-baseline.ts'

interface BatchSize {
  /** Races of the first transaction. */
  first: number
  least: number
  most: number
  /** How long a transaction should take, in milliseconds. */
  ms: number
  /** Times in a row that a batch is prepared again because its data changed, before it is forecast in its transaction. */
  mostMissed: number
}

/** For a database that requests wait for during each transaction. */
const SHARED: BatchSize = { first: 20, least: 5, most: 120, ms: 400, mostMissed: 5 }
/** For one that nobody waits for. What another process scores at the same moment is missed, and others are taken. */
const OWN: BatchSize = { first: 120, least: 120, most: 120, ms: 1000, mostMissed: 1 }

/** What a race is forecast from, beside what was learnt from the days before. */
interface Source {
  card: PricedRace
  priced: PricedRunner[]
}

/** Forecasts of a race, and what to keep of what they were made from. */
export interface Made {
  forecasts: Forecast[]
  lookBack: PackedLookBack | null
}

/** Races whose forecasts were made before the transaction that stores them. */
export interface PreparedRaces {
  ids: string[]
  /** By race id; a race without one needs none, or is forecast in the transaction. */
  made: Map<string, Made & { source: Source }>
  /** By region, what the forecasts may have learnt from: see `learningStamp`. */
  stamps: Map<string, string>
}

/** How many races one transaction scores, and which; `null`: whichever are next. */
export interface NextRaces {
  most: number
  races: PreparedRaces | null
}

/** What a transaction did. `scored`, `forecast`: numbers of races. */
interface Done {
  scored: number
  forecast: number
  milliseconds: number
  /** It stored nothing, because what its forecasts were made from had changed. */
  isMissed: boolean
  goesOn: boolean
}

interface Batches {
  next(): Promise<NextRaces>
  after(done: Done): Promise<void>
  end(): Promise<void>
}

/** Number of races from which forecasts are made in a thread: to start it for fewer takes longer than it saves. */
const MANY = 120

/**
 * Forecasts are made before the transaction that stores them, those of a batch while the database stores the batch
 * before. `total`: how many races there are to score.
 */
export function batchesOf(database: Database, forecasters: Forecasters, total: number): Batches {
  const size = database.shared ? SHARED : OWN
  const thread = total < MANY ? null : new ThreadedForecasts()
  const make = async (task: ForecastTask): Promise<Forecast[]> =>
    thread === null ? forecastRace(task) : thread.forecast(task)
  let most = size.first
  let missed = 0
  let following: Promise<PreparedRaces> | null = null
  const begin = async (taken: readonly string[]): Promise<void> => {
    // Read now: during a transaction others cannot read.
    following = prepare(await readNext(database, forecasters, most, size.most, taken), make)
    // Whoever awaits it gets its error; without this, one that comes before that would end the process.
    following.catch(() => {})
  }
  return {
    async next() {
      if (missed >= size.mostMissed) return { most, races: null }
      if (following === null) await begin([])
      const races = await following!
      following = null
      // Without a thread, what is made ahead would only hold up this transaction.
      if (thread !== null) await begin(races.ids)
      return { most: races.ids.length, races }
    },
    async after({ scored, forecast, milliseconds, isMissed, goesOn }) {
      missed = isMissed ? missed + 1 : 0
      if (isMissed) following = null
      // Settling alone says nothing of how long it takes to store forecasts.
      if (isMissed || !goesOn || forecast === 0) return
      most = Math.min(size.most, Math.max(size.least, Math.round((scored * size.ms) / milliseconds)))
    },
    end: async () => thread?.end(),
  }
}

/** Races to prepare, in their order, with all that their forecasts need. */
interface ReadRaces {
  ids: string[]
  sources: { id: string; forecaster: Forecaster; source: Source }[]
  stamps: PreparedRaces['stamps']
}

/**
 * Reads the next races to score, but for those `taken` by the transaction before, and what their forecasts need. Those
 * that need no forecast come before others of the next `mostReady`.
 */
async function readNext(
  database: Database,
  forecasters: Forecasters,
  most: number,
  mostReady: number,
  taken: readonly string[],
): Promise<ReadRaces> {
  const stale = await nextStaleRaces(database, mostReady + taken.length)
  const races = stale.filter(({ id }) => !taken.includes(id)).slice(0, mostReady)
  const locks = await newestLocks(
    database,
    races.map(({ id }) => id),
  )
  const ready = races.filter((race) => !needsForecast(race, locks))
  if (ready.length > 0) return { ids: ready.map(({ id }) => id), sources: [], stamps: new Map() }
  const regions = new Map<string, { forecaster: Forecaster; lastDay: string }>()
  const stamps = new Map<string, string>()
  const next = races.slice(0, most)
  for (const { regionId, date } of next)
    if (!regions.has(regionId)) {
      const { forecaster, stamp } = await forecasters.of(database, regionId)
      regions.set(regionId, { forecaster, lastDay: await forecaster.prepare(database, date) })
      stamps.set(regionId, stamp)
    }
  const learnable = next.filter(({ regionId, date }) => date <= regions.get(regionId)!.lastDay)
  const ids = learnable.map(({ id }) => id)
  const cards = new Map((await readRaces(database, ids)).map((card) => [card.id, card]))
  const runners = await readFinishers(database, ids)
  const sources = learnable.map(({ id, regionId }) => ({
    id,
    forecaster: regions.get(regionId)!.forecaster,
    source: { card: cards.get(id)!, priced: pricedOf(runners.get(id) ?? []) },
  }))
  return { ids, sources, stamps }
}

/**
 * Forecasts what was read; reads nothing. A thread has all its tasks when this returns: the embedded database may keep
 * this one busy until the end of the next transaction.
 */
async function prepare(
  { ids, sources, stamps }: ReadRaces,
  make: (task: ForecastTask) => Promise<Forecast[]>,
): Promise<PreparedRaces> {
  const making: Promise<[string, Made & { source: Source }]>[] = []
  for (const { id, forecaster, source } of sources) {
    const task = forecaster.taskAtHand(source.card, source.priced)
    if (task === null) continue
    const keeping = forecaster.lookBackOf(source.card)
    const made = async (): Promise<[string, Made & { source: Source }]> => {
      const [forecasts, lookBack] = await Promise.all([make(task), keeping])
      return [id, { source, forecasts, lookBack }]
    }
    making.push(made())
  }
  return { ids, made: new Map(await Promise.all(making)), stamps }
}

/** The starters whose odds are known. */
export const pricedOf = (runners: RaceToScore['runners']): PricedRunner[] =>
  runners.flatMap(({ horseNo, started, winOdds, entryNo }) =>
    started && winOdds !== null ? [{ horseNo, winOdds, entryNo }] : [],
  )

/** False for an abandoned race, and for a closed race with a lock of every model: nothing would be written of a forecast. */
export const needsForecast = (
  { id, status }: Pick<RaceToScore, 'id' | 'status'>,
  locks: ReadonlyMap<string, unknown>,
): boolean =>
  status !== 'abandoned' &&
  (status === 'scheduled' || MODELS.some((modelId) => !locks.has(`${id} ${modelId}`)))
