import { z } from 'zod'
import { Tip } from './racing.ts'
import { instant, raceId } from './fields.ts'
import { OrderState } from './trade.ts'

/**
 * The socket: `/{channel}/{userId}_app?token=…&since=…`. Without a token the client is a visitor and `userId`
 * is the device's own id. Each pushed message has an id. A message may arrive twice (after a reconnection
 * with `since`, the last id that the client received), so clients skip ids they know.
 */
export const SILENCE_SECONDS = 90
/** Messages are stored this long, for clients that reconnect. */
export const RETAINED_HOURS = 24

/** Close codes besides the standard ones. */
export const CLOSED = { failed: 1011, signedOut: 4401, silent: 4408, tooMany: 4429, tooFast: 4430 } as const

/** Text sent with a close code, for readers of the connection's log. */
export const CLOSE_REASONS: Readonly<Record<number, string>> = {
  [CLOSED.failed]: 'the server failed',
  [CLOSED.signedOut]: 'the sign-in has ended',
  [CLOSED.silent]: 'no heartbeat for 90 seconds',
  [CLOSED.tooMany]: 'too many connections',
  [CLOSED.tooFast]: 'too many messages',
}

export const ClientMessage = z.object({ type: z.literal('heartbeat'), userUid: z.string().max(80) })

const pushed = { id: z.string(), at: instant }

export const ServerMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('heartbeat'), userUid: z.string() }),
  /** Always the first message: later messages have ids above `lastId`. */
  z.strictObject({
    type: z.literal('hello'),
    lastId: z.string(),
    role: z.enum(['visitor', 'member', 'vip']),
  }),
  /** The missed messages are no longer stored: the client must reload everything. */
  z.strictObject({ type: z.literal('resync') }),
  z.strictObject({ type: z.literal('error'), error: z.string() }),
  z.strictObject({ type: z.literal('tip'), ...pushed, raceId, data: Tip }),
  z.strictObject({
    type: z.literal('result'),
    ...pushed,
    raceId,
    data: z.strictObject({
      status: z.string(),
      results: z.array(z.strictObject({ place: z.number().int(), horseNumber: z.number().int() })),
    }),
  }),
  z.strictObject({
    type: z.literal('odds'),
    ...pushed,
    raceId,
    data: z.array(z.strictObject({ horseNumber: z.number().int(), odds: z.number(), createTime: instant })),
  }),
  z.strictObject({
    type: z.literal('order'),
    ...pushed,
    data: z.strictObject({ orderId: z.string(), state: OrderState }),
  }),
])
export type ServerMessage = z.infer<typeof ServerMessage>
