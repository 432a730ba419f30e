import { cleanup } from '@testing-library/react/pure'
import { afterEach, beforeAll } from 'vitest'

declare global {
  /** React then says so when a change of state was not waited for. */
  var IS_REACT_ACT_ENVIRONMENT: boolean
}

// Testing Library does both itself only where the runner's functions are global.
beforeAll(() => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})
