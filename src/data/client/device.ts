import { onDevice } from '../../storage/stored-text.ts'

/** Data stored on the device besides the session, under the specification's keys. */
const CLIENT_KEY = 'clientId'
const DEVICE_KEY = 'furlong-device'
const SHARER_KEY = 'shareby'
const SHARE_KEY = 'share_options'

/** The device's random id, created at the first visit. */
export function clientId(): string {
  const known = onDevice.read(CLIENT_KEY)
  if (known !== null && /^[\w-]{8,64}$/.test(known)) return known
  const made = randomId()
  onDevice.write(CLIENT_KEY, made)
  return made
}

const DEVICE_NAME = /^[A-Za-z0-9_-]{43}$/

/**
 * A secret name of this device, 256 random bits, made once: a customer who has signed in here keeps their own limits of
 * tries and codes, which strangers cannot use up. It stays when they sign out.
 */
export function deviceName(): string {
  const known = onDevice.read(DEVICE_KEY)
  if (known !== null && DEVICE_NAME.test(known)) return known
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const made = btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  onDevice.write(DEVICE_KEY, made)
  return made
}

/** A version 4 UUID (RFC 9562), because `randomUUID` does not exist on pages without a secure context. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Stores who shared the link that led here (`shareby`, in the address or after its hash). */
export function noteSharer(): void {
  const behindHash = location.hash.split('?')[1] ?? ''
  const sharer =
    new URLSearchParams(location.search).get('shareby') ?? new URLSearchParams(behindHash).get('shareby')
  if (sharer !== null && /^[\w-]{1,64}$/.test(sharer)) onDevice.write(SHARER_KEY, sharer)
}

export const readSharer = (): string => onDevice.read(SHARER_KEY) ?? ''

/** Discards the sharer once it has been used. */
export const forgetSharer = (): void => onDevice.remove(SHARER_KEY)

/** Stores the URL and text last offered in the share dialog. */
export function noteShare(options: { url: string; text: string }): void {
  onDevice.writeJson(SHARE_KEY, options)
}

/** Whether this is an iPhone or iPad; an iPad identifies itself as a Mac but has a touch screen. */
export const isIos = (): boolean =>
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** Whether the page runs as an installed app, without browser bars (iOS reports this in a non-standard way). */
export const isInstalled = (): boolean =>
  globalThis.matchMedia('(display-mode: standalone)').matches ||
  ('standalone' in navigator && navigator.standalone === true)
