import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000
const listeners = new Set<() => void>()
let minute = Math.floor(Date.now() / MINUTE_MS)
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  const now = Math.floor(Date.now() / MINUTE_MS)
  if (now === minute) return
  minute = now
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Often enough to change together with a wall clock; a device that slept catches up at once.
  timer ??= setInterval(tick, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The current minute, in milliseconds since 1970; consumers re-render every minute. */
export const useMinute = (): number => useSyncExternalStore(subscribe, () => minute) * MINUTE_MS
