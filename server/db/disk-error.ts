import { FurlongError, type ErrorCode } from '../../domain/errors.ts'

/** Codes of the system and of PostgreSQL, and the texts in which DuckDB and PostgreSQL quote the system. */
const SIGNS: readonly { code: ErrorCode; codes: readonly string[]; text: string }[] = [
  { code: 'disk-full', codes: ['ENOSPC', 'EDQUOT', '53100'], text: 'No space left on device' },
  { code: 'folder-read-only', codes: ['EROFS'], text: 'Read-only file system' },
]

/**
 * The `disk-full` or `folder-read-only` error that tells why nothing could be written in `folder`; other
 * errors are returned unchanged.
 */
export function diskError(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || error instanceof FurlongError) return error
  const { code: given } = error as { code?: unknown }
  const sign = SIGNS.find(({ codes, text }) => codes.includes(String(given)) || error.message.includes(text))
  return sign === undefined ? error : new FurlongError(sign.code, { folder }, { cause: error })
}
