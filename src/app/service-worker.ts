import { registerSW } from 'virtual:pwa-register'

/** Keeps the shell for offline visits. A new build waits for the next start: it never swaps chunks under an open tab. */
export function registerServiceWorker(): void {
  registerSW({ immediate: true })
}
