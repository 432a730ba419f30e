import { useEffect, useRef } from 'react'

/** Minimum distance of a swipe in pixels (specification section 9). */
const SWIPE_PX = 50
/** Within this distance of its end the page counts as scrolled to the end. */
const END_PX = 120

/** Whether a touch from start to end is a swipe up: over 50 px, and more vertical than horizontal. */
export function isSwipeUp(start: { x: number; y: number }, end: { x: number; y: number }): boolean {
  const up = start.y - end.y
  return up > SWIPE_PX && up > Math.abs(start.x - end.x)
}

/** Calls `onSwipe` on a swipe up at the end of the page. */
export function useSwipeUp(onSwipe: () => void, enabled: boolean): void {
  const latest = useRef(onSwipe)
  useEffect(() => {
    latest.current = onSwipe
  })
  useEffect(() => {
    if (!enabled) return
    let start: { x: number; y: number } | null = null
    const begin = (event: TouchEvent): void => {
      const touch = event.touches[0]
      start = touch && event.touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null
    }
    const end = (event: TouchEvent): void => {
      const touch = event.changedTouches[0]
      if (!start || !touch || !isSwipeUp(start, { x: touch.clientX, y: touch.clientY })) return
      const { scrollHeight } = document.documentElement
      if (window.scrollY + window.innerHeight >= scrollHeight - END_PX) latest.current()
    }
    document.addEventListener('touchstart', begin, { passive: true })
    document.addEventListener('touchend', end, { passive: true })
    return () => {
      document.removeEventListener('touchstart', begin)
      document.removeEventListener('touchend', end)
    }
  }, [enabled])
}
