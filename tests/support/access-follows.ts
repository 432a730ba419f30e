import type { Row, Statuses } from './access-table.ts'

/** What a customer follows is the customer's own; something that does not exist cannot be followed. */
export const followRows = (customer: Statuses, notFound: Statuses): Row[] => [
  { route: 'GET /sys/api/customer/follows', status: customer },
  { route: 'GET /sys/api/customer/stable', status: customer },
  {
    route: 'POST /sys/api/customer/follows',
    body: { kind: 'horse', target: 'HK-Z999' },
    status: notFound,
  },
  {
    route: 'DELETE /sys/api/customer/follows',
    url: '/sys/api/customer/follows?kind=horse&target=HK-Z999',
    status: customer,
  },
]
