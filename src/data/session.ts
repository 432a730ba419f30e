import { useSyncExternalStore } from 'react'

/** The reader's right, kept on the device under the specification's key. */
const KEY = 'Access-Token'
const listeners = new Set<() => void>()

export function readToken(): string | null {
  return localStorage.getItem(KEY)
}

export function storeToken(token: string | null): void {
  if (token === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, token)
  for (const listener of listeners) listener()
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
