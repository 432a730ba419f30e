import { useSyncExternalStore } from 'react'

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
  } else {
    localStorage.setItem(TOKEN_KEY, token)
  }
  for (const listener of listeners) listener()
}

/** Notes whether the token's owner is VIP, so that his files open again without a connection. */
export function noteUser(user: { id: string; account: string; isVip: 0 | 1 }): void {
  localStorage.setItem(USER_KEY, JSON.stringify({ id: user.id, username: user.account, isVip: user.isVip }))
}

export function wasVip(): boolean {
  try {
    return (JSON.parse(localStorage.getItem(USER_KEY) ?? '{}') as { isVip?: number }).isVip === 1
  } catch {
    return false
  }
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
