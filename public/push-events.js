// Part of the service worker: shows the alerts of the server, and opens what they are about.
self.addEventListener('push', (event) => {
  const { title, body, tag, path } = event.data.json()
  const shown = self.registration.showNotification(title, {
    body,
    // A repetition replaces the notification, without a sound.
    tag,
    icon: 'icon-192.png',
    data: { path },
  })
  event.waitUntil(shown)
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(`#${event.notification.data.path}`, self.registration.scope).href
  event.waitUntil(open(url))
})

/** Shows the address in a tab of the site that is open, or else in a new one. */
async function open(url) {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find((each) => each.visibilityState === 'visible') ?? tabs[0]
  if (!tab) return self.clients.openWindow(url)
  await tab.focus()
  // A page that this worker does not control yet cannot be sent anywhere.
  return tab.navigate(url).catch(() => self.clients.openWindow(url))
}
