import type { z } from 'zod'
import { envelope } from './envelope.ts'

/**
 * Who may make a call. `open`: everybody, the same answer for all; the token is not looked at. `viewer`: everybody, the
 * answer depends on who asks; a token that is no longer good is told. `customer`: only with a good token. `operator`: only
 * with an operator's token that has the call's scope.
 */
export type Access = 'open' | 'viewer' | 'customer' | 'operator'

interface Shape {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  access: Access
  /** Of an operator's token. */
  scope?: string
  summary: string
  query?: z.ZodObject
  body?: z.ZodObject
  /** A file as multipart field `file`. */
  multipart?: true
  /** Of `result`. */
  result: z.ZodType
}

/** One call of the API: what it takes, what it answers, who may make it. */
export type Endpoint<Call extends Shape = Shape> = Call & {
  /** The whole body of a successful answer. */
  response: z.ZodType
}

export function endpoint<const Call extends Shape>(
  call: Call,
): Call & { response: ReturnType<typeof envelope<Call['result']>> } {
  return { ...call, response: envelope<Call['result']>(call.result) }
}

export type QueryOf<Call extends Shape> = Call extends { query: infer Query extends z.ZodType }
  ? z.output<Query>
  : undefined
export type BodyOf<Call extends Shape> = Call extends { body: infer Body extends z.ZodType }
  ? z.output<Body>
  : undefined
export type ResultOf<Call extends Shape> = z.output<Call['result']>
