/** Whether this is `npm run soak` rather than `npm test`. */
export const SOAK = process.env['FURLONG_SOAK'] === '1'

/** Number of repetitions in `npm test` and in `npm run soak`. */
export const times = (usual: number, soak: number): number => (SOAK ? soak : usual)
