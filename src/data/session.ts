import { useSyncExternalStore } from 'react'
import { DATASET_CACHE, ENTITLEMENT_HEADER } from '../../contract/dataset-paths.ts'
import { forgetAnswers } from './kept-answers.ts'

/** The reader's token and what is known of its owner, kept on the device under the specification's keys. */
const TOKEN_KEY = 'Access-Token'
const USER_KEY = 'login_user_info'
const listeners = new Set<() => void>()

export function readToken(): string | null {
  return localStorage.getItem(TOKEN_KEY)
}

export function storeToken(token: string | null): void {
  if (token === null) {
    localStorage.removeItem(TOKEN_KEY)
    localStorage.removeItem(USER_KEY)
    forgetAnswers()
    // What the service worker kept of calls, under the name of vite.config.ts.
    void globalThis.caches?.delete('furlong-api').catch(() => false)
    void forgetEntitledFiles().catch(() => undefined)
  } else {
    localStorage.setItem(TOKEN_KEY, token)
  }
  for (const listener of listeners) listener()
}

/** Takes the files that only this sign-in might fetch from the device; public ones stay. */
async function forgetEntitledFiles(): Promise<void> {
  if (!('caches' in globalThis)) return
  const cache = await caches.open(DATASET_CACHE)
  for (const request of await cache.keys()) {
    if (!request.url.endsWith('.duckdb')) continue
    const response = await cache.match(request)
    if (response?.headers.get(ENTITLEMENT_HEADER) !== 'public') await cache.delete(request)
  }
}

interface StoredUser {
  id: string
  username: string
  realname: string | null
  avatar: string | null
  isVip: 0 | 1
}

/** Keeps who the token's owner is; whether that is a VIP, so that entitled files open again without a connection. */
export function noteUser(user: {
  id: string
  account: string
  realName: string | null
  headUrl: string | null
  isVip: 0 | 1
}): void {
  const stored: StoredUser = {
    id: user.id,
    username: user.account,
    realname: user.realName,
    avatar: user.headUrl,
    isVip: user.isVip,
  }
  localStorage.setItem(USER_KEY, JSON.stringify(stored))
}

export function wasVip(): boolean {
  try {
    return (JSON.parse(localStorage.getItem(USER_KEY) ?? '{}') as Partial<StoredUser>).isVip === 1
  } catch {
    return false
  }
}

const endListeners = new Set<() => void>()

/** A call was answered with 401: the token has ended, unless another one has taken its place meanwhile. */
export function tellSessionEnded(token: string): void {
  if (readToken() !== token) return
  storeToken(null)
  for (const listener of endListeners) listener()
}

export function onSessionEnded(listener: () => void): () => void {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab signs in or out.
  globalThis.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    globalThis.removeEventListener('storage', listener)
  }
}

export const useToken = (): string | null => useSyncExternalStore(subscribe, readToken)
