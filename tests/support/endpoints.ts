import * as account from '../../contract/api/account.ts'
import type { Endpoint } from '../../contract/api/endpoint.ts'
import * as racing from '../../contract/api/racing.ts'
import * as site from '../../contract/api/site.ts'
import * as trade from '../../contract/api/trade.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value

/** Every call of the contract. */
export const ENDPOINTS: readonly Endpoint[] = [account, racing, site, trade].flatMap((module) =>
  Object.values(module as Record<string, unknown>).filter(isEndpoint),
)

export const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`
