/** Loads the page anew. The old build's worker would serve its own shell again: the one that waits takes over first. */
export async function reloadWithNewBuild(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await registration?.update().catch(() => undefined)
  const waiting = registration?.waiting
  if (!waiting) return globalThis.location.reload()
  navigator.serviceWorker.addEventListener('controllerchange', () => globalThis.location.reload(), {
    once: true,
  })
  waiting.postMessage({ type: 'SKIP_WAITING' })
}
