import type { Language } from '../../domain/languages.ts'

/** What a page says once of its names: that some are of another language, or brands. */
export type NameNote = Language | 'brand'

const counts = new Map<NameNote, number>()
const listeners = new Set<() => void>()
let shown: readonly NameNote[] = []

function change(note: NameNote, by: 1 | -1): void {
  const count = (counts.get(note) ?? 0) + by
  counts.set(note, count)
  if (count > 1 || (count === 1 && by === -1)) return
  shown = [...counts].flatMap(([each, of]) => (of > 0 ? [each] : []))
  for (const listener of listeners) listener()
}

/** Counts a name that needs a note, until the returned function is called. */
export function noteName(note: NameNote): () => void {
  change(note, 1)
  return () => change(note, -1)
}

export function onNameNotes(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The notes that the names on screen need, each once; the same array until they change. */
export const nameNotes = (): readonly NameNote[] => shown
