import type { NamedStatement } from '../../analytics/console-api.ts'
import { quoted } from '../../analytics/sql.ts'
import { sqlTokens } from '../../analytics/sql-tokens.ts'
import { FurlongError } from '../../domain/errors.ts'

const BEGINNINGS = /^\s*\(*\s*(select|from|with|values|summarize|describe|show|pivot|unpivot|table)\b/i

/** The text with blanks in place of comments; every other character, and each line break, stays where it is. */
const withoutComments = (sql: string): string =>
  sqlTokens(sql)
    .map(({ kind, text }) => (kind === 'comment' ? text.replaceAll(/[^\r\n]/g, ' ') : text))
    .join('')

/**
 * The one statement of a text: without semicolons, comments and blanks after it, and with blanks in place of those before
 * it, because errors refer to line numbers. Throws `query-failed` if there is no statement.
 */
export function statementOf(text: string): string {
  const bare = withoutComments(text)
  const start = bare.search(/[^\s;]/)
  if (start < 0) throw new FurlongError('query-failed', { reason: 'There is no statement.' })
  let end = bare.length
  while (/[\s;]/.test(bare[end - 1]!)) end -= 1
  return text.slice(0, start).replaceAll(/[^\r\n]/g, ' ') + text.slice(start, end)
}

/**
 * Wraps the statement in a subquery: only statements that return rows can be one, so nothing can be changed,
 * attached, copied or set. It is prepared before it is run, which refuses several statements at once.
 */
const asRelation = (sql: string, columns = ''): string => `(\n${sql}\n) AS answer${columns}`

/** The statements whose rows another reads under their names, as queries of its WITH. */
const withNamed = (named: readonly NamedStatement[]): string =>
  named.length === 0
    ? ''
    : `WITH ${named.map(({ name, sql }) => `${quoted(name)} AS (SELECT * FROM ${asRelation(sql)})`).join(', ')} `

/** Number of lines that precede the user's statement. */
export const linesBefore = (named: readonly NamedStatement[]): number => withNamed(named).split('\n').length

/** Describes the columns of the statement's rows without running it. */
export const asColumns = (sql: string, named: readonly NamedStatement[] = []): string =>
  `DESCRIBE ${withNamed(named)}SELECT * FROM ${asRelation(sql)}`

/**
 * At most `limit` of the statement's rows, every cell as the text that DuckDB's shell prints: Arrow has no form for some
 * values, and those of enumerated types are lost in results that are fetched in parts. Columns are named by position,
 * because two of the statement's may have the same name.
 */
export function asTexts(
  sql: string,
  columns: number,
  limit: number,
  named: readonly NamedStatement[] = [],
): string {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`)
  const texts = names.map((name) => `${name}::VARCHAR AS ${name}`).join(', ')
  return `${withNamed(named)}SELECT ${texts} FROM (SELECT * FROM ${asRelation(sql, `(${names.join(', ')})`)} LIMIT ${limit})`
}

export const asCount = (sql: string, named: readonly NamedStatement[] = []): string =>
  `${withNamed(named)}SELECT count(*)::DOUBLE AS rows FROM ${asRelation(sql)}`

export const asPlan = (sql: string, named: readonly NamedStatement[] = []): string =>
  `EXPLAIN ${withNamed(named)}SELECT * FROM ${asRelation(sql)}`

const NO_ROWS =
  'The statement must answer rows: one that begins with SELECT, FROM, WITH, VALUES, SUMMARIZE or DESCRIBE.'

const TOO_EARLY = 'The statement ends too early, or a bracket is not closed.'

/** The engine's error message with line numbers of the user's own text, `sql`, which `before` lines precede. */
export function readableReason(reason: string, sql: string, before = linesBefore([])): string {
  const lines = sql.split('\n').length
  const [said = '', ...places] = reason
    .replace(/^(Error: )?(Invalid Input Error: )?/, '')
    .split(/\bLINE (?=\d+:)/)
  // The engine may report the same position twice.
  const [place] = places
  if (place === undefined) return said.trim()
  const line = Number(place.split(':')[0]) - before
  if (line > lines) return BEGINNINGS.test(withoutComments(sql)) ? TOO_EARLY : NO_ROWS
  return `${said.trim()}\n\nLine ${Math.max(1, line)}${place.slice(place.indexOf(':')).trimEnd()}`
}
