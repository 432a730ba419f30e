import { FROZEN } from './frozen-rules.ts'
import type { Row, Statuses } from './access-table.ts'

const ID = '00000000-0000-7000-8000-000000000000'

/** Frozen rules belong to the customer; freezing them and reading their bets, which are predictions, is for VIPs. */
export const frozenRows = (vip: Statuses, customer: Statuses): Row[] => [
  { route: 'POST /race/api/freezeRules', body: FROZEN, status: vip },
  {
    route: 'GET /race/api/queryFrozenRules',
    url: '/race/api/queryFrozenRules?countryRegionId=100000',
    status: customer,
  },
  {
    route: 'GET /race/api/queryFrozenBets',
    url: `/race/api/queryFrozenBets?id=${ID}`,
    // No rules have this id.
    status: vip.map((status) => (status === 200 ? 404 : status)) as unknown as Statuses,
  },
  { route: 'POST /race/api/endFrozenRules', body: { id: ID }, status: customer },
]
