import { ANY_BET } from '../../domain/bet-table.ts'
import { LEVEL_TEN } from '../../domain/staking.ts'

/** Lab rules in the form in which they are frozen. */
export const FROZEN = {
  countryRegionId: '100000',
  name: 'Main picks',
  address: 'tab=lab',
  universe: 'kept',
  filter: {
    and: [
      { dim: 'model', in: ['market-baseline'] },
      { dim: 'origin', in: ['locked'] },
      { dim: 'bet_type', in: [1] },
      { dim: 'prediction_type', in: [1] },
    ],
  },
  rules: ANY_BET,
  plan: LEVEL_TEN,
} as const
