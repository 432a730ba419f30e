import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorCode, ErrorDetails } from '../../domain/errors.ts'
import type { Parameter } from './database.ts'

/** What a command asks of the process that has the embedded database open; `transaction` is the id of its `begin`. */
export type Call = { id: number } & (
  | { kind: 'rows'; sql: string; parameters: readonly Parameter[]; transaction: number | null }
  | { kind: 'script'; sql: string }
  | { kind: 'begin' }
  | { kind: 'commit' | 'rollback'; transaction: number }
  | { kind: 'dump'; file: string }
)

export interface Failure {
  message: string
  /** Of a `FurlongError`; `null` for every other. */
  furlong: { code: ErrorCode; details: ErrorDetails } | null
  /** What the database tells beside its message: SQLSTATE, constraint, detail. */
  fields: Record<string, string>
}

export type Reply = { id: number } & ({ ok: true; value: unknown } | { ok: false; failure: Failure })

export const SOCKET_FILE = 'furlong.sock'
/** Slightly below the kernel's limit for a socket path. */
const MAX_PATH_BYTES = 100

/** Runs `work` with a path of the socket that the kernel takes, however long the folder's own is. */
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
