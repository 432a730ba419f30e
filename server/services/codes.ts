import { randomInt } from 'node:crypto'
import { FurlongError } from '../../domain/errors.ts'
import { serverMessage, type Language } from '../messages.ts'
import { codeSentAt, tryCode, writeCode, type CodePurpose } from '../store/attempt-store.ts'
import type { Service } from './service.ts'
import { attempt, networkOf } from './limits.ts'

const MINUTES = 5
/** Tries of a code from all networks together: one network has five (decisions section 5, `limits.ts`). */
const MAX_TRIES = 50
export const PAUSE_SECONDS = 60

/**
 * Sends a verification code: 6 digits, five minutes, one a minute for a phone (decisions section 5). The text is handed
 * over behind the answer, and sent whether or not the phone has an account, so neither time nor words tell. Throws
 * `too-many`.
 */
export async function sendVerificationCode(
  service: Service,
  to: { phone: string; purpose: CodePurpose; address: string; language: Language },
): Promise<string> {
  const { database, keys, now } = service
  await attempt(database, keys, now(), {
    'code pause': to.phone,
    'code address': to.address,
    'code phone': to.phone,
  })
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const written = await writeCode(
    database,
    {
      phone: to.phone,
      purpose: to.purpose,
      hash: codeHash(service, to.phone, to.purpose, code),
      lifeMs: MINUTES * 60_000,
      pauseMs: PAUSE_SECONDS * 1000,
    },
    now(),
  )
  if (!written) {
    const sent = await codeSentAt(database, to.phone)
    const waited = sent === null ? 0 : Math.floor((now().getTime() - sent.getTime()) / 1000)
    throw new FurlongError('too-many', { seconds: Math.max(1, PAUSE_SECONDS - waited) })
  }
  const text = serverMessage(to.language, 'sms.code', { code, minutes: MINUTES })
  service.runInBackground('sms', () =>
    service.sms.send({ phone: to.phone, text, code, language: to.language }),
  )
  return code
}

/**
 * Spends a code, or looks whether it is right without spending it. Each network has five tries of a code, so that wrong
 * ones by strangers do not keep its owner out. Throws `wrong-code` for a wrong, used, late or overtried one, and
 * `too-many`.
 */
export async function useCode(
  service: Service,
  given: { phone: string; purpose: CodePurpose; code: string; address: string },
  { spend = true } = {},
): Promise<void> {
  const { database, keys, now } = service
  // A new code has tries of its own.
  const sent = await codeSentAt(database, given.phone)
  const tried = await attempt(database, keys, now(), {
    ...(sent === null
      ? {}
      : { 'code tries': `${given.phone} ${sent.getTime()} ${networkOf(given.address)}` }),
    'code try address': given.address,
  })
  const right = await tryCode(
    database,
    {
      phone: given.phone,
      purpose: given.purpose,
      hash: codeHash(service, given.phone, given.purpose, given.code),
      mostTries: MAX_TRIES,
      spend,
    },
    now(),
  )
  if (!right) throw new FurlongError('wrong-code')
  await tried.succeeded()
}

const codeHash = ({ keys }: Service, phone: string, purpose: CodePurpose, code: string): string =>
  keys.hash('code', `${phone} ${purpose} ${code}`)
