/** Whether this is `npm run soak`, which takes hours, rather than `npm test`. */
export const SOAK = process.env['FURLONG_SOAK'] === '1'

/** Time limit of one test that repeats more in `npm run soak`. */
export const LIMIT_MS = SOAK ? 7_200_000 : 300_000

/** Number of repetitions in `npm test` and in `npm run soak`. */
export const times = (usual: number, soak: number): number => (SOAK ? soak : usual)
