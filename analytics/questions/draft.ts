import type { Filter } from '../filter.ts'
import type { ModelName } from '../models.ts'
import type { Part } from './lex.ts'
import type { Measure } from './texts.ts'
import type { Time } from './times.ts'

/** A condition of a question; several where a word has more than one meaning. */
export interface Condition {
  part: Part
  negated: boolean
  options: readonly (Time | { clause: Filter })[]
}

/** What the words of a question say, before it is decided what its rows are. */
export interface Draft {
  conditions: Condition[]
  by: string[]
  measures: Measure[]
  subject: ModelName | null
  isSorted: boolean
  least: number
}
