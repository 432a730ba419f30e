import type { Row, Statuses } from './access-table.ts'

/** What a customer follows and marks is the customer's own; something that does not exist cannot be followed or marked. */
export const followRows = (customer: Statuses, notFound: Statuses): Row[] => [
  { route: 'GET /sys/api/customer/follows', status: customer },
  { route: 'GET /sys/api/customer/stable', status: customer },
  {
    route: 'POST /sys/api/customer/follows',
    body: { kind: 'horse', target: 'HK-Z999' },
    status: notFound,
  },
  {
    route: 'GET /sys/api/customer/marks',
    url: '/sys/api/customer/marks?raceId=HKSHT1999010101',
    status: customer,
  },
  {
    route: 'GET /sys/api/customer/markRecord',
    url: '/sys/api/customer/markRecord?countryRegionId=100000',
    status: customer,
  },
  {
    route: 'POST /sys/api/customer/marks',
    body: { raceId: 'HKSHT1999010101', horseId: 'HK-Z999', rating: 70, odds: null, shortlisted: true },
    status: notFound,
  },
  {
    route: 'DELETE /sys/api/customer/follows',
    url: '/sys/api/customer/follows?kind=horse&target=HK-Z999',
    status: customer,
  },
]
