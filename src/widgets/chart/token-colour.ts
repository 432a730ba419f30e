import { useSyncExternalStore } from 'react'
import { isDark, onThemeChange } from '../../ui/behaviour/theme.ts'

const FORCED = '(forced-colors: active)'

/** The system colour that a token is where the user has a palette of their own: only the browser's own drawing follows it. */
const SYSTEM: Readonly<Record<string, string>> = {
  surface: 'Canvas',
  line: 'GrayText',
  'line-strong': 'GrayText',
  accent: 'Highlight',
  'series-2': 'LinkText',
  'series-4': 'Highlight',
  'series-5': 'GrayText',
}

const isForced = (): boolean => matchMedia(FORCED).matches

/** Names the colours that are currently shown. */
const palette = (): string => `${isForced() ? 'forced ' : ''}${isDark() ? 'dark' : 'light'}`

function onPaletteChange(listener: () => void): () => void {
  const forced = matchMedia(FORCED)
  forced.addEventListener('change', listener)
  const stop = onThemeChange(listener)
  return () => {
    forced.removeEventListener('change', listener)
    stop()
  }
}

/** Renders again when other colours are shown. */
export const usePalette = (): string => useSyncExternalStore(onPaletteChange, palette)

const colours = new Map<string, string>()

/** A colour token as the browser resolves it, for charts that draw on their own; resolved once per palette. */
export function tokenColour(token: string): string {
  const key = `${palette()} ${token}`
  const known = colours.get(key)
  if (known !== undefined) return known
  const probe = document.createElement('span')
  probe.style.color = isForced() ? (SYSTEM[token] ?? 'CanvasText') : `var(--${token})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  colours.set(key, color)
  return color
}
