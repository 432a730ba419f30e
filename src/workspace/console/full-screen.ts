import { useEffect, useLayoutEffect, useState, type RefObject } from 'react'

/** `screen`: by the Fullscreen API. `window`: over the page, where a browser refuses or lacks that API. */
export type FullScreenMode = 'off' | 'screen' | 'window'

/** Shows an element over the whole screen and back. Escape leaves; the focus does not move. */
export function useFullScreen(element: RefObject<HTMLDivElement | null>): {
  mode: FullScreenMode
  toggle(): void
} {
  const [mode, setMode] = useState<FullScreenMode>('off')
  const leave = (): void => {
    if (document.fullscreenElement === null) setMode('off')
    else void document.exitFullscreen()
  }
  useEffect(() => {
    // The browser may enter and leave without the button.
    const follow = (): void => {
      const isFull = document.fullscreenElement !== null && document.fullscreenElement === element.current
      setMode((before) => (isFull ? 'screen' : before === 'screen' ? 'off' : before))
    }
    document.addEventListener('fullscreenchange', follow)
    return () => document.removeEventListener('fullscreenchange', follow)
  }, [element])
  useLayoutEffect(() => {
    // In the browser's top layer the element covers the window even inside an ancestor that contains fixed
    // elements, as containers of container queries do in some browsers.
    if (mode === 'window') element.current?.showPopover?.()
  }, [element, mode])
  useEffect(() => {
    if (mode === 'off') return undefined
    const onKey = (event: KeyboardEvent): void => {
      // The editor's completion list and dialogs close on the same key.
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return
      event.preventDefault()
      leave()
    }
    // The root element gets the key before the document, where Escape clears the workspace's filters.
    const root = document.documentElement
    root.addEventListener('keydown', onKey)
    return () => root.removeEventListener('keydown', onKey)
  }, [mode])
  return {
    mode,
    toggle: () => {
      const shown = element.current
      if (mode !== 'off') leave()
      else if (shown && 'requestFullscreen' in shown) shown.requestFullscreen().catch(() => setMode('window'))
      else setMode('window')
    },
  }
}
