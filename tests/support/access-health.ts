import type { Row, Statuses } from './access-table.ts'

/** Calls of machines, and the report of an engine error, which ignores tokens. */
export const healthRows = (open: Statuses): Row[] => [
  { route: 'GET /healthz', status: open },
  { route: 'GET /readyz', status: open },
  { route: 'GET /metrics', status: open },
  {
    route: 'POST /sys/api/engineError',
    body: { code: 'engine-failed', version: '1.32.0' },
    status: open,
  },
]
