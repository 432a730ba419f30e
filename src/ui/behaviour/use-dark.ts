import { useSyncExternalStore } from 'react'
import { isDark } from './theme.ts'

function subscribe(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', listener)
  globalThis.addEventListener('themechange', listener)
  return () => {
    system.removeEventListener('change', listener)
    globalThis.removeEventListener('themechange', listener)
  }
}

export const useDark = (): boolean => useSyncExternalStore(subscribe, isDark)
