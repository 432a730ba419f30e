import * as analytics from './analytics.ts'
import * as account from './account.ts'
import type { Endpoint } from './endpoint.ts'
import * as feed from './feed.ts'
import * as frozen from './frozen.ts'
import * as horse from './horse.ts'
import * as report from './report.ts'
import * as model from './model.ts'
import * as note from './note.ts'
import * as racing from './racing.ts'
import * as session from './session.ts'
import * as site from './site.ts'
import * as subscription from './subscription.ts'
import * as trade from './trade.ts'
import * as view from './view.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value

const endpointsOf = (...modules: object[]): Endpoint[] =>
  modules.flatMap((module) => Object.values(module as Record<string, unknown>).filter(isEndpoint))

export const RACING_ENDPOINTS: readonly Endpoint[] = endpointsOf(horse, racing, report, subscription)
export const OTHER_ENDPOINTS: readonly Endpoint[] = endpointsOf(account, session, site, trade)
/** Every call of the contract. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...RACING_ENDPOINTS,
  ...OTHER_ENDPOINTS,
  ...endpointsOf(model, analytics, view, frozen, note, feed),
]

export const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`
