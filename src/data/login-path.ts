import { pageAt } from './pages.ts'

const LOGIN = '/pages/login/login'
const REGISTER = '/pages/login/fyregister'
const CENTRE = '/pages/user/fypeople'
const MAX_LENGTH = 2000
/** The characters of an address written by `URLSearchParams`: no backslash, space, fragment or control character. */
const QUERY = /^[A-Za-z0-9*\-._~+%&=,/:@!$'();?]*$/

/** Path of the sign-in screen that leads back to `target`, a path within the site. */
export const loginPath = (target: string): string => `${LOGIN}?${new URLSearchParams({ back: target })}`

/** Path of the registration screen that leads on to `target`, a path within the site. */
export const registerPath = (target: string): string => `${REGISTER}?${new URLSearchParams({ back: target })}`

/**
 * The path in a `back` parameter, if it is one of our own screens; `null` for everything else. It must match
 * a known path exactly, so that no encoding, backslash or control character can turn it into another site's;
 * the query is re-encoded.
 */
export function wayBack(text: string | null): string | null {
  if (text === null || text.length > MAX_LENGTH) return null
  const at = text.indexOf('?')
  const path = at < 0 ? text : text.slice(0, at)
  const query = at < 0 ? '' : text.slice(at + 1)
  if (path !== '/' && pageAt(path) === undefined) return null
  if (!QUERY.test(query)) return null
  const written = new URLSearchParams(query).toString()
  return written === '' ? path : `${path}?${written}`
}

/** Where to go after sign-in: a screen of our own that is not a sign-in screen, otherwise the personal centre. */
export function backPath(back: string | null): string {
  const way = wayBack(back)
  return way === null || way.startsWith('/pages/login/') ? CENTRE : way
}
