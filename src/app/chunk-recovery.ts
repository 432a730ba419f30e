import type { Location } from 'react-router-dom'
import { reloadWithNewBuild } from '../data/new-build.ts'

const KEY = 'furlong-chunk-reload'
const AGAIN_AFTER_MS = 60_000

/**
 * A chunk that is gone after a deploy: the page is loaded anew once a minute at most, at the place that the reader was
 * on the way to (the hash moves only when a route is there).
 */
export function recoverFromMissingChunk(target: () => Location | undefined): void {
  globalThis.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0)
    if (Date.now() - last < AGAIN_AFTER_MS || !navigator.onLine) return
    event.preventDefault()
    sessionStorage.setItem(KEY, String(Date.now()))
    const location = target()
    if (location) history.replaceState(null, '', `#${location.pathname}${location.search}`)
    void reloadWithNewBuild()
  })
}
