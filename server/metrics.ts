import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

/** What Prometheus reads. Routes are named by their pattern, so no id and no token becomes a label. */
export interface Metrics {
  registry: Registry
  request(method: string, route: string, status: number, seconds: number): void
  sockets: Gauge
  behindFailures: Counter
  securityEvents: Counter
}

export function makeMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'furlong_request_seconds',
    help: 'Time to answer, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  return {
    registry,
    request: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    sockets: new Gauge({ name: 'furlong_sockets', help: 'Open sockets', registers: [registry] }),
    securityEvents: new Counter({
      name: 'furlong_security_events_total',
      help: 'Failed sign-ins and changes of credentials',
      labelNames: ['kind'],
      registers: [registry],
    }),
    behindFailures: new Counter({
      name: 'furlong_behind_failures_total',
      help: 'What was done behind an answer and failed',
      labelNames: ['name'],
      registers: [registry],
    }),
  }
}
