import { randomInt } from 'node:crypto'
import { FurlongError } from '../../domain/errors.ts'
import type { Language } from '../../domain/languages.ts'
import { serverMessage } from '../process/messages.ts'
import { codeSentAt, tryCode, writeCode, type CodePurpose } from '../store/accounts/attempt-store.ts'
import type { Service } from './service.ts'
import { attempt, networkOf } from './limits.ts'

const MINUTES = 5
/**
 * Maximum tries of a code from all networks together; a single network has five (decisions section 5,
 * `limits.ts`).
 */
const MAX_TRIES = 50
export const PAUSE_SECONDS = 60

/**
 * Sends a verification code: 6 digits, valid for five minutes, at most one per minute and phone
 * (decisions section 5). The text is sent in the background and whether or not the phone has an account, so
 * that neither timing nor response reveals it. Throws `too-many`.
 */
export async function sendVerificationCode(
  service: Service,
  to: { phone: string; purpose: CodePurpose; address: string; language: Language },
): Promise<string> {
  const { database, now } = service
  const { phone, purpose, address, language } = to
  await attempt(service, { 'code pause': phone, 'code address': address, 'code phone': phone })
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const hash = codeHash(service, phone, purpose, code)
  const times = { lifeMs: MINUTES * 60_000, pauseMs: PAUSE_SECONDS * 1000 }
  const written = await writeCode(database, { phone, purpose, hash, ...times }, now())
  if (!written) {
    const sent = await codeSentAt(database, phone)
    const waited = sent === null ? 0 : Math.floor((now().getTime() - sent.getTime()) / 1000)
    throw new FurlongError('too-many', { seconds: Math.max(1, PAUSE_SECONDS - waited) })
  }
  const text = serverMessage(language, 'sms.code', { code, minutes: MINUTES })
  service.runInBackground('sms', () => service.sms.send({ phone, text, code, language }))
  return code
}

/**
 * Uses up a code, or with `spend: false` only checks it. Tries are limited to five per code and network, so
 * that wrong tries by strangers do not block the owner. Throws `wrong-code` if the code is wrong, used,
 * expired or tried too often, and `too-many`.
 */
export async function useCode(
  service: Service,
  given: { phone: string; purpose: CodePurpose; code: string; address: string },
  { spend = true } = {},
): Promise<void> {
  const { database, now } = service
  const { phone, purpose, code, address } = given
  // Tries are counted per code, so a new code starts from zero.
  const sent = await codeSentAt(database, phone)
  const counted = await attempt(service, {
    ...(sent && { 'code tries': `${phone} ${sent.getTime()} ${networkOf(address)}` }),
    'code try address': address,
  })
  const hash = codeHash(service, phone, purpose, code)
  const right = await tryCode(database, { phone, purpose, hash, mostTries: MAX_TRIES, spend }, now())
  if (!right) throw new FurlongError('wrong-code')
  await counted.succeeded()
}

const codeHash = ({ keys }: Service, phone: string, purpose: CodePurpose, code: string): string =>
  keys.hash('code', `${phone} ${purpose} ${code}`)
