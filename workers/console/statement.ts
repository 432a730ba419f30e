import { FurlongError } from '../../domain/errors.ts'

const COMMENTS = /--[^\n]*|\/\*[\s\S]*?\*\//g
const BEGINNINGS = /^\s*\(*\s*(select|from|with|values|summarize|describe|show|pivot|unpivot|table)\b/i

/** The statement without trailing semicolons. Throws `query-failed` if it consists of comments only. */
export function statementOf(text: string): string {
  // Leading lines are kept, because errors refer to line numbers.
  const trimmed = text.trimEnd().replace(/(\s*;\s*)+$/, '')
  const left = trimmed.replaceAll(COMMENTS, '').trim()
  if (left === '') throw new FurlongError('query-failed', { reason: 'There is no statement.' })
  return trimmed
}

/** Number of lines that precede the user's statement in the subquery. */
const LINES_BEFORE = 1

/**
 * Wraps the statement in a subquery: only statements that return rows can be one, so nothing can be changed,
 * attached, copied or set. It is prepared before it is run, which refuses several statements at once.
 */
export const asRows = (sql: string, limit: number): string =>
  `SELECT * FROM (\n${sql}\n) AS answer LIMIT ${limit}`

export const asCount = (sql: string): string => `SELECT count(*)::DOUBLE AS rows FROM (\n${sql}\n) AS answer`

export const asPlan = (sql: string): string => `EXPLAIN SELECT * FROM (\n${sql}\n) AS answer`

const NO_ROWS =
  'The statement must answer rows: one that begins with SELECT, FROM, WITH, VALUES, SUMMARIZE or DESCRIBE.'

const TOO_EARLY = 'The statement ends too early, or a bracket is not closed.'

/** The engine's error message with line numbers of the user's own text, `sql`. */
export function readableReason(reason: string, sql: string): string {
  const lines = sql.split('\n').length
  const [said = '', ...places] = reason
    .replace(/^(Error: )?(Invalid Input Error: )?/, '')
    .split(/\bLINE (?=\d+:)/)
  // The engine may report the same position twice.
  const [place] = places
  if (place === undefined) return said.trim()
  const line = Number(place.split(':')[0]) - LINES_BEFORE
  if (line > lines) return BEGINNINGS.test(sql.replaceAll(COMMENTS, '')) ? TOO_EARLY : NO_ROWS
  return `${said.trim()}\n\nLine ${Math.max(1, line)}${place.slice(place.indexOf(':')).trimEnd()}`
}
