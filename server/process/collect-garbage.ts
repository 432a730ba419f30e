import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Frees the memory of what this thread no longer uses. V8 itself would first let the heap grow to a multiple of what is
 * in use: between two long jobs, the garbage of the first would stay beside what the second needs.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
}
