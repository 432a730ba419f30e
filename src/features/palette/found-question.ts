import type { ComponentType } from 'react'

/** A view of the record that what is typed asks for. */
export interface FoundQuestion {
  /** The address that opens it. */
  to: string
  /** What it restricts and shows, in the page's language. */
  chips: readonly string[]
  /** Words that were not understood, and what else is to be said. */
  notes: readonly string[]
}

/** Reads what is typed as a question. The record, which knows how, is above the search. */
export type QuestionReader = ComponentType<{
  text: string
  onFound(found: readonly FoundQuestion[]): void
}>
