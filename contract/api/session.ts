import { z } from 'zod'
import { envelope } from './envelope.ts'

export const Session = z.object({ role: z.enum(['vip']), expiresAt: z.string() })
export type Session = z.infer<typeof Session>

/** `GET /sys/api/session`: the right behind the token in `X-Access-Token`. */
export const querySession = {
  method: 'GET',
  path: '/sys/api/session',
  response: envelope(Session),
} as const

/** `POST /sys/api/linkSignIn`: a one-time link's code for a right; a code works once. */
export const linkSignIn = {
  method: 'POST',
  path: '/sys/api/linkSignIn',
  body: z.object({ code: z.string().regex(/^[A-Za-z0-9_-]{43}$/) }),
  response: envelope(Session.extend({ token: z.string() })),
} as const
