import type { AccountInfo } from '../../../contract/api/account.ts'
import { DATASET_CACHE, ENTITLEMENT_HEADER } from '../../../contract/dataset-paths.ts'
import { createExternalStore, createNotifier } from './create-store.ts'
import { deleteResponses, openResponses } from '../../storage/stored-responses.ts'
import { onDevice } from '../../storage/stored-text.ts'

/** The user's token and the stored data of its owner, on the device under the specification's keys. */
const TOKEN_KEY = 'Access-Token'
const USER_KEY = 'login_user_info'

declare const OF_A_VIEWER: unique symbol
/** A token: whose responses are. Keys of queries that depend on the viewer end with it (`ScopeOf`). */
export type Token = string & { readonly [OF_A_VIEWER]: true }

const stored = createExternalStore(
  () => onDevice.read(TOKEN_KEY) as Token | null,
  (notify) => {
    // Another tab may sign in or out.
    globalThis.addEventListener('storage', notify)
    return () => globalThis.removeEventListener('storage', notify)
  },
)

export const readToken = stored.now

export const useToken = (): Token | null => stored.use()

export function storeToken(token: string | null): void {
  if (token === null) {
    onDevice.remove(TOKEN_KEY)
    onDevice.remove(USER_KEY)
    // The service worker's cache of API responses, named in vite.config.ts.
    void deleteResponses('furlong-api')
    void forgetEntitledFiles().catch(() => undefined)
  } else {
    onDevice.write(TOKEN_KEY, token)
  }
  stored.notify()
}

/** Deletes the files that only this session could fetch; public ones stay. */
async function forgetEntitledFiles(): Promise<void> {
  const cache = await openResponses(DATASET_CACHE)
  if (cache === null) return
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
  onDevice.writeJson(USER_KEY, owner)
}

export function wasVip(): boolean {
  return (onDevice.readJson(USER_KEY) as { isVip?: number } | null)?.isVip === 1
}

const ends = createNotifier()

/** Handles a 401 response: the session has ended, unless another token has replaced this one meanwhile. */
export function tellSessionEnded(token: string): void {
  if (readToken() !== token) return
  storeToken(null)
  ends.notify()
}

export const onSessionEnded = ends.listen
