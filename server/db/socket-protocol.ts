import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorCode, ErrorDetails } from '../../domain/errors.ts'
import type { Parameter } from './database.ts'

/** A request to the process with the embedded database; `transaction` is the id of the `begin` call. */
export type Call = { id: number } & (
  | { kind: 'rows'; sql: string; parameters: readonly Parameter[]; transaction: number | null }
  | { kind: 'script'; sql: string }
  | { kind: 'begin' }
  | { kind: 'commit' | 'rollback'; transaction: number }
  | { kind: 'dump'; file: string }
)

export interface Failure {
  message: string
  /** Set for a `FurlongError`; `null` for any other error. */
  furlong: { code: ErrorCode; details: ErrorDetails } | null
  /** Fields of a database error besides its message: SQLSTATE, constraint, detail. */
  fields: Record<string, string>
}

export type Reply = { id: number } & ({ ok: true; value: unknown } | { ok: false; failure: Failure })

export const SOCKET_FILE = 'furlong.sock'
/** Slightly below the kernel's limit for a socket path. */
const MAX_PATH_BYTES = 100

/**
 * Runs `work` with a path to the socket that is short enough for the kernel, even if the folder's path is too
 * long.
 */
export async function withSocketPath<Result>(
  dataFolder: string,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = join(dataFolder, SOCKET_FILE)
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES || process.platform !== 'linux') return work(path)
  const folder = openSync(dataFolder, 'r')
  try {
    return await work(`/proc/self/fd/${folder}/${SOCKET_FILE}`)
  } finally {
    closeSync(folder)
  }
}
