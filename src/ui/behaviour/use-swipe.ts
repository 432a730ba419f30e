import { useEffect, useRef } from 'react'

interface Point {
  x: number
  y: number
}

/** Minimum distance of a swipe in pixels, and how many times as far it goes to the side as up or down. */
const SWIPE_PX = 70
const SIDEWAYS = 2

/** Whether a touch from start to end is a swipe to a side, and to which. */
export function swipeOf(start: Point, end: Point): 'left' | 'right' | null {
  const [across, along] = [end.x - start.x, Math.abs(end.y - start.y)]
  if (Math.abs(across) < SWIPE_PX || Math.abs(across) < SIDEWAYS * along) return null
  return across < 0 ? 'left' : 'right'
}

/** Whether a touch there moves something else to the side: a slider, a dialog, or what scrolls. */
function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest('dialog, input, canvas, [draggable=true]') !== null) return true
  for (let at: Element | null = target; at !== null && at !== document.body; at = at.parentElement)
    if (at.scrollWidth > at.clientWidth && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true
  return false
}

/** Calls one of two functions on a swipe with one finger to the left or right, anywhere on the page. */
export function useSwipe(handlers: { onLeft(): void; onRight(): void }): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    let start: Point | null = null
    const begin = ({ touches, target }: TouchEvent): void => {
      const [touch] = touches
      start =
        touch && touches.length === 1 && !isTaken(target) ? { x: touch.clientX, y: touch.clientY } : null
    }
    const end = ({ changedTouches }: TouchEvent): void => {
      const [touch] = changedTouches
      const side = start && touch ? swipeOf(start, { x: touch.clientX, y: touch.clientY }) : null
      start = null
      if (side === 'left') latest.current.onLeft()
      if (side === 'right') latest.current.onRight()
    }
    document.addEventListener('touchstart', begin, { passive: true })
    document.addEventListener('touchend', end, { passive: true })
    return () => {
      document.removeEventListener('touchstart', begin)
      document.removeEventListener('touchend', end)
    }
  }, [])
}
