import { hash, verify } from '@node-rs/argon2'
import { FurlongError } from '../../domain/errors.ts'

/** argon2id with OWASP's second recommended setting (19 MiB, two passes): about 10 ms. */
export const hashPassword = (password: string): Promise<string> => hash(password)

let nobody: Promise<string> | null = null

/** Compares a password with a hash; without a hash the same work is done, so that timing reveals nothing. */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  nobody ??= hash('no account has this password')
  const matches = await verify(stored ?? (await nobody), password)
  return stored !== null && matches
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
