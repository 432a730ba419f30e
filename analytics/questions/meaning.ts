import type { Filter } from '../filter.ts'
import type { Scalar } from '../model.ts'
import type { ModelName } from '../models.ts'
import type { Measure } from './texts.ts'

/** What a word does in a question besides naming something. */
export type Role = 'by' | 'not' | 'and' | 'nothing' | 'best' | 'to' | 'firstTime'

/** What a word or several mean. */
export type Meaning =
  | { kind: 'dimension'; dim: string }
  /** Values of one dimension, which a neighbour that names the dimension confirms. */
  | { kind: 'value'; dim: string; values: readonly Scalar[] }
  /** A term of racing that stands for a condition. */
  | { kind: 'condition'; clause: Filter }
  | { kind: 'gear'; code: string; firstTime: boolean }
  | { kind: 'measure'; measure: Measure }
  | { kind: 'subject'; subject: ModelName }
  | { kind: 'role'; role: Role }
  /** A figure or a fact that racing people ask for, and the record does not have. */
  | { kind: 'missing' }

/** The words of a language beside its messages; lists are separated by commas. */
export interface QuestionWords {
  dimensions: Readonly<Record<string, string>>
  measures: Readonly<Partial<Record<Measure, string>>>
  /** Conditions in the syntax of addresses; those on a dimension that the model lacks are named as missing. */
  conditions: Readonly<Record<string, string>>
  /** Racecourses by their English names. */
  racecourses: Readonly<Record<string, string>>
  gear: Readonly<Record<string, string>>
  /** Before or after a piece of gear: `*` stands for it. */
  firstTimeGear: string
  subjects: Readonly<Record<ModelName, string>>
  roles: Readonly<Record<Role, string>>
  /** Units after a number, and the dimensions that they may mean. */
  units: Readonly<Record<string, readonly string[]>>
  /** What counts rows after a number: `at least 30 runs`. */
  rows: string
  missing: string
}
