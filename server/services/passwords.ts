import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { FurlongError } from '../../domain/errors.ts'
import { FairQueue, type Share } from '../process/fair-queue.ts'
import { networkShare } from './limits.ts'

/** About what one hash takes; milliseconds. */
const HASH_MS = 15

/**
 * All hashes of the process: half of the cores stay for requests, and of the threads that compress and read files too.
 * Whoever waits has the turn of his network or account, so that strangers wait for each other and not the owner for them.
 */
const queue = new FairQueue({
  running: Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2))),
  waiting: 300,
  waitingOfOne: 20,
  waitMs: 20_000,
  refusal: 'too-many',
})

/** Who has a password hashed: a signed-in customer by id, or a stranger by address. */
export type Hasher = { customerId: string } | { address: string }

const shareOf = (hasher: Hasher): Share =>
  'customerId' in hasher ? ['customers', hasher.customerId] : ['strangers', ...networkShare(hasher.address)]

/** argon2id with OWASP's second recommended setting (19 MiB, two passes): about 10 ms. Throws `too-many`, `busy`. */
export const hashPassword = (password: string, hasher: Hasher): Promise<string> =>
  queue.run(shareOf(hasher), HASH_MS, () => hash(password))

let nobody: Promise<string> | null = null

/**
 * Compares a password with a hash; without a hash the same work is done, so that timing reveals nothing. Throws
 * `too-many`, `busy`.
 */
export function checkPassword(stored: string | null, password: string, hasher: Hasher): Promise<boolean> {
  return queue.run(shareOf(hasher), HASH_MS, async () => {
    nobody ??= hash('no account has this password')
    const matches = await verify(stored ?? (await nobody), password)
    return stored !== null && matches
  })
}

let common: Promise<ReadonlySet<string>> | null = null

/** The packaged list of common passwords, loaded when a password is first chosen. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords'].map((each) => each.toLowerCase()))
}

/**
 * Refuses a password in the list of common passwords (49,000), ignoring case, in addition to the
 * specification's rule. Throws `bad-parameters` naming the field.
 */
export async function requireUncommon(password: string): Promise<void> {
  common ??= readCommon()
  if (!(await common).has(password.toLowerCase())) return
  throw new FurlongError('bad-parameters', {
    reason: 'password',
    field: 'password',
    rule: 'field.commonPassword',
  })
}
