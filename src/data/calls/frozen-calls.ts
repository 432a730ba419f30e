import type { ResultOf } from '../../../contract/api/endpoint.ts'
import type * as frozen from '../../../contract/api/frozen.ts'
import type { Filter } from '../../../analytics/filter.ts'
import type { BetRules } from '../../../domain/bet-table.ts'
import type { StakePlan } from '../../../domain/staking.ts'
import { get, post } from '../client/api-client.ts'

export type FrozenRule = ResultOf<typeof frozen.queryFrozenRules>[number]
export type FrozenBet = ResultOf<typeof frozen.queryFrozenBets>[number]

export const fetchFrozenRules = (countryRegionId: string, signal?: AbortSignal): Promise<FrozenRule[]> =>
  get('race/api/queryFrozenRules', { countryRegionId }, signal)

export const fetchFrozenBets = (id: string, signal?: AbortSignal): Promise<FrozenBet[]> =>
  get('race/api/queryFrozenBets', { id }, signal)

export const freezeRules = (body: {
  countryRegionId: string
  name: string
  address: string
  universe: 'kept' | 'starters'
  filter: Filter | null
  rules: BetRules
  plan: StakePlan
}): Promise<FrozenRule> => post('race/api/freezeRules', body)

export const endFrozenRules = (id: string): Promise<ResultOf<typeof frozen.endFrozenRules>> =>
  post('race/api/endFrozenRules', { id })
