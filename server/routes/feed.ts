import type { FastifyRequest } from 'fastify'
import * as calls from '../../contract/api/feed.ts'
import { FurlongError } from '../../domain/errors.ts'
import { takeBatch, type FeedBatch } from '../ingest/feed.ts'
import { Paces } from '../services/pace.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'

/** Rate limit per token: ten times what twelve races a day with odds every ten seconds need. */
const PACE = { burst: 60, perSecond: 12 }
const KEY = /^[\u0021-\u007e]{1,200}$/

const CALLS = [
  calls.feedCards,
  calls.feedWithdrawals,
  calls.feedOdds,
  calls.feedResults,
  calls.feedDividends,
] as const

/** Routes for the data that operators' systems send on a race day. */
export function feedRoutes(answer: Answer, context: Context): void {
  const { service, metrics } = context
  const { database, now } = service
  const paces = new Paces(PACE)
  for (const call of CALLS) {
    answer(call, { bodyLimit: calls.MAX_FEED_BYTES }, async ({ body, request }) => {
      if (!paces.take(request.operatorId, now().getTime())) throw new FurlongError('too-many', { seconds: 1 })
      const key = idempotencyKey(request)
      const batch = { source: request.operatorId, key, kind: call.scope, body } as FeedBatch
      const report = await takeBatch(database, batch, now())
      metrics.feedBatch(report)
      return report
    })
  }
}

function idempotencyKey({ headers }: FastifyRequest): string {
  const key = headers[calls.IDEMPOTENCY_HEADER]
  if (typeof key !== 'string' || !KEY.test(key))
    throw new FurlongError('bad-parameters', { reason: 'Idempotency-Key: 1 to 200 visible characters' })
  return key
}
