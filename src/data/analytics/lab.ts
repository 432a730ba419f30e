import { proxy, transfer, type Remote } from 'comlink'
import type { RowsPage } from '../../../analytics/engine-api.ts'
import { allOf, type Filter } from '../../../analytics/filter.ts'
import {
  BENCHMARK_FIGURES,
  BENCHMARKS,
  MAX_LAB_BETS,
  type LabApi,
  type LabBet,
  type LabBets,
  type LabComparison,
  type LabFan,
  type LabGroup,
  type LabPlan,
  type LabResult,
  type LabUniverse,
  type ValuesOf,
} from '../../../analytics/lab-api.ts'
import type { Model } from '../../../analytics/model.ts'
import { MODELS, type ModelName } from '../../../analytics/models.ts'
import type { AllRows } from '../../../analytics/rows.ts'
import { OWN_SLOTS, ownValue, type OwnSlot } from '../../../analytics/own-slots.ts'
import { FurlongError } from '../../../domain/errors.ts'
import { readAllPages, type PageSink, type ReadOptions } from './all-rows.ts'
import { connectorFor } from './connector.ts'
import { ownSlotsNow } from './own-rows.ts'
import type { AnalyticsScope } from './use-analytics.ts'
import { openChannel, type WorkerChannel } from './worker-channel.ts'

const SHARED = ['race_id', 'day', 'meeting', 'race_no', 'probability', 'market_probability', 'win_odds']
const ENDS = ['opening_odds', 'late_odds', 'outcome', 'profit_cents']

const COLUMNS: Readonly<Record<LabUniverse, string[]>> = {
  kept: [...SHARED, 'bet_type', 'rank', 'combination', ...ENDS],
  starters: [...SHARED, 'horse_no', 'model_rank', ...ENDS],
  boxes: ['race_id', 'day', 'meeting', 'race_no', 'places_paid', 'dividends'],
}
const RANK: Readonly<Record<LabUniverse, string[]>> = {
  kept: ['bet_type', 'rank'],
  starters: ['model_rank', 'horse_no'],
  boxes: [],
}

/** What the rows of a universe are. */
const SUBJECT_OF = { kept: 'predictions', starters: 'runners', boxes: 'runners' } as const satisfies Record<
  LabUniverse,
  ModelName
>

/** One row of each race, whose first choice it is. */
const ONE_A_RACE: Filter = { dim: 'model_rank', in: [1] }

/** Requests columns of the rows that can be bet on, or of the races of boxes, in the order in which the races were run. */
const rowsRequest = (universe: LabUniverse, where: Filter, columns: string[]): AllRows => ({
  model: SUBJECT_OF[universe],
  columns,
  where: universe === 'boxes' ? allOf(where, ONE_A_RACE) : where,
  sort: ['day', 'meeting', 'race_no', ...RANK[universe]].map((by) => ({ by, descending: false })),
})

const VECTOR_COLUMNS = ['race_id', 'horse_no', 'probability', 'market_probability', 'places_paid']
/** Boxes are settled by who finished where. */
const FINISH_COLUMNS = ['place', 'outcome']

let made = 0

/**
 * The strategy lab with the bets of one slice, in a separate worker, so that a slider never waits
 * for the record's engine.
 */
export class LabConnection {
  /** Distinguishes this connection from earlier ones. */
  readonly number: number
  private readonly channel: WorkerChannel<LabApi>
  private source: {
    scope: AnalyticsScope
    universe: LabUniverse
    where: Filter
    races: Filter | null
    signal: AbortSignal
  } | null = null
  private vectors: Promise<unknown> | null = null
  /** The reader's own columns that were loaded, of which file. */
  private readonly amounts = new Map<OwnSlot, { version: number; loading: Promise<void> }>()
  /** The dimension whose values were loaded last, and the latest of the requests that wait for one another. */
  private loadedDimension: string | null = null
  private grouping: Promise<unknown> = Promise.resolve()

  constructor() {
    made += 1
    this.number = made
    this.channel = openChannel(
      new Worker(new URL('../../../workers/lab.worker.ts', import.meta.url), { type: 'module' }),
    )
  }

  /** Loads the bets of a slice. Throws `too-large` above `MAX_LAB_BETS`, and the errors of `readAllPages`. */
  async load(
    scope: AnalyticsScope,
    universe: LabUniverse,
    where: Filter,
    races: Filter | null,
    { signal, onRows }: ReadOptions,
  ): Promise<LabBets> {
    this.source = { scope, universe, where, races, signal }
    let count = 0
    await readAllPages(
      scope,
      rowsRequest(universe, where, COLUMNS[universe]),
      async () => {
        count = 0
        await this.answer((api) => api.begin(universe))
        return {
          add: async (page) => {
            // The worker counts the rows, because only it decodes them.
            const size = await this.answer((api) => api.add(transfer(page, [page.bytes.buffer])))
            if (size === null)
              throw new FurlongError('too-large', { reason: `more than ${MAX_LAB_BETS} bets` })
            const added = size - count
            count = size
            return added
          },
        }
      },
      { signal, onRows },
    )
    if (universe === 'boxes') await this.vectorsReady()
    return this.answer((api) => api.ready())
  }

  private get loaded() {
    if (this.source === null) throw new FurlongError('query-failed', { reason: 'no bets are loaded' })
    return this.source
  }

  get universe(): LabUniverse {
    return this.loaded.universe
  }

  /** What the rows that were loaded are. */
  get subject(): (typeof SUBJECT_OF)[LabUniverse] {
    return SUBJECT_OF[this.loaded.universe]
  }

  /** What to read for other columns of the rows that were loaded, in the same order. */
  rowsOf(columns: readonly string[]): { scope: AnalyticsScope; request: AllRows } {
    const { scope, universe, where } = this.loaded
    return { scope, request: rowsRequest(universe, where, [...columns]) }
  }

