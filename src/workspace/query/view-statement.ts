import { viewSql } from '../../../analytics/view-sql.ts'
import { MODELS } from '../../../analytics/models.ts'
import { needsOwnRows } from '../../../analytics/needs.ts'
import { whereFor } from './requests.ts'
import type { SliceAnswer } from './use-slice.ts'

/**
 * The statement of the SQL console that asks what a view of some dimensions shows; `null` where it is about columns of the
 * reader's own file, which the console does not match with races, or where the subject shown so far does not have them.
 */
export function viewStatement({ slice }: SliceAnswer, by: readonly string[]): string | null {
  const { dimensions } = MODELS[slice.subject]
  if (by.some((dim) => !Object.hasOwn(dimensions, dim))) return null
  const where = whereFor(slice, by)
  const aggregate = { model: slice.subject, by: [...by], measures: [], where }
  return needsOwnRows({ aggregate }) ? null : viewSql({ model: slice.subject, where, by })
}
