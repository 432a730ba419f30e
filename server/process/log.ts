import { asFurlongError, FurlongError } from '../../domain/errors.ts'
import pino, { type Logger } from 'pino'
import type { Settings } from './env.ts'

export type Log = Logger

/**
 * The logger of a process: one JSON object a line, written before the call returns, on standard output (1) or
 * standard error (2). No line may contain an address, a phone number, a token, or a database's message, which may quote
 * values.
 */
export const makeLog = (level: Settings['logLevel'], output: 1 | 2 = 1): Log =>
  pino({ level }, pino.destination({ dest: output, sync: true }))

/**
 * The same logger for what is written whatever the level is, unless it is `silent`: security events, the results of jobs, and
 * a worker that had to be started again.
 */
export const eventLog = (log: Log): Log => (log.level === 'silent' ? log : log.child({}, { level: 'info' }))

/** What is logged of an error: its code, and its message unless that is the driver's, which may quote values of a row. */
export function loggedError(error: unknown): { code: string; message?: string } {
  const { code, message } = asFurlongError(error)
  return error instanceof FurlongError ? { code, message } : { code }
}
