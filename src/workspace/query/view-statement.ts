import { viewSql } from '../../../analytics/view-sql.ts'
import { needsOwnRows } from '../../../analytics/needs.ts'
import { whereFor } from './requests.ts'
import type { SliceAnswer } from './use-slice.ts'

/**
 * The statement of the SQL console that asks what a view of some dimensions shows; `null` where it is about columns of the
 * reader's own file, which the console does not match with races.
 */
export function viewStatement({ slice }: SliceAnswer, by: readonly string[]): string | null {
  const where = whereFor(slice, by)
  const aggregate = { model: slice.subject, by: [...by], measures: [], where }
  return needsOwnRows({ aggregate }) ? null : viewSql({ model: slice.subject, where, by })
}
