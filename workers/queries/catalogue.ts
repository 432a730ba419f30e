import { z } from 'zod'
import { QUERIES, type QueryName } from '../../contract/queries.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { Access } from '../sql/record-source.ts'
import { facets, models, origins, stadiums } from './facts.ts'
import { judgeDays } from './judge-days.ts'
import { liveRaces } from './live-races.ts'
import { lockedLines, locks } from './locks.ts'
import type { PreparedQuery, QueryBuilder } from './query.ts'
import { recordBreakdown } from './record-breakdown.ts'
import { recordCalibration } from './record-calibration.ts'
import { recordDays } from './record-days.ts'
import { recordCount, recordPage } from './record-page.ts'
import { recordTotals } from './record-totals.ts'

const BUILDERS: { [Name in QueryName]: QueryBuilder<Name> } = {
  record_totals: recordTotals,
  record_days: recordDays,
  record_breakdown: recordBreakdown,
  record_calibration: recordCalibration,
  judge_days: judgeDays,
  locks,
  locked_lines: lockedLines,
  origins,
  record_count: recordCount,
  record_page: recordPage,
  stadiums,
  facets,
  models,
  live_races: liveRaces,
}

/** The SQL of a named query. Throws `unknown-query`, `bad-parameters` naming each field, `vip-needed`. */
export function prepareQuery(name: QueryName, parameters: unknown, access: Access): PreparedQuery {
  if (!Object.hasOwn(BUILDERS, name)) throw new FurlongError('unknown-query', { name })
  const parsed = z.safeParse(QUERIES[name], parameters)
  if (!parsed.success) {
    const reason = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    throw new FurlongError('bad-parameters', { reason })
  }
  const build = BUILDERS[name] as QueryBuilder<QueryName>
  return build(parsed.data, access)
}
