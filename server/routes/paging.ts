import { FurlongError } from '../../domain/errors.ts'
import type { Viewer } from '../services/viewer.ts'

interface Page {
  pageNo: number
  pageSize: number
}

export const windowOf = ({ pageNo, pageSize }: Page): { limit: number; offset: number } => ({
  limit: pageSize,
  offset: (pageNo - 1) * pageSize,
})

export const pageOf = <Row>(
  { pageNo, pageSize }: Page,
  { records, total }: { records: Row[]; total: number },
) => ({ records, total, current: pageNo, size: pageSize, pages: Math.ceil(total / pageSize) })

/**
 * Checks that an account or id in the input is the caller's own; the token alone decides whose data a call
 * uses. Throws `not-allowed`.
 */
export function ownAccountOnly(viewer: Viewer, named: string | undefined): void {
  if (named !== undefined && named !== '' && named !== viewer.account && named !== viewer.id)
    throw new FurlongError('not-allowed')
}
