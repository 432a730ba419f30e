import { randomInt } from 'node:crypto'
import { FurlongError } from '../../domain/errors.ts'
import type { Language } from '../../domain/languages.ts'
import { serverMessage } from '../process/messages.ts'
import {
  codeSentAt,
  findOpenCode,
  tryCode,
  writeCode,
  type CodePurpose,
} from '../store/accounts/code-store.ts'
import type { Service } from './service.ts'
import { attempt, knownCustomer, networkOf, type Origin } from './limits.ts'

const MINUTE_MS = 60_000
const MINUTES = 5
/**
 * Maximum tries of a code from all networks together; a single network has five (decisions section 5,
 * `limits.ts`).
 */
const MAX_TRIES = 25
const PAUSE_SECONDS = 60
/**
 * Codes of one purpose within an hour after which the next comes only when the last one has expired: whoever is made to
 * wait then has one that is valid, whoever asked for it.
 */
const MANY_CODES = 5
/** Codes for devices that are not known to be their owner's share this place. */
const SHARED = ''

/**
 * Sends a verification code: 6 digits, valid for five minutes, at most one per minute, phone and purpose
 * (decisions section 5). What strangers ask for neither delays nor replaces a code for a device on which the phone's
 * owner has signed in before. The text is sent in the background and whether or not the phone has an account, so
 * that neither timing nor response reveals it. Returns the code, and the seconds until the next one may be asked for.
 * Throws `too-many`.
 */
export async function sendVerificationCode(
  service: Service,
  to: { phone: string; purpose: CodePurpose; language: Language },
  origin: Origin,
): Promise<{ code: string; seconds: number }> {
  const { database, now } = service
  const { phone, purpose, language } = to
  const known = (await knownCustomer(service, origin, { account: null, phone })) !== null
  const place = { phone, purpose, deviceHash: known ? origin.device! : SHARED }
  const subject = `${phone} ${purpose}`
  const counted = await attempt(
    service,
    known
      ? { 'code pause': `${subject} ${origin.device}`, 'code device': `${phone} ${origin.device}` }
      : {
          'code pause': subject,
          'code network': `${phone} ${networkOf(origin.address)}`,
          'code address': origin.address,
          'code phone': subject,
          'code strangers': '',
        },
  )
  if ((counted.counts['code strangers'] ?? 0) > service.textsPerHour) {
    await counted.undo()
    service.logSecurity('text-limit', null)
    throw new FurlongError('too-many', { seconds: MINUTES * 60 })
  }
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const asked = counted.counts['code phone'] ?? 0
  const pauseMs = pauseOf(asked)
  const times = { lifeMs: MINUTES * MINUTE_MS, pauseMs }
  const hash = codeHash(service, phone, purpose, code)
  if (!(await writeCode(database, place, { hash, ...times }, now()))) {
    await counted.undo()
    const sent = await codeSentAt(database, place)
    const waitedMs = sent === null ? 0 : now().getTime() - sent.getTime()
    throw new FurlongError('too-many', { seconds: Math.max(1, Math.ceil((pauseMs - waitedMs) / 1000)) })
  }
  const text = serverMessage(language, 'sms.code', { code, minutes: MINUTES })
  service.runInBackground('sms', () => service.sms.send({ phone, text, code, language }))
  return { code, seconds: pauseOf(asked + 1) / 1000 }
}

/** The pause before a code for devices that are not known, by its number within the hour, in milliseconds. */
const pauseOf = (number: number): number => (number > MANY_CODES ? MINUTES * MINUTE_MS : PAUSE_SECONDS * 1000)

/**
 * Uses up a code, or with `spend: false` only checks it. Tries are limited to five per code and network or known device,
 * so that wrong tries by strangers do not block the owner. Throws `wrong-code` if the code is wrong, used,
 * expired or tried too often, and `too-many`.
 */
export async function useCode(
  service: Service,
  given: { phone: string; purpose: CodePurpose; code: string },
  origin: Origin,
  { spend = true } = {},
): Promise<void> {
  const { database, now } = service
  const { phone, purpose, code } = given
  const known = (await knownCustomer(service, origin, { account: null, phone })) !== null
  const devices = known ? [origin.device!, SHARED] : [SHARED]
  const open = await findOpenCode(database, { phone, purpose, devices }, now())
  const asker = known ? origin.device! : networkOf(origin.address)
  const counted = await attempt(service, {
    // Tries are counted per code, so a new code starts from zero.
    ...(open && { 'code tries': `${phone} ${purpose} ${open.sentAt} ${asker}` }),
    ...(known ? {} : { 'code try address': origin.address }),
  })
  const place = { phone, purpose, deviceHash: open?.deviceHash ?? SHARED }
  const hash = codeHash(service, phone, purpose, code)
  const right = await tryCode(database, place, { hash, mostTries: MAX_TRIES, spend }, now())
  if (!right) throw new FurlongError('wrong-code')
  await counted.succeeded()
}

const codeHash = ({ keys }: Service, phone: string, purpose: CodePurpose, code: string): string =>
  keys.hash('code', `${phone} ${purpose} ${code}`)
