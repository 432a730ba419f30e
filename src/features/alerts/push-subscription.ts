import { addPushDevice, removePushDevice } from '../../../contract/api/alert.ts'
import { call } from '../../data/client/call.ts'

/**
 * How notifications stand in this browser. `install`: on iOS only an installed app gets them; `blocked`: the reader
 * refused them, and only the browser's own settings can change that.
 */
export type PushState = 'none' | 'install' | 'blocked' | 'off' | 'on'

export async function readPushState(isUninstalledIos: boolean): Promise<PushState> {
  const registration = await registered()
  if (registration === null || !('PushManager' in window) || !('Notification' in window))
    return isUninstalledIos ? 'install' : 'none'
  if (Notification.permission === 'denied') return 'blocked'
  return (await registration.pushManager.getSubscription()) === null ? 'off' : 'on'
}

/** The service worker of the site; `null` where there is none, as without a secure context. */
async function registered(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null
  return (await navigator.serviceWorker.getRegistration()) ?? null
}

/** Asks the reader and the browser's push service, and tells the server; nothing if the reader refuses. */
export async function turnPushOn(pushKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey })
  const { endpoint, keys } = subscription.toJSON()
  await call(addPushDevice, {
    endpoint: endpoint!,
    keys: { p256dh: keys!['p256dh']!, auth: keys!['auth']! },
  })
}

/** Ends the notifications of this browser, here and at the server. */
export async function turnPushOff(): Promise<void> {
  const subscription = await (await registered())?.pushManager.getSubscription()
  if (!subscription) return
  await call(removePushDevice, { endpoint: subscription.endpoint })
  await subscription.unsubscribe()
}
