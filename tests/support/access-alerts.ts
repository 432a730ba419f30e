import type { Row, Statuses } from './access-table.ts'

/** What a customer is told, and how, is the customer's own; the pages of the links in e-mail are for everybody. */
export const alertRows = (
  customer: Statuses,
  customers: (status: number) => Statuses,
  open: Statuses,
): Row[] => [
  { route: 'GET /sys/api/customer/alerts', status: customer },
  { route: 'GET /sys/api/customer/unreadAlerts', status: customer },
  { route: 'POST /sys/api/customer/alertsRead', status: customer },
  { route: 'GET /sys/api/customer/alertSettings', status: customer },
  { route: 'POST /sys/api/customer/alertSettings', body: {}, status: customers(400) },
  // This installation sends no e-mail.
  {
    route: 'POST /sys/api/customer/alertEmail',
    body: { address: 'reader@example.com', agreed: true },
    status: customers(404),
  },
  { route: 'DELETE /sys/api/customer/alertEmail', status: customer },
  {
    route: 'POST /sys/api/customer/pushDevices',
    body: { endpoint: 'https://127.0.0.1/internal', keys: { p256dh: 'x', auth: 'x' } },
    status: customers(400),
  },
  {
    route: 'DELETE /sys/api/customer/pushDevices',
    url: '/sys/api/customer/pushDevices?endpoint=https%3A%2F%2Fnowhere.example',
    status: customer,
  },
  { route: 'POST /sys/api/customer/alertTest', status: customer },
  { route: 'GET /sys/alerts/unsubscribe', status: open },
  { route: 'POST /sys/alerts/unsubscribe', url: '/sys/alerts/unsubscribe?token=x', status: open },
  { route: 'GET /sys/alerts/confirm', status: open },
  { route: 'POST /sys/alerts/confirm', url: '/sys/alerts/confirm?token=x', status: open },
]
