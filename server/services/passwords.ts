import { hash, verify } from '@node-rs/argon2'
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

let common: Promise<ReadonlySet<string>> | null = null

/** The packaged list of common passwords, read when the first password is chosen. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords'].map((each) => each.toLowerCase()))
}

/**
 * Refuses a password that stands in the list of common ones (49,000), whatever its case, on top of the specification's
 * rule. Throws `bad-parameters` naming the field.
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
