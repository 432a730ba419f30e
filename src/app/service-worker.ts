import { registerSW } from 'virtual:pwa-register'

/**
 * Caches the app shell for offline visits. A new build waits for the next start, so that it never replaces
 * chunks under an open tab.
 */
export function registerServiceWorker(): void {
  registerSW({ immediate: true })
}
