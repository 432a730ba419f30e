/** Name of the environment variable with the cut of a run, for Vitest and Playwright. */
export const CUT_VARIABLE = 'FURLONG_TESTS'

/**
 * What a run takes of the tests in Vitest's levels, by their tags (`vitest.config.ts` describes them): as Vitest's
 * expression, and as a function of a test's tags. Without a cut, a run takes all but the soak.
 */
const CUTS = {
  fast: { filter: '!rest && !soak', takes: (tags) => !tags.includes('rest') && !tags.includes('soak') },
  rest: { filter: 'rest && !soak', takes: (tags) => tags.includes('rest') && !tags.includes('soak') },
  all: { filter: '!soak', takes: (tags) => !tags.includes('soak') },
  soak: { filter: 'soak || longer', takes: (tags) => tags.includes('soak') || tags.includes('longer') },
}

/** The cut of this run, with its name. Throws an error that names the cuts if there is none of that name. */
export function currentCut() {
  const name = process.env[CUT_VARIABLE] ?? 'all'
  const cut = CUTS[name]
  if (cut === undefined)
    throw new Error(`${CUT_VARIABLE} is ${Object.keys(CUTS).join(', ')}, and here it is ${name}`)
  return { name, ...cut }
}
