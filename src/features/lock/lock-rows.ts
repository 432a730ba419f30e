import { flagOf, numberOf, textOf, type AnswerRow } from '../../data/analytics/cells.ts'

/** The last lock of a race and model, as a row of the files. */
export interface LockRow {
  race_id: string
  model_id: string
  number: number
  sha256: string
  locked_at: string
  chain: string
}

/** A line of a locked forecast: a starter (`bet_type` 0) or a prediction. */
export interface LockedLineRow {
  race_id: string
  model_id: string
  bet_type: number
  rank: number
  combination: string
  probability: number
  selected: boolean
  cautious: boolean
  upset_guard: boolean
}

export const lockRow = (row: AnswerRow): LockRow => ({
  race_id: textOf(row, 'race_id'),
  model_id: textOf(row, 'model_id'),
  number: numberOf(row, 'number'),
  sha256: textOf(row, 'sha256'),
  locked_at: textOf(row, 'locked_at'),
  chain: textOf(row, 'chain'),
})

export const lockedLineRow = (row: AnswerRow): LockedLineRow => ({
  race_id: textOf(row, 'race_id'),
  model_id: textOf(row, 'model_id'),
  bet_type: numberOf(row, 'bet_type'),
  rank: numberOf(row, 'rank'),
  combination: textOf(row, 'combination'),
  probability: numberOf(row, 'probability'),
  selected: flagOf(row, 'selected'),
  cautious: flagOf(row, 'cautious'),
  upset_guard: flagOf(row, 'upset_guard'),
})
