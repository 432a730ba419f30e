import { createHash } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { FurlongError } from '../../domain/errors.ts'

/** argon2id with OWASP's second choice of cost (19 MiB, two passes): about 10 ms here. */
export const hashPassword = (password: string): Promise<string> => hash(password)

let nobody: Promise<string> | null = null

/** Compares with a hash; without one the same work is done, so that the time tells nothing. */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  nobody ??= hash('no account has this password')
  const matches = await verify(stored ?? (await nobody), password)
  return stored !== null && matches
}

const digest = (text: string): string => createHash('sha1').update(text).digest('base64')
let common: ReadonlySet<string> | null = null

/**
 * Refuses passwords that stand in lists of common ones (as packaged, 49,000), whatever their case, on top of the
 * specification's rule. Throws `bad-parameters` naming the field.
 */
export function requireUncommon(password: string): void {
  common ??= new Set(dictionary['passwords'].map((each) => digest(String(each).toLowerCase())))
  if (!common.has(digest(password.toLowerCase()))) return
  throw new FurlongError('bad-parameters', {
    reason: 'password',
    field: 'password',
    rule: 'field.commonPassword',
  })
}
