import type { GuessedKind } from '../../domain/own-columns.ts'

/** Cells that stand for no value, in lower case. */
const NOTHING = `('', '-', '–', '—', 'na', 'n/a', 'nan', 'null', 'none')`

/** Quotes a name for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The cell of a text column `c0` … as its kind; what is not of it is NULL. */
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

/** Whether a cell says something that its kind cannot be. */
export const oddSql = (column: string, kind: GuessedKind): string =>
  kind.kind === 'text'
    ? 'false'
    : `(${column} IS NOT NULL AND ${typedSql(column, kind)} IS NULL AND lower(trim(${column})) NOT IN ${NOTHING})`

/** A name without case, accents, signs, spaces and what stands in brackets. */
export const plainName = (sql: string): string =>
  String.raw`regexp_replace(lower(strip_accents(regexp_replace(${sql}, '\([^)]*\)', '', 'g'))), '[^\p{L}\p{N}]', '', 'g')`
