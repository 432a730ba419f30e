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

/** A named account or id must be the caller's own: what a call does is decided by the token. Throws `not-allowed`. */
export function ownAccountOnly(viewer: Viewer, named: string | undefined): void {
  if (named !== undefined && named !== '' && named !== viewer.account && named !== viewer.id)
    throw new FurlongError('not-allowed')
}
