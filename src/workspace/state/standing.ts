import type { Scalar } from '../../../analytics/model.ts'

export type Standing = 'in' | 'out' | 'left'

/** State of a group relative to the selection: in, out, or excluded. `values`: the selected ones, `left`: the excluded ones. */
export function standingOf(
  values: readonly Scalar[],
  left: readonly Scalar[],
  value: Scalar | null,
): Standing {
  if (value !== null && left.includes(value)) return 'left'
  return values.length === 0 || (value !== null && values.includes(value)) ? 'in' : 'out'
}
