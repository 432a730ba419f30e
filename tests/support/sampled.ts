import type { Parameters } from 'fast-check'
import { test, type TestOptions } from 'vitest'

/** Which examples `npm test` takes; any number would do. */
const SEED = 20_261_126

/**
 * A property that `npm test` checks for a `few` examples, the same each time, and `npm run test:rest` for `many` new ones.
 * `%s` in the name is their number. `check` passes its parameters on to `fc.assert`.
 */
export function testSampled(
  name: string,
  { few, many, ...options }: { few: number; many: number } & TestOptions,
  check: (
    parameters: Pick<Parameters, 'numRuns' | 'seed' | 'verbose'> & { numRuns: number },
  ) => Promise<void>,
): void {
  test(name.replace('%s', `${few} chosen`), options, () => check({ numRuns: few, seed: SEED, verbose: 1 }))
  test(name.replace('%s', `${many} generated`), { ...options, tags: ['rest'] }, () =>
    check({ numRuns: many, verbose: 1 }),
  )
}
