import * as analytics from '../../contract/api/analytics.ts'
import * as account from '../../contract/api/account.ts'
import type { Endpoint } from '../../contract/api/endpoint.ts'
import * as feed from '../../contract/api/feed.ts'
import * as frozen from '../../contract/api/frozen.ts'
import * as horse from '../../contract/api/horse.ts'
import * as report from '../../contract/api/report.ts'
import * as model from '../../contract/api/model.ts'
import * as note from '../../contract/api/note.ts'
import * as racing from '../../contract/api/racing.ts'
import * as session from '../../contract/api/session.ts'
import * as site from '../../contract/api/site.ts'
import * as subscription from '../../contract/api/subscription.ts'
import * as trade from '../../contract/api/trade.ts'
import * as view from '../../contract/api/view.ts'

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
