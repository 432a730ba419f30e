import { transfer, type Remote } from 'comlink'
import type { Filter } from '../../../analytics/filter.ts'
import {
  MAX_LAB_BETS,
  type LabApi,
  type LabBet,
  type LabBets,
  type LabOrder,
  type LabResult,
  type LabUniverse,
} from '../../../analytics/lab-api.ts'
import type { AllRows } from '../../../analytics/rows.ts'
import type { BetRules } from '../../../domain/bet-table.ts'
import { FurlongError } from '../../../domain/errors.ts'
import type { Fan } from '../../../domain/staking-summary.ts'
import type { StakePlan } from '../../../domain/staking.ts'
import { readAllPages } from './all-rows.ts'
import { connectorFor } from './connector.ts'
import type { AnalyticsScope } from './use-analytics.ts'
import { openChannel, type WorkerChannel } from './worker-channel.ts'

const SHARED = ['race_id', 'day', 'meeting', 'race_no', 'probability', 'market_probability', 'win_odds']
const ENDS = ['opening_odds', 'outcome', 'profit_cents']

const COLUMNS: Readonly<Record<LabUniverse, string[]>> = {
  kept: [...SHARED, 'bet_type', 'rank', 'combination', ...ENDS],
  starters: [...SHARED, 'horse_no', 'model_rank', ...ENDS],
}
const RANK: Readonly<Record<LabUniverse, string[]>> = {
  kept: ['bet_type', 'rank'],
  starters: ['model_rank', 'horse_no'],
}

/** Requests the rows that can be bet on, in the order in which the races were run. */
const betsRequest = (universe: LabUniverse, where: Filter): AllRows => ({
  model: universe === 'kept' ? 'predictions' : 'starters',
  columns: COLUMNS[universe],
  where,
  sort: ['day', 'meeting', 'race_no', ...RANK[universe]].map((by) => ({ by, descending: false })),
})

interface LoadOptions {
  signal: AbortSignal
  onRows(rows: number): void
}

let made = 0

/**
 * The strategy lab with the bets of one slice, in a separate worker, so that a slider never waits
 * for the record's engine.
 */
export class LabConnection {
  /** Distinguishes this connection from earlier ones. */
  readonly number: number
  private readonly channel: WorkerChannel<LabApi>

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
    { signal, onRows }: LoadOptions,
  ): Promise<LabBets> {
    let count = 0
    await readAllPages(
      scope,
      betsRequest(universe, where),
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
    return this.answer((api) => api.ready())
  }

  /** Loads the returns of each race's favourite and of a random pick. */
  async loadStandards(scope: AnalyticsScope, races: Filter | null): Promise<void> {
    const request = {
      linked: {
        model: 'starters' as const,
        measures: ['favourite_return', 'chance_return'],
        panels: [{ by: ['meeting', 'race_no'], where: races }],
      },
    }
    const { bytes, columns } = await connectorFor(scope).run(request, { priority: 'visible' })
    await this.answer((api) => api.standards({ bytes: bytes, columns }))
  }

  run(rules: BetRules, plan: StakePlan): Promise<LabResult> {
    return this.answer((api) => api.run(rules, plan))
  }

  /** `null` if a newer run superseded it. */
  fan(rules: BetRules, plan: StakePlan, courses: number): Promise<Fan | null> {
    return this.answer((api) => api.fan(rules, plan, courses))
  }

  bets(
    order: LabOrder,
    month: string | null,
    offset: number,
    limit: number,
  ): Promise<{ total: number; bets: LabBet[] }> {
    return this.answer((api) => api.bets(order, month, offset, limit))
  }

  end(): void {
    this.channel.end(new FurlongError('query-cancelled'))
  }

  private answer<Value>(ask: (api: Remote<LabApi>) => Promise<Value>): Promise<Value> {
    return Promise.race([ask(this.channel.api), this.channel.ended])
  }
}
