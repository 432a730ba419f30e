import { useState } from 'react'
import type { GridFilter } from '../../../contract/queries.ts'

export const OUTCOMES = ['hit', 'miss', 'void'] as const
export type OutcomeChoice = '' | (typeof OUTCOMES)[number]

/** The list's own choice of outcome, as the engine takes it. */
export function useOutcomeFilter() {
  const [outcome, setOutcome] = useState<OutcomeChoice>('')
  const grid: GridFilter[] = outcome ? [{ kind: 'outcome', outcomes: [outcome] }] : []
  return { outcome, setOutcome, grid }
}
