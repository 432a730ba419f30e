import type { Location } from 'react-router-dom'
import { reloadWithNewBuild } from '../data/new-build.ts'
import { inTab } from '../storage/stored-text.ts'

const KEY = 'furlong-chunk-reload'
const AGAIN_AFTER_MS = 60_000

/**
 * Recovers from a chunk that a deployment has removed: reloads the page, at most once a minute, at the
 * location that the user was navigating to (the hash changes only after the route has loaded).
 */
export function recoverFromMissingChunk(target: () => Location | undefined): void {
  globalThis.addEventListener('vite:preloadError', (event) => {
    const last = Number(inTab.read(KEY) ?? 0)
    if (Date.now() - last < AGAIN_AFTER_MS || !navigator.onLine) return
    // Without storage the page would reload for ever.
    if (!inTab.write(KEY, String(Date.now()))) return
    event.preventDefault()
    const location = target()
    if (location) history.replaceState(null, '', `#${location.pathname}${location.search}`)
    void reloadWithNewBuild()
  })
}
