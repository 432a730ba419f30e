import { isIPv6 } from 'node:net'
import { FurlongError } from '../../domain/errors.ts'
import type { Database, Queries } from '../db/database.ts'
import { dropAttempts, forgetAttempts, noteAttempt, takeTurn } from '../store/accounts/attempt-store.ts'
import { customerOfDevice } from '../store/accounts/device-store.ts'
import type { Service } from './service.ts'

const MINUTE_MS = 60_000

/**
 * Maximum attempts within a window: those of decisions section 5, and similar limits for related actions. A device on
 * which the customer has signed in before has limits of its own, so that strangers cannot use them up
 * (docs/decisions/029-known-devices.md).
 */
const LIMITS = {
  'sign-in account': { most: 5, windowMs: 15 * MINUTE_MS },
  'sign-in address': { most: 20, windowMs: 15 * MINUTE_MS },
  'sign-in device': { most: 5, windowMs: 15 * MINUTE_MS },
  /** Codes of one purpose for one phone; `codes.ts` lets them come less often long before. */
  'code phone': { most: 20, windowMs: 60 * MINUTE_MS },
  /** The pause between two codes, which also applies to a phone whose account was deleted meanwhile. */
  'code pause': { most: 1, windowMs: MINUTE_MS },
  /** Codes for one phone asked for from one network. */
  'code network': { most: 10, windowMs: 60 * MINUTE_MS },
  'code device': { most: 10, windowMs: 60 * MINUTE_MS },
  /** Codes for devices that nobody has signed in on; the operator sets how many (`codes.ts`). */
  'code strangers': { most: Number.POSITIVE_INFINITY, windowMs: 60 * MINUTE_MS },
  /** Tries of one code from one network or known device: strangers must not use up those of the phone's owner. */
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
  'message account': { most: 10, windowMs: 24 * 60 * MINUTE_MS },
  'alert test account': { most: 5, windowMs: 60 * MINUTE_MS },
  'alert address account': { most: 5, windowMs: 24 * 60 * MINUTE_MS },
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

/** Where a request comes from. */
export interface Origin {
  /** The client's IP address, as far as the proxies in front are trusted. */
  address: string
  /** Hash of the random text by which the client's device names itself; `null` if it does not. */
  device: string | null
}

/** The customer of an account name or phone who has signed in on the device of a request before; `null` otherwise. */
export const knownCustomer = async (
  { database }: Pick<Service, 'database'>,
  { device }: Origin,
  of: { account: string | null; phone: string | null },
): Promise<string | null> => (device === null ? null : customerOfDevice(database, device, of))

/** Clears the failures counted against an account after its owner has reset the password. */
export const forgive = ({ database, keys }: Service, kind: Limited, value: string): Promise<void> =>
  forgetAttempts(database, kind, keys.hash(kind, value))

/** What was recorded of an attempt. */
interface Counted {
  /** The attempts within the window of each limit, this one included. */
  counts: Partial<Record<Limited, number>>
  /** Removes what was recorded: the action did not take place. */
  undo(): Promise<void>
  /** Removes what was recorded, for limits that count only failures. */
  succeeded(): Promise<void>
}

/** Takes the counted action; if it fails to take place, such as in a queue that is full, it is not counted. */
export async function counting<Result>(
  { undo }: Pick<Counted, 'undo'>,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    await undo()
    throw error
  }
}

/** Limits that are reset by a success. An address is not, because many accounts may share it. */
const isReset = (kind: Limited): boolean => kind.endsWith(' account') || kind.endsWith(' device')

/**
 * Records one attempt against each limit before the action. Throws `too-many` with the seconds to wait; an
 * attempt refused by one limit counts against none of them. Subjects are stored as keyed hashes. Within a transaction,
 * what is recorded is part of it.
 */
export async function attempt(
  { database, keys, now: clock }: Pick<Service, 'keys' | 'now'> & { database: Queries | Database },
  subjects: Partial<Record<Limited, string>>,
): Promise<Counted> {
  const wanted = (Object.entries(subjects) as [Limited, string][]).map(([kind, value]) => ({
    kind,
    subject: keys.hash(kind, kind.endsWith(' address') ? networkOf(value) : value),
  }))
  const now = clock()
  const counts: Partial<Record<Limited, number>> = {}
  const record = async (queries: Queries): Promise<string[]> => {
    await takeTurn(
      queries,
      wanted.map(({ subject }) => subject),
    )
    const ids: string[] = []
    for (const { kind, subject } of wanted) {
      const { most, windowMs } = LIMITS[kind]
      const from = new Date(now.getTime() - windowMs)
      const { id, count, oldest } = await noteAttempt(queries, kind, subject, now, from)
      ids.push(id)
      counts[kind] = count
      // The transaction takes back what was recorded.
      if (count > most) throw new FurlongError('too-many', { seconds: secondsUntil(oldest, windowMs, now) })
    }
    return ids
  }
  const ids =
    wanted.length === 0
      ? []
      : await ('transaction' in database ? database.transaction(record) : record(database))
  const undo = (): Promise<void> => dropAttempts(database, ids)
  return {
    counts,
    undo,
    succeeded: async () => {
      await undo()
      for (const { kind, subject } of wanted) if (isReset(kind)) await forgetAttempts(database, kind, subject)
    },
  }
}

const secondsUntil = (oldest: string, windowMs: number, now: Date): number =>
  Math.max(1, Math.ceil((Date.parse(oldest) + windowMs - now.getTime()) / 1000))
