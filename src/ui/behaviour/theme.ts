import { useSyncExternalStore } from 'react'
import { onDevice } from '../../storage/stored-text.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'theme'

export function readTheme(): Theme {
  const saved = onDevice.read(KEY)
  return THEMES.find((theme) => theme === saved) ?? 'system'
}

/** Applies a theme and stores it. */
export function applyTheme(theme: Theme): void {
  onDevice.write(KEY, theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  globalThis.dispatchEvent(new Event('themechange'))
}

/** Whether dark colours are currently shown. */
export function isDark(): boolean {
  const theme = document.documentElement.dataset['theme']
  return theme === 'dark' || (theme === undefined && matchMedia('(prefers-color-scheme: dark)').matches)
}

export function onThemeChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', listener)
  globalThis.addEventListener('themechange', listener)
  return () => {
    system.removeEventListener('change', listener)
    globalThis.removeEventListener('themechange', listener)
  }
}

export const useDark = (): boolean => useSyncExternalStore(onThemeChange, isDark)
