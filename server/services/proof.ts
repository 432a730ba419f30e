import type { SecurityEventKind } from '../../contract/api/session.ts'
import { FurlongError } from '../../domain/errors.ts'
import type { Language } from '../../domain/languages.ts'
import { serverMessage } from '../process/messages.ts'
import { readPasswordHash, readPhone } from '../store/accounts/customer-store.ts'
import { insertSecurityEvent } from '../store/accounts/security-store.ts'
import { useCode } from './codes.ts'
import { attempt, counting, type Origin } from './limits.ts'
import { checkPassword } from './passwords.ts'
import type { Service } from './service.ts'

/** Checks a signed-in customer's password. Throws `wrong`, `too-many`. */
export async function requirePassword(
  service: Service,
  id: string,
  password: string,
  wrong: 'wrong-password' | 'wrong-old-password',
): Promise<void> {
  const counted = await attempt(service, { 'password account': id })
  const stored = await readPasswordHash(service.database, id)
  if (!(await counting(counted, () => checkPassword(stored, password, { customerId: id }))))
    throw new FurlongError(wrong)
  await counted.succeeded()
}

/**
 * Re-authenticates a customer before money is paid out: a stolen token is not enough. A code must have been
 * sent to the account's phone for signing in. Throws `wrong-password`, `wrong-code`, `too-many`,
 * `session-ended`.
 */
export async function requireProof(
  service: Service,
  customerId: string,
  given: { password?: string | undefined; captcha?: string | undefined },
  origin: Origin,
): Promise<void> {
  if (given.captcha !== undefined) {
    const phone = await readPhone(service.database, customerId)
    if (phone === null) throw new FurlongError('session-ended')
    await useCode(service, { phone, purpose: 'login', code: given.captcha }, origin)
    return
  }
  await requirePassword(service, customerId, given.password ?? '', 'wrong-password')
}

/** Events that are texted to the owner; the others only appear on the personal page. */
const TEXTED: readonly SecurityEventKind[] = [
  'password-changed',
  'password-reset',
  'card-added',
  'withdrawal-asked',
]

/** Logs a security event of an account and informs its owner. */
export async function noteSecurity(
  service: Service,
  customerId: string,
  kind: SecurityEventKind,
  language: Language = 'en',
): Promise<void> {
  service.logSecurity(kind, customerId)
  await insertSecurityEvent(service.database, customerId, kind, service.now())
  if (!TEXTED.includes(kind)) return
  const phone = await readPhone(service.database, customerId)
  if (phone === null) return
  const text = serverMessage(language, `sms.${kind}`)
  service.runInBackground('sms', () => service.sms.send({ phone, text, code: '', language }))
}
