/** A part of a statement; together they are its whole text. */
export interface SqlToken {
  /** `unclosed`: the rest of the text after a quotation mark without its end. */
  kind: 'comment' | 'string' | 'quoted-name' | 'word' | 'blank' | 'sign' | 'unclosed'
  text: string
}

/**
 * What may contain a semicolon or the beginning of a comment without being one: `E''` strings with backslashes, strings,
 * quoted names, dollar-quoted strings. Words, so that the `e` at the end of one does not begin an `E''` string.
 */
const TOKEN =
  /(?<string>e'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|\$(?<tag>\w*)\$[\s\S]*?\$\k<tag>\$)|(?<quoted>"(?:[^"]|"")*")|(?<comment>--[^\r\n]*)|(?<word>[\p{L}\p{N}_]+)|(?<blank>\s+)|[\s\S]/iuy
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

function kindOf({
  string,
  quoted,
  comment,
  word,
  blank,
}: Record<string, string | undefined>): SqlToken['kind'] {
  if (string !== undefined) return 'string'
  if (quoted !== undefined) return 'quoted-name'
  if (comment !== undefined) return 'comment'
  if (word !== undefined) return 'word'
  return blank === undefined ? 'sign' : 'blank'
}

function tokenAt(sql: string, at: number): SqlToken {
  const end = sql.startsWith('/*', at) ? blockEnd(sql, at) : null
  if (end !== null) return { kind: 'comment', text: sql.slice(at, end) }
  TOKEN.lastIndex = at
  const { 0: text, groups } = TOKEN.exec(sql)!
  return text === "'" || text === '"'
    ? { kind: 'unclosed', text: sql.slice(at) }
    : { kind: kindOf(groups!), text }
}

/**
 * The tokens of a text of statements, as DuckDB reads them.
 *
 * ```ts
 * sqlTokens("FROM a -- b").map(({ kind }) => kind) // => ['word', 'blank', 'word', 'blank', 'comment']
 * ```
 */
export function sqlTokens(sql: string): SqlToken[] {
  const tokens: SqlToken[] = []
  for (let at = 0; at < sql.length; at += tokens.at(-1)!.text.length) tokens.push(tokenAt(sql, at))
  return tokens
}
