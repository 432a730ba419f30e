import { inviterRow, noteRows } from './access-notes.ts'
import { followRows } from './access-follows.ts'
import type { Row, Statuses } from './access-table.ts'

const NOT_FOUND: Statuses = [404, 404, 404, 404, 404, 404, 404, 404]

/** Saved views, and notes on them, belong to the customer; a short link is readable by anyone who has it. */
export const savedViewRows = (customer: Statuses, notTheirs: Statuses): Row[] => [
  ...noteRows(customer, notTheirs),
  inviterRow(NOT_FOUND),
  ...followRows(customer, notTheirs),
  {
    route: 'GET /sys/api/customer/savedViews',
    url: '/sys/api/customer/savedViews?countryRegionId=100000',
    status: customer,
  },
  {
    route: 'POST /sys/api/customer/savedViews',
    body: { countryRegionId: '100000', name: 'a view', address: 'period=year' },
    status: customer,
  },
  {
    route: 'POST /sys/api/customer/changeSavedView',
    body: {
      id: '00000000-0000-7000-8000-000000000000',
      name: 'another name',
      threshold: { measure: 'return', length: 100, unit: 'bets', side: 'below', value: -0.2 },
      digest: 'weekly',
    },
    status: customer,
  },
  {
    route: 'DELETE /sys/api/customer/savedViews',
    url: '/sys/api/customer/savedViews?id=00000000-0000-7000-8000-000000000000',
    status: customer,
  },
  { route: 'GET /sys/api/sharedView', url: '/sys/api/sharedView?code=0000000000', status: NOT_FOUND },
]
