/** What the device keeps besides the session, under the specification's keys. */
const CLIENT_KEY = 'clientId'
const SHARER_KEY = 'shareby'
const SHARE_KEY = 'share_options'

/** The device's own name: random, made at the first visit. */
export function clientId(): string {
  const known = localStorage.getItem(CLIENT_KEY)
  if (known !== null && /^[\w-]{8,64}$/.test(known)) return known
  const made = randomId()
  localStorage.setItem(CLIENT_KEY, made)
  return made
}

/** Also where the page is not served securely, which has no `randomUUID`: version 4, RFC 9562. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Remembers who shared the link that led here (`shareby`, in the address or behind its hash). */
export function noteSharer(): void {
  const behindHash = location.hash.split('?')[1] ?? ''
  const sharer =
    new URLSearchParams(location.search).get('shareby') ?? new URLSearchParams(behindHash).get('shareby')
  if (sharer !== null && /^[\w-]{1,64}$/.test(sharer)) localStorage.setItem(SHARER_KEY, sharer)
}

export const readSharer = (): string => localStorage.getItem(SHARER_KEY) ?? ''

/** Forgotten once it has served. */
export const forgetSharer = (): void => localStorage.removeItem(SHARER_KEY)

/** What is shared, as the share dialog last had it. */
export function noteShare(options: { url: string; text: string }): void {
  localStorage.setItem(SHARE_KEY, JSON.stringify(options))
}

/** Whether this is an iPhone or iPad, which says that it is a Mac but has a touch screen. */
export const isIos = (): boolean =>
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** Whether the page runs as an installed app, without a browser's bars around it (iOS tells it in its own way). */
export const isInstalled = (): boolean =>
  globalThis.matchMedia('(display-mode: standalone)').matches ||
  ('standalone' in navigator && navigator.standalone === true)
