/** Stands between facts on one line: if the line breaks, it breaks after the dot, so that no line begins with one. */
export const BETWEEN_FACTS = '\u00a0· '
