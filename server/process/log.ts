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
