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
function isDark(): boolean {
  const theme = document.documentElement.dataset['theme']
  return theme === 'dark' || (theme === undefined && matchMedia('(prefers-color-scheme: dark)').matches)
}

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

const colours = new Map<string, string>()

/** A colour token as the browser resolves it, for charts that draw on their own; resolved once per theme. */
export function tokenColour(token: string): string {
  const key = `${isDark() ? 'dark' : 'light'} ${token}`
  const known = colours.get(key)
  if (known !== undefined) return known
  const probe = document.createElement('span')
  probe.style.color = `var(--${token})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  colours.set(key, color)
  return color
}
