import type { Pick } from '../../analytics/clauses.ts'
import type { Scalar } from '../../analytics/model.ts'

type Keys = Readonly<{ altKey: boolean; shiftKey: boolean }>

/** What a gesture on a value asks for: alone, with Shift beside others, with Alt left out. */
export const pickOf = ({ altKey, shiftKey }: Keys): Pick => (altKey ? 'exclude' : shiftKey ? 'add' : 'only')

/** Values of dimensions that one gesture picks together. */
export type OnPick = (picks: readonly (readonly [dim: string, value: Scalar])[], how: Pick) => void
