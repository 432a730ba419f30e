/** Paths of the tests that `npm run soak` runs. */
export const SOAKED: readonly string[]
