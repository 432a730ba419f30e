/**
 * The browser's cache of responses by its name; `null` where there is none: in a private window, where storage is
 * blocked, or without a secure context.
 */
export async function openResponses(name: string): Promise<Cache | null> {
  try {
    return await globalThis.caches.open(name)
  } catch {
    return null
  }
}

/** The stored response of an address in any of the site's caches. */
export async function storedResponse(url: URL): Promise<Response | undefined> {
  try {
    return await globalThis.caches.match(url)
  } catch {
    return undefined
  }
}

/** Deletes a cache; nothing happens where there is none. */
export async function deleteResponses(name: string): Promise<void> {
  try {
    await globalThis.caches.delete(name)
  } catch {
    // There is nothing to delete.
  }
}

/** Whether the service worker of an earlier visit serves this page. */
export function isServedByWorker(): boolean {
  try {
    return Boolean(navigator.serviceWorker?.controller)
  } catch {
    return false
  }
}
