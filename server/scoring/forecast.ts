import { USUAL_SHAPE } from '../../domain/order-rule.ts'
import { addDays } from '../../domain/region.ts'
import type { Queries } from '../db/database.ts'
import { readFormOnly, readResults, yearsOfHistory, type PricedRace } from '../store/racing/history-store.ts'
import {
  firstChange,
  isOutdated,
  learningStamp,
  loadState,
  loadVersions,
  packLookBack,
  saveState,
  type PackedLookBack,
} from '../store/racing/scoring-state-store.ts'
import { computeInputs } from '../model/features/catalogue.ts'
import { learnDay } from '../model/features/learn.ts'
import { cardOf, stateOf } from '../model/features/race-state.ts'
import { emptyState, type FeatureState } from '../model/features/state.ts'
import type { Forecast } from '../model/lines.ts'
import { dayNumber, toDays, type RaceDay } from '../model/features/history.ts'
import type { PricedRunner } from './market-baseline.ts'
import { versionHash, versionText, type ModelVersion } from '../model/models/model-version.ts'
import { forecastRace, type Fitted, type ForecastTask } from './race-forecast.ts'

const NO_VERSION: Fitted = {
  market: { power: 1, shape: USUAL_SHAPE },
  fundamental: null,
  network: null,
  blend: null,
}

/** Days of results in one statement: those of ten seasons at once held the embedded database for three seconds. */
const DAYS_AT_ONCE = 200
/** Later than any race: nothing is left to read. */
const LAST_DAY = '9999-12-31'

/**
 * Predicts the races of one region in chronological order, from a stored state that it advances day by day. A
 * race on an earlier day than the previous one loads an older state.
 */
export class Forecaster {
  private readonly regionId: string
  private readonly versions: readonly ModelVersion[]
  private readonly hashes = new Map<ModelVersion, string>()
  private state: FeatureState | null = null
  /** Days read but not yet learnt, and the last day covered by reading. */
  private ahead: RaceDay[] = []
  private readTo = ''
  private advanced = false

  private constructor(regionId: string, versions: readonly ModelVersion[]) {
    this.regionId = regionId
    this.versions = versions
  }

  static async open(database: Queries, regionId: string): Promise<Forecaster> {
    return new Forecaster(regionId, [...(await loadVersions(database, regionId)).values()])
  }

  /** Every model's forecast of a race. `priced`: the starters whose odds are known. */
  async forecast(database: Queries, race: PricedRace, priced: readonly PricedRunner[]): Promise<Forecast[]> {
    for (;;) {
      const task = this.taskAtHand(race, priced)
      if (task !== null) return forecastRace(task)
      await this.readFor(database, race.date)
    }
  }

  /**
   * What the forecast of a race to come was made from, to be kept for trials with another card: call it before a race of a
   * later day. `null` for a race that is over, or that no model without odds predicts.
   */
  async lookBackOf(race: PricedRace): Promise<PackedLookBack | null> {
    const version = race.status === 'scheduled' ? this.versionFor(race) : null
    if (version === null || version.fundamental === null || race.starters.length < 2) return null
    const state = this.learnUntil(race.date)
    if (state === null) return null
    // Packed as text before anything is awaited: the state goes on to later days.
    const { season } = version
    return packLookBack({
      season,
      sha256: this.hashOf(version),
      card: cardOf(race),
      state: stateOf(state, race),
    })
  }

  /** What a forecast of a race is made from, by what has been read; `null` if more has to be read for it. */
  taskAtHand(race: PricedRace, priced: readonly PricedRunner[]): ForecastTask | null {
    const version: Fitted = this.versionFor(race) ?? NO_VERSION
    if (version.fundamental === null || race.starters.length < 2)
      return { version, race, priced, inputs: null }
    const state = this.learnUntil(race.date)
    return state === null ? null : { version, race, priced, inputs: computeInputs(state, race) }
  }

  /**
   * Reads what forecasts of a day need, so that no transaction has to wait for it. Returns the last day whose races can
   * then be forecast without reading more.
   */
  async prepare(database: Queries, date: string): Promise<string> {
    const trained = this.versions.flatMap(({ fundamental, trainedTo }) => (fundamental ? [trainedTo] : []))
    const needless = trained.reduce((first, day) => (day < first ? day : first), LAST_DAY)
    if (date <= needless) return needless
    while (this.learnUntil(date) === null) await this.readFor(database, date)
    return this.readTo < LAST_DAY ? addDays(this.readTo, 1) : LAST_DAY
  }

