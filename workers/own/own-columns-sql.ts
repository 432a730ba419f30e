import type { GuessedKind } from '../../domain/own-columns.ts'

/** Cells that represent a missing value, in lower case. */
const NOTHING = `('', '-', '–', '—', 'na', 'n/a', 'nan', 'null', 'none')`

/** Quotes a name for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A cell of the text columns `c0`, `c1`, … converted to its type; NULL if it is not valid. */
export function typedSql(column: string, { kind, form, comma, percent }: GuessedKind): string {
  if (kind === 'text') return `nullif(trim(${column}), '')`
  if (kind === 'date') return `try_strptime(trim(${column}), '${form}')::DATE`
  const bare = percent ? `rtrim(trim(${column}), '%')` : column
  const value = `try_cast(${comma ? `replace(${bare}, ',', '.')` : bare} AS DOUBLE)`
  const scaled = percent
    ? `CASE WHEN ends_with(trim(${column}), '%') THEN ${value} / 100 ELSE ${value} END`
    : value
  return `CASE WHEN isfinite(${value}) THEN ${scaled} END`
}

/** Whether a cell represents a missing value. */
export const nothingSql = (column: string): string => `(lower(trim(${column})) IN ${NOTHING})`

/** Whether a cell has a value that is not valid for its type. */
export const oddSql = (column: string, kind: GuessedKind): string =>
  kind.kind === 'text'
    ? 'false'
    : `(${column} IS NOT NULL AND ${typedSql(column, kind)} IS NULL AND NOT ${nothingSql(column)})`

/** A name without case, accents, punctuation, spaces and text in brackets. */
export const plainName = (sql: string): string =>
  String.raw`regexp_replace(lower(strip_accents(regexp_replace(${sql}, '\([^)]*\)', '', 'g'))), '[^\p{L}\p{N}]', '', 'g')`
