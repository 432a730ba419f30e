import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'

/**
 * Whether an element's content is larger than the element, so that it scrolls; false until both are laid out. An element that
 * has the focus keeps what it was: it would lose the focus as no tab stop.
 */
export function useOverflow(content: ReactNode): {
  ref: RefObject<HTMLDivElement | null>
  overflows: boolean
} {
  const ref = useRef<HTMLDivElement>(null)
  const [overflows, setOverflows] = useState(false)
  useEffect(() => {
    const element = ref.current!
    // An observer is told the first sizes too, after the browser's own layout: measuring here would force another one.
    const observer = new ResizeObserver(() => {
      const isLarger =
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight
      setOverflows((before) => isLarger || (before && document.activeElement === element))
    })
    for (const each of [element, ...element.children]) observer.observe(each)
    return () => observer.disconnect()
  }, [content])
  return { ref, overflows }
}
