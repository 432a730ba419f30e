import { MISSING_TEXTS } from '../../domain/reading/clean-text.ts'
import type { GuessedKind } from '../../domain/reading/guess-kind.ts'

/** The table of the texts of a column that only the readers of `domain/reading` can read, and their values. */
export const readTexts = (at: number): string => `own_text_${at}`

/** A column of the file, and whether `readTexts` of it has any text. */
export interface TypedColumn {
  at: number
  kind: GuessedKind
  looked: boolean
}

/**
 * The value of a cell as SQL; NULL if it has none or cannot be read. Plain numbers and texts are converted by the engine,
 * which reads them as the readers do (`tests/sql/own-reading.test.ts`); every other distinct text has been read by them
 * and is looked up.
 */
export function typedSql({ at, kind, looked }: TypedColumn): string {
  const cell = `own_raw.c${at}`
  if (kind.kind === 'date') return looked ? `t${at}.value` : 'NULL::DATE'
  if (kind.kind === 'text')
    return looked ? `CASE WHEN t${at}.text IS NULL THEN trim(${cell}) END` : `trim(${cell})`
  const plain = plainSql(cell, kind)
  return looked ? `coalesce(${plain}, t${at}.value)` : plain
}

/** The joins with `own_raw` that `typedSql` needs. */
export const textJoins = (columns: readonly TypedColumn[]): string =>
  columns
    .filter(({ looked }) => looked)
    .map(({ at }) => `LEFT JOIN ${readTexts(at)} t${at} ON t${at}.text = own_raw.c${at}`)
    .join('\n')

/** A plain number as the engine reads it; NULL for any other text. */
function plainNumber(cell: string, kind: Extract<GuessedKind, { kind: 'number' }>): string {
  const text = kind.decimal === '.' ? cell : `replace(${cell}, ',', '.')`
  const value = `try_cast(${text} AS DOUBLE)`
  // The engine also reads digits that are divided by underscores.
  const others =
    kind.decimal === '.' ? `contains(${cell}, '_')` : `contains(${cell}, '_') OR contains(${cell}, '.')`
  return `CASE WHEN isfinite(${value}) AND NOT (${others}) THEN ${value} END`
}

/** First characters of ASCII texts that may say that there is no value. */
const FIRST = [
  ...new Set(MISSING_TEXTS.flatMap((text) => [text.slice(0, 1), text.slice(0, 1).toUpperCase()])),
]
  .filter((first) => first !== '' && first < '\u007F')
  .map((first) => first.charCodeAt(0))
/** Longer texts have a value, unless they begin with a blank. */
const LONGEST = 2 * Math.max(...MISSING_TEXTS.map(({ length }) => length))

/** A text that surely is a value; NULL for any other. */
const plainText = (cell: string): string =>
  `CASE WHEN ord(${cell}) BETWEEN 33 AND 126 AND (ord(${cell}) NOT IN (${FIRST.join(', ')}) OR length(${cell}) > ${LONGEST}) THEN ${cell} END`

/** A cell that the engine reads by itself; NULL for any other. */
export function plainSql(cell: string, kind: GuessedKind): string {
  if (kind.kind === 'date') return 'NULL::VARCHAR'
  return kind.kind === 'number' ? plainNumber(cell, kind) : plainText(cell)
}
