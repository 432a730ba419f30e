import { isIPv6 } from 'node:net'
import { FurlongError } from '../../domain/errors.ts'
import type { Queries } from '../store/database.ts'
import { dropAttempts, forgetAttempts, noteAttempt } from '../store/attempt-store.ts'
import type { Keys } from './keys.ts'

const MINUTE_MS = 60_000

/** How often something may be tried within a window: decisions section 5, and the same care for its neighbours. */
const LIMITS = {
  'sign-in account': { most: 5, windowMs: 15 * MINUTE_MS },
  'sign-in address': { most: 20, windowMs: 15 * MINUTE_MS },
  'code phone': { most: 10, windowMs: 60 * MINUTE_MS },
  /** The pause between two codes, also for a phone whose account was deleted meanwhile. */
  'code pause': { most: 1, windowMs: MINUTE_MS },
  /** Tries of one code from one network: strangers must not use up those of the phone's owner. */
  'code tries': { most: 5, windowMs: 5 * MINUTE_MS },
  'vip open account': { most: 40, windowMs: 10 * MINUTE_MS },
  'order account': { most: 20, windowMs: 60 * MINUTE_MS },
  'card account': { most: 10, windowMs: 24 * 60 * MINUTE_MS },
  'export account': { most: 10, windowMs: 60 * MINUTE_MS },
  'replay address': { most: 120, windowMs: 10 * MINUTE_MS },
  'code address': { most: 30, windowMs: 60 * MINUTE_MS },
  'code try address': { most: 60, windowMs: 60 * MINUTE_MS },
  'register address': { most: 60, windowMs: 60 * MINUTE_MS },
  'password account': { most: 5, windowMs: 15 * MINUTE_MS },
  'upload account': { most: 60, windowMs: 60 * MINUTE_MS },
  'visit address': { most: 600, windowMs: 10 * MINUTE_MS },
  'link address': { most: 60, windowMs: 15 * MINUTE_MS },
} as const

export type Limited = keyof typeof LIMITS

/** An IPv6 reader has a whole /64 of addresses to himself: they count as one. */
export function networkOf(address: string): string {
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length)
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const missing = address.includes('::') ? 8 - before.length - after.length : 0
  const groups = [...before, ...Array<string>(Math.max(0, missing)).fill('0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** Clears the failures counted against an account once its owner has signed in. */
export async function forgive(database: Queries, keys: Keys, kind: Limited, value: string): Promise<void> {
  await forgetAttempts(database, kind, keys.hash(kind, value))
}

/** Attempts that were noted: `succeeded` takes back those that only failures shall count against. */
export interface Attempt {
  succeeded(): Promise<void>
}

/**
 * Notes one attempt against each limit before the thing is tried. Throws `too-many` with the seconds to wait, and an
 * attempt that one of these limits refuses counts against none of them. Subjects are kept as keyed hashes.
 */
export async function attempt(
  database: Queries,
  keys: Keys,
  now: Date,
  subjects: Partial<Record<Limited, string>>,
): Promise<Attempt> {
  const noted: { id: string; kind: Limited; subject: string }[] = []
  for (const [kind, value] of Object.entries(subjects) as [Limited, string][]) {
    const { most, windowMs } = LIMITS[kind]
    const subject = keys.hash(kind, kind.endsWith(' address') ? networkOf(value) : value)
    const from = new Date(now.getTime() - windowMs)
    const { id, count, oldest } = await noteAttempt(database, kind, subject, now, from)
    noted.push({ id, kind, subject })
    if (count <= most) continue
    await dropAttempts(
      database,
      noted.map((each) => each.id),
    )
    const seconds = Math.max(1, Math.ceil((Date.parse(oldest) + windowMs - now.getTime()) / 1000))
    throw new FurlongError('too-many', { seconds })
  }
  return {
    succeeded: async () => {
      await dropAttempts(
        database,
        noted.map(({ id }) => id),
      )
      // Who knows the password starts anew; an address with many accounts behind it does not.
      for (const { kind, subject } of noted)
        if (kind.endsWith(' account')) await forgetAttempts(database, kind, subject)
    },
  }
}
