import { currentCut } from '../../tools/lib/cuts.mjs'

/** Whether this is `npm run soak`. */
export const SOAK = currentCut().name === 'soak'

/** Number of repetitions in `npm run soak` and elsewhere; a test that uses it has the tag `longer`. */
export const times = (usual: number, soak: number): number => (SOAK ? soak : usual)
