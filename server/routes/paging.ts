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

/** One page of a list, each row as `shown` gives it to the client. */
export async function pageOf<Row, Shown = Row>(
  query: Page,
  read: (window: ReturnType<typeof windowOf>) => Promise<{ records: Row[]; total: number }>,
  shown: (row: Row) => Shown = (row) => row as unknown as Shown,
) {
  const { records, total } = await read(windowOf(query))
  const { pageNo: current, pageSize: size } = query
  return { records: records.map((row) => shown(row)), total, current, size, pages: Math.ceil(total / size) }
}

/**
 * Checks that an account or id in the input is the caller's own; the token alone decides whose data a call
 * uses. Throws `not-allowed`.
 */
export function ownAccountOnly(viewer: Viewer, named: string | undefined): void {
  if (named !== undefined && named !== '' && named !== viewer.account && named !== viewer.id)
    throw new FurlongError('not-allowed')
}
