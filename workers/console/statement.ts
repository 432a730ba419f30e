import { FurlongError } from '../../domain/errors.ts'

const BEGINNINGS = /^\s*\(*\s*(select|from|with|values|summarize|describe|show|pivot|unpivot|table)\b/i

/**
 * What may contain a semicolon or the beginning of a comment without being one: strings, `E''` strings with
 * backslashes, quoted names, dollar-quoted strings. Words, so that the `e` at the end of one does not begin an `E''` string.
 */
const TOKEN =
  /e'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\r\n]*|\w+|[\s\S]/iy
const BLOCK_EDGES = /\/\*|\*\//g

/** End of the block comment that begins at `start`; block comments nest. `null` if it is not closed. */
function blockEnd(sql: string, start: number): number | null {
  let depth = 0
  BLOCK_EDGES.lastIndex = start
  for (let edge = BLOCK_EDGES.exec(sql); edge !== null; edge = BLOCK_EDGES.exec(sql)) {
    depth += edge[0] === '/*' ? 1 : -1
    if (depth === 0) return BLOCK_EDGES.lastIndex
  }
  return null
}

/** The text with blanks in place of comments; every other character, and each line break, stays where it is. */
function withoutComments(sql: string): string {
  let text = ''
  for (let at = 0; at < sql.length; at = text.length) {
    const block = sql.startsWith('/*', at) ? blockEnd(sql, at) : null
    TOKEN.lastIndex = at
    const token = block === null ? TOKEN.exec(sql)![0] : sql.slice(at, block)
    // A quotation mark without its end: the rest is inside.
    if (token === "'" || token === '"') return text + sql.slice(at)
    const isComment = block !== null || token.startsWith('--')
    text += isComment ? token.replaceAll(/[^\r\n]/g, ' ') : token
  }
  return text
}

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

/** Number of lines that precede the user's statement in the subquery. */
const LINES_BEFORE = 1

/**
 * Wraps the statement in a subquery: only statements that return rows can be one, so nothing can be changed,
 * attached, copied or set. It is prepared before it is run, which refuses several statements at once.
 */
const asRelation = (sql: string, columns = ''): string => `(\n${sql}\n) AS answer${columns}`

/** Describes the columns of the statement's rows without running it. */
export const asColumns = (sql: string): string => `DESCRIBE SELECT * FROM ${asRelation(sql)}`

/**
 * At most `limit` of the statement's rows, every cell as the text that DuckDB's shell prints: Arrow has no form for some
 * values, and those of enumerated types are lost in results that are fetched in parts. Columns are named by position,
 * because two of the statement's may have the same name.
 */
export function asTexts(sql: string, columns: number, limit: number): string {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`)
  const texts = names.map((name) => `${name}::VARCHAR AS ${name}`).join(', ')
  return `SELECT ${texts} FROM (SELECT * FROM ${asRelation(sql, `(${names.join(', ')})`)} LIMIT ${limit})`
}

export const asCount = (sql: string): string => `SELECT count(*)::DOUBLE AS rows FROM ${asRelation(sql)}`

export const asPlan = (sql: string): string => `EXPLAIN SELECT * FROM ${asRelation(sql)}`

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
  if (line > lines) return BEGINNINGS.test(withoutComments(sql)) ? TOO_EARLY : NO_ROWS
  return `${said.trim()}\n\nLine ${Math.max(1, line)}${place.slice(place.indexOf(':')).trimEnd()}`
}
