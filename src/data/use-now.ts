import { createStore } from './client/create-store.ts'

const MINUTE_MS = 60_000
const minuteNow = (): number => Math.floor(Date.now() / MINUTE_MS)

const minute = createStore(minuteNow(), (set) => {
  // Often enough to change together with a wall clock; a device that slept catches up at once.
  const timer = setInterval(() => {
    if (minuteNow() !== minute.now()) set(minuteNow())
  }, 1000)
  return () => clearInterval(timer)
})

/** The current minute, in milliseconds since 1970; consumers re-render every minute. */
export const useMinute = (): number => minute.use() * MINUTE_MS
