import { cleanup, configure } from '@testing-library/react/pure'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'

declare global {
  /** React then says so when a change of state was not waited for. */
  var IS_REACT_ACT_ENVIRONMENT: boolean
}

// Stores of the page are modules: each file begins with new ones. Packages stay loaded, which take most of the time.
vi.resetModules()

configure({
  // As long as `expect.poll` waits: a busy machine has taken half a minute.
  asyncUtilTimeout: 60_000,
  // Which parts are hidden by a style is a matter of the browser’s level.
  defaultHidden: true,
  // The page as text: its elements would be hundreds of lines.
  getElementError: (message, container) =>
    new Error(`${message?.split('\n')[0] ?? 'not found'}\n${container.textContent}`),
})

// Testing Library does both itself only where the runner's functions are global.
beforeAll(() => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})
// The next file has the same document.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  const root = document.documentElement
  for (const name of root.getAttributeNames()) root.removeAttribute(name)
  document.head.replaceChildren()
  document.body.replaceChildren()
  history.replaceState(null, '', '/')
})
