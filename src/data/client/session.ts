import type { AccountInfo } from '../../../contract/api/account.ts'
import { DATASET_CACHE, ENTITLEMENT_HEADER } from '../../../contract/dataset-paths.ts'
import { createExternalStore, createNotifier } from './create-store.ts'

/** The user's token and the stored data of its owner, on the device under the specification's keys. */
const TOKEN_KEY = 'Access-Token'
const USER_KEY = 'login_user_info'

const stored = createExternalStore(
  () => localStorage.getItem(TOKEN_KEY),
  (notify) => {
    // Another tab may sign in or out.
    globalThis.addEventListener('storage', notify)
    return () => globalThis.removeEventListener('storage', notify)
  },
)

export const readToken = stored.now

export const useToken = (): string | null => stored.use()

export function storeToken(token: string | null): void {
  if (token === null) {
    localStorage.removeItem(TOKEN_KEY)
    localStorage.removeItem(USER_KEY)
    // The service worker's cache of API responses, named in vite.config.ts.
    void globalThis.caches?.delete('furlong-api').catch(() => false)
    void forgetEntitledFiles().catch(() => undefined)
  } else {
    localStorage.setItem(TOKEN_KEY, token)
  }
  stored.notify()
}

/** Deletes the files that only this session could fetch; public ones stay. */
async function forgetEntitledFiles(): Promise<void> {
  if (!('caches' in globalThis)) return
  const cache = await caches.open(DATASET_CACHE)
  for (const request of await cache.keys()) {
    if (!request.url.endsWith('.duckdb')) continue
    const response = await cache.match(request)
    if (response?.headers.get(ENTITLEMENT_HEADER) !== 'public') await cache.delete(request)
  }
}

/**
 * Stores who the token's owner is, and whether they are VIP, so that entitled files can be
 * opened without a connection.
 */
export function noteUser({ id, account, realName, headUrl, isVip }: AccountInfo): void {
  const owner = { id, username: account, realname: realName, avatar: headUrl, isVip }
  localStorage.setItem(USER_KEY, JSON.stringify(owner))
}

export function wasVip(): boolean {
  try {
    return (JSON.parse(localStorage.getItem(USER_KEY) ?? '{}') as { isVip?: number }).isVip === 1
  } catch {
    return false
  }
}

const ends = createNotifier()

/** Handles a 401 response: the session has ended, unless another token has replaced this one meanwhile. */
export function tellSessionEnded(token: string): void {
  if (readToken() !== token) return
  storeToken(null)
  ends.notify()
}

export const onSessionEnded = ends.listen
