/** How long to wait for the new service worker before the page is reloaded without it. */
const PATIENCE_MS = 10_000

/** The installed service worker of a new build; `null` if there is none. */
async function installedWorker(): Promise<ServiceWorker | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await registration?.update().catch(() => undefined)
  const { installing } = registration ?? {}
  if (installing) {
    await new Promise<void>((resolve) => {
      installing.addEventListener('statechange', () => {
        if (installing.state !== 'installing') resolve()
      })
    })
  }
  return registration?.waiting ?? null
}

/** Reloads the page. The old build's worker would serve its own shell again, so a waiting one takes over first. */
export async function reloadWithNewBuild(): Promise<void> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS))
  const waiting = await Promise.race([installedWorker().catch(() => null), late])
  if (!waiting) return globalThis.location.reload()
  navigator.serviceWorker.addEventListener('controllerchange', () => globalThis.location.reload(), {
    once: true,
  })
  waiting.postMessage({ type: 'SKIP_WAITING' })
}
