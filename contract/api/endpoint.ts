import type { z } from 'zod'
import { envelope } from './envelope.ts'

/**
 * Who may make a call. `open`: anyone, with the same response for all; the token is ignored. `viewer`:
 * anyone, and the response depends on the viewer; an invalid token is an error. `customer`: requires a valid
 * token. `operator`: requires an operator's token with the call's scope.
 */
type Access = 'open' | 'viewer' | 'customer' | 'operator'

type Method = 'GET' | 'POST' | 'DELETE'

interface Details {
  /** Scope that the operator's token must have. */
  scope?: string
  summary: string
  query?: z.ZodObject
  body?: z.ZodObject
  /** Takes a file as the multipart field `file`. */
  multipart?: true
  /** Schema of the `result` in the response body. */
  result: z.ZodType
}

interface Shape extends Details {
  method: Method
  path: string
  access: Access
}

/** One call of the API: its parameters, its response, and who may make it. */
export type Endpoint<Call extends Shape = Shape> = Call & {
  /** Schema of the whole body of a successful response. */
  response: z.ZodType
}

/** A call by its route, such as `GET /race/api/queryRace`, with the schema of its whole response. */
export function endpoint<
  const Who extends Access,
  Verb extends Method,
  Path extends string,
  const Rest extends Details,
>(access: Who, route: `${Verb} ${Path}`, details: Rest) {
  const [method, path] = route.split(' ') as [Verb, Path]
  return { method, path, access, ...details, response: envelope<Rest['result']>(details.result) }
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
export type QueryOf<Call extends Shape> = Output<Call['query']>
export type BodyOf<Call extends Shape> = Output<Call['body']>
export type ResultOf<Call extends Shape> = z.output<Call['result']>