  /** Forgets what was read of a day and later ones. Returns false if it has learnt from them already. */
  forgetFrom(date: string): boolean {
    if (this.state !== null && this.state.day !== null && this.state.day >= dayNumber(date)) return false
    this.ahead = this.ahead.filter((day) => day.date < date)
    if (this.readTo >= date) this.readTo = addDays(date, -1)
    return true
  }

  /** Stores the state, so that the next race day can start from it. */
  async save(database: Queries): Promise<void> {
    if (this.state === null || this.state.day === null || !this.advanced) return
    // Data was imported meanwhile, so the learnt state no longer matches the stored results.
    if (await isOutdated(database, this.regionId, this.state.day)) return
    await saveState(this.regionId, this.state, null, (write) => write(database))
    this.advanced = false
  }

  private hashOf(version: ModelVersion): string {
    const known = this.hashes.get(version)
    if (known !== undefined) return known
    const hash = versionHash(versionText(version))
    this.hashes.set(version, hash)
    return hash
  }

  /** The newest version trained only on days before the race; `null` if there is none. */
  private versionFor({ season, date }: PricedRace): ModelVersion | null {
    const known = this.versions.filter((version) => version.season <= season && version.trainedTo < date)
    return known.at(-1) ?? null
  }

  /** Learns the days before `date` that have been read. Returns the state before it; `null` if more must be read. */
  private learnUntil(date: string): FeatureState | null {
    const { state } = this
    if (!isBefore(state, date)) return null
    while (this.ahead.length > 0 && this.ahead[0]!.date < date) {
      learnDay(state, this.ahead.shift()!)
      this.advanced = true
    }
    return this.ahead.length > 0 || this.readTo >= addDays(date, -1) ? state : null
  }

  /** Reads the next part of what `learnUntil` needs. */
  private async readFor(database: Queries, date: string): Promise<void> {
    if (isBefore(this.state, date)) {
      this.ahead = await this.readDays(database)
      return
    }
    const state = (await loadState(database, this.regionId, date)) ?? emptyState()
    // Set together: a state without its last day would make the next forecast start from nothing.
    this.readTo = await this.lastDayOf(database, state)
    this.state = state
    this.ahead = []
  }

  /** The last day that a state includes: of an empty one, a day before the region's history, if it has any. */
  private async lastDayOf(database: Queries, { day }: FeatureState): Promise<string> {
    if (day !== null) return addDays('1970-01-01', day)
    const { first, last } = await yearsOfHistory(database, this.regionId)
    return first > last ? LAST_DAY : `${first - 1}-12-31`
  }

  /** Reads the results of the days after those already read; none if nothing happened on these days. */
  private async readDays(database: Queries): Promise<RaceDay[]> {
    const after = this.readTo
    const to = addDays(after, DAYS_AT_ONCE)
    const days = toDays([
      ...(await readResults(database, this.regionId, after, to)),
      ...(await readFormOnly(database, this.regionId, after, to)),
    ])
    this.readTo = to
    return days
  }
}

/** Whether a state is there that has learnt nothing of `date` or later. */
const isBefore = (state: FeatureState | null, date: string): state is FeatureState =>
  state !== null && (state.day === null || state.day < dayNumber(date))

interface StampedForecaster {
  forecaster: Forecaster
  stamp: string
}

/** Forecasters by region, cached between scorings until something changes that they have learnt. */
export class Forecasters {
  private readonly cached = new Map<string, StampedForecaster>()

  /** The forecaster of a region, and the `learningStamp` of what it may have learnt from. */
  async of(database: Queries, regionId: string): Promise<StampedForecaster> {
    const stamp = await learningStamp(database, regionId)
    const known = this.cached.get(regionId)
    if (known?.stamp === stamp) return known
    const changedFrom = known ? firstChange(known.stamp, stamp) : null
    const isUsable = known !== undefined && changedFrom !== null && known.forecaster.forgetFrom(changedFrom)
    const forecaster = isUsable ? known.forecaster : await Forecaster.open(database, regionId)
    const stamped = { forecaster, stamp }
    this.cached.set(regionId, stamped)
    return stamped
  }

  /** Stores the states that they have learnt. */
  async save(database: Queries): Promise<void> {
    for (const [regionId, { forecaster, stamp }] of this.cached)
      if ((await learningStamp(database, regionId)) === stamp) await forecaster.save(database)
  }
}
