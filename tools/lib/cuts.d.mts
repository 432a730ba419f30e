export const CUT_VARIABLE: string

export interface Cut {
  name: 'fast' | 'rest' | 'all' | 'soak'
  /** Vitest's expression of tags. */
  filter: string
  /** Whether a test with these tags belongs to it. */
  takes(tags: readonly string[]): boolean
}

export function currentCut(): Cut
