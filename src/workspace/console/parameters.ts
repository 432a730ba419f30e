/**
 * Parameters of a statement: `$name` outside of strings and comments. Their values are stored in
 * the statement itself, as one comment line each, `-- $name = 10`, so that a saved or shared
 * statement includes them.
 */

const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|\$([a-z_]\w*)/gi
const VALUE = /^--\s*\$([a-z_]\w*)\s*= ?(.*)$/gim
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

export interface Parameter {
  name: string
  /** As written; empty if it has none yet. */
  value: string
}

/** The parameters of a statement in the order of their first use. */
export function parametersOf(sql: string): Parameter[] {
  const names = [...sql.matchAll(TOKENS)].flatMap((token) => (token[2] === undefined ? [] : [token[2]]))
  const values = new Map([...sql.matchAll(VALUE)].map((line) => [line[1]!, line[2]!]))
  return [...new Set(names)].map((name) => ({ name, value: values.get(name) ?? '' }))
}

/** The statement with the value of a parameter changed, or added on a line before it. */
export function withParameter(sql: string, name: string, value: string): string {
  const line = `-- $${name} = ${value.replaceAll(/[\r\n]/g, ' ')}`
  const known = [...sql.matchAll(VALUE)].find((each) => each[1] === name)
  return known === undefined
    ? `${line}\n${sql}`
    : sql.slice(0, known.index) + line + sql.slice(known.index + known[0].length)
}

/**
 * The statement with the values substituted and the line numbers unchanged: a number as is,
 * anything else as a string.
 */
export function withValues(sql: string): string {
  const values = new Map(parametersOf(sql).map(({ name, value }) => [name, value]))
  return sql.replaceAll(TOKENS, (token: string, _tag: string | undefined, name: string | undefined) => {
    const value = name === undefined ? undefined : values.get(name)
    if (value === undefined || value.trim() === '') return token
    // In brackets, because a minus after another minus would start a comment.
    return NUMBER.test(value.trim()) ? `(${value.trim()})` : `'${value.replaceAll("'", "''")}'`
  })
}
