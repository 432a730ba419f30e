import webPush from 'web-push'
import { Refusal } from './mail.ts'

/** A browser that agreed to notifications: where its push service listens, and its keys. */
interface PushTarget {
  endpoint: string
  /** Public key of the browser, and its secret, in base64url. */
  p256dh: string
  auth: string
}

export interface VapidKeys {
  publicKey: string
  privateKey: string
}

/** Push services of the browsers in use: the server posts to no other host than these and the operator's own. */
const SERVICES = [
  /^https:\/\/fcm\.googleapis\.com$/,
  /^https:\/\/(?:[a-z0-9-]+\.)?push\.services\.mozilla\.com$/,
  /^https:\/\/[a-z0-9-]+\.notify\.windows\.com$/,
  /^https:\/\/(?:[a-z0-9-]+\.)?push\.apple\.com$/,
]

/** Whether a push service's address may be posted to; `further` are origins that the operator named. */
export function isPushService(endpoint: string, further: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { origin, username, password } = new URL(endpoint)
  if (username !== '' || password !== '') return false
  return further.includes(origin) || SERVICES.some((service) => service.test(origin))
}

export const newVapidKeys = (): VapidKeys => webPush.generateVAPIDKeys()

/** Hands a notification over. Throws `Refusal` if the browser no longer takes any. */
export interface PushGateway {
  /** `topic`: at most 32 letters; a push service that still has a notification of this topic replaces it. */
  send(target: PushTarget, payload: object, options: { topic: string; seconds: number }): Promise<void>
}

const TIMEOUT_MS = 10_000
/** A signature is for a push service, not for a message, and good for twelve hours; it may be used again (RFC 8292, section 2). */
const SIGNED_FOR_MS = 3_600_000

/** Signs for push services, each once in `SIGNED_FOR_MS`: a signature takes several times as long as an encryption. */
function signer(keys: VapidKeys, subject: string): (origin: string) => string {
  const signed = new Map<string, { authorization: string; at: number }>()
  return (origin) => {
    const known = signed.get(origin)
    if (known !== undefined && Date.now() - known.at < SIGNED_FOR_MS) return known.authorization
    const { Authorization: authorization } = webPush.getVapidHeaders(
      origin,
      subject,
      keys.publicKey,
      keys.privateKey,
      'aes128gcm',
    )
    signed.set(origin, { authorization, at: Date.now() })
    return authorization
  }
}

/** Encrypts for the browser (RFC 8291), signs for its push service (RFC 8292), and posts. `subject`: the operator's site or address. */
export function webPushGateway(keys: VapidKeys, subject: string, further: readonly string[]): PushGateway {
  const sign = signer(keys, subject)
  return {
    send: async ({ endpoint, p256dh, auth }, payload, { topic, seconds }) => {
      if (!isPushService(endpoint, further)) throw new Refusal('not a push service')
      const { method, headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(payload),
        { TTL: seconds, urgency: 'high', topic },
      )
      const response = await fetch(endpoint, {
        method,
        headers: { ...(headers as Record<string, string>), Authorization: sign(new URL(endpoint).origin) },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.body?.cancel()
      // 404 and 410: the subscription has ended (RFC 8030, section 7.3).
      if (response.status === 404 || response.status === 410) throw new Refusal(`push ${response.status}`)
      if (!response.ok) throw new Error(`push ${response.status}`)
    },
  }
}
