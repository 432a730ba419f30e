import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { FurlongError } from '../../domain/errors.ts'

const Claims = z.object({
  role: z.enum(['vip']),
  /** Seconds since 1970. */
  exp: z.number().int(),
  /** Holds only while the database holds the demonstration. */
  demo: z.boolean(),
})

/** What a token allows until when. */
export interface Right {
  role: 'vip'
  expiresAt: Date
  demonstration: boolean
}

const sign = (secret: string, payload: string): Buffer =>
  createHmac('sha256', secret).update(`furlong-right ${payload}`).digest()

/** A right as a signed token: `payload.signature`, both base64url. */
export function makeToken(secret: string, { role, expiresAt, demonstration }: Right): string {
  const claims = { role, exp: Math.floor(expiresAt.getTime() / 1000), demo: demonstration }
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${payload}.${sign(secret, payload).toString('base64url')}`
}

/** The right of a token. Throws `right-missing` for one that this server did not sign, `right-expired`. */
export function readToken(secret: string, token: string, now: Date = new Date()): Right {
  const [payload = '', signature = ''] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(secret, payload)
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new FurlongError('right-missing')
  const claims = Claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  if (!claims.success) throw new FurlongError('right-missing')
  const expiresAt = new Date(claims.data.exp * 1000)
  if (expiresAt <= now) throw new FurlongError('right-expired')
  return { role: claims.data.role, expiresAt, demonstration: claims.data.demo }
}
