import { queryOptions } from '@tanstack/react-query'
import type { Answer, RunOptions } from '../../../analytics/connector.ts'
import type { Request } from '../../../analytics/request.ts'
import { FurlongError } from '../../../domain/errors.ts'
import { postForAnswer } from '../client/api-client.ts'
import { keyOf } from '../client/call.ts'
import type { Rows } from '../../../analytics/cells.ts'
import { decoder } from './parts.ts'
import { repeatWhileBusy } from './repeat-while-busy.ts'

/**
 * Media type and header of the analytics call, repeated from contract/api/analytics.ts, which
 * would import a validator.
 */
const ARROW_TYPE = 'application/vnd.apache.arrow.stream'
const ANSWER_HEADER = 'x-furlong-answer'

/** How long the server took for the last answer, waits included; a failure takes for ever. */
let lastMs = Number.POSITIVE_INFINITY
export const lastRemoteMs = (): number => lastMs

/**
 * Sends a query to the server, and again after the pause that a busy server names. Scope `own`: races that the customer
 * opened; `coming`: those of today and of the next race day.
 */
export async function askRemote(
  regionId: string,
  request: Request,
  { signal }: Pick<RunOptions, 'signal'>,
  scope?: 'own' | 'coming',
): Promise<Answer> {
  const body = { regionId, request, ...(scope ? { scope } : {}) }
  const post = (): Promise<Response> => postForAnswer('analytics/query', body, ARROW_TYPE, signal)
  const started = performance.now()
  lastMs = Number.POSITIVE_INFINITY
  const response = await repeatWhileBusy(post, signal)
  lastMs = performance.now() - started
  const about = response.headers.get(ANSWER_HEADER)
  if (about === null) throw new FurlongError('dataset-unavailable', { status: response.status })
  return {
    ...(JSON.parse(about) as Omit<Answer, 'bytes'>),
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}

/** The rows of an answer that was asked for already: what decodes it is loaded meanwhile. */
export async function decoded(request: Request, asked: Promise<Answer>): Promise<Rows> {
  const [answer, { readAnswer }] = await Promise.all([asked, decoder.load()])
  return readAnswer(request, answer)
}

/** Odds change all day, so matches by odds may change without a pushed message. */
const COMING_MS = 60_000

/** A query of predictions of today and of the next race day that the user may see; always answered by the server. */
export const comingQuery = (token: string, regionId: string, request: Request) =>
  queryOptions({
    queryKey: keyOf('coming', token, regionId, request),
    queryFn: ({ signal }) => decoded(request, askRemote(regionId, request, { signal }, 'coming')),
    staleTime: COMING_MS / 2,
    refetchInterval: COMING_MS,
    structuralSharing: false,
    retry: 1,
  })

/** A race's dividends, which are public; requested from the server, whatever region is open on this device. */
export const dividendsQuery = (regionId: string, raceId: string) => {
  const request: Request = { named: { name: 'dividends', raceId } }
  return queryOptions({
    queryKey: keyOf('dividends', regionId, raceId),
    queryFn: ({ signal }) => decoded(request, askRemote(regionId, request, { signal })),
    staleTime: 60_000,
    structuralSharing: false,
    retry: 1,
  })
}