  /** Loads the returns of each race's favourite and of a random pick. */
  async loadStandards(scope: AnalyticsScope, races: Filter | null): Promise<void> {
    const request = {
      linked: {
        model: 'runners' as const,
        measures: BENCHMARKS.flatMap((name) => BENCHMARK_FIGURES.map((figure) => `${name}_${figure}`)),
        panels: [{ by: ['meeting', 'race_no'], where: races }],
      },
    }
    const { bytes, columns } = await connectorFor(scope).run(request, { priority: 'visible' })
    await this.answer((api) => api.standards({ bytes, columns }))
  }

  /** What a plan needs beside the rows, loaded when it is first needed. */
  private async planReady({ plan: { rule }, own, box }: LabPlan): Promise<void> {
    if (own !== null || box !== null) await this.vectorsReady()
    const column = rule.kind === 'column' ? OWN_SLOTS.find((slot) => slot === rule.column) : undefined
    if (column !== undefined) await this.amountsReady(column)
  }

  /** The numbers of the reader's own column; those of another file are others. */
  private async amountsReady(column: OwnSlot): Promise<void> {
    const version = ownSlotsNow(this.loaded.scope.regionId)?.version
    if (version === undefined) throw new FurlongError('own-needed')
    const known = this.amounts.get(column)
    const amounts = known?.version === version ? known : { version, loading: this.loadAmounts(column) }
    this.amounts.set(column, amounts)
    try {
      await amounts.loading
    } catch (error) {
      this.amounts.delete(column)
      throw error
    }
  }

  private async loadAmounts(column: OwnSlot): Promise<void> {
    const { scope, request } = this.rowsOf(['race_id', ownValue(column)])
    const begin = this.sink(
      (api) => api.beginAmounts(column),
      (api, page) => api.addAmounts(column, page),
    )
    await readAllPages(scope, request, begin, { signal: this.loaded.signal, onRows: () => undefined })
  }

  /** `onProgress`: races whose chances are known so far, and all races, while boxes or own probabilities are derived. */
  async run(of: LabPlan, onProgress: (done: number, all: number) => void): Promise<LabResult> {
    await this.planReady(of)
    if (of.own === null && of.box === null) return this.answer((api) => api.run(of))
    return this.answer((api) => api.run(of, proxy(onProgress)))
  }

  /** Another plan beside that of the last run. */
  async compare(of: LabPlan): Promise<LabComparison> {
    await this.planReady(of)
    return this.answer((api) => api.compare(of))
  }

  /** Every starter's probabilities, loaded when they are first needed. */
  private vectorsReady(): Promise<unknown> {
    this.vectors ??= this.loadVectors().catch((error: unknown) => {
      this.vectors = null
      throw error
    })
    return this.vectors
  }

  private async loadVectors(): Promise<void> {
    if (this.source === null) return
    const { scope, universe, races, signal } = this.source
    const columns = universe === 'boxes' ? [...VECTOR_COLUMNS, ...FINISH_COLUMNS] : VECTOR_COLUMNS
    const request: AllRows = { model: 'runners', columns, where: races, sort: [] }
    const begin = this.sink(
      (api) => api.beginVectors(),
      (api, page) => api.addVectors(page),
    )
    await readAllPages(scope, request, begin, { signal, onRows: () => undefined })
  }

  /** The bets of the last run by a dimension, whose values are loaded when they are first needed. */
  groups(dim: string): Promise<LabGroup[]> {
    const grouped = this.grouping.then(async () => {
      if (this.loadedDimension !== dim) await this.loadValues(dim)
      return this.answer((api) => api.groups())
    })
    // The next one begins whether or not this one fails.
    this.grouping = grouped.catch(() => undefined)
    return grouped
  }

  private async loadValues(dim: string): Promise<void> {
    this.loadedDimension = null
    const { scope, races, signal } = this.loaded
    const { dimensions }: Model = MODELS[this.subject]
    const dimension = dimensions[dim]!
    const isOfHorses = this.subject === 'predictions' && dimension.level === 'horse'
    const of: ValuesOf = isOfHorses ? 'horses' : 'rows'
    const request: AllRows = isOfHorses
      ? { model: 'runners', columns: ['race_id', 'horse_no', dim], where: races, sort: [] }
      : this.rowsOf(['race_id', dim]).request
    const begin = this.sink(
      (api) => api.beginValues(dim, of, dimension.bins ?? null),
      (api, page) => api.addValues(page),
    )
    await readAllPages(scope, request, begin, { signal, onRows: () => undefined })
    this.loadedDimension = dim
  }

  /** Makes sinks in the worker: each begins anew, so that what an earlier one was given is dropped. */
  private sink(
    begin: (api: Remote<LabApi>) => Promise<void>,
    add: (api: Remote<LabApi>, page: RowsPage) => Promise<number>,
  ): () => Promise<PageSink> {
    return async () => {
      await this.answer(begin)
      return { add: (page) => this.answer((api) => add(api, transfer(page, [page.bytes.buffer]))) }
    }
  }

  /** `null` if a newer run superseded it. */
  async fan(of: LabPlan): Promise<LabFan | null> {
    await this.planReady(of)
    return this.answer((api) => api.fan(of))
  }

  bets(...of: Parameters<LabApi['bets']>): Promise<{ total: number; bets: LabBet[] }> {
    return this.answer((api) => api.bets(...of))
  }

  end(): void {
    this.channel.end(new FurlongError('query-cancelled'))
  }

  private answer<Value>(ask: (api: Remote<LabApi>) => Promise<Value>): Promise<Value> {
    return Promise.race([ask(this.channel.api), this.channel.ended])
  }
}
