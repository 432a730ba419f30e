import type { Pick } from '../../../analytics/clauses.ts'
import type { Scalar } from '../../../analytics/model.ts'

type Keys = Readonly<{ altKey: boolean; shiftKey: boolean }>

/**
 * How a gesture on a value changes the selection: with Alt it excludes, with Shift it adds, otherwise it
 * selects only that value.
 */
export const pickOf = ({ altKey, shiftKey }: Keys): Pick => (altKey ? 'exclude' : shiftKey ? 'add' : 'only')

/** Values of dimensions that one gesture selects together. */
export type OnPick = (picks: readonly (readonly [dim: string, value: Scalar])[], how: Pick) => void
