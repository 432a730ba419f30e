import * as calls from '../../contract/api/frozen.ts'
import { FurlongError } from '../../domain/errors.ts'
import { frozenPlan, settledBets } from '../dataset/frozen-rules.ts'
import {
  endFrozenRule,
  insertFrozenRule,
  listFrozenRules,
  readFrozenBets,
} from '../store/accounts/frozen-store.ts'
import { attempt } from '../services/limits.ts'
import { found, written, type Answer } from './answer.ts'
import type { Context } from './context.ts'
import { windowOf } from './paging.ts'

/** Routes for frozen rules of the strategy lab, and the bets recorded for them. */
export function frozenRoutes(answer: Answer, context: Context): void {
  const { database, now } = context.service

  answer(calls.freezeRules, async ({ viewer, body }) => {
    if (!viewer.isVip) throw new FurlongError('vip-needed')
    // Refuses an invalid filter now instead of minutes before a race.
    frozenPlan(body.universe, body.filter)
    const { countryRegionId: regionId, filter = null, ...rule } = body
    await attempt(context.service, { 'freeze account': viewer.id })
    const limits = { max: calls.MAX_FROZEN, maxEnded: calls.MAX_ENDED }
    const owned = { ...rule, ...limits, customerId: viewer.id, regionId, filter, now: now() }
    const frozen = await database.transaction((queries) => insertFrozenRule(queries, owned))
    return written(
      frozen,
      `${calls.MAX_FROZEN} frozen rules, each of its own name, and ${calls.MAX_ENDED} ended ones`,
    )
  })

  answer(calls.queryFrozenRules, ({ viewer, query }) =>
    listFrozenRules(database, viewer.id, query.countryRegionId, now(), windowOf(query)),
  )

  answer(calls.queryFrozenBets, async ({ viewer, query, language }) => {
    // Bets on upcoming races are predictions.
    if (!viewer.isVip) throw new FurlongError('vip-needed')
    const bets = await readFrozenBets(database, viewer.id, query.id, language, calls.MAX_FROZEN_BETS)
    return settledBets(database, found(bets))
  })

  answer(calls.endFrozenRules, async ({ viewer, body }) => ({
    ended: await endFrozenRule(database, viewer.id, body.id, now()),
  }))
}
