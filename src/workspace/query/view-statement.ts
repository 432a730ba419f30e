import { dimensionsOf } from '../../../analytics/filter.ts'
import { MODELS } from '../../../analytics/models.ts'
import { isOwnName } from '../../../analytics/own-slots.ts'
import { viewSql } from '../../../analytics/view-sql.ts'
import { whereFor, type Slice } from './requests.ts'

/**
 * Whether a view of some dimensions can be a statement of the SQL console: not where it is about columns of the reader's own
 * file, which the console does not match with races, nor where the subject shown so far does not have them.
 */
export const canBeStatement = ({ subject, filter }: Slice, by: readonly string[]): boolean =>
  by.every((dim) => Object.hasOwn(MODELS[subject].dimensions, dim)) &&
  ![...by, ...dimensionsOf(filter)].some(isOwnName)

/** The statement of the SQL console that asks what such a view shows. */
export const viewStatement = (slice: Slice, by: readonly string[]): string =>
  viewSql({ model: slice.subject, where: whereFor(slice, by), by })
