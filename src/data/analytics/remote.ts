import type { Answer, RunOptions } from '../../../analytics/connector.ts'
import type { Request } from '../../../analytics/request.ts'
import { postForAnswer } from '../client/api-client.ts'
import { FurlongError } from '../../../domain/errors.ts'

/**
 * Media type and header of the analytics call, repeated from contract/api/analytics.ts, which
 * would import a validator.
 */
const ARROW_TYPE = 'application/vnd.apache.arrow.stream'
const ANSWER_HEADER = 'x-furlong-answer'

/**
 * Sends a query to the server. Scope `own`: races that the customer opened; `coming`: today's and tomorrow's.
 */
export async function askRemote(
  regionId: string,
  request: Request,
  { signal }: Pick<RunOptions, 'signal'>,
  scope?: 'own' | 'coming',
): Promise<Answer> {
  const body = { regionId, request, ...(scope ? { scope } : {}) }
  const response = await postForAnswer('analytics/query', body, ARROW_TYPE, signal)
  const about = response.headers.get(ANSWER_HEADER)
  if (about === null) throw new FurlongError('dataset-unavailable', { status: response.status })
  return {
    ...(JSON.parse(about) as Omit<Answer, 'bytes'>),
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}
