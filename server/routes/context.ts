import type { FastifyRequest } from 'fastify'
import type { Envelope } from '../../contract/api/envelope.ts'
import { FurlongError } from '../../domain/errors.ts'
import { languageOf, type Language } from '../messages.ts'
import { readToken, type Right } from '../services/right.ts'
import type { Database } from '../store/database.ts'
import { holdsDemonstration } from '../store/demonstration.ts'

/** What every route needs. */
export interface Context {
  database: Database
  dataFolder: string
  secret: string
  /** Folder of the built site; `null` serves the API alone. */
  siteFolder: string | null
}

export const languageOfRequest = (request: FastifyRequest): Language =>
  languageOf(request.headers['accept-language'])

export const answer = <Result>(result: Result): Envelope<Result> => ({
  success: true,
  code: 200,
  message: '',
  result,
  timestamp: Date.now(),
})

/** The right of the request's token, `null` without one. Throws `right-missing`, `right-expired`. */
export async function rightOf({ database, secret }: Context, request: FastifyRequest): Promise<Right | null> {
  const token = request.headers['x-access-token']
  if (token === undefined || token === '') return null
  if (typeof token !== 'string') throw new FurlongError('right-missing')
  let right: Right
  try {
    right = readToken(secret, token)
  } catch (error) {
    throw error instanceof FurlongError ? error : new FurlongError('right-missing')
  }
  // A right given for simulated races must not open imported ones.
  if (right.demonstration && !(await holdsDemonstration(database))) throw new FurlongError('right-expired')
  return right
}

/** Like `rightOf`, for calls that only a VIP may make. */
export async function requireVip(context: Context, request: FastifyRequest): Promise<Right> {
  const right = await rightOf(context, request)
  if (right === null) throw new FurlongError('right-missing')
  return right
}
