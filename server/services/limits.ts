import { isIPv6 } from 'node:net'
import { FurlongError } from '../../domain/errors.ts'
import type { Queries } from '../db/database.ts'
import { dropAttempts, forgetAttempts, noteAttempt } from '../store/accounts/attempt-store.ts'
import type { Service } from './service.ts'

const MINUTE_MS = 60_000

/** Maximum attempts within a window: those of decisions section 5, and similar limits for related actions. */
const LIMITS = {
  'sign-in account': { most: 5, windowMs: 15 * MINUTE_MS },
  'sign-in address': { most: 20, windowMs: 15 * MINUTE_MS },
  'code phone': { most: 10, windowMs: 60 * MINUTE_MS },
  /** The pause between two codes, which also applies to a phone whose account was deleted meanwhile. */
  'code pause': { most: 1, windowMs: MINUTE_MS },
  /** Tries of one code from one network: strangers must not use up those of the phone's owner. */
  'code tries': { most: 5, windowMs: 5 * MINUTE_MS },
  'vip open account': { most: 40, windowMs: 10 * MINUTE_MS },
  'order account': { most: 20, windowMs: 60 * MINUTE_MS },
  'card account': { most: 10, windowMs: 24 * 60 * MINUTE_MS },
  'freeze account': { most: 60, windowMs: 24 * 60 * MINUTE_MS },
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

/** The network of an address: an IPv6 client usually has a whole /64, which counts as one. */
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

/** The network around a network, as far as one owner usually has it: an IPv4 /24, an IPv6 /48. */
function widerNetworkOf(address: string): string {
  const network = networkOf(address)
  return network.includes(':')
    ? network.split(':').slice(0, 3).join(':')
    : network.split('.').slice(0, 3).join('.')
}

/** The share of a stranger in a queue: addresses of one network have its share together. */
export const networkShare = (address: string): [string, string] => [
  widerNetworkOf(address),
  networkOf(address),
]

/** Clears the failures counted against an account after its owner has reset the password. */
export const forgive = ({ database, keys }: Service, kind: Limited, value: string): Promise<void> =>
  forgetAttempts(database, kind, keys.hash(kind, value))

/**
 * Records one attempt against each limit before the action. Throws `too-many` with the seconds to wait; an
 * attempt refused by one limit counts against none of them. Subjects are stored as keyed hashes. `succeeded` removes
 * what was recorded, for limits that count only failures.
 */
export async function attempt(
  { database, keys, now: clock }: Pick<Service, 'keys' | 'now'> & { database: Queries },
  subjects: Partial<Record<Limited, string>>,
): Promise<{ succeeded: () => Promise<void> }> {
  const now = clock()
  const noted: { id: string; kind: Limited; subject: string }[] = []
  const ids = (): string[] => noted.map(({ id }) => id)
  for (const [kind, value] of Object.entries(subjects) as [Limited, string][]) {
    const { most, windowMs } = LIMITS[kind]
    const subject = keys.hash(kind, kind.endsWith(' address') ? networkOf(value) : value)
    const from = new Date(now.getTime() - windowMs)
    const { id, count, oldest } = await noteAttempt(database, kind, subject, now, from)
    noted.push({ id, kind, subject })
    if (count <= most) continue
    await dropAttempts(database, ids())
    const seconds = Math.max(1, Math.ceil((Date.parse(oldest) + windowMs - now.getTime()) / 1000))
    throw new FurlongError('too-many', { seconds })
  }
  return {
    succeeded: async () => {
      await dropAttempts(database, ids())
      // Success resets the count of an account, but not of an address, which many accounts may share.
      for (const { kind, subject } of noted)
        if (kind.endsWith(' account')) await forgetAttempts(database, kind, subject)
    },
  }
}
